"""Quit in each phase: exit code 0, and not a word on stderr. The full twenty of each are in `tests/faults`."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.records.journal import open_journal
from app.state import Phase

pytestmark = pytest.mark.slow

PHASES = (Phase.LOADING, Phase.READY, Phase.PREFILLING, Phase.GENERATING, Phase.STOPPING)
PATIENCE_S = 180


@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.value)
def test_quit(demo_model: Path, phase: Phase) -> None:
    command = [sys.executable, "-m", "tests.journeys.quitting", phase.value, str(demo_model)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_library_that_never_comes_back_holds_up_nobody(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.journeys.stalling", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stderr) == (0, "")
    journal = open_journal(tmp_path)
    assert journal.failure is None
    (session,) = journal.sessions.rows()
    assert journal.sessions.turns(session.id)[0].text == "Not lost"
    journal.close()
