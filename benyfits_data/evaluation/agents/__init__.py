"""The agents: one file each, found by walking this folder.

An agent is any object with `run(conversation)`, which returns a verdict per program, or with the
three steps of the paper's dialog loop: `ask(conversation)` returns a question,
`ready(conversation)` whether to stop asking, `predict(conversation)` the verdicts. Each may be
`async` or plain.
"""

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents.outside import OutsideAgent, describe_agent

if TYPE_CHECKING:
    from benyfits_data.par.tracks import Track

ALL_ROLES = ("dialog", "user", "code")


def agent_names() -> list[str]:
    """Return the names of the bundled agents, sorted."""
    return sorted(
        module.name.replace("_", "-")
        for module in pkgutil.iter_modules(__path__)
        if module.name not in ("loop", "outside", "outside_process")
    )


def find_agent(name: str) -> Callable[..., Any]:
    """Return what makes an agent: a bundled one by name, or `my_module:MyAgent`.

    Raises:
        EvaluationError: There is no such agent.
    """
    if ":" in name:
        return _load(name)
    if name not in agent_names():
        raise EvaluationError(
            f"--agent {name}: expected one of {', '.join(agent_names())}, "
            "or a class of yours as my_module:MyAgent.",
            agent=name,
        )
    module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    made: Callable[[], Any] = module.AGENT
    return made


def used_roles(name: str) -> tuple[str, ...]:
    """Return the roles an agent makes use of; only those tell its runs apart in results.

    An agent says so with an attribute `roles`; one that does not may use every role.
    """
    if ":" in name:
        return tuple(describe_agent(name)["roles"])
    roles: tuple[str, ...] = getattr(find_agent(name), "roles", ALL_ROLES)
    return roles


def has_tracks(name: str) -> bool:
    """Return whether an agent must be told what one question may ask.

    Raises:
        EvaluationError: There is no such agent.
    """
    return ":" not in name and getattr(find_agent(name), "has_tracks", False)


def choose_track(name: str, questions: "Track | None") -> "Track | None":
    """Return what one question may ask, for agents that have such tracks; `None` for others.

    Args:
        name: The agent.
        questions: The track asked for, if any.

    Raises:
        EvaluationError: A track is missing, or the agent has none.
    """
    is_needed = has_tracks(name)
    if is_needed == (questions is not None):
        return questions
    # Not above: agents of others load this package, from which the checkers are hidden.
    from benyfits_data.par.tracks import TRACKS

    tracks = "|".join(TRACKS)
    raise EvaluationError(
        f"--agent {name} needs --questions {tracks}: what one question may ask."
        if is_needed
        else f"--agent {name} words its own questions. Leave --questions out.",
        agent=name,
    )


def make_agent(name: str) -> Callable[..., Any]:
    """Return what makes the player of a dialog: bundled agents play here, others elsewhere.

    Raises:
        EvaluationError: There is no such agent.
    """
    if ":" not in name:
        return find_agent(name)
    describe_agent(name)
    return partial(OutsideAgent, name)


def agent_file(name: str) -> Path:
    """Return the file an agent stands in."""
    return Path(describe_agent(name)["file"] if ":" in name else inspect.getfile(find_agent(name)))


def _load(name: str) -> Callable[[], Any]:
    module_name, _, attribute = name.partition(":")
    # A script's own folder is not on the path of an installed command.
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module_name), attribute)
    except (ImportError, AttributeError) as error:
        raise EvaluationError(
            f"--agent {name}: {error}. Expected module:Class, the module importable from {here}.",
            agent=name,
        ) from error
    if not callable(found):
        raise EvaluationError(f"--agent {name}: {attribute} is no class.", agent=name)
    steps = ("ask", "ready", "predict")
    if not hasattr(found, "run") and not all(hasattr(found, step) for step in steps):
        raise EvaluationError(
            f"--agent {name} has neither run(conversation) nor all of ask, ready and predict.",
            agent=name,
        )
    made: Callable[[], Any] = found
    return made
