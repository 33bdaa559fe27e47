"""Who may play: agents by name, the player of each role, and what their models need.

Nothing heavy is loaded here, so that what is lacking is refused at once.

`reference` is deterministic and needs no model; of users, `grounded` answers from the facts what a
reader understood, and `human` is a person at the terminal; the reader `none` reads nothing.
Everything else is a model that inspect knows: `openai/...`, `vllm/...`,
`openai-api/<service>/...`.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from benyfits_data.errors import EvaluationError
from benyfits_data.spelling import suggest

AGENTS = {
    "always-no": "baselines:AlwaysNoAgent",
    "always-yes": "baselines:AlwaysYesAgent",
    "direct": "baselines:DirectAgent",
    "human": "baselines:HumanAgent",
    "no-user": "baselines:NoUserAgent",
    "oracle-plan": "baselines:OraclePlanAgent",
    "planner": "planner:PlannerAgent",
    "prior": "baselines:PriorAgent",
    "proada": "proada:ProadaAgent",
    "proada-without-clarity": "proada:ProadaWithoutClarityAgent",
    "random": "baselines:RandomAgent",
    "react": "baselines:ReactAgent",
}
"""The bundled agents: module and class in `agents/`."""

Player = TypeVar("Player")
"""A model, however it is known."""

ROLES = ("dialog", "user", "code", "reader")
REFERENCE = "reference"
HUMAN = "human"
GROUNDED = "grounded"
NO_READER = "none"
PLAYERS = {
    "dialog": (REFERENCE,),
    "user": (REFERENCE, GROUNDED, HUMAN),
    "code": (REFERENCE,),
    "reader": (NO_READER,),
}
"""What may stand in for a model, by role; the first plays where nobody says otherwise."""
NO_KEY = "{variable} is not set, and {model} needs a key. Set that variable to it."


def choose_roles(
    *,
    models: str | None = None,
    dialog: str | None = None,
    user: str | None = None,
    code: str | None = None,
    reader: str | None = None,
) -> dict[str, str]:
    """Return who plays each role: who was asked for, `models`, or the reference player.

    Nobody reads free text where no reader is named, but for a grounded user, who needs one.

    Args:
        models: Who plays every role that is not named.
        dialog: Who plays the dialog role.
        user: Who plays the user role.
        code: Who plays the code role.
        reader: Who reads what is not in our own words.

    Raises:
        EvaluationError: A name is no player of that role and no model name, or a grounded user
            lacks a reader.
    """
    asked = {"dialog": dialog, "user": user, "code": code}
    roles = {role: name or models or REFERENCE for role, name in asked.items()}
    roles["reader"] = reader or (roles["user"] == GROUNDED and models) or NO_READER
    for role, name in roles.items():
        if name not in PLAYERS[role] and "/" not in name:
            expected = ", ".join((*PLAYERS[role], "a model such as openai/gpt-4o"))
            raise EvaluationError(
                f"--{role}-model {name}: expected {expected}.", role=role, found=name
            )
    if roles["user"] == GROUNDED and roles["reader"] == NO_READER:
        raise EvaluationError(
            "A grounded user answers what a model reads in a question, and none is there. Name one "
            "with --reader-model."
        )
    return roles


def cast_role(
    role: str, named: str | None, given: Player | None, evaluated: Player | None
) -> Player | str:
    """Return who plays a role of a run that inspect starts.

    Args:
        role: The role.
        named: Who plays it by an argument of the task, if anybody.
        given: The model of the role given to inspect, if any.
        evaluated: The model that inspect evaluates, if any.
    """
    if given is not None and (named is None or is_model(role, named)):
        return given
    if named is not None:
        return named
    if role == "code":
        return REFERENCE
    if role == "reader":
        return NO_READER
    return REFERENCE if evaluated is None else evaluated


def check_understood(roles: Mapping[str, str], needed: Iterable[str] = ROLES) -> None:
    """Return nothing where whoever asks is understood by whoever answers.

    Args:
        roles: Who plays each role.
        needed: The roles that the agent uses.

    Raises:
        EvaluationError: A model words questions for the reference user, who knows our own only.
    """
    asking = [
        roles[role] for role in ("dialog", "code") if role in needed and is_model(role, roles[role])
    ]
    if asking and "user" in needed and roles["user"] == REFERENCE:
        raise EvaluationError(
            f"{asking[0]} words its own questions, and the reference user understands canonical "
            "ones only. Name who answers with --user-model, such as grounded with --reader-model.",
            roles=dict(roles),
        )


def is_model(role: str, name: str) -> bool:
    """Return whether a role's player is a language model."""
    return name not in PLAYERS[role]


def describe_roles(roles: Mapping[str, str], needed: Iterable[str] = ROLES) -> list[str]:
    """Return the banner: one line per role, and a warning where scores mean little."""
    says = {
        REFERENCE: "reference (deterministic, no model)",
        HUMAN: "human (at this terminal)",
        GROUNDED: "grounded (answers from the facts what the reader understands)",
    }
    used = {role: roles[role] for role in ROLES if role in set(needed)}
    if used.get("reader") == NO_READER:
        used.pop("reader")
    lines = [f"{role:<7}{says.get(name, name)}" for role, name in used.items()]
    if "user" in used and "reader" not in used and used["user"] != REFERENCE:
        lines.append("Nobody reads free text: faithfulness is not read. Give --reader-model.")
    if used.get("code") == REFERENCE:
        lines.append(
            "The reference code model hands over our own checkers: a ceiling on F1, no score."
        )
    if "code" in used and set(used.values()) == {REFERENCE}:
        lines.append(
            "No model plays: F1 is what perfect programs reach, turns what they cost. Give "
            "--dialog-model, --user-model or --code-model to measure a model."
        )
    return lines


def check_agent_name(name: str) -> None:
    """Return nothing if a bundled agent has that name, or it names a class of one's own.

    Raises:
        EvaluationError: It is neither.
    """
    if ":" not in name and name not in AGENTS:
        raise EvaluationError(
            f"--agent {name}: expected one of {', '.join(AGENTS)}, or a class of yours as "
            f"my_module:MyAgent or FILE.py:MyAgent. {suggest(name, AGENTS.keys(), '')}".rstrip(),
            agent=name,
        )
