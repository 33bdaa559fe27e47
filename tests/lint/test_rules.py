"""Every finding has a code that the list of rules explains."""

import re
from pathlib import Path

import benyfits_data.lint
from benyfits_data.language import grammar
from benyfits_data.language.findings import RULES, LintFinding
from tests.commands import invoke

LINTER = Path(benyfits_data.lint.__file__).parent
FINDINGS = [
    LintFinding(Path("b.toml"), 0, "V05", "is 'x'", "Write a number."),
    LintFinding(Path("a.md"), 3, "T06", "a number", ""),
]


def codes_used() -> set[str]:
    """Return the codes in the modules that make findings."""
    modules = [path for path in LINTER.glob("*.py") if path.stem != "rules"]
    texts = [path.read_text() for path in (*modules, Path(grammar.__file__))]
    return {code for text in texts for code in re.findall(r'"([A-Z]\d\d)"', text)}


def test_the_list_explains_every_code_and_no_other() -> None:
    assert codes_used() == set(RULES)


def test_a_finding_names_its_rule() -> None:
    assert str(FINDINGS[0]) == "b.toml: V05 is 'x'. Write a number."


def test_the_command_lists_the_rules() -> None:
    listed = invoke("programs", "lint", "--rules").output
    assert all(code in listed and rule in listed for code, rule in RULES.items())
