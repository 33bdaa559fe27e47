import ast
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from coverage.python import PythonParser

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.errors import LanguageError
from benyfits_data.household import measures
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.language.source import Source, rule_text

CHECKER = '''"""A checker."""

LIMIT = 3


def is_eligible(household, thresholds):
    """Return something."""
    if household.receives_snap:  # clause 1
        return True
    elif household.acs:  # clauses 3a, 3b
        return False
    else:
        found = 0
    for member in household.members:
        if (
            member.age
            < thresholds.age
        ):  # clause 4
            continue
        found += LIMIT
    return (
        False
    )
'''


def module_of(path: Path, text: str) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("checker_under_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_decision_lines_name_their_clauses(tmp_path: Path) -> None:
    source = Source.of(module_of(tmp_path / "checker.py", CHECKER).is_eligible)
    assert source.decisions == {8: ("1",), 10: ("3a", "3b"), 15: ("4",)}
    assert source.parameters == ("household", "thresholds")
    assert source.resolve("LIMIT") == 3


def test_body_lines_leave_out_def_docstring_and_else(tmp_path: Path) -> None:
    source = Source.of(module_of(tmp_path / "checker.py", CHECKER).is_eligible)
    assert source.body_lines == (8, 9, 10, 11, 13, 14, 15, 19, 20, 21)


@pytest.mark.parametrize(
    "module", ["measures", *sorted({c.holds.__module__ for c in CONSTRAINTS.values()})]
)
def test_body_lines_are_those_that_coverage_counts(module: str) -> None:
    if module == "measures":
        functions = [
            function
            for function in vars(measures).values()
            if getattr(function, "__module__", "") == measures.__name__
        ]
    else:
        functions = [c.holds for c in CONSTRAINTS.values() if c.holds.__module__ == module]
    for function in functions:
        source = Source.of(function)
        parser = PythonParser(text=source.text, filename=str(source.path))
        parser.parse_source()
        first, last = source.node.lineno, source.node.end_lineno
        assert last is not None
        counted = {line for line in parser.statements if first < line <= last}
        assert set(source.body_lines) == counted, function.__name__
        ways = branches_in(parser)
        assert set(source.branches) == {way for way in ways if way[0] in counted}, source.name


def branches_in(parser: PythonParser) -> set[tuple[int, int]]:
    exits = parser.exit_counts()
    return {arc for arc in parser.arcs() if exits.get(arc[0], 0) > 1}


@pytest.mark.parametrize("year", EDITIONS)
def test_checkers_have_as_many_branches_as_coverage_counts(year: int) -> None:
    for program in load_edition(year).programs.values():
        source = Source.of(program.checker)
        # Without the lines that switches turn off, so that lines are counted anew.
        parser = PythonParser(text=ast.unparse(source.node), filename="checker.py")
        parser.parse_source()
        assert len(source.branches) == len(branches_in(parser)), program.name


def test_the_text_of_a_rule_holds_measures_clauses_and_constants_but_no_comments(
    tmp_path: Path,
) -> None:
    variants = [
        ("one", CHECKER),
        ("two", CHECKER + "# the end\n"),
        ("three", CHECKER.replace("LIMIT = 3", "LIMIT = 4")),
        ("four", CHECKER.replace("# clause 1", "# clause 2")),
    ]
    one, same, *others = (
        rule_text(module_of(tmp_path / f"{name}.py", text).is_eligible) for name, text in variants
    )
    assert one == same
    assert one not in others
    names = [text.partition(":")[0] for text in rule_text(measures.is_child_in_care)]
    assert names == ["is_child_in_care", "is_own_child"]
    assert "LIMIT=3" in "".join(one)
    assert '"""' not in "".join(one)


def test_a_file_that_changed_since_import_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checker.py"
    function = module_of(path, CHECKER).is_eligible
    path.write_text("\n\n" + CHECKER)
    with pytest.raises(LanguageError, match="changed since it was imported"):
        Source.of(function)


def test_a_body_that_changed_since_import_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checker.py"
    function = module_of(path, CHECKER).is_eligible
    path.write_text(CHECKER.replace("household.acs", "household.ac"))
    with pytest.raises(LanguageError, match="changed since it was imported"):
        Source.of(function)


def test_unknown_names_are_refused(tmp_path: Path) -> None:
    source = Source.of(module_of(tmp_path / "checker.py", CHECKER).is_eligible)
    with pytest.raises(LanguageError, match="'income'"):
        source.resolve("income")
