"""`benyfits-data eval`: agents question simulated users and are scored."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from benyfits_data.cli.cmd_results import read_prices, show_tables
from benyfits_data.cli.options import (
    COUNT,
    FOLDER,
    NEW_FILE,
    Layout,
    example,
    format_option,
    option,
    prices_option,
    profiles_option,
    seed_option,
)
from benyfits_data.cli.progress import progress
from benyfits_data.cli.role_options import (
    check_task,
    read_role_settings,
    read_settings,
    rules_options,
    server_options,
)
from benyfits_data.cli.tables import json_option

PAPER_TEMPERATURE = 0.7
PAPER_TRIALS = 3
_AS_GIVEN = (
    *("agent", "seed", "prompts", "timeout", "log_dir", "questions", "max_turns", "max_seconds"),
    *("keep_going", "style"),
)
"""Options of the command that are those of a run."""


@click.command(
    epilog=example(
        "benyfits-data eval",
        "benyfits-data eval --agent random --trials 10",
        "benyfits-data eval --agent planner --track one",
        "benyfits-data eval --agent react --model openai/gpt-4o --user proven",
        "benyfits-data eval --agent react --model openai/gpt-4o --texts plain",
        "benyfits-data eval --task rules --code-model openai/gpt-4o --feedback 3",
        "benyfits-data eval --limit 1 --model embedded/smollm2 --code-model reference",
        "benyfits-data eval --agent react --model openai/gpt-4o --preflight only",
    )
)
@option(
    "--task",
    type=click.Choice(["dialogs", "rules"]),
    default="dialogs",
    help="dialogs: agents ask users; rules: the code model writes a function from each program's "
    "text, which is judged by proof.",
)
@rules_options
@option(
    "--agent",
    default="proada",
    help="A bundled agent (docs/library.md lists them), or my_module:MyAgent.",
)
@option(
    "--track",
    "questions",
    type=click.Choice(["one", "roster", "who", "all"]),
    help="What one question of the planner may ask for. one: one fact of one member; roster: also "
    "all members, with age and relation; who: also whom a yes-or-no fact holds for; all: also one "
    "fact of all members.",
)
@option(
    "--max-turns",
    default="paper",
    metavar="paper|par:K",
    help="Questions that a dialog may have. paper: 20 a program and 100 in all; par:K: K times the "
    "fewest that force its labels, and 20 at least.",
)
@option(
    "--dataset",
    type=NEW_FILE,
    help="The households to talk to; output/2026/diverse.jsonl, or the set this package carries.",
)
@format_option
@option(
    "--texts",
    metavar="decided|plain|FILE",
    help="What agents read. decided, the default: texts that define every term; plain: short ones, "
    "as open as a public page; or a file in the published layout.",
)
@profiles_option
@option("--relabel", is_flag=True, help="Score a published dataset by our labels, not its own.")
@option("--limit", type=COUNT, help="Play only the first households.")
@option("--rows", "row_ids", metavar="ID,...", help="Play only these households.")
@option("--max-seconds", type=COUNT, help="A dialog that takes longer breaks off, and is scored.")
@option("--trials", type=COUNT, help="Repetitions; 1 if not given.")
@seed_option
@option("--model", "models", help="Who plays every role not named: reference, or a model.")
@option("--dialog-model", help="Who asks and reads: reference, or a model.")
@option("--user-model", help="Who answers: reference, human, or a model.")
@option(
    "--user",
    "user_kind",
    type=click.Choice(["model", "grounded", "proven"]),
    default="model",
    help="Where answers come from. model: a model speaks from the profile; grounded: a model reads "
    "the question, our code answers; proven: a model speaks, its answers are compared with the "
    "household before they are sent.",
)
@option(
    "--style",
    type=click.Choice(["plain", "terse", "talkative", "beside-the-point"]),
    default="plain",
    help="How a grounded or proven user speaks: other words, the same facts.",
)
@option(
    "--code-model", help="Who writes programs, for ProADA and --task rules: reference, or a model."
)
@option("--reader-model", help="Who reads free text: a model, or none; the user's if not given.")
@server_options
@option(
    "--role",
    "role_settings",
    multiple=True,
    metavar="ROLE.NAME=VALUE",
    help="A setting for the model of one role (dialog, user, code or reader): base-url, "
    "key-variable, temperature, max-tokens or without, such as user.temperature=0.7.",
)
@option(
    "-M",
    "model_args",
    multiple=True,
    metavar="[ROLE.]NAME=VALUE",
    help="Argument of the model provider, such as tensor_parallel_size=2; values may be JSON, and "
    "a.b=1 is b of a.",
)
@prices_option
@option(
    "--preflight",
    type=click.Choice(["run", "only", "skip"]),
    default="run",
    help="Try each role's model with one long call before the run; only that; or never.",
)
@option("--paper", is_flag=True, help="Temperature 0.7 and three trials, as in the paper.")
@option("--concurrency", type=COUNT, default=64, help="Dialogs held at the same time, at most.")
@option("--timeout", type=COUNT, help="Seconds that a reply may take; by its length if not given.")
@option(
    "--keep-going",
    is_flag=True,
    help="Play on when the agent breaks off the first dialogs, all in the same way.",
)
@option(
    "--prompts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of templates that replace ours by name.",
)
@option(
    "--log-dir",
    type=FOLDER,
    help="Folder of the logs; one under logs/, named after the run, if not given.",
)
@json_option
@click.pass_context
def command(context: click.Context, /, **given: Any) -> None:
    """Let an agent question the households of a dataset, and score its verdicts.

    Without options no model plays: our own checkers ask, and the reference user answers from the
    household's facts. A run that was stopped continues when the same command is given again.
    """
    check_task(context, given["task"])
    (play_rules if given["task"] == "rules" else play_dialogs)(given)


def play_dialogs(given: Mapping[str, Any]) -> None:
    """Let the agent hold dialogs, and print what it scored."""
    from benyfits_data.evaluation.models import check_agent_name
    from benyfits_data.evaluation.run_options import (
        DECIDED,
        check_dataset,
        check_rows,
        check_texts,
        read_factor,
    )

    agent, dataset, layout = given["agent"], given["dataset"], given["layout"]
    questions, max_turns, texts = given["questions"], given["max_turns"], given["texts"]
    check_agent_name(agent)
    read_factor(max_turns)
    check_dataset(dataset)
    check_texts(texts)
    _check_layout(layout, texts, max_turns)
    from benyfits_data.evaluation.recorded import find_dataset

    dataset = dataset or find_dataset("diverse")
    asked_ids = given["row_ids"].split(",") if given["row_ids"] else []
    if layout == "ours":
        check_rows(dataset, asked_ids)
    from benyfits_data.evaluation.agents import check_players, check_track, playing_roles
    from benyfits_data.evaluation.models import check_understood, choose_roles, describe_roles

    by_role, models = read_role_settings(given["role_settings"]), given["models"]
    named = {role: given[f"{role}_model"] for role in ("dialog", "user", "code", "reader")}
    roles = choose_roles(models=models, kind=given["user_kind"], style=given["style"], **named)
    check_players(agent, roles)
    needed = playing_roles(agent, roles)
    check_understood(roles, needed)
    check_track(agent, questions)
    if given["paper"] and given["temperature"] is None:
        given = {**given, "temperature": PAPER_TEMPERATURE}
    settings = read_settings(roles, given, by_role, given["model_args"])
    from benyfits_data.evaluation.planned import load_published, load_rows, pick_rows, recognise
    from benyfits_data.evaluation.row_par import add_par, known_par, needed_tracks

    if layout == "published":
        rows = load_published(dataset, texts, relabel=given["relabel"])
    else:
        rows = load_rows(dataset, texts or DECIDED, given["profiles"])
    for line in describe_roles(roles, needed):
        click.echo(line, err=True)
    is_human = "human" in (agent, roles["user"])
    column = None if given["relabel"] else recognise(dataset, layout, rows)
    total = len(rows)
    rows = (pick_rows(rows, asked_ids) if asked_ids else rows)[: given["limit"]]
    from benyfits_data.evaluation.preflight import check_models, check_ports, describe_cost
    from benyfits_data.evaluation.run import (
        AgentBrokeOffError,
        UnscoredError,
        log_folder,
        play_run,
    )
    from benyfits_data.evaluation.run_options import Options

    if layout == "ours":
        tracks = needed_tracks(agent, max_turns, questions)
        rows = add_par(rows, known_par(dataset), tracks, progress)
    options = Options(
        roles=roles,
        settings=settings,
        trials=given["trials"] or (PAPER_TRIALS if given["paper"] else 1),
        # Two people cannot share a terminal.
        concurrency=1 if is_human else given["concurrency"],
        column=column,
        total=total,
        is_proven=given["user_kind"] == "proven",
        **{name: given[name] for name in _AS_GIVEN},
    )
    if given["preflight"] == "skip":
        check_ports(options)
    elif options.described_models():
        checked = check_models(rows, options)
        options = replace(options, served={check.role: check.served for check in checked})
        for check in checked:
            click.echo(check.line, err=True)
        for line in describe_cost(rows, options, read_prices(given["prices"])):
            click.echo(line, err=True)
    if given["preflight"] == "only":
        return
    # Before the run: code that is edited meanwhile would be another run's.
    folder = log_folder(dataset.stem, rows, options)
    try:
        _summarise(play_run(dataset.stem, rows, options), given["as_json"])
    except AgentBrokeOffError as error:
        click.echo(f"{error.traceback}\n", err=True)
        raise
    except UnscoredError as error:
        _summarise(error.run, given["as_json"])
        raise
    click.echo(f"Logs: {folder}", err=True)
    click.echo(
        "`benyfits-data results --all` tells more; `inspect view` shows every dialog.", err=True
    )


def _check_layout(layout: Layout, texts: str | None, max_turns: str) -> None:
    from benyfits_data.errors import EvaluationError

    if layout == "ours":
        return
    if max_turns != "paper":
        raise click.UsageError(
            f"--max-turns {max_turns}: the published layout holds no par. Leave it out, or "
            "play one of our sets."
        )
    given = click.get_current_context().get_parameter_source("profiles")
    if given is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError(
            "--profiles: the rows of the published layout hold profiles of their own, and too few "
            "facts to write others. Leave it out, or play one of our sets."
        )
    if texts is None:
        raise EvaluationError(
            "--format published needs the published texts too: give --texts FILE."
        )


def _summarise(run: Any, as_json: bool) -> None:
    from benyfits_data.evaluation.results.result_tables import summarise

    show_tables(summarise(run), "json" if as_json else "text")


def play_rules(given: Mapping[str, Any]) -> None:
    """Have the code model write programs, and print what they are worth."""
    if given["texts"] not in (None, "decided", "plain"):
        raise click.UsageError(f"--texts {given['texts']}: --task rules reads decided or plain.")
    if given["only"]:  # Before inspect is loaded, which takes longer.
        from benyfits_data.editions import DEFAULT_EDITION, load_edition

        rules = load_edition(given["edition"] or DEFAULT_EDITION)
        for name in given["only"].split(","):
            rules.program(name.strip())
    from benyfits_data.evaluation.models import choose_roles
    from benyfits_data.evaluation.run_options import Options

    by_role = read_role_settings(given["role_settings"])
    code_model = given["code_model"] or given["models"]
    roles = {**choose_roles(), "code": choose_roles(models=code_model)["code"]}
    options = Options(
        agent="proada",
        roles=roles,
        settings=read_settings(roles, given, by_role, given["model_args"]),
        trials=given["trials"] or 1,
        concurrency=given["concurrency"],
        timeout=given["timeout"],
        log_dir=given["log_dir"],
    )
    from benyfits_data.evaluation.results.program_tables import rules_tables, split_logs
    from benyfits_data.evaluation.rules import rules_task

    log = rules_task.play_rules(
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
