"""The wheel, built and installed as a stranger has it, and what a stranger types first."""

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.copies import ROOT

pytestmark = pytest.mark.slow


def succeed(*command, **settings):
    """What a command prints on standard output; the test fails with all it says if it fails."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, **settings
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def stranger(tmp_path_factory):
    """Runs commands in an empty folder, from an environment that holds the wheel of this package.

    The environment sees the packages of this one, but no package that is installed as editable.
    """
    folder = tmp_path_factory.mktemp("wheel")
    offline = ("--quiet", "--no-deps", "--no-index", "--disable-pip-version-check")
    pip = (sys.executable, "-m", "pip")
    # Needs hatchling beside pip, as the extra `dev` has it: nothing is fetched.
    succeed(*pip, "wheel", *offline, "--no-build-isolation", "--wheel-dir", folder, ROOT)
    (wheel,) = folder.glob("benyfits_data-*.whl")
    venv.create(folder / "venv", with_pip=False)
    python = folder / "venv" / "bin" / "python"
    succeed(*pip, "--python", python, "install", *offline, wheel)
    (packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    empty = folder / "empty"
    empty.mkdir()
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "VIRTUAL_ENV") and not name.startswith("INSPECT_")
    }
    environment |= {
        "HOME": str(folder),
        "BENYFITS_CACHE": str(folder / "cache"),
        "PATH": str(python.parent),
    }

    def run(*command):
        return succeed(python.parent / command[0], *command[1:], cwd=empty, env=environment)

    return run


def test_the_installed_package_is_the_one_in_the_wheel(stranger):
    place = stranger("python", "-c", "import benyfits_data; print(benyfits_data.__file__)")
    assert "venv" in Path(place.strip()).parts
    assert not Path(place.strip()).is_relative_to(ROOT)


def test_inspect_plays_the_set_that_the_wheel_carries(stranger):
    task = ("eval", "benyfits_data/diverse", "--limit", "1", "--display", "plain")
    said = stranger("python", "-m", "inspect_ai", *task, "--model", "mockllm/model")
    assert re.search(r"micro_f1\D+[\d.]+", said), said


def test_the_first_command_plays_without_model_key_or_dataset(stranger):
    said = stranger("benyfits-data", "eval", "--limit", "1", "--max-turns", "par:6")
    assert "No model plays" in said
    assert re.search(r"proada .*diverse \(1 of \d+\) +1 +100\.0", said), said


def test_the_site_of_an_installed_package_has_its_documents(stranger):
    assert "No set was built" in stranger("benyfits-data", "site", "site")
    page = stranger("python", "-c", "print(open('site/docs/benchmark.html').read())")
    text = (ROOT / "docs/benchmark.md").read_text("utf-8")
    (title,) = re.findall(r"^# (.+)$", text, re.MULTILINE)
    assert f"<h1>{title}</h1>" in page


def test_the_five_lines_of_the_readme_run_and_print_what_it_says(stranger, tmp_path):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"## Five lines of Python\n+```python\n(.*?)```", text, re.DOTALL)
    assert example.count(">>> ") == 5
    (tmp_path / "readme.txt").write_text(example, encoding="utf-8")
    stranger("python", "-m", "doctest", tmp_path / "readme.txt")
