"""The task rules of `benyfits-data eval`: a code model writes programs, which are judged."""

from collections.abc import Mapping
from typing import Any

import click

from benyfits_data.cli.cmd_results import show_tables
from benyfits_data.cli.options import known_edition, option, stacked
from benyfits_data.cli.role_options import read_role_settings, read_settings

rules_options = stacked(
    option("--only", metavar="NAME,NAME", help="Programs of the task rules; all if not given."),
    option(
        "--facts",
        type=click.Choice(["needed", "all"]),
        default="needed",
        help="Facts that the task rules names: of the program and as many others, or all.",
    ),
    option(
        "--feedback",
        type=click.IntRange(min=0),
        default=0,
        help="Households that the task rules gives back where a program is wrong, each for a new "
        "try.",
    ),
    option(
        "--edition",
        type=int,
        callback=known_edition,
        help="Year of the rules of the task rules; the newest if not given.",
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


def play_rules(given: Mapping[str, Any]) -> None:
    """Have the code model write programs, and print what they are worth."""
    if given["texts"] not in (None, "decided", "plain"):
        raise click.UsageError(f"--texts {given['texts']}: the task rules reads decided or plain.")
    if given["only"]:  # Before inspect is loaded, which takes longer.
        from benyfits_data.editions import DEFAULT_EDITION, load_edition

        rules = load_edition(given["edition"] or DEFAULT_EDITION)
        for name in given["only"].split(","):
            rules.program(name.strip())
    from benyfits_data.evaluation.models import choose_roles
    from benyfits_data.evaluation.run_options import Options

    by_role = read_role_settings(given["role_settings"])
    named = by_role.get("code", {}).pop("model", None) or given["code_model"]
    roles = {**choose_roles(), "code": choose_roles(models=named or given["models"])["code"]}
    options = Options(
        agent="proada",
        roles=roles,
        settings=read_settings(roles, given, by_role, given["model_args"]),
        trials=given["trials"] or 1,
        concurrency=given["concurrency"],
        timeout=given["timeout"],
        log_dir=given["log_dir"],
    )
    from benyfits_data.evaluation import rules_run
    from benyfits_data.evaluation.results.program_tables import rules_tables, split_logs

    log = rules_run.play_rules(
        options,
        edition=given["edition"],
        texts=given["texts"] or "decided",
        facts=given["facts"],
        feedback=given["feedback"],
        programs=given["only"],
    )
    played, _ = split_logs([log])
    show_tables(rules_tables(played), "json" if given["as_json"] else "text")
    click.echo(f"Log: {log}", err=True)
