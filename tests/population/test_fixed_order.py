"""Products and equations round alike whichever kernels the library of linear algebra takes."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benyfits_data import population
from benyfits_data.population.raking import product, solve

KERNELS = {"Nehalem": " sse4_2 ", "Haswell": " avx2 ", "SkylakeX": " avx512f "}
"""Kernels of OpenBLAS by what a processor must have for them."""

DIGEST = """
import hashlib
import numpy as np
from benyfits_data.population.raking import product, solve
rng = np.random.default_rng(3)
left, right = rng.random((300, 70)), rng.random((70, 40))
square = product(left.T, left)
fixed = product(left, right), product(left, right[:, 0]), solve(square, right[:, 0])
free = left @ right, left @ right[:, 0], np.linalg.solve(square, right[:, 0])
for made in (fixed, free):
    print(hashlib.sha256(b"".join(np.ascontiguousarray(it).tobytes() for it in made)).hexdigest())
"""


def test_products_and_solutions_are_those_of_linear_algebra() -> None:
    rng = np.random.default_rng(1)
    for left, right in (((7, 5), (5, 3)), ((5,), (5, 3)), ((7, 5), (5,)), ((5,), (5,))):
        a, b = rng.random(left), rng.random(right)
        assert np.allclose(product(a, b), a @ b)
    matrix, wanted = rng.random((9, 9)), rng.random(9)
    matrix[0, 0] = 0
    assert np.allclose(solve(matrix, wanted), np.linalg.solve(matrix, wanted))


def test_every_kernel_gives_the_same_bytes() -> None:
    processors = Path("/proc/cpuinfo")
    told = processors.read_text(encoding="utf-8") if processors.exists() else ""
    kernels = [name for name, needed in KERNELS.items() if needed in told]
    if len(kernels) < 2:
        pytest.skip("one kernel only")
    found = [
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "OPENBLAS_CORETYPE": name, "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for name in kernels
    ]
    fixed, free = zip(*found, strict=True)
    assert len(set(fixed)) == 1
    assert len(set(free)) > 1, "the kernels do not differ: this test could not fail"


def test_the_city_leaves_only_sparse_products_to_libraries() -> None:
    for path in sorted(Path(population.__file__).parent.glob("*.py")):
        source = path.read_text(encoding="utf-8")
        assert "linalg" not in source, path.name
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
                assert "members" in ast.unparse(node), f"{path.name}: {ast.unparse(node)}"
