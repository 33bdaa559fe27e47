"""`benyfits-data eval`: agents question simulated users and are scored."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from benyfits_data.cli.options import format_option, seed_option


@click.command()
@click.option("--agent", default="proada", show_default=True, help="Agent, or my_module:MyAgent.")
@click.option(
    "--dataset",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("output/diverse.jsonl"),
    show_default=True,
    help="The households to talk to.",
)
@format_option
@click.option(
    "--requirements",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The texts that belong to a published dataset (JSON Lines).",
)
@click.option("--relabel", is_flag=True, help="Score a published dataset by our labels.")
@click.option("--limit", type=click.IntRange(min=1), help="Play only the first households.")
@click.option("--trials", type=click.IntRange(min=1), default=1, show_default=True)
@seed_option
@click.option("--models", help="Who plays every role not named: reference, or a model.")
@click.option("--dialog-model", help="Who asks and reads: reference, or a model.")
@click.option("--user-model", help="Who answers: reference, human, or a model.")
@click.option("--code-model", help="Who writes ProADA's programs: reference, or a model.")
@click.option("--gguf", type=click.Path(exists=True, dir_okay=False), help="Embedded model file.")
@click.option("--base-url", help="Address of an OpenAI-compatible server.")
@click.option(
    "-M",
    "model_args",
    multiple=True,
    metavar="NAME=VALUE",
    help="Argument of the model provider, such as tensor_parallel_size=2.",
)
@click.option("--temperature", type=float, default=0.0, show_default=True)
@click.option(
    "--concurrency",
    type=click.IntRange(min=1),
    default=64,
    show_default=True,
    help="Dialogs held at the same time, at most.",
)
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    help="Processes that share the dialogs; one a processor if not given, where models are served "
    "elsewhere.",
)
@click.option("--timeout", type=click.IntRange(min=1), default=120, help="Seconds for a reply.")
@click.option(
    "--prompts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of templates that replace ours by name.",
)
@click.option(
    "--log-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the logs; one under logs/, named after the run, if not given.",
)
def command(
    agent: str,
    dataset: Path,
    layout: str,
    requirements: Path | None,
    relabel: bool,
    limit: int | None,
    trials: int,
    seed: int,
    models: str | None,
    dialog_model: str | None,
    user_model: str | None,
    code_model: str | None,
    gguf: str | None,
    base_url: str | None,
    model_args: tuple[str, ...],
    temperature: float,
    concurrency: int,
    processes: int | None,
    timeout: int,
    prompts: Path | None,
    log_dir: Path | None,
) -> None:
    r"""Let an agent question the households of a dataset, and score its verdicts.

    Without any setting the code role hands over our own checkers, a small embedded model asks
    the questions, and the reference user answers from the household. A run that was stopped
    continues when the same command is given again.

    \b
    Examples:
      benyfits-data eval --agent proada --limit 5
      benyfits-data eval --models reference
      benyfits-data eval --agent react --dialog-model openai/gpt-4o --user-model openai/gpt-4o
    """
    from benyfits_data.errors import EvaluationError
    from benyfits_data.evaluation.agents import used_roles
    from benyfits_data.evaluation.models import choose_roles, describe_roles, require_inspect
    from benyfits_data.evaluation.rows import load_published, load_rows
    from benyfits_data.evaluation.run import Options, choose_processes, log_folder, run

    require_inspect()
    roles = choose_roles(
        models=models, dialog=dialog_model, user=user_model, code=code_model, gguf=gguf
    )
    needed = used_roles(agent)
    if layout == "published":
        if requirements is None:
            raise EvaluationError(
                "--format published needs the published texts too: give --requirements FILE."
            )
        rows = load_published(dataset, requirements, relabel=relabel)
    else:
        rows = load_rows(dataset)
    for line in describe_roles(roles, needed):
        click.echo(line, err=True)
    is_human = "human" in (agent, roles["user"])
    rows = rows[:limit]
    options = Options(
        agent=agent,
        roles=roles,
        trials=trials,
        seed=seed,
        prompts=prompts,
        # Two people cannot share a terminal.
        concurrency=1 if is_human else concurrency,
        processes=1 if is_human else processes or choose_processes(roles, len(rows)),
        timeout=timeout,
        temperature=temperature,
        log_dir=log_dir,
        model_args=_read_arguments(model_args),
        base_url=base_url,
    )
    _summarise(run(dataset.stem, rows, options))
    click.echo(f"Logs: {log_folder(dataset.stem, rows, options)}", err=True)
    click.echo(
        "`benyfits-data results` compares runs; `inspect view` shows every dialog.", err=True
    )


def _read_arguments(given: tuple[str, ...]) -> Mapping[str, Any]:
    arguments: dict[str, Any] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals:
            raise click.BadParameter(f"{item!r} is not NAME=VALUE.", param_hint="-M")
        try:
            arguments[name] = json.loads(value)
        except json.JSONDecodeError:
            arguments[name] = value
    return arguments


def _summarise(dialogs: list[Any]) -> None:
    from benyfits_data.evaluation.tables import summarise

    for line in summarise(dialogs):
        click.echo(line)
