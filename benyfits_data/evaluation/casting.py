"""Who plays for an agent, and which agents cannot play with whom."""

from collections.abc import Mapping

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents import is_ours, model_roles, used_roles
from benyfits_data.evaluation.models import NO_READER, REFERENCE


def check_players(agent: str, roles: Mapping[str, str | None]) -> None:
    """Refuse an agent that needs a model where none plays.

    Args:
        agent: A bundled agent, or somebody else's.
        roles: Who plays each role; `None` where inspect decides.

    Raises:
        EvaluationError: A role that only a model can play is played by the reference.
    """
    for role in model_roles(agent):
        if roles.get(role) == REFERENCE:
            otherwise = (
                "or agent proada, which needs none."
                if is_ours(agent)
                else f"or leave {role} out of the agent's `roles` if it needs none."
            )
            raise EvaluationError(
                f"Agent {agent} lets the {role} model decide, and none plays that role. Choose one "
                f"with --{role}-model (--model in `study people`), {otherwise}",
                agent=agent,
                role=role,
            )


def playing_roles(agent: str, roles: Mapping[str, str]) -> tuple[str, ...]:
    """Return the roles that somebody plays for an agent.

    The reference players of dialog and code speak with our own agents only.
    """
    return tuple(
        role
        for role in used_roles(agent)
        if is_ours(agent) or role == "user" or roles.get(role) not in (REFERENCE, NO_READER)
    )
