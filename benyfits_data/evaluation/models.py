"""Who plays which role: the reference players, a person, or a model.

`reference` is deterministic and needs no model, `human` is a person at the terminal (users only),
everything else is a model that inspect knows: `embedded/smollm2`, `openai/...`, `vllm/...`,
`openai-api/<service>/...`.
"""

from collections.abc import Iterable, Mapping

from benyfits_data.errors import EvaluationError, MissingExtraError
from benyfits_data.evaluation.replies import clean_text
from benyfits_data.understanding.parser.targets import UNSEEN, are_reached

ROLES = ("dialog", "user", "code")
REFERENCE = "reference"
HUMAN = "human"
PLAYERS = {"dialog": (REFERENCE,), "user": (REFERENCE, HUMAN), "code": (REFERENCE,)}
"""What may stand in for a model, by role; the first plays where nobody says otherwise."""


def require_inspect() -> None:
    """Return nothing if inspect-ai is installed.

    Raises:
        MissingExtraError: It is not.
    """
    try:
        import inspect_ai  # noqa: F401
    except ImportError as error:
        raise MissingExtraError(
            "Evaluations run on inspect-ai, which is not installed. "
            "Install benyfits-data anew, with what it needs.",
            package="inspect-ai",
        ) from error


def choose_roles(
    *,
    models: str | None = None,
    dialog: str | None = None,
    user: str | None = None,
    code: str | None = None,
    gguf: str | None = None,
) -> dict[str, str]:
    """Return who plays each role: who was asked for, `models`, or the reference player.

    Args:
        models: Who plays every role that is not named.
        dialog: Who plays the dialog role.
        user: Who plays the user role.
        code: Who plays the code role.
        gguf: A GGUF file that plays the dialog role unless that is named.

    Raises:
        EvaluationError: A name is no player of that role and no model name.
    """
    asked = {"dialog": dialog or (f"embedded/{gguf}" if gguf else None), "user": user, "code": code}
    roles = {role: asked[role] or models or REFERENCE for role in ROLES}
    for role, name in roles.items():
        if name not in PLAYERS[role] and "/" not in name:
            expected = ", ".join((*PLAYERS[role], "a model such as openai/gpt-4o"))
            raise EvaluationError(
                f"--{role}-model {name}: expected {expected}.", role=role, found=name
            )
    return roles


def is_model(role: str, name: str) -> bool:
    """Return whether a role's player is a language model."""
    return name not in PLAYERS[role]


def describe_roles(roles: Mapping[str, str], needed: Iterable[str] = ROLES) -> list[str]:
    """Return the banner: one line per role, and a warning where scores mean little."""
    says = {REFERENCE: "reference (deterministic, no model)", HUMAN: "human (at this terminal)"}
    used = {role: roles[role] for role in ROLES if role in set(needed)}
    lines = [f"{role:<7}{says.get(name, name)}" for role, name in used.items()]
    if "embedded/smollm2" in used.values():
        lines.append(
            "SmolLM2 (135 million parameters) is far too small for meaningful scores and cannot "
            "write checkers; it shows that everything runs. Give --dialog-model for real ones."
        )
    if misleads(roles, used):
        lines.append(
            f"The reference user answers; of questions nobody tuned on it answers "
            f"{UNSEEN['false answers']:g}% falsely and understands "
            f"{UNSEEN['questions understood']:g}%. Give --user-model for a model."
        )
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


def misleads(roles: Mapping[str, str], needed: Iterable[str] = ROLES) -> bool:
    """Return whether a language model would talk to a reference user that is not good enough.

    Args:
        roles: Who plays each role.
        needed: The roles that the agent uses.
    """
    talks = {"dialog", "user"} <= set(needed) and is_model("dialog", roles["dialog"])
    return talks and roles["user"] == REFERENCE and not are_reached()


def describe_error(error: BaseException) -> str:
    """Return an error of a provider in one line."""
    if error.__cause__ is not None and type(error).__name__ == "ModelGenerateError":
        # Inspect puts the whole request before what went wrong.
        error = error.__cause__
    text = clean_text(" ".join(str(error).split()), 300)
    return f"{type(error).__name__}: {text}"
