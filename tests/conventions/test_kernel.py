"""Matrices are multiplied alike on every x86 processor, so that datasets have the same bytes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

AVX2 = Path("/proc/cpuinfo").exists() and " avx2 " in Path("/proc/cpuinfo").read_text()


@pytest.mark.skipif(not AVX2, reason="no such processor")
def test_the_package_and_its_tests_choose_the_products_of_one_kind_of_processor() -> None:
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
    done = subprocess.run(
        [sys.executable, "-c", "import benyfits_data.cli.main, scipy.linalg"],
        env={**environment, "OPENBLAS_VERBOSE": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    cores = {line for line in (done.stdout + done.stderr).splitlines() if "Core" in line}
    assert cores == {"Core: Haswell"}
    assert os.environ["OPENBLAS_CORETYPE"] == "Haswell"
