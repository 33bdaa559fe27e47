"""`benyfits-data eval`: agents question simulated users and are scored."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from benyfits_data.cli import options
from benyfits_data.cli.cmd_results import report_tables
from benyfits_data.cli.frame import Report, option, say, verb
from benyfits_data.cli.role_options import (
    check_task,
    provider_arguments,
    read_settings,
    rules_options,
    server_options,
)

_AS_GIVEN = (
    *("agent", "seed", "prompts", "timeout", "log_dir", "max_turns", "trials", "keep_going"),
)
"""Options of the command that are those of a run."""


@verb(
    "eval",
    "eval --agent random --trials 10",
    "eval --agent planner",
    "eval --agent react --model openai/gpt-4o --user-model grounded",
    "eval --task rules --code-model openai/gpt-4o --feedback 3",
)
@option(
    "--task",
    type=click.Choice(["dialogs", "rules"]),
    default="dialogs",
    help="dialogs: agents ask users; rules: the code model writes programs, judged by proof.",
)
@rules_options
@option(
    "--agent",
    default="proada",
    help="One of docs/library.md, my_module:MyAgent or FILE.py:MyAgent.",
)
@option(
    "--max-turns",
    default="paper",
    metavar="paper|par:K",
    help="Questions of a dialog. paper: 20 a program, 100 in all; par:K: K times par, 20 at least.",
)
@option(
    "--dataset",
    type=options.NEW_FILE,
    help="output/2026/diverse.jsonl, or the set this package carries, if not given.",
)
@options.layout
@option(
    "--texts",
    metavar="decided|plain|FILE",
    help="What agents read. decided, the default: every term is defined; plain: as a public page; "
    "or a file in the published layout.",
)
@options.profiles
@option("--limit", type=options.COUNT, help="Play only the first households.")
@option("--trials", type=options.COUNT, default=1, help="Repetitions.")
@options.seed
@option("--model", "models", help="Who plays every role not named: reference, or a model.")
@option("--dialog-model", help="Who asks and reads: reference, or a model.")
@option(
    "--user-model",
    help="Who answers: reference, human, a model, or grounded: our code, to what the reader reads.",
)
@option("--code-model", help="Who writes programs: reference, or a model.")
@option(
    "--reader-model", help="A model that reads each dialog at its end: faithfulness, facts asked."
)
@server_options
@provider_arguments
@option("--concurrency", type=options.COUNT, default=64, help="Dialogs held at the same time.")
@option("--timeout", type=options.COUNT, help="Seconds of a reply; by its length if not given.")
@option(
    "--keep-going",
    is_flag=True,
    help="Play on when the first dialogs all break off alike.",
)
@option(
    "--prompts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of templates that replace ours by name.",
)
@option(
    "--log-dir",
    type=options.FOLDER,
    help="Folder of the logs; one under logs/ if not given.",
)
def command(**given: Any) -> Report:
    """Let an agent question the households of a dataset, and score its verdicts.

    Without options no model plays: our own checkers ask, and the reference user answers from the
    household's facts. A run that was stopped continues when the same command is given again.
    """
    check_task(given["task"])
    return (play_rules if given["task"] == "rules" else play_dialogs)(given)


def play_dialogs(given: Mapping[str, Any]) -> Report:
    """Let the agent hold dialogs, and return what it scored."""
    from benyfits_data.evaluation.models import check_agent_name
    from benyfits_data.evaluation.run_options import (
        DECIDED,
        check_dataset,
        check_texts,
        read_factor,
    )

    agent, dataset, layout = given["agent"], given["dataset"], given["layout"]
    max_turns, texts = given["max_turns"], given["texts"]
    check_agent_name(agent)
    read_factor(max_turns)
    check_dataset(dataset)
    check_texts(texts)
    _check_layout(layout, texts, max_turns)
    from benyfits_data.recorded import find_dataset, known_par
    from benyfits_data.staged_writes import make_folder

    dataset = dataset or find_dataset("diverse")
    if given["log_dir"]:
        make_folder(given["log_dir"])
    from benyfits_data.evaluation.agents import check_players, playing_roles
    from benyfits_data.evaluation.models import check_understood, choose_roles, describe_roles

    named = {role: given[f"{role}_model"] for role in ("dialog", "user", "code", "reader")}
    roles = choose_roles(models=given["models"], **named)
    check_players(agent, roles)
    needed = playing_roles(agent, roles)
    check_understood(roles, needed)
    settings = read_settings(roles, given)
    from benyfits_data.evaluation.planned import (
        add_par,
        count_rows,
        load_published,
        load_rows,
        recognise,
    )

    if layout == "published":
        rows = load_published(dataset, texts)[: given["limit"]]
    else:
        rows = load_rows(dataset, texts or DECIDED, given["profiles"], given["limit"])
        rows = add_par(rows, known_par(dataset))
    for line in describe_roles(roles, needed):
        say(line)
    is_human = "human" in (agent, roles["user"])
    from benyfits_data.evaluation.model_calls import check_models
    from benyfits_data.evaluation.results.comparison import summarise
    from benyfits_data.evaluation.run import (
        AgentBrokeOffError,
        UnscoredError,
        log_folder,
        play_run,
    )
    from benyfits_data.evaluation.run_options import Options

    options = Options(
        roles=roles,
        settings=settings,
        # Two people cannot share a terminal.
        concurrency=1 if is_human else given["concurrency"],
        column=recognise(dataset, layout),
        total=count_rows(dataset),
        **{name: given[name] for name in _AS_GIVEN},
    )
    if options.described_models():
        options = replace(options, served=check_models(options, say))
    # Before the run: code that is edited meanwhile would be another run's.
    folder = log_folder(dataset.stem, rows, options)
    try:
        run = play_run(dataset.stem, rows, options)
    except AgentBrokeOffError as error:
        say(f"{error.traceback}\n")
        raise
    except UnscoredError as error:
        return replace(report_tables(summarise(error.run)), failed=error)
    more = "`benyfits-data results --all` tells more; `inspect view` shows every dialog."
    return report_tables(summarise(run), notes=(f"Logs: {folder}", more))


def _check_layout(layout: options.Layout, texts: str | None, max_turns: str) -> None:
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


def play_rules(given: Mapping[str, Any]) -> Report:
    """Have the code model write programs, and return what they are worth."""
    if given["texts"] not in (None, "decided", "plain"):
        raise click.UsageError(f"--texts {given['texts']}: --task rules reads decided or plain.")
    if given["only"]:  # Before inspect is loaded, which takes longer.
        from benyfits_data.editions import DEFAULT_EDITION, load_edition

        rules = load_edition(given["edition"] or DEFAULT_EDITION)
        for name in given["only"].split(","):
            rules.program(name.strip())
    from benyfits_data.evaluation.models import choose_roles
    from benyfits_data.evaluation.run_options import Options
    from benyfits_data.staged_writes import make_folder

    if given["log_dir"]:
        make_folder(given["log_dir"])
    code_model = given["code_model"] or given["models"]
    roles = {**choose_roles(), "code": choose_roles(models=code_model)["code"]}
    options = Options(
        agent="proada",
        roles=roles,
        settings=read_settings(roles, given),
        trials=given["trials"],
        concurrency=given["concurrency"],
        timeout=given["timeout"],
        log_dir=given["log_dir"],
    )
    from benyfits_data.evaluation.results.program_tables import (
        read_judged,
        rules_tables,
        split_logs,
    )
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
    return report_tables(rules_tables(read_judged(played)), notes=(f"Log: {log}",))
