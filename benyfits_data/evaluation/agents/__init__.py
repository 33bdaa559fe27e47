"""The agents, by the names of the table in `models.py`.

An agent is any object with `run(conversation)`, which returns a verdict per program, or with the
three steps of the paper's dialog loop: `ask(conversation)` returns a question,
`ready(conversation)` whether to stop asking, `predict(conversation)` the verdicts. Each may be
`async` or plain.
"""

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.conversation import (
    Conversation,
    QuestionLimitReached,
)
from benyfits_data.evaluation.models import AGENTS, NO_READER, REFERENCE, check_agent_name

ALL_ROLES = ("dialog", "user", "code")

_GIVEN: dict[str, type] = {}
"""Classes that were handed over in Python, by the name under which they play."""


def find_agent(name: str) -> Callable[..., Any]:
    """Return what makes an agent: a bundled one by name, `my_module:MyAgent` or `FILE.py:MyAgent`.

    Raises:
        EvaluationError: There is no such agent.
    """
    if name in _GIVEN:
        return _GIVEN[name]
    if not is_ours(name):
        return _load(name)
    check_agent_name(name)
    module, _, attribute = AGENTS[name].partition(":")
    made: Callable[..., Any] = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
    return made


def give_agent(make: type) -> str:
    """Return the name under which a class is played in this process, as it is.

    Raises:
        EvaluationError: The class is no agent.
    """
    name = f"{make.__module__}:{make.__qualname__}"
    _check_steps(name, make)
    _GIVEN[name] = make
    return name


def is_ours(name: str) -> bool:
    """Return whether an agent is a bundled one."""
    return ":" not in name


def used_roles(name: str) -> tuple[str, ...]:
    """Return the roles an agent makes use of; only those tell its runs apart in results.

    An agent says so with an attribute `roles`; one that does not may use every role. Where there
    is a user, there may be a reader.
    """
    roles: tuple[str, ...] = getattr(find_agent(name), "roles", ALL_ROLES)
    return (*roles, "reader") if "user" in roles else roles


def model_roles(name: str) -> tuple[str, ...]:
    """Return the roles that only a model can play for an agent.

    Bundled agents say so with an attribute `model_roles`. With others our reference players do not
    speak, and which roles it uses, an agent may not say.
    """
    make = find_agent(name)
    if is_ours(name):
        return getattr(make, "model_roles", ())
    return tuple(role for role in getattr(make, "roles", ()) if role in ("dialog", "code"))


def needs_par(name: str) -> bool:
    """Return whether an agent is given the questions of par.

    Raises:
        EvaluationError: There is no such agent.
    """
    return is_ours(name) and getattr(find_agent(name), "needs_par", False)


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
                f"with --{role}-model (--model in `chat`), {otherwise}",
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


def agent_path(name: str) -> Path:
    """Return the file an agent stands in; what a notebook calls a cell, for a class of one."""
    if name in _GIVEN:
        return Path(_steps(_GIVEN[name])[0].__code__.co_filename)
    return Path(inspect.getfile(find_agent(name)))


def agent_source(name: str) -> str:
    """Return the text on which an agent's verdicts depend: its file, or the steps of a class."""
    if name in _GIVEN:
        # Not of the class: of one in a notebook Python cannot find it.
        return "\n".join(map(inspect.getsource, _steps(_GIVEN[name])))
    return _read_source(agent_path(name))


@cache
def _read_source(path: Path) -> str:
    """The text of a file as it was imported: Python does not import it again if it is edited."""
    return path.read_text(encoding="utf-8")


def _steps(make: type) -> list[FunctionType]:
    """The functions of a class, with those that it has from others."""
    functions: dict[str, FunctionType] = {}
    for owner in reversed(make.__mro__):
        functions |= {
            name: member for name, member in vars(owner).items() if isinstance(member, FunctionType)
        }
    return list(functions.values())


def _load(name: str) -> Callable[[], Any]:
    place, _, attribute = name.rpartition(":")
    try:
        agent_class = getattr(_import(place), attribute)
    except (ImportError, AttributeError) as error:
        raise EvaluationError(
            f"--agent {name}: {error}. Expected module:Class, the module importable from "
            f"{Path.cwd()}, or FILE.py:Class.",
            agent=name,
        ) from error
    if not callable(agent_class):
        raise EvaluationError(f"--agent {name}: {attribute} is no class.", agent=name)
    _check_steps(name, agent_class)
    made: Callable[[], Any] = agent_class
    return made


def _import(place: str) -> ModuleType:
    """Return the module of a name, or of a file."""
    is_file = place.endswith(".py")
    path = Path(place).resolve()
    # A script's own folder is not on the path of an installed command.
    folder = str(path.parent if is_file else Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    module = importlib.import_module(path.stem if is_file else place)
    if is_file and Path(str(module.__file__)).resolve() != path:
        raise ImportError(f"{path.stem} is the module in {module.__file__}; rename your file")
    return module


def _check_steps(name: str, make: Any) -> None:
    steps = ("ask", "ready", "predict")
    if not hasattr(make, "run") and not all(hasattr(make, step) for step in steps):
        raise EvaluationError(
            f"--agent {name} has neither run(conversation) nor all of ask, ready and predict.",
            agent=name,
        )


async def play(agent: Any, conversation: Conversation) -> dict[str, bool]:
    """Return the agent's verdict on every program of the dialog.

    Args:
        agent: An object with `run`, or with `ask`, `ready` and `predict`.
        conversation: The dialog.

    Raises:
        EvaluationError: A verdict is missing or is no bool.
    """
    if hasattr(agent, "run"):
        verdicts = await _call(agent.run, conversation)
    else:
        await _question(agent, conversation)
        verdicts = await _call(agent.predict, conversation)
    return _check(agent, conversation, verdicts)


async def _question(agent: Any, conversation: Conversation) -> None:
    try:
        while conversation.questions_left > 0:
            question = await _call(agent.ask, conversation)
            await conversation.ask(question)
            if await _call(agent.ready, conversation):
                return
    except QuestionLimitReached:
        pass
    conversation.fail("limit_reached", f"all {conversation.limit} questions were used up")


async def _call(step: Any, conversation: Conversation) -> Any:
    result = step(conversation)
    return await result if inspect.isawaitable(result) else result


def _check(agent: Any, conversation: Conversation, verdicts: Any) -> dict[str, bool]:
    expected = "{program: True or False} for every program of conversation.programs"
    if not isinstance(verdicts, dict):
        raise EvaluationError(
            f"{type(agent).__name__} returned {type(verdicts).__name__}, expected {expected}."
        )
    for program in conversation.programs:
        if not isinstance(verdicts.get(program), bool):
            raise EvaluationError(
                f"{type(agent).__name__} says {verdicts.get(program)!r} of {program}, "
                f"expected {expected}.",
                program=program,
            )
    return {program: verdicts[program] for program in conversation.programs}
