"""The public library, `import benyfits_data as bd`: every function that other code may rely on.

The functions do little themselves; each docstring example runs in the tests.
"""

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from benyfits_data.errors import ArgumentError, extras_named

if TYPE_CHECKING:
    import pandas as pd

    from benyfits_data.dataset import Audit, Dataset, Layout
    from benyfits_data.editions import Edition, Program
    from benyfits_data.evaluation.results.comparison import Evaluation
    from benyfits_data.evaluation.rules.rule_verdicts import RuleVerdict
    from benyfits_data.household.columns import Households
    from benyfits_data.household.model import Household
    from benyfits_data.language.coverage_tracer import Trace
    from benyfits_data.language.explain import Explanation


def load(year: int | None = None, *, workspace: str | PathLike[str] | None = None) -> "Edition":
    """Return the edition of a year: a mapping of program names to programs.

    A program is called with a household. Names may be written as people type them.

    Args:
        year: 2024 and 2026 are published, a workspace may add others; the newest unless given.
        workspace: A folder made by `benyfits-data init`, used from then on; by default the one at
            or above the working folder, if there is any.

    Raises:
        UnknownEditionError: There is no edition of that year.
        WorkspaceError: The folder is no workspace.

    Examples:
        >>> rules = load(2026)
        >>> rules
        <Edition 2026: 82 programs>
        >>> rules["Fair Fares NYC"]
        <Program FairFaresNYC (2026): Fair Fares NYC>
        >>> rules["FairFaresNYC"](Household.complete(members=[{"age": 30}]))
        True
    """
    from benyfits_data.editions import DEFAULT_EDITION, load_edition
    from benyfits_data.editions.workspace import use_workspace

    if workspace is not None:
        use_workspace(Path(workspace))
    return load_edition(year or DEFAULT_EDITION)


@extras_named()
def trace(program: "Program", household: "Household") -> "Trace":
    """Return label and trace of a household: the answer, the checker's lines and branches that ran.

    Coverage.py is the tracer, so this is the reference that every faster reader must agree with.

    Args:
        program: A program of an edition.
        household: Who asks.

    Examples:
        >>> home = Household.complete(members=[{"age": 70}])
        >>> found = trace(load(2026)["FairFaresNYC"], home)
        >>> found.eligible
        False
        >>> found.lines <= set(range(1, 100))
        True
    """
    from benyfits_data.language import coverage_tracer

    _check_pair("trace", program, household)
    return coverage_tracer.trace(program, household)


def explain(program: "Program", household: "Household") -> "Explanation":
    """Return why a household is eligible or not; printed, it names the clauses that decided.

    In a notebook the explanation shows itself as a table.

    Args:
        program: A program of an edition.
        household: Who asks.

    Examples:
        >>> home = Household.complete(members=[{"age": 70}])
        >>> explain(load(2026)["FairFaresNYC"], home).summary
        'not eligible, decided by clause 2'
    """
    from benyfits_data.language import explain as prose

    _check_pair("explain", program, household)
    return prose.explain(program, household)


def label(
    edition: "Edition", homes: "Iterable[Household] | Households | Dataset"
) -> "pd.DataFrame":
    """Return the label of every household in every program, as booleans.

    The NumPy reader labels tens of thousands of households a second.

    Args:
        edition: Whose rules apply.
        homes: Households, in any of the forms in which this library gives them.

    Returns:
        One row a household, one column a program. Rows are named after a dataset's ids, otherwise
        numbered from 0.

    Examples:
        >>> homes = [Household.complete(members=[{"age": age}]) for age in (30, 70)]
        >>> label(load(2026), homes)["FairFaresNYC"].tolist()
        [True, False]
    """
    import pandas as pd

    from benyfits_data.dataset import Dataset
    from benyfits_data.household.columns import Households
    from benyfits_data.language.numpy_backend import label_and_trace

    _check_edition("label", edition)
    ids = [row.id for row in homes.rows] if isinstance(homes, Dataset) else None
    if isinstance(homes, Dataset):
        homes = homes.households
    if not isinstance(homes, Households):
        homes = Households.from_households(_households(homes))
    index = pd.Index(range(len(homes)) if ids is None else ids, name="household")
    columns = pd.Index(list(edition), name="program")
    if not len(homes):
        return pd.DataFrame(index=index, columns=columns, dtype=bool)
    return pd.DataFrame(label_and_trace(edition, homes).labels, index=index)[columns]


