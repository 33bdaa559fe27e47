"""Which program of the city's list is which of ours: same, renamed, new or gone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benyfits_data.editions import Edition, Program
from benyfits_data.upkeep.city.listing import CityProgram

_SMALL_WORDS = frozenset(
    ("the", "of", "and", "for", "a", "an", "in", "to", "nyc", "ny", "nys", "new", "york", "program")
)
_RENAMED = 0.5
_SAME_TEXT = 0.35


@dataclass(frozen=True)
class ProgramMatch:
    """A program of ours beside one of the city's.

    Attributes:
        program: Ours.
        city: The city's.
        is_renamed: Whether their names differ: only the city's id, or words, are alike.
        is_known: Whether the city's id says that they are the same.
    """

    program: Program
    city: CityProgram
    is_renamed: bool
    is_known: bool = False


@dataclass(frozen=True)
class ProgramMatching:
    """All programs sorted out.

    Attributes:
        matches: Programs that both have.
        new: The city's that we do not have.
        gone: Ours that the city no longer lists.
    """

    matches: tuple[ProgramMatch, ...]
    new: tuple[CityProgram, ...]
    gone: tuple[Program, ...]


def match_programs(edition: Edition, listing: Sequence[CityProgram]) -> ProgramMatching:
    """Return which programs are the same: by the city's id, by name, by likeness of name and text.

    Several of ours may be one row of the city's. Rows and programs with another id are not alike.
    """
    ours = dict(edition.programs)
    theirs = list(listing)
    matches = []
    rows = {city.id: city for city in listing if city.id}
    for name, program in list(ours.items()):
        if city := rows.get(_id(program)):
            is_renamed = not _names(program) & _names_of_city(city)
            matches.append(ProgramMatch(program, city, is_renamed, True))
            del ours[name]
    taken = {id(match.city) for match in matches}
    theirs = [city for city in theirs if id(city) not in taken]
    for name, program in list(ours.items()):
        known = _names(program)
        for city in theirs:
            if known & _names_of_city(city) and _may_be(program, city):
                matches.append(ProgramMatch(program, city, False))
                theirs.remove(city)
                del ours[name]
                break
    for _, program, city in sorted(
        _likely(list(ours.values()), theirs), key=lambda item: (-item[0], item[1].name)
    ):
        if program.name in ours and city in theirs:
            matches.append(ProgramMatch(program, city, True))
            theirs.remove(city)
            del ours[program.name]
    matches.sort(key=lambda match: match.program.name)
    return ProgramMatching(tuple(matches), tuple(theirs), tuple(ours.values()))


def _id(program: Program) -> str:
    return program.sources.program_id if program.sources else ""


def _may_be(program: Program, city: CityProgram) -> bool:
    return not _id(program) or not city.id or _id(program) == city.id


def _names(program: Program) -> set[str]:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", program.name)
    return {_plain(program.title), _plain(words), _plain(_unbracketed(program.title))} - {""}


def _names_of_city(city: CityProgram) -> set[str]:
    return {_plain(city.name), _plain(_unbracketed(city.name))} - {""}


def _unbracketed(name: str) -> str:
    return re.sub(r"\s*\([^)]*\)", "", name)


def _plain(name: str) -> str:
    return "".join(content_words(name))


def content_words(text: str) -> list[str]:
    """Return the words of a text that tell something, in small letters, without plural endings."""
    # Possessives and plurals are no other name.
    plain = text.lower().replace("\u2019", "'").replace("'s", "").replace("&", " and ")
    words = re.findall(r"[a-z0-9]+", plain)
    return [word.rstrip("s") for word in words if word not in _SMALL_WORDS]


def _likely(
    ours: Sequence[Program], theirs: Sequence[CityProgram]
) -> Iterator[tuple[float, Program, CityProgram]]:
    for program in ours:
        for city in theirs:
            if not _may_be(program, city):
                continue
            names = _overlap(
                content_words(program.title), content_words(f"{city.name} {city.acronym}")
            )
            texts = _overlap(content_words(program.requirements()), content_words(city.eligibility))
            if names >= _RENAMED or (texts >= _SAME_TEXT and names > 0):
                yield names + texts, program, city


def _overlap(one: Sequence[str], other: Sequence[str]) -> float:
    first, second = set(one), set(other)
    return len(first & second) / min(len(first), len(second)) if first and second else 0.0
