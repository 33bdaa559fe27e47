"""Building the Diverse and thorough sets: sample, trace, select, check from scratch, write."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, get_args

from benyfits_data.dataset import (
    Row,
    building,
    digest,
    library_versions,
    programs_table,
    to_csv,
    write_atomically,
    write_json,
    write_manifest,
    write_rows,
)
from benyfits_data.dataset.building import Namer, Renderer, described
from benyfits_data.diverse.noticed import Solver
from benyfits_data.diverse.thorough import prove_rest, thorough_counts, verify_thoroughly
from benyfits_data.diverse.verify import Evidence, check_both_answers, verify_rows
from benyfits_data.editions import Edition
from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.plausible_selection import select_plausible
from benyfits_data.fuzz.believable.rare_facts import Needed, check_needed
from benyfits_data.fuzz.corpus import Corpus, CoverageReader, collect
from benyfits_data.fuzz.coverage import Objective, Pair, line_coverage, programs_of, uncovered
from benyfits_data.fuzz.directed import search_missing, search_thoroughly
from benyfits_data.fuzz.distributed import Runner, Tick, in_this_process, sample_corpus
from benyfits_data.fuzz.exact.column_generation import GENERATIONS, select_fewest
from benyfits_data.fuzz.greedy import select_greedily
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.language.dead_elements import dead_elements
from benyfits_data.language.missing_proofs import MissingVerdict
from benyfits_data.language.reading_labels import contested
from benyfits_data.language.source import Element, features_read, named, place
from benyfits_data.plausibility import Plausibility

FEATURE_COUNTS = "diverse.features.csv"

COUNTS = ("lines", "covered", "branches", "branches_covered")

Method = Literal["greedy", "exact"]
METHODS: tuple[Method, ...] = get_args(Method)
Witnesses = Callable[[Corpus], Households]
"""Finds households for what nobody in a corpus covers."""
Step = Callable[[str], AbstractContextManager[Any]]


def name_of(objective: Objective) -> str:
    """Return the name of the set that is built for an objective."""
    return "thorough" if objective == "thorough" else "diverse"


def reproducible(name: str) -> tuple[str, ...]:
    """Return the files that have the same bytes on every machine.

    The manifest tells times, and pictures use fonts.
    """
    own = (f"{name}.jsonl", f"{name}.coverage.json", f"{name}.programs.csv")
    return (*own, FEATURE_COUNTS) if name == "diverse" else own


@dataclass(frozen=True)
class Selection:
    """Chosen pairs.

    Attributes:
        method: How they were chosen.
        objective: What they cover.
        pairs: Household and program by position, sorted.
        certificate: Bounds and solver of an exact selection; empty for a greedy one.
        needed: Program and line that rare facts are needed for, by household.
    """

    method: Method
    objective: Objective
    pairs: list[Pair]
    certificate: dict[str, Any] = field(default_factory=dict)
    needed: dict[int, Needed] = field(default_factory=dict)


@dataclass(frozen=True)
class Diverse:
    """A finished Diverse set.

    Attributes:
        rows: Its households, in the order of the corpus.
        edition: Whose rules label it.
        seed: The seed it was built from.
        corpus: What it was chosen from.
        selection: The chosen pairs by position in the corpus, and the certificate.
        evidence: What the reference tracer saw of it.
        seconds: How long each step took.
        belief: How surprising households are, if that is measured.
        thorough: Counts of independence pairs and mutants, of a thorough set.
    """

    rows: list[Row]
    edition: Edition
    seed: int
    corpus: Corpus
    selection: Selection
    evidence: Evidence
    seconds: dict[str, float]
    belief: Plausibility | None = None
    thorough: dict[str, Any] = field(default_factory=dict)


def build_diverse(
    edition: Edition,
    *,
    households: int,
    seed: int,
    method: Method,
    objective: Objective,
    name: Namer,
    render: Renderer,
    step: Step = nullcontext,
    witnesses: Witnesses | None = None,
    run: Runner = in_this_process,
    tick: Tick = lambda done: None,
    city: Callable[[], DonorCity] | None = None,
    plausible: float | None = None,
    solver: Solver | None = None,
) -> Diverse:
    """Return the Diverse or thorough set of an edition.

    Args:
        edition: Whose checkers to cover.
        households: How many to sample.
        seed: Same seed, same set.
        method: How to choose pairs.
        objective: What the chosen pairs must cover.
        name: Names the members of the chosen households.
        render: Writes a household's profile.
        step: Wraps each step, for progress.
        witnesses: Finds households for what no sampled one covers; they join the corpus.
        run: Draws the chunks of a corpus that does not fit in memory.
        tick: Told how many more households are sampled, after each chunk.
        city: Gives the city that measures how surprising households are, when it is needed; unless
            given, the set is not measured.
        plausible: The percentile of the city at which the median household may stay, for an exact
            selection of anything but traces; unless given, nobody is made believable.
        solver: How to prove what nobody covers, for a thorough set; unless given, it stays open.

    Raises:
        SelectionError: The set misses an element that the corpus covers, a label is wrong, or a
            program lacks eligible or ineligible pairs.
    """
    seconds: dict[str, float] = {}

    @contextmanager
    def timed(label: str) -> Iterator[None]:
        start = perf_counter()
        with step(label):
            yield
        seconds[label] = round(perf_counter() - start, 3)

    with timed("sample and trace"):
        corpus = search_missing(sample_corpus(households, edition, seed, tick, run), seed)
    if witnesses is not None:
        with timed("prove"):
            found = witnesses(corpus)
            if len(found):
                corpus = corpus.joined_by(collect(edition, [found]))
    with timed("read"):
        coverage_of = CoverageReader(objective, edition)
    verdicts: list[MissingVerdict] = []
    if objective == "thorough":
        with timed("search"):
            corpus = search_thoroughly(corpus, seed, coverage_of, tick)
        if solver is not None:
            with timed("prove"):
                corpus, verdicts = prove_rest(corpus, coverage_of, solver, tick)
    donors = None
    if city:
        with timed("city"):
            donors = city()
    with timed("select"):
        corpus, selection = select(corpus, seed, method, coverage_of, donors, plausible, tick)
        coverage = corpus.coverage
        if objective in ("lines", "traces"):
            coverage = line_coverage(coverage)
        expected = {own.program: own.named(own.reached) for own in coverage}
    with timed("render"):
        rows = make_rows(corpus, selection, seed, name, render)
    with timed("verify"):
        evidence = verify_rows(rows, edition, expected)
        check_both_answers(rows, edition)
        if donors and selection.needed:
            check_needed(rows, edition, donors.belief, coverage_of)
        counts = {}
        if objective == "thorough":
            every = coverage_of(corpus)
            whole = {own.program: own.named(own.reached) for own in every}
            verify_thoroughly(rows, edition, coverage_of.mutants, whole)
            counts = thorough_counts(coverage_of, every, verdicts)
    belief = donors.belief if donors else None
    return Diverse(rows, edition, seed, corpus, selection, evidence, seconds, belief, counts)


def select(
    corpus: Corpus,
    seed: int,
    method: Method,
    coverage_of: CoverageReader,
    city: DonorCity | None = None,
    plausible: float | None = None,
    tick: Tick = lambda done: None,
) -> tuple[Corpus, Selection]:
    """Return the corpus, joined by households made for the selection, and the selection.

    An exact selection makes households that answer for many programs; not for traces, since
    whoever is made would bring new ones.

    Args:
        corpus: What to choose from.
        seed: The seed of the build.
        method: How to choose pairs.
        coverage_of: Tells what households cover of what the chosen pairs must cover.
        city: Gives donors to make households plausible.
        plausible: At which percentile of it the median household may stay; any unless given.
        tick: Called with 1 after each step of a believable selection.

    Raises:
        SelectionError: An element is missed, or the solver stopped without a solution.
    """
    objective = coverage_of.objective
    if method == "greedy":
        selection = Selection(method, objective, select_greedily(coverage_of(corpus)))
    elif objective != "traces" and city and plausible is not None:
        corpus, pairs, certificate, needed = select_plausible(
            corpus, seed, coverage_of, city, plausible, tick
        )
        selection = Selection(method, objective, pairs, certificate, needed)
    else:
        generations = 0 if objective == "traces" else GENERATIONS
        corpus, pairs, certificate = select_fewest(corpus, seed, coverage_of, generations)
        selection = Selection(method, objective, pairs, certificate)
    if missed := uncovered(coverage_of(corpus), selection.pairs):
        raise SelectionError(
            f"The selection misses elements of {', '.join(missed)}. Report this as a bug.",
            missed=missed,
        )
    return corpus, selection


def make_rows(
    corpus: Corpus, selection: Selection, seed: int, name: Namer, render: Renderer
) -> list[Row]:
    """Return the chosen households as rows, named and described."""
    chosen = programs_of(selection.pairs)
    part = corpus.take(list(chosen))
    labels = part.answers.labels
    every = list(labels)
    wanted = [[every[position] for position in positions] for positions in chosen.values()]
    table, edition = part.households, corpus.edition
    open_labels = contested(edition, table)
    own = name_of(selection.objective)
    rows = building.make_rows(own, edition, seed, table, wanted, labels, open_labels, name, render)
    needed = [selection.needed.get(household, {}) for household in chosen]
    return [replace(row, needed=own) for row, own in zip(rows, needed, strict=True)]


def coverage_report(diverse: Diverse) -> dict[str, Any]:
    """Return what `NAME.coverage.json` tells: elements by program, certificate, own ones.

    Elements that are proven dead are named, and not counted.
    """
    corpus, evidence, selection = diverse.corpus, diverse.evidence, diverse.selection
    dead = dead_elements(diverse.edition, corpus.missing())
    missing = corpus.missing(dead)
    programs = {
        own.program: {
            **_counted(own.elements, dead.get(own.program, ()), evidence.covered[own.program]),
            "traces": len(lines.classes),
            "sampled_eligible": corpus.positives[own.program],
            "unreached": missing.get(own.program, []),
        }
        for own, lines in zip(corpus.coverage, line_coverage(corpus.coverage), strict=True)
    }
    return {
        "edition": diverse.edition.year,
        "sampled": corpus.sampled,
        "joined": corpus.joined,
        **{name: sum(program[name] for program in programs.values()) for name in COUNTS},
        "unreached": _told(diverse.edition, missing),
        "dead": _told(diverse.edition, dead),
        **diverse.thorough,
        "selection": {
            "method": selection.method,
            "objective": selection.objective,
            "certificate": selection.certificate,
        },
        "programs": programs,
        "pairs": {
            row.id: {program: list(evidence.own[row.id][program]) for program in row.programs}
            for row in diverse.rows
        },
    }


def _counted(
    elements: Sequence[Element], dead: Sequence[Element], covered: frozenset[Element]
) -> dict[str, int]:
    """Return how many lines and branches are not dead, and how many are covered."""
    every, never, ran = ([type(one) for one in some] for some in (elements, dead, covered))
    return {
        "lines": every.count(int) - never.count(int),
        "covered": ran.count(int),
        "branches": every.count(tuple) - never.count(tuple),
        "branches_covered": ran.count(tuple),
    }


def _told(edition: Edition, asked: Mapping[str, Sequence[Element]]) -> list[dict[str, str]]:
    """Return elements by program, in words and with the text of their lines."""
    told = []
    for name, elements in asked.items():
        text = edition.program(name).checker_path.read_text(encoding="utf-8").splitlines()
        told += [
            {"program": name, "what": named(one), "text": text[place(one)[0] - 1].strip()}
            for one in elements
        ]
    return told


def feature_counts(edition: Edition) -> list[tuple[str, int]]:
    """Return how many programs depend on each feature, through measures too; most first."""
    counts = dict.fromkeys(FEATURES, 0)
    for program in edition.programs.values():
        for name in features_read(program.checker):
            counts[name] += 1
    order = list(FEATURES)
    return sorted(counts.items(), key=lambda item: (-item[1], order.index(item[0])))


def write_diverse(diverse: Diverse, folder: Path, pictures: dict[str, str]) -> dict[str, Any]:
    """Write all files of a Diverse or thorough set and return its manifest.

    Args:
        diverse: The set.
        folder: Where to write.
        pictures: SVG by file name.
    """
    own = name_of(diverse.selection.objective)
    report = coverage_report(diverse)
    write_rows(folder / f"{own}.jsonl", diverse.rows)
    write_json(folder / f"{own}.coverage.json", report)
    table = programs_table(diverse.rows, diverse.edition.programs)
    write_atomically(folder / f"{own}.programs.csv", table)
    if own == "diverse":
        counts = feature_counts(diverse.edition)
        lines = [(name, FEATURES[name].level, count) for name, count in counts]
        write_atomically(folder / FEATURE_COUNTS, to_csv(("feature", "level", "programs"), lines))
    for name, picture in pictures.items():
        write_atomically(folder / name, picture)
    selection = report["selection"]
    manifest = described(own, diverse.edition, diverse.seed, diverse.rows) | {
        "sampled": report["sampled"],
        "joined": report["joined"],
        "coverage": {
            **{name: report[name] for name in COUNTS},
            "unreached": len(report["unreached"]),
            "dead": report["dead"],
            **diverse.thorough,
            "traces": sum(program["traces"] for program in report["programs"].values()),
        },
        "selection": {
            **selection,
            "certificate": {**selection["certificate"], "seconds": diverse.seconds["select"]},
        },
        "seconds": diverse.seconds,
        "files": {name: digest(folder / name) for name in (*reproducible(own), *pictures)},
        "libraries": library_versions(),
    }
    if diverse.belief:
        homes = Households.from_households([row.household for row in diverse.rows])
        manifest["plausibility"] = diverse.belief.described(homes, [row.id for row in diverse.rows])
        manifest["plausibility"]["rare_facts"] = len(diverse.belief.rare(homes))
        manifest["plausibility"]["needed"] = sum(len(row.needed) for row in diverse.rows)
    write_manifest(folder, manifest)
    return manifest