def label_told(
    edition: "Edition", homes: "Iterable[Mapping[str, Any]]", *, prove: bool = False
) -> "pd.DataFrame":
    """Return labels of partly known households, and whether they follow from the given facts.

    Args:
        edition: Whose rules apply.
        homes: Facts of each: `{"members": [{feature: value}], feature: value}`.
        prove: Whether Z3 has the last word; it proves a few more, slowly.

    Returns:
        One row a household and program: `eligible`, with untold facts filled in; `follows`, whether
        that is so whatever the untold facts are; `hangs_on`, the untold facts without which it is
        open.

    Raises:
        UnknownFeatureError: A fact is not a declared feature.
        FeatureValueError: A value is outside its feature's domain.
        ImpossibleHouseholdError: The facts contradict a constraint.

    Examples:
        >>> found = label_told(load(2026), [{"members": [{"age": 70}]}])
        >>> bool(found.loc[(0, "FairFaresNYC"), "follows"])
        True
        >>> found.loc[(0, "IDNYC"), "hangs_on"]
        ['place_of_residence']
    """
    import pandas as pd

    from benyfits_data.dataset import ToldReader
    from benyfits_data.household.model import Household

    _check_edition("label_told", edition)
    reader, rows = ToldReader(prove=prove), []
    for position, facts_given in enumerate(homes):
        if not isinstance(facts_given, Mapping):
            raise ArgumentError(
                f"label_told: homes[{position}] is {_shown(facts_given)}, expected facts such as "
                '{"members": [{"age": 70}]}.'
            )
        home = Household.complete(**facts_given)
        basis = reader.find_basis(facts_given, home, edition, possible=True)
        rows += [
            (position, name, edition[name](home), not facts, list(facts))
            for name, facts in basis.items()
        ]
    columns = ["household", "program", "eligible", "follows", "hangs_on"]
    return pd.DataFrame(rows, columns=columns).set_index(["household", "program"])


@extras_named()
def sample(edition: "Edition", n: int, *, seed: int = 0) -> "Households":
    """Return `n` possible households that meet every limit and alternative of the checkers.

    These are seeds for coverage, unusual on purpose; `synthesize` gives households as they are.

    Args:
        edition: Whose limits to draw around.
        n: How many, at least 1.
        seed: Same edition, number and seed: same households on every machine.

    Examples:
        >>> sample(load(2026), 100, seed=1)
        <Households: 100 of 1 to 6 members>
    """
    from benyfits_data.fuzz.sample import sample_households

    _check_edition("sample", edition)
    return _named(sample_households(_at_least_one(n), edition, seed), "households", seed)


@extras_named()
def synthesize(n: int, *, seed: int = 0) -> "Households":
    """Return `n` households as they are in New York City, every figure from a cited source.

    Args:
        n: How many, at least 1; small numbers are rounded coarsely.
        seed: Same number and seed: same households on every machine.

    Examples:
        >>> city = synthesize(500)
        >>> len(city)
        500
    """
    from benyfits_data.population import synthesis

    return _named(synthesis.synthesize(_at_least_one(n), seed, workers=1), "synthesize", seed)


def read(path: "str | PathLike[str]") -> "Dataset":
    """Return a dataset of ours, such as `output/2026/diverse.jsonl`.

    Args:
        path: A file of JSON Lines.

    Raises:
        DatasetFormatError: The file cannot be read, or a line is no row; names the line.

    Examples:
        >>> diverse = read("output/2026/diverse.jsonl")  # doctest: +SKIP
        >>> diverse.to_pandas("pairs")["eligible"].mean()  # doctest: +SKIP
    """
    from benyfits_data.dataset import Dataset

    return Dataset.read(_path("read", path))


def audit(
    dataset: "str | PathLike[str]", *, edition: int | None = None, layout: "Layout" = "ours"
) -> "Audit":
    """Return what is wrong with a dataset: impossible households, wrong labels, and more.

    Args:
        dataset: A file of JSON Lines.
        edition: The year whose rules to compare labels with; each row's own unless given.
        layout: `ours` or `published`.

    Examples:
        >>> audit("output/diverse.jsonl").is_clean  # doctest: +SKIP
        True
    """
    from benyfits_data.dataset import audit_rows, read_each_row

    return audit_rows(read_each_row(_path("audit", dataset), layout), edition)


@extras_named()
def judge(program: "Program | str", source: str, edition: int | None = None) -> "RuleVerdict":
    """Return the verdict on a program of one's own, which runs in a sandbox and nowhere else.

    It runs on thousands of households first; where none shows a difference, Z3 is asked for all
    possible ones. The verdict has a status, the smallest household that shows a difference, the
    clauses that decide it, what Python answered, `is_proven`, and on how many households it ran.

    Args:
        program: A program of an edition, or its name.
        source: Text that defines `check`, which is given a household's facts as a dictionary.
        edition: The year of the rules; the program's own, or the newest, unless given.

    Raises:
        UnknownProgramError: The edition has no such program.

    Examples:
        >>> verdict = judge("SummerMeals", "def check(hh): return True")
        >>> verdict.status, verdict.label, verdict.answer
        ('differs', False, True)
    """
    from benyfits_data.editions import DEFAULT_EDITION, Program, load_edition
    from benyfits_data.evaluation.rules.rule_verdicts import judge_program

    year = edition or (program.edition if isinstance(program, Program) else DEFAULT_EDITION)
    name = program.name if isinstance(program, Program) else program
    return judge_program(load_edition(year).program(name).name, source, year)


