"""The register kept: a year prepared, published, corrected, its texts read again."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import tomlkit

from benyfits_data.dataset import write_atomically
from benyfits_data.editions import Record, load_edition, load_register
from benyfits_data.editions.edition import room_paths
from benyfits_data.editions.register import CHECKERS
from benyfits_data.errors import PublishedEditionError, UnknownEditionError
from benyfits_data.upkeep.digests import (
    digests_path,
    edition_digests,
    find_differences,
    print_digests,
    whole_digest,
)
from benyfits_data.upkeep.statements import read_toml
from benyfits_data.upkeep.writing import replace_all


def register_path(checkers: Path = CHECKERS) -> Path:
    """Return the file of the register."""
    return checkers / "shared" / "editions.toml"


def prepare(year: int, source: int, checkers: Path = CHECKERS) -> None:
    """Add a draft edition that inherits every value.

    Args:
        year: The new year.
        source: The edition it inherits from: the latest one.
        checkers: The folder of rooms and shared tables.

    Raises:
        UnknownEditionError: The year exists, is not the newest, or inherits from another edition.
    """
    register = load_register(register_path(checkers))
    latest = max(register)
    if year in register:
        raise UnknownEditionError(
            f"Edition {year} exists already ({register[year].status}). "
            f"`benyfits-data editions status {year}` says how far it is.",
            edition=year,
        )
    if year < latest or source != latest:
        raise UnknownEditionError(
            f"Edition {year} from {source} is not possible: a new edition comes after {latest}, "
            f"the latest, and inherits from it, or {latest} would inherit from the new one. "
            f"Use `--from {latest}` and a later year.",
            edition=year,
        )
    document = _document(checkers)
    table = tomlkit.table()
    table.add("status", "draft")
    table.add("inherits_from", source)
    document.append(str(year), table)
    _write(document, checkers)


def publish(year: int, checkers: Path = CHECKERS) -> str:
    """Fix an edition as it is now, and return its digest.

    Raises:
        UnknownEditionError: There is no such edition.
        PublishedEditionError: It is fixed already and differs from what was published.
    """
    record = _known(year, checkers)
    if record.digest and find_differences(year, checkers):
        raise PublishedEditionError(_advice(year, checkers), edition=year)
    return _fix(year, checkers)


def correct(
    year: int, reason: str, day: date, checkers: Path = CHECKERS, changelog: Path | None = None
) -> tuple[str, ...]:
    """Record why a published edition changed, and return the programs that did.

    The reason stands in the register, in the manifest of every dataset built from the edition,
    and in the changelog.

    Raises:
        UnknownEditionError: There is no such edition.
        PublishedEditionError: The edition is as it was published.
    """
    _known(year, checkers)
    differences = find_differences(year, checkers)
    if not differences:
        raise PublishedEditionError(
            f"Edition {year} is as it was published: there is nothing to record. Change the room "
            "first, then record why.",
            edition=year,
        )
    programs = tuple(difference.program for difference in differences)
    digests = edition_digests(load_edition(year))
    document = _document(checkers)
    entry = tomlkit.table()
    for key, value in (
        ("date", day),
        ("reason", reason),
        ("programs", list(programs)),
        ("digest", whole_digest(digests)),
    ):
        entry.add(key, value)
    table: Any = document[str(year)]
    table["digest"] = whole_digest(digests)
    if "corrections" not in table:
        table.append("corrections", tomlkit.aot())
    table["corrections"].append(entry)
    texts = {
        register_path(checkers): _printed(document),
        digests_path(year, checkers): print_digests(digests),
    }
    if changelog is not None:
        line = f"- Edition {year} corrected on {day} ({', '.join(programs)}): {reason}"
        texts[changelog] = with_line(changelog.read_text(encoding="utf-8"), line)
    replace_all(texts)
    return programs


def review(year: int, programs: Sequence[str], day: date, checkers: Path = CHECKERS) -> None:
    """Record that texts were read again and found as the rooms have them.

    Raises:
        UnknownEditionError: There is no such edition.
        UnknownProgramError: It has no such program.
    """
    record = _known(year, checkers)
    edition = load_edition(year)
    reviewed = dict(record.reviewed)
    for name in programs:
        reviewed[edition.program(name).name] = day
    document = _document(checkers)
    table: Any = document[str(year)]
    days = tomlkit.table()
    for name in sorted(reviewed):
        days.add(name, reviewed[name])
    if "reviewed" in table:
        del table["reviewed"]
    table.append("reviewed", days)
    _write(document, checkers)


def problems(checkers: Path = CHECKERS, years: Iterable[int] = ()) -> list[str]:
    """Return what is wrong with published editions, one line each.

    That is every program that changed, every edition that was never fixed, and every value or rule
    under a year that is no edition, which a later edition would inherit unseen.
    """
    register = load_register(register_path(checkers))
    found = list(_stray_years(register, checkers))
    for year in years or register:
        if register[year].status != "published":
            continue
        try:
            found += [str(difference) for difference in find_differences(year, checkers)]
        except PublishedEditionError as error:
            found.append(str(error))
    return found


def _stray_years(register: Mapping[int, Record], checkers: Path) -> Iterator[str]:
    for room in room_paths(checkers):
        stated = {
            (name, int(key))
            for name, threshold in read_toml(room / "thresholds.toml").items()
            for key in threshold
            if key.isdecimal()
        }
        stated |= {
            (path.name, int(path.stem.rpartition("_")[2]))
            for pattern in ("checker_[0-9]*.py", "requirements_[0-9]*.md")
            for path in room.glob(pattern)
        }
        for name, year in sorted(stated):
            if year not in register:
                yield f"{room.name}: {name} is stated for {year}, which is no edition"


def _known(year: int, checkers: Path) -> Record:
    register = load_register(register_path(checkers))
    if year not in register:
        raise UnknownEditionError(
            f"There is no edition {year}; editions are {', '.join(map(str, register))}.",
            edition=year,
        )
    return register[year]


def _advice(year: int, checkers: Path) -> str:
    changed = ", ".join(it.program for it in find_differences(year, checkers))
    return (
        f"Edition {year} is published and has changed since: {changed}. Undo the change, or record "
        f"it: `benyfits-data editions correct {year} --reason TEXT`."
    )


def _fix(year: int, checkers: Path) -> str:
    digests = edition_digests(load_edition(year))
    document = _document(checkers)
    table: Any = document[str(year)]
    table["status"] = "published"
    table["digest"] = whole_digest(digests)
    replace_all(
        {
            register_path(checkers): _printed(document),
            digests_path(year, checkers): print_digests(digests),
        }
    )
    return whole_digest(digests)


def with_line(changelog: str, line: str) -> str:
    """Return a changelog with a line added at the end of its newest section."""
    headings = [found.start() for found in re.finditer(r"^## ", changelog, re.MULTILINE)]
    end = headings[1] if len(headings) > 1 else len(changelog)
    newest, rest = changelog[:end].rstrip("\n"), changelog[end:]
    return f"{newest}\n{line}\n" + (f"\n{rest}" if rest else "")


def _document(checkers: Path) -> tomlkit.TOMLDocument:
    return tomlkit.parse(register_path(checkers).read_text(encoding="utf-8"))


def _printed(document: tomlkit.TOMLDocument) -> str:
    return tomlkit.dumps(document).rstrip("\n") + "\n"


def _write(document: tomlkit.TOMLDocument, checkers: Path) -> None:
    write_atomically(register_path(checkers), _printed(document))
