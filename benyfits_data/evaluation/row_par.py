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
    compute_par,
    digest_of,
    join_par,
    par_path,
    read_par,
    row_digest,
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

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "AskedDialog":
        """Return it for a planned dialog, as plain data."""
        household = Household.from_facts(row["household"])
        return cls(row["id"], row["edition"], household, tuple(row["programs"]))


def known_par(dataset: Path | None = None) -> KnownPar:
    """Return all floors that are known here; those beside a dataset come first."""
    carried = join_par(read_par(_computed()), read_recorded_par())
    return join_par(carried, read_par(par_path(dataset))) if dataset else carried


def complete_par(
    rows: Sequence[AskedRow],
    known: Mapping[str, Any],
    tracks: Sequence[Track],
    show: Shown = silent,
    workers: int | None = None,
    *,
    check: bool = False,
) -> KnownPar:
    """Return the floors of rows; those that are not known are computed, and kept for later.

    Args:
        rows: The rows.
        known: Floors that are known.
        tracks: What a question may ask for.
        show: Shows that floors are computed.
        workers: Processes; as many as processors unless given.
        check: Whether all are computed, and each is checked by a second function.
    """
    missing = rows if check else rows_without(rows, known, tracks)
    if not missing:
        return dict(known)
    with show("par", len(missing)) as tick:
        computed = compute_par(missing, tracks, workers, tick, check=check)
    write_par(_computed(), join_par(read_par(_computed()), computed).values())
    return join_par(known, computed)


def needed_tracks(agent: str, max_turns: str, track: Track | None) -> list[Track]:
    """Return the tracks on which a run cannot do without par: for its limit, for its agent."""
    tracks: list[Track] = ["one"] if needs_par(agent) else []
    if read_factor(max_turns) is not None:
        tracks.append(track or "one")
    return tracks


def add_par(
    rows: Sequence[PlannedDialog],
    known: KnownPar,
    needed: Sequence[Track] = (),
    show: Shown = silent,
) -> list[PlannedDialog]:
    """Return planned dialogs of our sets with what is known of their par.

    Args:
        rows: The dialogs.
        known: What is known.
        needed: Tracks on which par is computed where it is not known.
        show: Shows that floors are computed.
    """
    if needed:
        known = complete_par([AskedDialog.of(vars(row)) for row in rows], known, needed, show)
    digests = [digest_of(row.edition, row.programs, row.household) for row in rows]
    return [
        replace(row, par={str(track): asked for track, asked in known[of].questions.items()})
        if of in known
        else row
        for row, of in zip(rows, digests, strict=True)
    ]


def fill_par(
    dialogs: Iterable[tuple[Dialog, Mapping[str, Any], Track]],
    show: Shown = silent,
) -> None:
    """Set the par of finished dialogs that were played before it was known.

    Households that are impossible, or whose labels are not ours, have none: published files hold
    some. The digest of a row does not hold its labels.

    Args:
        dialogs: Each with the row it is about, as the log keeps it, and its track.
        show: Shows that floors are computed.
    """
    by_track: dict[Track, list[tuple[Dialog, AskedDialog]]] = {}
    for dialog, row, track in dialogs:
        if (asked := _ours(row)) is not None:
            by_track.setdefault(track, []).append((dialog, asked))
    known = known_par()
    for track, some in by_track.items():
        rows = {row_digest(asked): asked for _, asked in some}
        known = complete_par(list(rows.values()), known, [track], show)
        for dialog, asked in some:
            dialog.par = known[row_digest(asked)].turns[track]


def _ours(row: Mapping[str, Any]) -> AskedDialog | None:
    """Return the row of a dialog if its household is possible and its labels are ours."""
    try:
        edition, asked = load_edition(row["edition"]), AskedDialog.of(row)
        if asked.household.violations():
            return None
        labels = {
            name: edition.program(name).is_eligible(asked.household) for name in asked.programs
        }
    except BenyfitsError:
        # An edition or a program that is not here, or facts of another release.
        return None
    return asked if labels == row["labels"] else None


def _computed() -> Path:
    return cache_folder("par") / "computed.par.jsonl"
