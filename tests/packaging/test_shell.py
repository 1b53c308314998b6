"""Every script of the project, as shellcheck sees it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


def test_shellcheck_finds_nothing() -> None:
    if (checker := shutil.which("shellcheck")) is None:
        pytest.skip("shellcheck is not here: sudo apt-get install shellcheck")
    scripts = [*sorted(PROJECT.glob("packaging/**/*.sh")), PROJECT / ".ci" / "run"]
    ours = [str(script) for script in scripts if "build" not in script.relative_to(PROJECT).parts]
    assert len(ours) > 6
    done = subprocess.run([checker, *ours], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
