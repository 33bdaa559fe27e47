"""Par of dialogs: kept beside their set, carried by the package, or computed once and kept."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benyfits_data.editions import load_edition
from benyfits_data.errors import BenyfitsError
from benyfits_data.evaluation.agents import needs_par
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.recorded import cache_folder, read_recorded_par
from benyfits_data.evaluation.run_options import read_factor
from benyfits_data.household.model import Household
from benyfits_data.par.par_file import (
    AskedRow,
    KnownPar,
    RowPar,
    compute_par,
    digest_of,
    join_par,
    par_path,
    read_par,
    rows_without,
    write_par,
)
from benyfits_data.par.tracks import Track

Shown = Callable[[str, int], AbstractContextManager[Callable[[int], object]]]
"""Shows that something takes long: a label and how many steps; gives what is called after each."""


def silent(label: str, total: int) -> AbstractContextManager[Callable[[int], object]]:
    """Show nothing."""
    return nullcontext(lambda done: None)


@dataclass(frozen=True)
class AskedDialog:
    """What par is computed of, of a dialog."""

    id: str
    edition: int
    household: Household
    programs: tuple[str, ...]


def known_par(dataset: Path | None = None) -> KnownPar:
    """Return all floors that are known here; those beside a dataset come first."""
    carried = join_par(read_par(_computed()), read_recorded_par())
    return join_par(carried, read_par(par_path(dataset))) if dataset else carried


def complete_par(
    rows: Sequence[AskedRow],
    known: Mapping[str, Any],
    tracks: Sequence[Track],
    show: Shown = silent,
) -> KnownPar:
    """Return the floors of rows; those that are not known are computed, and kept for later."""
    missing = rows_without(rows, known, tracks)
    if not missing:
        return dict(known)
    with show("par", len(missing)) as tick:
        computed = compute_par(missing, tracks, tick=tick)
    write_par(_computed(), join_par(read_par(_computed()), computed).values())
    return join_par(known, computed)


def add_known_par(rows: Sequence[PlannedDialog], known: KnownPar) -> list[PlannedDialog]:
    """Return planned dialogs with what is known of their par."""
    return [
        replace(row, par=_plans(known[of])) if (of := _digest(row)) in known else row
        for row in rows
    ]


def add_needed_par(
    rows: Sequence[PlannedDialog],
    known: KnownPar,
    agent: str,
    max_turns: str,
    track: Track | None,
    show: Shown = silent,
) -> list[PlannedDialog]:
    """Return planned dialogs with what is known of their par, and all that a run needs of it."""
    rows = add_known_par(rows, known)
    if read_factor(max_turns) is not None:
        rows = add_par(rows, track or "one", show)
    return add_par(rows, "one", show) if needs_par(agent) else rows


def add_par(
    rows: Sequence[PlannedDialog],
    track: Track,
    show: Shown = silent,
) -> list[PlannedDialog]:
    """Return planned dialogs of our sets with their par on one track, computed where need be."""
    missing = [
        AskedDialog(row.id, row.edition, Household.from_facts(row.household), row.programs)
        for row in rows
        if track not in row.par
    ]
    found = complete_par(missing, {}, [track], show)
    return [
        row if track in row.par else replace(row, par={**row.par, **_plans(found[_digest(row)])})
        for row in rows
    ]


def fill_par(
    dialogs: Iterable[tuple[Dialog, Mapping[str, Any], Track]],
    show: Shown = silent,
) -> None:
    """Set the par of finished dialogs that were played before it was known.

    Households that are impossible, or whose labels are not ours, have none: published files hold
    some.

    Args:
        dialogs: Each with the row it is about, as the log keeps it, and its track.
        show: Shows that floors are computed.
    """
    known = known_par()
    by_track: dict[Track, list[tuple[Dialog, AskedDialog]]] = {}
    for dialog, row, track in dialogs:
        # The digest of a row does not hold its labels.
        asked = _ours(row)
        if asked is None:
            continue
        of = digest_of(row["edition"], row["programs"], row["household"])
        if of in known and track in known[of].questions:
            dialog.par = known[of].turns[track]
        else:
            by_track.setdefault(track, []).append((dialog, asked))
    for track, some in by_track.items():
        rows = {digest_of(it.edition, it.programs, it.household.facts()): it for _, it in some}
        found = complete_par(list(rows.values()), known, [track], show)
        for dialog, it in some:
            of = digest_of(it.edition, it.programs, it.household.facts())
            dialog.par = found[of].turns[track]


def _ours(row: Mapping[str, Any]) -> AskedDialog | None:
    """Return the row of a dialog if its household is possible and its labels are ours."""
    try:
        edition = load_edition(row["edition"])
        household = Household.from_facts(row["household"])
        programs = tuple(row["programs"])
        if household.violations():
            return None
        labels = {name: edition.program(name).is_eligible(household) for name in programs}
    except BenyfitsError:
        # An edition or a program that is not here, or facts of another release.
        return None
    if labels != row["labels"]:
        return None
    return AskedDialog(row["id"], row["edition"], household, programs)


def _plans(known: RowPar) -> dict[str, Sequence[str]]:
    return {str(track): questions for track, questions in known.questions.items()}


def _digest(row: PlannedDialog) -> str:
    return digest_of(row.edition, row.programs, row.household)


def _computed() -> Path:
    return cache_folder("par") / "computed.par.jsonl"
