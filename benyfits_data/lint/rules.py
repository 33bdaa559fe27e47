"""The rules of the linter by code: what each asks of a program folder."""

from collections.abc import Iterable, Sequence

from benyfits_data.errors import ArgumentError
from benyfits_data.language.grammar import LintFinding
from benyfits_data.spelling import suggest

RULES = {
    "F01": "The folder has all files.",
    "F02": "The name is that of no other program.",
    "F03": "Nothing is left to fill in.",
    "F04": "Every file can be read in every edition.",
    "L01": "The checker can be imported.",
    "L02": "A checker's file has a docstring, two kinds of imports, one function.",
    "L03": "The function has the signature of its kind.",
    "L04": "The function has a docstring.",
    "L05": "Every path ends with `return`.",
    "L06": "Statements are those of the checker language.",
    "L07": "A local holds one number or flag.",
    "L08": "Loops go over the members, one at a time.",
    "L09": "Every decision names its clause.",
    "L10": "Every line can be reached.",
    "L11": "A checker returns True or False, a measure a number or a condition.",
    "L12": "Every statement has a line for itself.",
    "L13": "Expressions and conditions are those of the checker language.",
    "C01": "The text has numbered clauses.",
    "C02": "Lines name clauses that the text has.",
    "C03": "Every clause is decided by a line.",
    "C04": "Clauses are numbered through from 1.",
    "T01": "The text prints every threshold.",
    "T02": "The checker reads every threshold that is not only in the text.",
    "T03": "What is only in the text is not read by the checker.",
    "T04": "Tables are read with a size, other thresholds without.",
    "T05": "The checker reads thresholds that there are.",
    "T06": "No number stands in the requirement text by hand.",
    "V01": "Every value has a unit that there is.",
    "V02": "Every threshold states a value.",
    "V03": "Every value has a source.",
    "V04": "Every value has a date verified.",
    "V05": "A value is of the kind that its unit asks for.",
    "V06": "A table by size never falls.",
    "V07": "A table by size reaches the largest household.",
    "V08": "A value lies in the range of its unit.",
    "V09": "The lower end of a range is not above the upper.",
    "W01": "The text tests every switch.",
    "W02": "The checker tests every switch alone.",
    "W03": "A switch is not the same in every edition.",
    "R01": "A reading's words are a question and sentences.",
    "R02": "The checker reads what a reading sets.",
    "R03": "Every option can be run.",
    "R04": "Every option keeps to the checker language.",
    "R05": "Every option differs from the one in force.",
    "R06": "What the checker in force reads is stated by a source.",
    "S01": "The sources can be read.",
    "S02": "The edition has a source.",
    "S03": "Sources name clauses that the text has.",
    "S04": "Every clause has a place in the source.",
    "S05": "Quotes are short.",
    "S06": "Places and omissions say something.",
    "P01": "A plain text has no front matter.",
    "P02": "The plain text can be rendered.",
    "P03": "A plain text names thresholds that there are.",
    "P04": "No number stands in the plain text by hand.",
    "P05": "A plain text has no words of the requirement text.",
    "P06": "A plain text speaks to the reader.",
    "P07": "A plain text is short.",
    "D01": "Terms that sources declare exist.",
    "D02": "A declared term quotes a few words of the source.",
    "D03": "A term means what it means in other programs.",
    "D04": "`define` names a term and a form that there are.",
    "D05": "No term is defined by hand.",
    "E01": "The examples can be read.",
    "E02": "Every example is a possible household.",
    "E03": "Names of examples are unique.",
    "E04": "Every example has the checker's answer.",
    "E05": "Examples name clauses that the text has.",
    "E06": "The clause that an example names decides it.",
    "E07": "There is an eligible example.",
    "E08": "Every clause has an ineligible example.",
    "E09": "Every line is run by an example.",
    "E10": "Every limit has examples below, at and above it.",
}
"""The first letter says what a rule is about: folder, language, clauses, thresholds, values,
switches, readings, sources, plain text, definitions, examples."""


def check_codes(codes: Sequence[str]) -> None:
    """Raise unless each is the code of a rule or the first letters of some.

    Raises:
        ArgumentError: One is none.
    """
    for code in codes:
        if not any(rule.startswith(code) for rule in RULES):
            hint = suggest(code, RULES.keys(), "`benyfits-data programs lint --rules` lists them.")
            raise ArgumentError(f"{code!r} is no rule of the linter. {hint}", code=code)


def selected(findings: Iterable[LintFinding], codes: Sequence[str]) -> list[LintFinding]:
    """Return the findings of some rules, sorted; of all where no code is given."""
    chosen = tuple(codes) or ("",)
    return sorted(finding for finding in findings if finding.code.startswith(chosen))
