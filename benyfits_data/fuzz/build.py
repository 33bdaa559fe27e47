"""Building the Diverse set: sample and trace, search, select, name, check from scratch."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Literal

from benyfits_data.dataset import Row
from benyfits_data.dataset.rows import make_rows
from benyfits_data.editions import Edition
from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.believable.donors import DonorCity, default_donor_city
from benyfits_data.fuzz.believable.selection import select_believable
from benyfits_data.fuzz.corpus import Corpus, CoverageReader, collect
from benyfits_data.fuzz.coverage import Pair, programs_of, uncovered
from benyfits_data.fuzz.exact.column_generation import GENERATIONS, select_fewest
from benyfits_data.fuzz.greedy import select_greedily
from benyfits_data.fuzz.parts import PART, Runner, sample_large
from benyfits_data.fuzz.sample import Tick, sample_corpus
from benyfits_data.fuzz.verify import Evidence, Unreached, check_both_answers, verify_rows
from benyfits_data.language.source import Element
from benyfits_data.language.z3_backend import find_witnesses
from benyfits_data.plausibility import Plausibility

Method = Literal["greedy", "fewest", "believable"]
"""The paper's; the fewest pairs and households; the fewest pairs, in believable households."""
Step = Callable[[str], AbstractContextManager[Any]]


@dataclass(frozen=True)
class Selection:
    """Chosen pairs.

    Attributes:
        method: How they were chosen.
        objective: What they cover.
        pairs: Household and program by position, sorted.
        certificate: Bounds and solver; empty for the greedy method.
    """

    method: Method
    objective: str
    pairs: list[Pair]
    certificate: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Diverse:
    """A finished set.

    Attributes:
        name: The set's name: `diverse`, or `thorough`.
        rows: Its households, in the order of the corpus.
        edition: Whose rules label it.
        seed: The seed it was built from.
        corpus: What it was chosen from.
        unreached: What nobody of the corpus runs.
        selection: The chosen pairs by position in the corpus, and the certificate.
        evidence: What the reference tracer saw of it.
        seconds: How long each step took.
        plausibility: How surprising households are, if that is measured.
        counts: Of a thorough set, its conditions and mutants.
    """

    name: str
    rows: list[Row]
    edition: Edition
    seed: int
    corpus: Corpus
    unreached: Unreached
    selection: Selection
    evidence: Evidence
    seconds: dict[str, float]
    plausibility: Plausibility | None = None
    counts: dict[str, Any] = field(default_factory=dict)


def build_diverse(
    coverage_of: CoverageReader,
    *,
    households: int,
    seed: int,
    method: Method,
    name: str = "diverse",
    reach: Callable[[Corpus], Corpus] = lambda corpus: corpus,
    plausible: float = 50,
    run: Runner | None = None,
    step: Step = nullcontext,
    tick: Tick = lambda done: None,
) -> Diverse:
    """Return the Diverse set of an edition.

    Args:
        coverage_of: Tells what the chosen pairs must cover, and of which edition.
        households: How many to sample.
        seed: Same seed, same set.
        method: How to choose pairs.
        name: The set's name.
        reach: Joins households for what else is to be covered.
        plausible: Of a believable selection, the percentile at which the median may stay.
        run: Draws the parts of a corpus that does not fit in memory.
        step: Wraps each step, for progress.
        tick: Called with how much more of a step is done.

    Raises:
        SelectionError: The set misses an element that is not proven dead, a label is wrong, or a
            program lacks eligible or ineligible pairs.
    """
    edition, seconds = coverage_of.edition, dict[str, float]()

    @contextmanager
    def timed(label: str) -> Iterator[None]:
        start = perf_counter()
        with step(label):
            yield
        seconds[label] = round(perf_counter() - start, 3)

    with timed("sample and trace"):
        if households <= PART:
            corpus = sample_corpus(households, edition, seed, tick)
        else:
            corpus = sample_large(households, edition, seed, tick, run)
    with timed("search"):
        corpus, unreached = search(corpus)
        corpus = reach(corpus)
    donor_city = None
    if method == "believable":
        with timed("city"):
            donor_city = default_donor_city()
    with timed("select"):
        corpus, selection = select(corpus, seed, method, coverage_of, donor_city, plausible, tick)
    with timed("render"):
        rows = rows_of(corpus, selection, seed, name)
    with timed("verify"):
        evidence = verify_rows(rows, edition, unreached, lines_only=coverage_of.lines_only)
        check_both_answers(rows, edition)
    return Diverse(
        name,
        rows,
        edition,
        seed,
        corpus,
        unreached,
        selection,
        evidence,
        seconds,
        donor_city.plausibility if donor_city else None,
    )


def search(corpus: Corpus) -> tuple[Corpus, Unreached]:
    """Return the corpus, joined by a household for each line and branch that nobody runs.

    The solver finds them; what it proves that no possible household runs is dead.
    """
    witnesses, verdicts = find_witnesses(corpus.edition, corpus.missing())
    if len(witnesses):
        corpus = corpus.joined_by(collect(corpus.edition, [witnesses]))
    unreached: dict[Literal["dead", "unknown"], dict[str, list[Element]]]
    unreached = {"dead": {}, "unknown": {}}
    for one in verdicts:
        if one.status == "dead" or one.status == "unknown":
            unreached[one.status].setdefault(one.program, []).append(one.element)
    return corpus, unreached


def select(
    corpus: Corpus,
    seed: int,
    method: Method,
    coverage_of: CoverageReader,
    city: DonorCity | None = None,
    plausible: float = 50,
    tick: Tick = lambda done: None,
) -> tuple[Corpus, Selection]:
    """Return the corpus, joined by households made for the selection, and the selection.

    Args:
        corpus: What to choose from.
        seed: The seed of the build.
        method: How to choose pairs.
        coverage_of: Tells what households cover of what the chosen pairs must cover.
        city: Lends facts to make households believable.
        plausible: At which percentile of it the median household may stay.
        tick: Called with 1 after each step of a believable selection.

    Raises:
        SelectionError: An element is missed, or the solver stopped without a solution.
    """
    certificate: dict[str, Any] = {}
    if method == "greedy":
        pairs = select_greedily(coverage_of(corpus))
    elif method == "fewest":
        # Whoever is made to fill slots would bring new traces.
        generations = 0 if coverage_of.objective == "traces" else GENERATIONS
        corpus, pairs, certificate = select_fewest(corpus, seed, coverage_of, generations)
    else:
        assert city is not None, "a believable selection needs a city"
        corpus, pairs, certificate = select_believable(
            corpus, seed, coverage_of, city, plausible, tick
        )
    if missed := uncovered(coverage_of(corpus), pairs):
        raise SelectionError(
            f"The selection misses elements of {', '.join(missed)}. Report this as a bug.",
            missed=missed,
        )
    return corpus, Selection(method, coverage_of.objective, pairs, certificate)


def rows_of(corpus: Corpus, selection: Selection, seed: int, name: str) -> list[Row]:
    """Return the chosen households as rows, named and described."""
    chosen = programs_of(selection.pairs)
    part = corpus.take(list(chosen))
    labels = part.answers.labels
    programs = list(labels)
    wanted = [[programs[position] for position in positions] for positions in chosen.values()]
    return make_rows(name, corpus.edition, seed, part.households, wanted, labels)
