"""Options of models: how they are reached and asked; what only the task rules has."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from benyfits_data.cli import options
from benyfits_data.cli.frame import option, stacked

if TYPE_CHECKING:
    from benyfits_data.evaluation.run_options import ModelSettings

server_options = stacked(
    option("--base-url", help="Address of a server with an API like OpenAI's."),
    option("--temperature", type=float, default=0.0, help="Of every model but the reader's."),
    option("--max-tokens", type=options.COUNT, help="Tokens of a reply, reasoning included."),
    option(
        "--without",
        metavar="NAME,...",
        help="Not sent: seed, temperature, max_tokens, response_schema, system_role.",
    ),
)
"""How models are reached and asked."""
provider_arguments = option(
    "-M",
    "model_args",
    multiple=True,
    metavar="NAME=VALUE",
    help="Argument of the provider, such as tensor_parallel_size=2; JSON, and a.b=1 is b of a.",
)

rules_options = stacked(
    option("--only", metavar="NAME,NAME", help="With --task rules: these programs."),
    option(
        "--facts",
        type=click.Choice(["needed", "all"]),
        default="needed",
        help="With --task rules: the facts shown; the program's and as many others, or all.",
    ),
    option(
        "--feedback",
        type=click.IntRange(min=0),
        default=0,
        help="With --task rules: further tries, each with a household decided wrongly.",
    ),
    option(
        "--edition",
        type=int,
        callback=options.known_edition,
        help="With --task rules: the year of the texts; the newest if not given.",
    ),
)
"""What only the task rules has use for."""

_OF_RULES = {"only", "facts", "feedback", "edition"}
_OF_BOTH = {
    "task", "texts", "trials", "models", "code_model", "base_url", "temperature", "max_tokens",
    "without", "model_args", "concurrency", "timeout", "log_dir", "as_json",
}  # fmt: skip


def check_task(task: str) -> None:
    """Refuse options that the task has no use for."""
    context = click.get_current_context()
    for name in context.params:
        is_given = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if is_given and name not in _OF_BOTH and (name in _OF_RULES) is not (task == "rules"):
            spelled = name.replace("_", "-")
            raise click.UsageError(f"--{spelled}: --task {task} has no use for it. Leave it out.")


def read_settings(roles: Mapping[str, str], given: Mapping[str, Any]) -> "ModelSettings":
    """Return how models are reached and asked, as the options say.

    Raises:
        BadParameter: A value cannot be.
        EvaluationError: An option of one model is given, and several play.
    """
    from benyfits_data.evaluation.run_options import PARAMETERS, ModelSettings, check_one_model

    named = given["without"].split(",") if given["without"] else []
    without = tuple(known for known in PARAMETERS if known in named)
    if unknown := sorted({*named} - {*PARAMETERS}):
        expected = ", ".join(PARAMETERS)
        raise click.BadParameter(f"{unknown[0]!r} is none of {expected}.", param_hint="--without")
    settings = ModelSettings(
        base_url=given["base_url"],
        temperature=given["temperature"],
        max_tokens=given["max_tokens"],
        model_args=read_arguments(given["model_args"]),
        without=without,
    )
    check_one_model(roles, settings)
    return settings


def read_arguments(given: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of a provider; `a.b` is `b` of `a`, values may be JSON.

    Raises:
        BadParameter: An argument is no `NAME=VALUE`, or has both a value and parts.
    """
    arguments: dict[str, Any] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals:
            raise click.BadParameter(f"{item!r} is not NAME=VALUE.", param_hint="-M")
        *groups, last = name.split(".")
        inner: Any = arguments
        for group in groups:
            inner = inner.setdefault(group, {})
            if not isinstance(inner, dict):
                raise click.BadParameter(
                    f"{item!r}: {group} has a value of its own, so it cannot hold others.",
                    param_hint="-M",
                )
        inner[last] = value
        with suppress(json.JSONDecodeError, RecursionError):
            inner[last] = json.loads(value)
    return arguments