@extras_named()
def evaluate(
    agent: str | type = "proada",
    dataset: "str | PathLike[str] | Dataset | None" = None,
    *,
    limit: int | None = None,
    trials: int = 1,
    seed: int = 0,
    models: str | None = None,
    dialog_model: str | None = None,
    user_model: str | None = None,
    code_model: str | None = None,
    keep_going: bool = False,
    log_dir: "str | PathLike[str] | None" = None,
) -> "Evaluation":
    """Return how an agent scores: it questions the households of a dataset.

    What was stopped goes on when the same call is made again; a finished run is not played twice.

    Args:
        agent: A bundled agent, `my_module:MyAgent`, `FILE.py:MyAgent`, or a class.
        dataset: A dataset, a file of ours, or `diverse`, `representative` or `representative-25`:
            the one built in output/, else the one this package carries. `diverse` unless given.
        limit: Play only the first households.
        trials: Repetitions of each dialog.
        seed: Seed of the agent's random stream.
        models: Who plays every role that is not named: `reference`, or a model.
        dialog_model: Who asks and reads.
        user_model: Who answers.
        code_model: Who writes ProADA's programs.
        keep_going: Play on although the first dialogs all broke off alike.
        log_dir: Folder of the log; one under logs/, named after the run, unless given.

    Raises:
        EvaluationError: There is no such agent, it needs a model where none plays, or its first
            dialogs all broke off alike.

    Examples:
        >>> found = evaluate("prior", limit=3)  # doctest: +SKIP
        >>> found.to_pandas()[["agent", "n", "f1"]]  # doctest: +SKIP
    """
    from benyfits_data.dataset import Dataset
    from benyfits_data.evaluation.results.comparison import Evaluation
    from benyfits_data.evaluation.run import play_agent

    if not isinstance(agent, str | type):
        raise ArgumentError(
            f"evaluate: agent is {_shown(agent)}, expected a name such as 'proada', or a class."
        )
    if dataset is not None and not isinstance(dataset, Dataset):
        dataset = _path("evaluate", dataset)
    run = play_agent(
        agent,
        dataset,
        limit=limit if limit is None else _at_least_one(limit),
        models={
            "models": models,
            "dialog": dialog_model,
            "user": user_model,
            "code": code_model,
        },
        trials=trials,
        seed=seed,
        keep_going=keep_going,
        log_dir=None if log_dir is None else Path(log_dir),
    )
    return Evaluation([run])


@extras_named()
def results(*logs: "str | PathLike[str]") -> "Evaluation":
    """Return evaluations that were played, by this library or by `benyfits-data eval`.

    Args:
        logs: Log files or folders; `logs/` if none is given.

    Raises:
        EvaluationError: A place holds no log of ours.

    Examples:
        >>> results("logs").to_pandas("pairs")  # doctest: +SKIP
    """
    from benyfits_data.evaluation.results.comparison import Evaluation
    from benyfits_data.evaluation.results.runs import find_logs, read_runs
    from benyfits_data.evaluation.run_options import LOGS

    places = [_path("results", place) for place in logs]
    return Evaluation(read_runs(find_logs(places or [LOGS])))


def _check_edition(function: str, edition: Any) -> None:
    from benyfits_data.editions import Edition

    if not isinstance(edition, Edition):
        raise ArgumentError(
            f"{function}: edition is {_shown(edition)}, expected an edition, such as bd.load(), "
            "before the households."
        )


def _check_pair(function: str, program: Any, household: Any) -> None:
    from benyfits_data.editions import Program
    from benyfits_data.household.model import Household

    if not isinstance(program, Program):
        name = program if isinstance(program, str) else "FairFaresNYC"
        raise ArgumentError(
            f"{function}: program is {_shown(program)}, expected a program of an edition, such as "
            f'bd.load()["{name}"].'
        )
    if not isinstance(household, Household):
        raise ArgumentError(
            f"{function}: household is {_shown(household)}, expected a household, such as "
            'bd.Household.complete(members=[{"age": 30}]).'
        )


def _households(homes: Any) -> "list[Household]":
    from benyfits_data.household.model import Household

    if isinstance(homes, Household):
        raise ArgumentError("label: homes is one household, expected several: give a list, [home].")
    if not isinstance(homes, Iterable):
        raise ArgumentError(f"label: homes is {_shown(homes)}, expected households.")
    listed = list(homes)
    for position, home in enumerate(listed):
        if not isinstance(home, Household):
            raise ArgumentError(
                f"label: homes[{position}] is {_shown(home)}, expected a household, such as "
                'bd.Household.complete(members=[{"age": 30}]).'
            )
    return listed


def _path(function: str, place: Any) -> Path:
    if not isinstance(place, str | PathLike):
        raise ArgumentError(f"{function}: {_shown(place)} is no path, expected a file or folder.")
    return Path(place)


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {shorten(repr(value), 60)}"


def _named(households: "Households", stream_name: str, seed: int) -> "Households":
    from benyfits_data.profiles.names import draw_names
    from benyfits_data.rng import stream

    households.names = draw_names(households, stream(seed, stream_name, "names"))
    return households


def _at_least_one(n: int) -> int:
    from benyfits_data.errors import FeatureValueError

    if n < 1:
        raise FeatureValueError(f"n is {n}, expected at least 1. Ask for some households.", n=n)
    return n
