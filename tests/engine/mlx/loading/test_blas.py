import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.platform.startup import FOLDERS, find_openblas

PROGRAM = """
import ctypes
from app.engine.mlx.loading import blas
for weights in (5_000_000, 5_000_000_000):
    blas.fit_threads(weights)
    print(ctypes.CDLL(None).openblas_get_num_threads(), blas.report(weights))
print(ctypes.CDLL(None).openblas_get_num_procs())
"""


@pytest.fixture
def openblas() -> Path:
    library = find_openblas(FOLDERS)
    if library is None or (os.cpu_count() or 1) < 2:
        pytest.skip("the system's OpenBLAS is not installed, or there is one core alone")
    return library


@pytest.mark.parametrize("chosen", [{}, {"OPENBLAS_NUM_THREADS": "2"}])
def test_a_small_model_gets_one_thread_unless_the_user_has_chosen(openblas: Path, chosen: dict[str, str]) -> None:
    environment = {**os.environ, "LD_PRELOAD": str(openblas), **chosen}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    *lines, cores = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == (["2", "2"] if chosen else ["1", cores])
    assert all("OpenBLAS" in line for line in lines)
    assert ("one thread" in lines[0]) is not bool(chosen)
