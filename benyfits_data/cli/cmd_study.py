"""`benyfits-data study`: who reads answers, who gives them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benyfits_data.cli.options import (
    COUNT,
    FILE,
    FOLDER,
    NEW_FILE,
    NounGroup,
    example,
    option,
    profiles_option,
    seed_option,
    stacked,
)
from benyfits_data.cli.role_options import read_settings, server_options
from benyfits_data.cli.tables import as_objects, json_option, print_json, print_table

if TYPE_CHECKING:
    from benyfits_data.profiles.render import Register

model_options = stacked(
    server_options,
    option(
        "-M",
        "model_args",
        multiple=True,
        metavar="NAME=VALUE",
        help="Argument of the model provider.",
    ),
    option(
        "--concurrency", type=COUNT, default=64, help="Calls to models at the same time, at most."
    ),
    seed_option,
)
dataset_option = option(
    "--dataset",
    type=FILE,
    help="The households; output/2026/diverse.jsonl, or the set this package carries.",
)


def output_option(study: str) -> Callable[[Any], Any]:
    """Declare the option that names a study's result file."""
    return option(
        "--output", type=NEW_FILE, default=Path(f"output/study-{study}.json"), help="Result file."
    )


@click.group(cls=NounGroup, epilog=example("benyfits-data study answers --model embedded/smollm2"))
def command() -> None:
    """Repeat the paper's smaller studies with any model: readers and users."""


@command.command(
    epilog=example(
        "benyfits-data study answers",
        "benyfits-data study answers --model openai/gpt-4o --trials 3",
    )
)
@option("--model", default="reference", help="Who reads the answers: reference, or a model.")
@option("--trials", type=COUNT, default=1, help="Repetitions of every item.")
@option("--limit", type=COUNT, help="Only the first ways of answering, of 17.")
@output_option("answers")
@model_options
@json_option
def answers(
    model: str, trials: int, limit: int | None, output: Path, as_json: bool, **given: Any
) -> None:
    """Measure how rightly ProADA turns answers into values.

    17 ways of answering by 6 kinds of keys are 102 answers: values alone, sentences, other units,
    corrections, answers that give no value. The reader is ProADA's, played by a model; `reference`
    reads only what our own players say. The paper saw 2% errors in 102 trials with clarifications;
    here every answer is read once.
    """
    options = _options("dialog", model, given, trials=trials)
    from benyfits_data.evaluation.studies import answer_reading as study
    from benyfits_data.evaluation.studies.study_calls import describe_player, write_result

    readings = study.read_answers(options, limit)
    rows = study.tabulate_readings(readings)
    table = [dict(zip(study.HEADER, row, strict=True)) for row in rows]
    content = {"reader": describe_player(options, "dialog"), "table": table, "trials": readings}
    write_result(output, "answers", content)
    _show("Answers read", study.HEADER, rows, as_json, output)


@command.command(
    epilog=example(
        "benyfits-data study user --answers 200",
        "benyfits-data study user --model embedded/smollm2 --profiles full",
    )
)
@option("--model", default="reference", help="Who answers: reference, human, or a model.")
@option("--answers", "n_answers", type=COUNT, default=200, help="How many answers.")
@profiles_option
@dataset_option
@output_option("user")
@model_options
@json_option
def user(
    model: str,
    n_answers: int,
    profiles: "Register",
    dataset: Path | None,
    output: Path,
    as_json: bool,
    **given: Any,
) -> None:
    """Measure how faithfully a user answers from the household's profile.

    Questions are drawn from the facts that a dataset's programs read and from general ones; each is
    asked on its own, and the judge of dialogs judges the answer. The paper annotated 61 answers by
    hand: 98.4% faithful, 8.2% with more than was asked.
    """
    from benyfits_data.dataset import digest
    from benyfits_data.evaluation.planned import load_rows
    from benyfits_data.evaluation.recorded import find_dataset
    from benyfits_data.evaluation.studies import user_answers as study
    from benyfits_data.evaluation.studies.study_calls import describe_player, write_result

    options = _options("user", model, given)
    path = dataset or find_dataset("diverse")
    rows = load_rows(path, profiles=profiles)
    answered = study.answer_questions(rows, n_answers, options)
    table = study.tabulate_verdicts(answered)
    content = {
        "user": describe_player(options, "user"),
        "reader": options.roles["reader"],
        "dataset": {"name": path.stem, "sha256": digest(path), "profiles": profiles},
        "table": [dict(zip(study.HEADER, row, strict=True)) for row in table],
        "answers": answered,
    }
    write_result(output, "user", content)
    _show("Answers judged", study.HEADER, table, as_json, output)


