"""One concept, one name: no two modules and no two types of the package share one."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

import benyfits_data.errors

PACKAGE = Path(benyfits_data.errors.__file__).parent
METAPHORS = re.compile(
    r"\b(breed(s|er|ing)?|bred|nursery|litters?|moods?|lanes?|giv(ing|es?) way|settling|"
    r"concentrate[sd]?|nurser(y|ies)|worked (examples?|households?))\b",
    re.IGNORECASE,
)
"""Words of an earlier vocabulary that nobody outside the project would understand."""
EMPTY = {"told", "found", "it", "own", "every"}
"""Names that do not say what they hold."""


def module_paths(package: Path) -> list[Path]:
    """Return the modules of a package; program folders have their own plan."""
    return [
        path
        for path in sorted(package.rglob("*.py"))
        if "checkers" not in path.relative_to(package).parts[:1] and not path.stem.startswith("__")
    ]


def shared(names: dict[Path, list[str]]) -> dict[str, list[str]]:
    """Return the names that stand in more than one place, with these places."""
    places: dict[str, list[str]] = defaultdict(list)
    for path, found in names.items():
        for name in found:
            places[name].append(str(path))
    return {name: where for name, where in places.items() if len(where) > 1}


def public_types(path: Path) -> list[str]:
    """Return the classes and type aliases that a module defines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    return [name for name in classes if not name.startswith("_")]


def metaphors(text: str) -> list[str]:
    """Return the words of a text that are private metaphors."""
    return [found[0] for found in METAPHORS.finditer(text)]


def empty_names(text: str) -> list[str]:
    """Return the names that a module gives to something, and that do not say what that is."""
    names = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.Attribute(attr=name):
                names.append(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.append(name)
    return sorted(EMPTY.intersection(names))


def test_no_two_modules_share_a_name() -> None:
    paths = module_paths(PACKAGE)
    assert shared({path.relative_to(PACKAGE): [path.stem] for path in paths}) == {}


@pytest.mark.slow
def test_no_two_types_share_a_name() -> None:
    paths = module_paths(PACKAGE)
    assert shared({path.relative_to(PACKAGE): public_types(path) for path in paths}) == {}


def test_code_has_no_private_metaphors() -> None:
    found = {
        str(path.relative_to(PACKAGE)): metaphors(path.read_text(encoding="utf-8"))
        for path in module_paths(PACKAGE)
    }
    assert {path: words for path, words in found.items() if words} == {}


def test_names_say_what_they_hold() -> None:
    modules = {path.relative_to(PACKAGE): path for path in module_paths(PACKAGE)}
    found = {
        str(name): empty_names(path.read_text(encoding="utf-8")) for name, path in modules.items()
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_an_empty_name_is_caught() -> None:
    assert empty_names("def tell(own):\n    it = [found for found in own.told]\n") == [
        *("found", "it", "own", "told"),
    ]
    assert empty_names("def every(): ...\n") == ["every"]
    assert empty_names('def f(facts):\n    """Say it."""\n    return {"found": facts}\n') == []


def test_a_shared_name_and_a_metaphor_are_caught(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tables.py").write_text("class Family: ...\n")
    paths = module_paths(tmp_path)
    assert list(shared({path: [path.stem] for path in paths})) == ["tables"]
    assert list(shared({path: public_types(path) for path in paths})) == ["Family"]
    assert metaphors("Breeding households of many moods.") == ["Breeding", "moods"]
    assert metaphors("Worked examples of the nursery.") == ["Worked examples", "nursery"]
