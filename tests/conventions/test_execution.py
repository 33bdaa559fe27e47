"""What the package runs as Python is ours: what a model wrote runs in a guest, and nowhere else."""

import ast

from tests.conventions.test_scans import ROOT, modules, tree_of

RUNS = {
    "adequacy/mutants/detection.py": {"compile", "exec"},  # Checkers that we changed.
    "editions/switches.py": {"compile"},  # Checkers, with the switches of an edition.
    # The text of both is what the guest executes, and nobody imports it.
    "evaluation/codegen/program_server.py": {"compile", "exec"},
    "household/constraints/derived.py": {"compile", "exec"},  # Guards of declarations.
    "language/source.py": {"compile"},  # Checkers.
}
"""What runs text or a syntax tree, or makes it ready, and why what it runs is ours."""
CALLS = frozenset(["exec", "eval", "compile", "__import__"])
METHODS = frozenset(["exec_module", "run_module", "run_path", "runsource", "literal_exec"])
LIBRARIES = frozenset(["runpy", "code", "codeop"])


def runs_in(tree: ast.AST) -> set[str]:
    """Return what runs Python in a module: functions, methods, libraries imported."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name):
                names |= {name} & CALLS
            case ast.Attribute(attr=name):
                names |= {name} & METHODS
            case ast.Import(names=imported):
                names |= {alias.name for alias in imported} & LIBRARIES
            case ast.ImportFrom(module=str(name)):
                names |= {name} & LIBRARIES
    return names


def test_whatever_is_run_as_python_is_listed() -> None:
    package = ROOT / "benyfits_data"
    found = {str(it.relative_to(package)): runs_in(tree_of(it)) for it in modules(package.name)}
    assert {name: runs for name, runs in found.items() if runs} == RUNS


def test_a_planted_call_is_noticed() -> None:
    planted = "run = exec\nrun(a)\neval(b)\nspec.loader.exec_module(c)\nimport runpy\n"
    assert runs_in(ast.parse(planted)) == {"exec", "eval", "exec_module", "runpy"}
    assert runs_in(ast.parse("re.compile(a)\nmodel.eval(b)\nast.literal_eval(c)")) == set()
