"""The command line: help, lazy loading, errors and exit codes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import benyfits_data
from benyfits_data import errors
from benyfits_data.errors import install_line
from benyfits_data.publishing.release import _parquet
from benyfits_data.recorded import unpack
from tests.commands import invoke


def test_help_of_all_commands_imports_nothing_heavy() -> None:
    """So that each answers `--help` in 0.3 s: no clock decides, but what is imported."""
    code = (
        "import sys\n"
        "from benyfits_data.cli.main import main\n"
        "def show():\n"
        "    heavy = 'numpy', 'scipy', 'pandas', 'matplotlib', 'z3', 'coverage', 'jinja2', 'rich'\n"
        "    of_ours = [name[14:] for name in sys.modules if name.startswith('benyfits_data.')]\n"
        "    loaded = [name for name in heavy if name in sys.modules] + sorted(of_ours)\n"
        "    print(*loaded, file=sys.stderr)\n"
        "main(['--help'], standalone_mode=False)\n"
        "show()\n"
        "for name in main.list_commands(None):\n"
        "    assert main.get_command(None, name).name == name\n"
        "show()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    of_main, of_commands = ran.stderr.splitlines()
    assert of_main == "cli cli.frame cli.main errors version"
    assert {name.split(".")[0] for name in of_commands.split()} == {
        *["cli", "errors", "progress", "version", "wording"]
    }


def test_an_error_of_the_package_is_one_line_and_exits_1() -> None:
    result = invoke("programs", "show", "NoSuchProgram")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: 'NoSuchProgram' is no program of edition 2026.")
    assert result.stderr.count("\n") == 1


def test_debug_shows_the_traceback() -> None:
    result = invoke("--debug", "programs", "show", "No")
    assert isinstance(result.exception, errors.UnknownProgramError)
    assert result.exit_code == 1


def test_a_mistyped_command_is_answered_with_the_nearest() -> None:
    for typed, meant in (("represent", "representative"), ("programs lst", "list")):
        result = invoke(*typed.split())
        assert result.exit_code == 2
        assert f"Did you mean {meant}" in result.stderr
    assert "--help` names all" in invoke("zzz").stderr


def test_linear_algebra_has_one_thread_and_commands_import_numpy_after_that_is_said() -> None:
    code = (
        "import os, sys; from benyfits_data.cli.main import main; "
        "assert 'numpy' not in sys.modules; main(['--version'], standalone_mode=False); "
        "print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    clean = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    for told, expected in (({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")):
        run = [sys.executable, "-c", code]
        done = subprocess.run(run, env=clean | told, capture_output=True, text=True, check=True)
        assert done.stdout.split()[-1] == expected


def test_a_missing_extra_is_named_with_the_line_that_installs_it_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    checkout = Path(benyfits_data.__file__).parents[1]
    line = f"{sys.executable} -m pip install -e '{checkout}[parquet]'"
    with pytest.raises(errors.MissingExtraError, match=re.escape(line)):
        _parquet([])
    # Beside a wheel there is no checkout: the requirements themselves are named.
    monkeypatch.setattr(errors, "__file__", str(tmp_path / "site" / "benyfits_data" / "errors.py"))
    told = ["click>=8", "pyarrow>=17; extra == 'parquet'", 'ray>=2; extra == "cluster"']
    monkeypatch.setattr(errors, "requires", lambda name: told)
    assert install_line("parquet") == f"{sys.executable} -m pip install 'pyarrow>=17'"
    assert install_line("cluster") == f"{sys.executable} -m pip install 'ray>=2'"


WITHOUT_EXTRAS = """
import sys
from benyfits_data.errors import EXTRAS

class Missing:
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from benyfits_data.cli.main import main
for command in sys.argv[1:]:
    try:
        main(command.split())
    except SystemExit as end:
        print("ended with", end.code, file=sys.stderr)
"""
COMMANDS = {
    "programs show FairFaresNYC": "",
    "label rows.jsonl": "",
    "audit rows.jsonl": "",
    "explain rows.jsonl diverse-2026-01 FairFaresNYC": "",
    "diverse --households 10": "build",
    "prove checkers": "build",
    "eval --limit 1": "eval",
}
"""Commands, and the extra that each lacks."""


def test_data_are_read_labelled_and_explained_without_an_extra(tmp_path: Path) -> None:
    first, *_ = unpack("diverse").read_bytes().splitlines(keepends=True)
    (tmp_path / "rows.jsonl").write_bytes(first)
    command = [sys.executable, "-c", WITHOUT_EXTRAS, *COMMANDS]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    ends = re.findall(r"((?:.*\n)*?)ended with (\d+)\n", done.stderr)
    for (said, code), (words, extra) in zip(ends, COMMANDS.items(), strict=True):
        assert (int(code), f"[{extra}]'" in said) == (bool(extra), bool(extra)), words
