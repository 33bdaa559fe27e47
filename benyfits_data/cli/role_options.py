"""Options of models: how each role's is reached and asked, what only the task rules has."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import click

from benyfits_data.cli.options import COUNT, known_edition, option, stacked

HARMLESS = ("temperature", "max_tokens", "without")
"""Settings that do no harm where they were not meant; an address or a key does."""


class Temperature(click.ParamType):  # type: ignore[type-arg]
    """A number, or `default` for the provider's own."""

    name = "number|default"

    def convert(self, value: Any, param: Any, ctx: Any) -> float | str:
        """Return the number or `default`."""
        with suppress(ValueError):
            return value if value == "default" else float(value)
        self.fail(f"{value!r} is neither a number nor default.", param, ctx)


class Without(click.ParamType):  # type: ignore[type-arg]
    """Names of what a call can do without, separated by commas."""

    name = "names"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, ...]:
        """Return the names."""
        from benyfits_data.evaluation.server_errors import PARAMETERS

        names = tuple(value if isinstance(value, tuple) else str(value).split(","))
        for name in names:
            if name not in PARAMETERS:
                self.fail(f"{name!r} is none of {', '.join(PARAMETERS)}.", param, ctx)
        return names


_SETTINGS: dict[str, Any] = {
    "base_url": click.STRING,
    "key_variable": click.STRING,
    "temperature": Temperature(),
    "max_tokens": COUNT,
    "without": Without(),
}
"""What `--role` may set, and the kind of its value."""
server_options = stacked(
    option("--base-url", help="Address of a server with an API like OpenAI's."),
    option("--key-variable", help="Environment variable that holds the server's key."),
    option(
        "--temperature",
        type=Temperature(),
        help="How random replies are; 0 if not given, `default`: the provider's own.",
    ),
    option("--max-tokens", type=COUNT, help="Tokens of a reply at most, its reasoning included."),
    option(
        "--without",
        type=Without(),
        metavar="NAME,...",
        help="Parts of a request to leave out: seed, temperature, max_tokens, response_schema, "
        "system_role. What a server refuses by name is left out anyway.",
    ),
)
"""Settings of the models that play, which `--role` gives for one of them."""


rules_options = stacked(
    option(
        "--only", metavar="NAME,NAME", help="With --task rules: these programs; all if not given."
    ),
    option(
        "--facts",
        type=click.Choice(["needed", "all"]),
        default="needed",
        help="With --task rules: the facts that the model is shown; those of the program and as "
        "many others, or all.",
    ),
    option(
        "--feedback",
        type=click.IntRange(min=0),
        default=0,
        help="With --task rules: tries after the first, each with a household decided wrongly.",
    ),
    option(
        "--edition",
        type=int,
        callback=known_edition,
        help="With --task rules: the year whose texts are read; the newest if not given.",
    ),
)
"""What only the task rules has use for."""

_OF_RULES = {"only", "facts", "feedback", "edition"}
_OF_BOTH = {
    "task", "texts", "trials", "models", "code_model", "base_url", "key_variable", "temperature",
    "max_tokens", "role_settings", "model_args", "concurrency", "timeout", "log_dir", "as_json",
}  # fmt: skip


def check_task(context: click.Context, task: str) -> None:
    """Refuse options that the task has no use for."""
    for name in context.params:
        is_given = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if is_given and name not in _OF_BOTH and (name in _OF_RULES) is not (task == "rules"):
            spelled = name.replace("_", "-")
            raise click.UsageError(f"--{spelled}: --task {task} has no use for it. Leave it out.")


def read_role_settings(given: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Return what `--role` sets, by role and name of the setting.

    Raises:
        BadParameter: One names no role or no setting, or has a value that cannot be.
    """
    from benyfits_data.evaluation.models import ROLES
    from benyfits_data.spelling import suggest

    settings: dict[str, dict[str, Any]] = {}
    for item in given:
        place, equals, value = item.partition("=")
        role, dot, spelled = place.partition(".")
        name = spelled.replace("-", "_")
        if not (equals and dot and value):
            raise click.BadParameter(f"{item!r} is not ROLE.NAME=VALUE.", param_hint="--role")
        for word, known in ((role, ROLES), (name, tuple(_SETTINGS))):
            if word not in known:
                hint = suggest(word, known, f"Expected one of {', '.join(known)}.")
                raise click.BadParameter(f"{item!r}: no {word!r}. {hint}", param_hint="--role")
        try:
            settings.setdefault(role, {})[name] = _SETTINGS[name].convert(value, None, None)
        except click.BadParameter as error:
            raise click.BadParameter(f"{item!r}: {error.message}", param_hint="--role") from None
    return settings


def read_settings(
    roles: Mapping[str, str],
    given: Mapping[str, Any],
    by_role: Mapping[str, Mapping[str, Any]],
    model_args: tuple[str, ...],
) -> dict[str, Any]:
    """Return the settings of each role: of its own options, else of those that name no role."""
    from benyfits_data.evaluation.models import ROLES, is_model
    from benyfits_data.evaluation.run_options import RoleSettings, models_meant

    settings: dict[str, dict[str, Any]] = {role: {"model_args": {}} for role in ROLES}
    for name in _SETTINGS:
        if given.get(name) is not None:
            option = f"--{name.replace('_', '-')}"
            for role in ROLES if name in HARMLESS else models_meant(roles, option):
                settings[role][name] = given[name]
    for role, of_role in by_role.items():
        if of_role and not is_model(role, roles[role]):
            spelled = next(iter(of_role)).replace("_", "-")
            raise click.UsageError(
                f"--role {role}.{spelled}: {roles[role]} plays that role, and is no model. "
                "Leave it out, or name a model."
            )
        settings[role] |= of_role
    for item in model_args:
        name, equals, value = item.partition("=")
        if not equals:
            raise click.BadParameter(f"{item!r} is not NAME=VALUE.", param_hint="-M")
        role, dot, own_name = name.partition(".")
        is_own = bool(dot) and role in ROLES
        for each in [role] if is_own else models_meant(roles, f"-M {name}"):
            _add_argument(settings[each]["model_args"], own_name if is_own else name, value, item)
    return {
        role: RoleSettings(**{name: _unless_default(value) for name, value in of_role.items()})
        for role, of_role in settings.items()
    }


def _add_argument(arguments: dict[str, Any], name: str, value: Any, item: str) -> None:
    """Add an argument of a provider to the others; `a.b` is `b` of `a`, values may be JSON."""
    with suppress(json.JSONDecodeError, RecursionError):
        value = json.loads(value)
    *groups, last = name.split(".")
    for group in groups:
        arguments = arguments.setdefault(group, {})
        if not isinstance(arguments, dict):
            raise click.BadParameter(
                f"{item!r}: {group} has a value of its own, so it cannot hold others.",
                param_hint="-M",
            )
    arguments[last] = value


def _unless_default(value: Any) -> Any:
    return None if value == "default" else value
