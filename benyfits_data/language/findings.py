"""What the linters find: one place that leaves a rule, and the rules by code."""

from dataclasses import dataclass
from pathlib import Path

from benyfits_data.errors import BenyfitsError

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
    "C05": "What the text asks of one and the same member is tested in one loop.",
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
    "V07": "A table by size has no gap and reaches the largest household.",
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
    "S06": "Places and omissions say something.",
    "S07": "A text that is unchanged was read, on a day that is stated.",
    "S08": "No text was read and no value verified after today.",
    "P01": "A plain text has no front matter.",
    "P02": "The plain text can be rendered.",
    "P03": "A plain text names thresholds that there are.",
    "P04": "No number stands in the plain text by hand.",
    "D01": "Terms that sources declare exist.",
    "D02": "A declared term quotes the source.",
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
"""What each rule asks of a program folder. The first letter says what it is about: folder,
language, clauses, thresholds, values, switches, readings, sources, plain text, definitions,
examples."""
_DO = {
    "F01": "Copy it from another folder.",
    "F02": "Names are unique: rename one of them.",
    "L01": "Correct it first.",
    "L04": "Say in one line what it returns.",
    "L05": "End the function with a `return` line.",
    "L09": "End the line with `# clause N` (or `# clauses Na, Nb`; `# reading ID` where only "
    "another option of that reading asks it).",
    "L10": "Drop it.",
    "C01": "Number them `1.`, `2.`, ...",
    "C04": "Number through the whole text from 1.",
    "C05": "Name the clauses that are tested of the same member, or test them in one loop.",
    "T02": 'Read it there, or say why not: only_in_text = "..."',
    "T03": "Drop only_in_text.",
    "T06": "Put it into thresholds.toml and write {{ its_name }}; name other parts as `clause N`.",
    "V02": "Add it: 2024 = 18.",
    "V03": "Say where it was read.",
    "V04": "Add verified = YYYY-MM-DD.",
    "V08": "Correct the value, or its unit.",
    "V09": "Correct one of them.",
    "W03": "Write the rule without it, or state the other year.",
    "R03": "Correct the lines that it turns on.",
    "R05": "Have its switches and values decide something, or drop it.",
    "R06": "State it in thresholds.toml and in the text.",
    "S04": "Add its place in the source.",
    "S08": "Correct the day.",
    "P01": "Drop it: requirements.md has it.",
    "P04": "Write {{ its_name }}, a threshold of the program.",
    "D02": "Quote the words of the source.",
    "D04": 'Write {{ define("TERM") }} or {{ define("TERM", "FORM") }}.',
    "E03": "Rename one.",
    "E04": "Correct the example, the checker, or restrict it with `since` or `until`.",
    "E05": "Correct the clause.",
    "E06": "Correct the clause, or change the household until the named clause decides.",
    "E07": "Add one.",
    "E09": "Add a household that does.",
}
"""What to do where a rule is left, if that is always the same."""


@dataclass(frozen=True, order=True)
class LintFinding:
    """One place that leaves a rule.

    Attributes:
        path: The file.
        line: Its line, from 1; 0 when the whole file is meant.
        code: The rule, one of `RULES`.
        what: What stands there.
        write_instead: What to do about it; unless given, what its rule says.
    """

    path: Path
    line: int
    code: str
    what: str
    write_instead: str = ""

    def __post_init__(self) -> None:
        if not self.write_instead:
            object.__setattr__(self, "write_instead", _DO.get(self.code, ""))

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{where}: {self.code} {self.what}. {self.write_instead}".rstrip()

    @classmethod
    def of(cls, error: BenyfitsError, path: Path, code: str) -> "LintFinding":
        """Return an error, which names its file and says what to do, as a finding."""
        path = error.facts.get("path", path)
        return cls(path, 0, code, str(error).removeprefix(f"{path}: ").rstrip("."))