@command.command(
    epilog=example(
        "benyfits-data study reader --reader-model openai/gpt-4o",
        "benyfits-data study reader --reader-model embedded/smollm2 --limit 40",
    )
)
@option(
    "--reader-model",
    "names",
    multiple=True,
    required=True,
    help="Who reads; given twice, two readers are compared.",
)
@option("--limit", type=COUNT, help="Play about this many items, spread over the banks.")
@output_option("reader")
@model_options
@json_option
def reader(
    names: tuple[str, ...],
    limit: int | None,
    output: Path,
    as_json: bool,
    **given: Any,
) -> None:
    """Measure how well a model reads: questions into queries, answers into claims.

    It plays the banks that docs/dataset.md describes: what it reads of a question is right
    where it has the same answer as the gold queries, of an answer where the same verdict follows.
    """
    from benyfits_data.evaluation.studies import reading_banks as study
    from benyfits_data.evaluation.studies.study_calls import describe_player, write_result

    items, read, results = study.draw(study.load_banks(), limit), {}, []
    for name in dict.fromkeys(names):
        options = _options("reader", name, given)
        read[name] = study.measure(items, options)
        player = describe_player(options, "reader")
        results.append({"reader": player, "split": "test", "items": read[name]})
    write_result(output, "reader", {"readers": results})
    tables = [
        (title, *study.compare(read, of_answers=title == "Answers"))
        for title in ("Questions", "Answers")
    ]
    if as_json:
        print_json(
            [{"title": title, "rows": as_objects(header, rows)} for title, header, rows in tables]
        )
    for title, header, rows in () if as_json else tables:
        print_table(header, rows, title=title)
    click.echo(f"Written: {output}", err=True)


@command.command(
    epilog=example(
        "benyfits-data study people --participant 1 --agents proada,direct --model openai/gpt-4o",
        "benyfits-data study people --participant 1 --agents human",
    )
)
@option("--participant", required=True, help="The participant's number; no name.")
@option("--agents", default="proada,planner", help="Agents; `human`: the participant asks.")
@option("--dialogs", type=COUNT, default=1, help="Dialogs with each agent.")
@option("--model", default="reference", help="Who plays the agents' dialog and code roles.")
@dataset_option
@option(
    "--output", type=FOLDER, default=Path("study"), help="The folder for study.csv and the logs."
)
@model_options
def people(
    participant: str,
    agents: str,
    dialogs: int,
    model: str,
    dataset: Path | None,
    output: Path,
    **given: Any,
) -> None:
    """Let a person talk with agents at this terminal, and rate the workload.

    The person speaks for made-up households from their short profiles, and fills in the NASA-TLX
    after every dialog. The planner asks one fact of one member at a time. Orders of agents are
    balanced over participants. What was stopped goes on with the same command;
    `benyfits-data results FOLDER` compares agents.
    """
    from benyfits_data.evaluation.agents import check_players, has_tracks
    from benyfits_data.evaluation.planned import load_rows
    from benyfits_data.evaluation.recorded import find_dataset
    from benyfits_data.evaluation.run import play_run
    from benyfits_data.evaluation.studies import people_sessions as study

    path = dataset or find_dataset("representative")
    rows = {row.id: row for row in load_rows(path)}
    file = output / study.FILE
    finished, names = study.read_study(file), agents.split(",")
    plan = study.plan_sessions(
        participant, list(rows.values()), names, dialogs, finished, given["seed"]
    )
    settings = _options("dialog", model, given)
    tracks = {agent: "one" if has_tracks(agent) else None for agent in names}
    for agent in names:
        check_players(agent, settings.roles)

    def play(session: study.StudySession) -> str:
        name = f"{session.participant}-{session.position}-{session.agent.replace(':', '-')}"
        is_asking = session.agent == "human"
        roles = {**settings.roles, "user": "reference" if is_asking else "human"}
        logs = output / "logs" / name
        options = replace(
            settings,
            agent=session.agent,
            questions=tracks[session.agent],
            roles=roles,
            concurrency=1,
            log_dir=logs,
            total=len(rows),
            keep_going=True,
        )
        play_run(path.stem, [rows[session.household]], options)
        return str(logs.relative_to(output))

    held = study.hold_study(plan, file, play)
    click.echo(
        f"{file}: held now: {held} of {len(plan)} dialogs, before: {len(plan) - held}", err=True
    )


def _options(role: str, model: str, given: dict[str, Any], trials: int = 1) -> Any:
    """The options of a study in which one role plays."""
    from benyfits_data.evaluation.models import choose_roles
    from benyfits_data.evaluation.run_options import Options

    roles = choose_roles(**{role: model})
    return Options(
        roles=roles,
        settings=read_settings(roles, given, {}, given["model_args"]),
        trials=trials,
        seed=given["seed"],
        concurrency=1 if model == "human" else given["concurrency"],
    )


def _show(
    title: str,
    header: Sequence[str],
    rows: Sequence[Sequence[Any]],
    as_json: bool,
    output: Path,
) -> None:
    print_table(header, rows, form="json" if as_json else "text", title=title)
    click.echo(f"Written: {output}", err=True)
