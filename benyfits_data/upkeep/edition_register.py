"""Changes of the register and folders: a year prepared, published, corrected; a program begun."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tomlkit

from benyfits_data.editions import Record, check_edition, load_edition, load_register
from benyfits_data.editions.edition import forget_editions
from benyfits_data.editions.toml_file import read_toml
from benyfits_data.editions.workspace import base, program_folders, registers, writable_root
from benyfits_data.errors import PublishedEditionError, UnknownEditionError, UnknownProgramError
from benyfits_data.staged_writes import staged, write_atomically
from benyfits_data.upkeep.digests import find_differences, print_digests, whole_digest
from benyfits_data.upkeep.freshness import edition_status


def prepare(year: int, source: int) -> None:
    """Add a draft edition that inherits every value.

    Args:
        year: The new year.
        source: The edition it inherits from: the latest one.

    Raises:
        UnknownEditionError: The year exists, is not the newest, or inherits from another edition.
        WorkspaceError: The package is an installed one and there is no workspace.
    """
    register = load_register()
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
    with _changed_register() as document:
        document.append(str(year), tomlkit.item({"status": "draft", "inherits_from": source}))


def check_publishable(year: int) -> None:
    """Check that an edition may be fixed as it is now.

    Raises:
        UnknownEditionError: There is no such edition.
        PublishedEditionError: It is fixed already and differs from what was published.
    """
    record = _own_record(year)
    differences = find_differences(year) if record.digest else {}
    if differences:
        raise PublishedEditionError(
            f"Edition {year} is published and has changed since: {', '.join(differences)}. Undo "
            f"the change, or record it: `benyfits-data editions correct {year} --reason TEXT`.",
            edition=year,
        )


def check_reviewed(year: int) -> None:
    """Check that of a draft every text was read and every value looked at.

    Raises:
        PublishedEditionError: Some were not; it says how many.
    """
    record = load_register()[year]
    if record.status == "published":
        return
    statuses = edition_status(record)
    unread = sum(status.text == "not read" for status in statuses)
    stale = sum(bool(status.stale) for status in statuses)
    if unread or stale:
        raise PublishedEditionError(
            f"Edition {year} inherits what nobody has looked at: {unread} texts not "
            f"read, values of {stale} programs. `benyfits-data editions status {year} "
            "--stale` lists them; look at them, or publish with --unreviewed.",
            edition=year,
        )


def publish(year: int) -> str:
    """Fix an edition as it is now, and return its digest.

    Raises:
        UnknownEditionError: There is no such edition.
        PublishedEditionError: It is fixed already and differs from what was published.
    """
    check_publishable(year)
    digests = print_digests(load_edition(year))
    with _changed_register({_own_digests(year): digests}) as document:
        document[str(year)] |= {"status": "published", "digest": whole_digest(digests)}
    return whole_digest(digests)


def correct(year: int, reason: str, day: date, changelog: Path | None = None) -> tuple[str, ...]:
    """Record why a published edition changed, and return the programs that did.

    The reason stands in the register, in the manifest of every dataset built from the edition,
    and in the changelog.

    Raises:
        UnknownEditionError: There is no such edition.
        PublishedEditionError: The edition is as it was published.
    """
    _own_record(year)
    programs = tuple(find_differences(year))
    if not programs:
        raise PublishedEditionError(
            f"Edition {year} is as it was published: there is nothing to record. Change it "
            "in its program folder first, then record why.",
            edition=year,
        )
    digests = print_digests(load_edition(year))
    texts = {_own_digests(year): digests}
    if changelog is not None:
        line = f"- Edition {year} corrected on {day} ({', '.join(programs)}): {reason}"
        texts[changelog] = with_line(changelog.read_text(encoding="utf-8"), line)
    digest = whole_digest(digests)
    entry = {"date": day, "reason": reason, "programs": list(programs), "digest": digest}
    with _changed_register(texts) as document:
        table = document[str(year)]
        table["digest"] = digest
        if "corrections" not in table:
            table.append("corrections", tomlkit.aot())
        table["corrections"].append(tomlkit.item(entry))
    return programs


def review(year: int, programs: Sequence[str], day: date) -> None:
    """Record that texts were read again and found as the program folders have them.

    Raises:
        UnknownEditionError: There is no such edition.
        UnknownProgramError: It has no such program.
    """
    record = _own_record(year)
    edition = load_edition(year)
    reviewed = {**record.reviewed, **{edition.program(name).name: day for name in programs}}
    with _changed_register() as document:
        document[str(year)].pop("reviewed", None)
        document[str(year)].append("reviewed", tomlkit.item(dict(sorted(reviewed.items()))))


def problems(years: Iterable[int] = ()) -> list[str]:
    """Return what is wrong with published editions, one line each.

    That is every program that changed, every edition that was never fixed, and every value or rule
    under a year that is no edition, which a later edition would inherit unseen.
    """
    register = load_register()
    findings = list(_stray_years(register))
    for year in years or register:
        if register[year].status != "published":
            continue
        try:
            differences = find_differences(year).items()
            findings += [f"edition {year}: {name}: {what}" for name, what in differences]
        except PublishedEditionError as error:
            findings.append(str(error))
    return findings


def _stray_years(register: Mapping[int, Record]) -> Iterator[str]:
    for folder in program_folders():
        stated = {
            (name, int(key))
            for name, threshold in read_toml(folder / "thresholds.toml").items()
            for key in threshold
            if key.isdecimal()
        }
        stated |= {
            (path.name, int(path.stem.rpartition("_")[2]))
            for pattern in ("checker_[0-9]*.py", "requirements_[0-9]*.md")
            for path in folder.glob(pattern)
        }
        for name, year in sorted(stated):
            if year not in register:
                yield f"{folder.name}: {name} is stated for {year}, which is no edition"


def _own_record(year: int) -> Record:
    """Return the record of an edition whose register may be written."""
    check_edition(year)
    if str(year) not in _document():
        raise PublishedEditionError(
            f"Edition {year} comes with the package and stays as it is; {_own_register()} holds "
            "the editions of this workspace. Correct it where the package is made.",
            edition=year,
        )
    return load_register()[year]


def with_line(changelog: str, line: str) -> str:
    """Return a changelog with a line added at the end of its newest section."""
    headings = [match.start() for match in re.finditer(r"^## ", changelog, re.MULTILINE)]
    end = headings[1] if len(headings) > 1 else len(changelog)
    newest, rest = changelog[:end].rstrip("\n"), changelog[end:]
    return f"{newest}\n{line}\n" + (f"\n{rest}" if rest else "")


@contextmanager
def _changed_register(texts: Mapping[Path, str] = MappingProxyType({})) -> Iterator[Any]:
    """Give the register that may be written; it is written with other files, all or none.

    One that lies outside `base()` comes last among them, before the others are in place.
    """
    document: Any = _document()
    yield document
    register = tomlkit.dumps(document).rstrip("\n") + "\n"
    with staged(base()) as stage:
        for path, text in {_own_register(): register, **texts}.items():
            is_inside = path.resolve().is_relative_to(base())
            place = stage / path.resolve().relative_to(base()) if is_inside else path
            write_atomically(place, text)
    forget_editions()


def _own_register() -> Path:
    """Return the register that may be written: the workspace's, or that of a checkout."""
    writable_root()
    return registers()[-1]


