"""The command line: help, lazy loading, errors and exit codes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import benyfits_data
from benyfits_data import errors
from benyfits_data.errors import install_line
from benyfits_data.version import __version__
from tests.commands import invoke


def test_help_lists_the_commands_and_keeps_the_example_on_its_line() -> None:
    result = invoke("--help")
    assert result.exit_code == 0
    assert "  programs " in result.output
    assert "\n    benyfits-data programs show FairFaresNYC\n" in result.output


def test_help_imports_no_command_and_no_heavy_library() -> None:
    code = (
        "import sys\n"
        "from benyfits_data.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'scipy', 'pandas', 'matplotlib', 'z3', 'coverage', 'jinja2'}\n"
        "own = {name for name in sys.modules if name.startswith('benyfits_data.')}\n"
        "print(sorted(heavy & set(sys.modules) | own), file=sys.stderr)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own = ["cli", "cli.main", "cli.options", "errors", "version"]
    assert ran.stderr.strip() == str([f"benyfits_data.{name}" for name in own])


def test_the_version_is_printed() -> None:
    result = invoke("--version")
    assert result.output == f"benyfits-data, version {__version__}\n"


def test_an_error_of_the_package_is_one_line_and_exits_1() -> None:
    result = invoke("programs", "show", "NoSuchProgram")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: 'NoSuchProgram' is no program of edition 2026.")
    assert result.stderr.count("\n") == 1


def test_debug_shows_the_traceback() -> None:
    command = [sys.executable, "-m", "benyfits_data", "--debug", "programs", "show", "No"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" in ran.stderr
    assert ran.returncode == 1


@pytest.mark.parametrize("arguments", [["nonsense"], ["programs", "show"], ["programs", "--what"]])
def test_a_usage_error_exits_2(arguments: list[str]) -> None:
    assert invoke(*arguments).exit_code == 2


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


@pytest.mark.slow
def test_a_missing_extra_is_named_with_the_line_that_installs_it_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "import sys; sys.modules['pyarrow'] = None; from benyfits_data.cli.main import main; "
    code += f"main(['label', {str(tmp_path / 'x.parquet')!r}])"
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    checkout = Path(benyfits_data.__file__).parents[1]
    assert f"{sys.executable} -m pip install -e '{checkout}[parquet]'" in done.stderr
    assert "Traceback" not in done.stderr
    # Beside a wheel there is no checkout: the requirements themselves are named.
    monkeypatch.setattr(errors, "__file__", str(tmp_path / "site" / "benyfits_data" / "errors.py"))
    told = ["click>=8", "pyarrow>=17; extra == 'parquet'", 'ray>=2; extra == "cluster"']
    monkeypatch.setattr(errors, "requires", lambda name: told)
    assert install_line("parquet") == f"{sys.executable} -m pip install 'pyarrow>=17'"
    assert install_line("cluster") == f"{sys.executable} -m pip install 'ray>=2'"
