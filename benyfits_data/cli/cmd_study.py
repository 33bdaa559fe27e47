"""`benyfits-data study`: who reads answers, who gives them."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benyfits_data.cli import options
from benyfits_data.cli.frame import Listing, Report, noun, option, stacked, verb
from benyfits_data.cli.role_options import provider_arguments, read_settings, server_options

if TYPE_CHECKING:
    from benyfits_data.profiles.render import Register

model_options = stacked(
    server_options,
    provider_arguments,
    option(
        "--concurrency", type=options.COUNT, default=64, help="Calls at the same time, at most."
    ),
    options.seed,
)
dataset_option = option(
    "--dataset",
    type=options.FILE,
    help="The households; output/2026/diverse.jsonl, or the set this package carries.",
)


def output_option(study: str) -> Callable[[Any], Any]:
    """Declare the option that names a study's result file."""
    return option(
        "--output",
        type=options.NEW_FILE,
        default=Path(f"output/study-{study}.json"),
        help="Result file.",
    )


command = noun(
    "Repeat the paper's smaller studies with any model: readers and users.",
    "study answers --model openai/gpt-4o",
)


@verb("study answers", "study answers --model openai/gpt-4o --trials 3", of=command)
@option("--model", default="reference", help="Who reads the answers: reference, or a model.")
@option("--trials", type=options.COUNT, default=1, help="Repetitions of every item.")
@option("--limit", type=options.COUNT, help="Only the first ways of answering, of 17.")
@output_option("answers")
@model_options
def answers(model: str, trials: int, limit: int | None, output: Path, **given: Any) -> Report:
    """Measure how rightly ProADA turns answers into values.

    17 ways of answering by 6 kinds of keys are 102 answers: values alone, sentences, other units,
    corrections, answers that give no value. The reader is ProADA's, played by a model; `reference`
    reads only what our own players say. The paper saw 2% errors in 102 trials with clarifications;
    here every answer is read once.
    """
    run = model_run({"dialog": model}, given, trials=trials)
    from benyfits_data.evaluation.studies import answer_reading as study

    readings = study.read_answers(run, limit)
    table = Listing(study.HEADER, study.tabulate_readings(readings), "Answers read")
    return _finish(output, "answers", run, "dialog", table, trials=readings)


@verb("study reader --model openai/gpt-4o --items 400", of=command)
@option("--model", required=True, help="Who reads: a model.")
@option("--items", "n_items", type=options.COUNT, default=200, help="How many are read.")
@output_option("reader")
@model_options
def reader(model: str, n_items: int, output: Path, **given: Any) -> Report:
    """Measure how rightly a model reads questions and answers into facts.

    Drawn from 5,699 questions and 4,312 answers by many authors who never saw a reader. A question
    is right where exactly the facts it asks for are read; an answer where what it says, as it was
    read, deserves the verdict that its author gave.
    """
    run = model_run({"reader": model}, given)
    from benyfits_data.evaluation.studies import reading_bank as study

    readings = study.read_bank(n_items, run)
    table = Listing(study.HEADER, study.tabulate_bank(readings), "Questions and answers read")
    return _finish(output, "reader", run, "reader", table, items=readings)


@verb("study user --answers 200", "study user --model openai/gpt-4o --profiles full", of=command)
@option("--model", default="reference", help="Who answers: reference, human, or a model.")
@option("--reader-model", help="Who reads the answers: a model, or none; whoever answers.")
@option("--answers", "n_answers", type=options.COUNT, default=200, help="How many answers.")
@options.profiles
@dataset_option
@output_option("user")
@model_options
def user(
    model: str,
    reader_model: str | None,
    n_answers: int,
    profiles: "Register",
    dataset: Path | None,
    output: Path,
    **given: Any,
) -> Report:
    """Measure how faithfully a user answers from the household's profile.

    Questions are drawn from the facts that a dataset's programs read and from general ones; each is
    asked on its own, and the judge of dialogs judges the answer. The paper annotated 61 answers by
    hand: 98.4% faithful, 8.2% with more than was asked.
    """
    from benyfits_data.dataset import digest
    from benyfits_data.evaluation.planned import load_rows
    from benyfits_data.evaluation.studies import user_answers as study
    from benyfits_data.recorded import find_dataset

    reader = reader_model or (model if "/" in model else None)
    run = model_run({"user": model, "reader": reader}, given)
    path = dataset or find_dataset("diverse")
    rows = load_rows(path, profiles=profiles)
    answered = study.answer_questions(rows, n_answers, run)
    table = Listing(study.HEADER, study.tabulate_verdicts(answered), "Answers judged")
    data = {"name": path.stem, "sha256": digest(path), "profiles": profiles}
    more = {"reader": run.roles["reader"], "dataset": data, "answers": answered}
    return _finish(output, "user", run, "user", table, **more)


def _finish(output: Path, study: str, run: Any, role: str, table: Listing, **more: Any) -> Report:
    """Write a result, and return what is shown of it."""
    from benyfits_data.evaluation.studies import describe_player, write_result

    rows = table.objects()
    player = "user" if role == "user" else "reader"
    write_result(output, study, {player: describe_player(run, role), "table": rows, **more})
    return Report([table], rows, [f"Written: {output}"])


def model_run(
    played: dict[str, str | None], given: dict[str, Any], agent: str = "proada", trials: int = 1
) -> Any:
    """Return the options of a run in which some roles are played."""
    from benyfits_data.evaluation.models import choose_roles
    from benyfits_data.evaluation.run_options import Options

    roles = choose_roles(**played)
    return Options(
        agent=agent,
        roles=roles,
        settings=read_settings(roles, given),
        trials=trials,
        seed=given["seed"],
        concurrency=1 if "human" in roles.values() else given["concurrency"],
    )