def _own_digests(year: int) -> Path:
    return writable_root() / "shared" / "digests" / f"{year}.toml"


def _document() -> tomlkit.TOMLDocument:
    return tomlkit.parse(_own_register().read_text(encoding="utf-8"))


_TEMPLATES = Path(__file__).parent / "templates" / "program"


def folder_name(name: str) -> str:
    """Return the folder of a program: `FairFaresNYC` lives in `fair_fares_nyc`."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|\d+", name)
    return "_".join(word.lower() for word in words)


def new_program(name: str, since: int, today: date) -> Path:
    """Write the folder of a new program and return its path.

    Args:
        name: The program's name, such as `FairFaresNYC`.
        since: The first edition it is part of, a draft.
        today: The day that the template notes as day of verification.

    Raises:
        UnknownProgramError: The name is not one of a program, or is taken.
        UnknownEditionError: There is no such edition.
        PublishedEditionError: The edition is published and gets no new programs.
        WorkspaceError: The package is an installed one and there is no workspace.
    """
    if not re.fullmatch(r"([A-Z][A-Za-z]*)", name):
        raise UnknownProgramError(
            f"{name!r} is no name of a program. Write letters only, each word with a capital: "
            "FairFaresNYC.",
            program=name,
        )
    check_edition(since)
    register = load_register()
    if register[since].status == "published":
        raise PublishedEditionError(
            f"Edition {since} is published and gets no new programs. Begin {name} with a draft.",
            edition=since,
        )
    folder = writable_root() / folder_name(name)
    taken = {known.lower() for year in register for known in load_edition(year)}
    if name.lower() in taken or folder.exists():
        raise UnknownProgramError(
            f"There is a program {name} already. Names are unique: choose another.", program=name
        )
    with staged(base()) as stage:
        for path in sorted(_TEMPLATES.iterdir()):
            text = path.read_text(encoding="utf-8")
            if path.stem != "checker.py":
                text = text.format(name=name, year=since, today=today)
            write_atomically(stage / folder.relative_to(base()) / path.stem, text)
    forget_editions()
    return folder
