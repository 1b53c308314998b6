"""The busy neighbour of a measurement ends with it."""

import subprocess
import sys

import pytest

from tests.bench.window_throughput import ANOTHER
from tests.busy import BUSY

STARTER = f"""
import os, subprocess, sys
subprocess.Popen([sys.executable, "-c", {BUSY!r}, str(os.getpid())])
os._exit(1)
"""
PATIENCE_S = 60


def test_a_neighbour_ends_with_whom_it_was_started_by() -> None:
    """It has its starter's output, which ends when nobody has it any more."""
    subprocess.run([sys.executable, "-c", STARTER], stdout=subprocess.PIPE, timeout=PATIENCE_S, check=False)


@pytest.mark.parametrize("said", [b"", b"1", b"10"])
def test_another_program_as_costly_ends_with_whom_it_was_started_by(said: bytes) -> None:
    """At rest as at work."""
    command = [sys.executable, "-c", ANOTHER, "0.033", "0.003"]
    assert subprocess.run(command, input=said, timeout=PATIENCE_S, check=False).returncode == 0
