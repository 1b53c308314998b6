"""Quit in each phase: exit code 0, and nothing on stderr."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.state import Phase

pytestmark = pytest.mark.slow

PHASES = (Phase.LOADING, Phase.READY, Phase.PREFILLING, Phase.GENERATING, Phase.STOPPING)
PATIENCE_S = 180


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.value)
def test_quit_in_each_phase_exits_with_0_and_writes_nothing_to_stderr(demo_model: Path, phase: Phase) -> None:
    command = [sys.executable, "-m", "tests.journeys.quitting", phase.value, str(demo_model)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stderr) == (0, "")
