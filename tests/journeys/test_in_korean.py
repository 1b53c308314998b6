"""What hands expect of the window, once more in Korean: a process of its own, since texts are made on import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
FOLDERS = (("tests/test_main.py", "tests/journeys", "tests/ui/shell", "tests/ui/commands"), ("tests/ui",))
LEFT_OUT = ("--ignore=tests/ui/shell", "--ignore=tests/ui/commands")
"""Of the second: they are in the first."""


@pytest.mark.parametrize(("folders", "ignored"), [(FOLDERS[0], ()), (FOLDERS[1], LEFT_OUT)], ids=["shell", "rooms"])
def test_each_journey_in_korean(folders: tuple[str, ...], ignored: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.languages.korean", "-m", "in_korean", *folders]
    spoken = {"PYTHONPATH": ".", "LC_ALL": "C.UTF-8", "LANGUAGE": "ko"}
    done = subprocess.run(
        [*command, *ignored], cwd=PROJECT, capture_output=True, text=True, check=False, env=os.environ | spoken
    )
    assert done.returncode == 0, done.stdout[-8000:]
