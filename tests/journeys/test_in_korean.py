import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]
LESSONS = "tests/journeys/test_lessons.py"
SHELL = ("tests/ui/shell", "tests/ui/commands")
PARTS = {
    "journeys": ("tests/test_main.py", "tests/journeys", f"--ignore={LESSONS}"),
    "lessons": (LESSONS,),
    "shell": SHELL,
    "rooms": ("tests/ui", *(f"--ignore={folder}" for folder in SHELL)),
}
"""None of them may take as long as a test that hangs, on a slow machine either."""


@pytest.mark.parametrize("part", PARTS)
def test_journeys_in_korean_pass(part: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.languages.korean", "-m", "in_korean", *PARTS[part]]
    spoken = {"PYTHONPATH": ".", "LC_ALL": "C.UTF-8", "LANGUAGE": "ko"}
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, env=os.environ | spoken)
    assert done.returncode == 0, done.stdout[-8000:]
