"""One program as it stands in one edition: text, checker, thresholds, examples."""

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import jinja2

from benyfits_data.editions.examples import Example, load_examples
from benyfits_data.editions.readings import Reading, load_readings
from benyfits_data.editions.source_texts import SourceText, load_sources
from benyfits_data.editions.switches import decide_switches
from benyfits_data.editions.terms import define
from benyfits_data.editions.text_layout import rewrap
from benyfits_data.editions.thresholds import SizeTable, Thresholds, load_thresholds
from benyfits_data.editions.toml_file import (
    is_in_force,
    latest,
    malformed,
    read_as,
    read_text,
    read_toml,
)
from benyfits_data.errors import BenyfitsError, ProgramFolderError
from benyfits_data.household.model import Household

_FRONT_MATTER = re.compile(r"\A\+\+\+\n(.*?)\n\+\+\+\n", re.DOTALL)
_GRADES = ("kindergarten", "1st grade", "2nd grade", "3rd grade")


@dataclass(frozen=True)
class _Head:
    """What the front matter of a requirement text states."""

    name: str
    title: str
    agency: str
    level: Literal["city", "state", "federal"]
    category: str
    unit: Literal["person", "household"]
    since: int | None = None
    until: int | None = None
    ended: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class Program:
    """A benefit program in one edition; called with a household, it says whether it is eligible.

    Attributes:
        name: Its name in datasets, as in the paper.
        title: What people call it.
        agency: Who gives it.
        level: City, state or federal.
        category: What it is about.
        unit: Whether a person or the household qualifies.
        since: The first edition it is part of; `None` for the first there is.
        until: The last edition it is part of; `None` while it goes on.
        edition: The year.
        folder: Its folder.
        thresholds: Its numbers in this edition.
        readings: What its source leaves open in this edition.
        ended: Where the program ended or left the city's list though it stays part of the edition:
            when and how, in a few words; else empty.
    """

    name: str
    title: str
    agency: str
    level: str
    category: str
    unit: str
    since: int | None
    until: int | None
    edition: int
    folder: Path
    thresholds: Thresholds
    readings: tuple[Reading, ...] = ()
    ended: str = ""

    def reading(self, name: str) -> Reading:
        """Return an open question by id.

        Raises:
            ProgramFolderError: The edition has none of that id.
        """
        named = next((reading for reading in self.readings if reading.id == name), None)
        if named is None:
            known = ", ".join(reading.id for reading in self.readings) or "none"
            raise ProgramFolderError(
                f"{self.name} has no reading {name!r} in edition {self.edition}; it has {known}. "
                "Name one of them, or declare it in readings.toml.",
                program=self.name,
                reading=name,
            )
        return named

    def under(self, reading: str, option: str) -> "Program":
        """Return the program as it answers under one option of a reading.

        Raises:
            ProgramFolderError: There is no such reading or option.
        """
        if (reading, option) not in self._under:
            values = self.reading(reading).option(option).values
            thresholds = self.thresholds.with_values(values)
            self._under[reading, option] = replace(self, thresholds=thresholds)
        return self._under[reading, option]

    @cached_property
    def _under(self) -> dict[tuple[str, str], "Program"]:
        """The program under options that were asked for: labels under all are asked for often."""
        return {}

    @property
    def is_in_force(self) -> bool:
        """Whether the program is part of the edition: it has begun and has not ended before."""
        return is_in_force(self.since, self.until, self.edition)

    @property
    def checker_path(self) -> Path:
        """The file of the checker in force."""
        return _in_force(self.folder, "checker", ".py", self.edition)

    @property
    def requirements_path(self) -> Path:
        """The file of the requirement text in force."""
        return _in_force(self.folder, "requirements", ".md", self.edition)

    @property
    def plain_path(self) -> Path | None:
        """The file of the plain text in force; `None` without one."""
        path = _in_force(self.folder, "plain", ".md", self.edition)
        return path if path.exists() else None

    @cached_property
    def sources(self) -> SourceText | None:
        """Where the clauses of the text come from; `None` where nothing says so."""
        return load_sources(self.folder / "sources.toml", self.edition)

    @cached_property
    def checker(self) -> Callable[[Household, Thresholds], bool]:
        """The function `is_eligible` in force, without the lines that switches turn off.

        Raises:
            ProgramFolderError: The file is no Python, or has no such function.
        """
        module = f"benyfits_data.checkers.{self.folder.name}.{self.checker_path.stem}"
        try:
            is_eligible = importlib.import_module(module).is_eligible
        except (SyntaxError, ImportError, NameError, AttributeError, ValueError) as error:
            raise malformed(
                self.checker_path,
                f"cannot be imported: {str(error)[:120]}. `benyfits-data programs lint "
                f"{self.name}` says what to mend.",
            ) from error
        return decide_switches(is_eligible, self.thresholds)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what another process makes anew: functions made of others have no address."""
        made = {"checker", "_under"}
        return {key: value for key, value in self.__dict__.items() if key not in made}

    def is_eligible(self, household: Household) -> bool:
        """Return whether the household qualifies."""
        return self.checker(household, self.thresholds)

    def __call__(self, household: Household) -> bool:
        """Return whether the household qualifies."""
        return self.is_eligible(household)

    def __repr__(self) -> str:
        return f"<Program {self.name} ({self.edition}): {self.title}>"

    def requirements(self) -> str:
        """Return the requirement text with the thresholds of this edition.

        Raises:
            ProgramFolderError: The template is malformed or names an unknown threshold.
        """
        return self._rendered

    @cached_property
    def _rendered(self) -> str:
        return self._render(self.requirements_path)

    def plain(self) -> str:
        """Return the plain text: what a good public page would say, no clearer than its source.

        Raises:
            ProgramFolderError: There is none, or the template is malformed.
        """
        path = self.plain_path
        if path is None:
            raise ProgramFolderError(
                f"{self.folder} has no plain.md. Write there what a public page says of it.",
                path=self.folder / "plain.md",
                program=self.name,
            )
        return self._render(path)

    def _render(self, path: Path) -> str:
        text = _FRONT_MATTER.sub("", read_text(path))
        names: dict[str, Any] = {
            name: getattr(self.thresholds, name)
            for name in (*self.thresholds.names(), *self.thresholds.of_readings())
        }
        try:
            template = _templates(self.thresholds).from_string(text)
            return rewrap(template.render(**names, edition=self.edition))
        # Jinja compiles 1e999 to the name inf, which no template has.
        except (jinja2.TemplateError, BenyfitsError, TypeError, NameError) as error:
            says = str(error).rstrip(".")
            raise malformed(path, f"the template cannot be rendered: {says}.") from error

    @cached_property
    def clauses(self) -> dict[str, str]:
        """The numbered clauses of the text, `3` and its parts `3a`, by identifier."""
        return parse_clauses(self.requirements())

    def examples(self) -> list[Example]:
        """Return the examples that hold in this edition."""
        return [
            each
            for each in load_examples(self.folder / "examples.toml")
            if is_in_force(each.since, each.until, self.edition)
        ]


def parse_clauses(text: str) -> dict[str, str]:
    """Return the clauses of a rendered text by identifier: `1.` is `1`, its part `a.` is `1a`."""
    clauses: dict[str, str] = {}
    number = ""
    current = ""
    for line in text.splitlines():
        if numbered := re.match(r"(\d+)\.\s+(.*)", line):
            number = current = numbered[1]
            clauses[current] = numbered[2]
        elif number and (lettered := re.match(r"\s+([a-z])\.\s+(.*)", line)):
            current = number + lettered[1]
            clauses[current] = lettered[2]
        elif current and line.startswith(" ") and line.strip():
            clauses[current] += " " + line.strip()
        elif line.strip():
            current = ""
    return clauses


def load_program(folder: Path, edition: int) -> Program:
    """Return the program of a folder in one edition, in force or not.

    Raises:
        ProgramFolderError: A file is missing or malformed.
    """
    path = folder / "requirements.md"
    if not path.exists():
        raise ProgramFolderError(
            f"{folder} has no requirements.md. `benyfits-data programs new NAME --since YEAR` "
            "writes a program folder.",
            path=path,
        )
    head = _head(path)
    dated = _in_force(folder, "requirements", ".md", edition)
    if dated != path and _FRONT_MATTER.match(read_text(dated)):
        # A dated text may carry another title or agency; what it does not say stays as it was.
        head |= _head(dated)
    ended = _ended(path, head.get("ended", {}), edition)
    stated = load_thresholds(folder / "thresholds.toml", head["name"], edition)
    readings, thresholds = load_readings(folder, stated, edition)
    return Program(
        **{"since": None, "until": None, **head, "ended": ended},
        edition=edition,
        folder=folder,
        thresholds=thresholds,
        readings=readings,
    )


def _head(path: Path) -> dict[str, Any]:
    matter = _FRONT_MATTER.match(read_text(path))
    if not matter:
        raise malformed(
            path,
            "does not begin with a front matter between +++ lines. Add one with name, title, "
            "agency, level, category and unit.",
        )
    head = read_toml(path, matter[1])
    read_as(_Head, path, "the front matter", head)
    return head


def _ended(path: Path, stated: dict[str, Any], edition: int) -> str:
    if not all(year.isdecimal() and isinstance(how, str) for year, how in stated.items()):
        raise malformed(
            path,
            f"the front matter has ended = {stated!r}. Write from which edition on, and how: "
            'ended = { 2026 = "on 2025-09-30" }.',
        )
    year = latest(stated, edition)
    return stated[str(year)] if year else ""


def _in_force(folder: Path, stem: str, suffix: str, edition: int) -> Path:
    dated = (path.stem.rpartition("_")[2] for path in folder.glob(f"{stem}_[0-9]*{suffix}"))
    year = latest(dated, edition)
    return folder / (f"{stem}_{year}{suffix}" if year else f"{stem}{suffix}")


def _templates(thresholds: Thresholds) -> jinja2.Environment:
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    def table(value: SizeTable) -> str:
        return size_table(value, thresholds.entry(value.name).unit)

    environment.filters.update(dollars=dollars, day=day, grade=grade, table=table)
    environment.globals["define"] = define
    return environment


def dollars(amount: float) -> str:
    """Return an amount as people write it: `$1,234`, or `$1,234.50` where cents are printed."""
    return f"${amount:,.0f}" if amount == int(amount) else f"${amount:,.2f}"


def day(value: date) -> str:
    """Return a date as people write it: `January 20, 2020`."""
    return f"{value:%B} {value.day}, {value.year}"


def grade(number: int) -> str:
    """Return a grade in words; 0 is kindergarten."""
    return _GRADES[number] if number < len(_GRADES) else f"{number}th grade"


def size_table(table: SizeTable, unit: str) -> str:
    """Return a size table as Markdown, with what each further person adds."""
    period = unit.removeprefix("dollars").strip()
    rows = [("People", f"Amount {period}".strip())]
    rows += [(str(size), dollars(amount)) for size, amount in sorted(table.rows.items())]
    if table.each_additional is not None:
        rows.append(("each person more", f"add {dollars(table.each_additional)}"))
    left = max(len(first) for first, _ in rows)
    right = max(len(second) for _, second in rows)
    lines = [f"| {first:<{left}} | {second:>{right}} |" for first, second in rows]
    lines.insert(1, f"|{'-' * (left + 2)}|{'-' * (right + 1)}:|")
    return "\n".join(lines)
