"""The busy neighbour of a measurement ends with it."""

from __future__ import annotations

import subprocess
import sys

from tests.bench.window_throughput import NEIGHBOUR

STARTER = f"""
import os, subprocess, sys
subprocess.Popen([sys.executable, "-c", {NEIGHBOUR!r}, str(os.getpid())])
os._exit(1)
"""
PATIENCE_S = 60


def test_a_neighbour_ends_with_whom_it_was_started_by() -> None:
    """It has its starter's output, which ends when nobody has it any more."""
    subprocess.run([sys.executable, "-c", STARTER], stdout=subprocess.PIPE, timeout=PATIENCE_S, check=False)
