import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

PATIENCE_S = 120
NOWHERE = "/nowhere/at/all"
FILE = "/etc/hostname"
"""Stands where a folder should."""
PLACES = ("CACHE", "CONFIG", "DATA", "STATE")
CHANGES: dict[str, Mapping[str, str | None]] = {
    "no home": {"HOME": None, **{f"XDG_{place}_HOME": None for place in PLACES}, "XDG_RUNTIME_DIR": None},
    "a home that is not there": {"HOME": NOWHERE},
    "files in the place of all folders": {
        **{"HOME": FILE, "XDG_RUNTIME_DIR": FILE, "TMPDIR": NOWHERE},
        **{f"XDG_{place}_HOME": FILE for place in PLACES},
    },
    "decimal commas": {"LC_ALL": "de_DE.UTF-8"},
    "Turkish letters": {"LC_ALL": "tr_TR.UTF-8"},
    "Arabic digits": {"LC_ALL": "ar_EG.UTF-8"},
    "a language that nobody knows": {"LC_ALL": "xx_YY", "LANGUAGE": "zz"},
    "bytes for letters": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    "a time zone that nobody knows": {"TZ": "Nowhere/Else"},
    "no fonts": {"QT_QPA_FONTDIR": NOWHERE, "FONTCONFIG_FILE": "/dev/null", "FONTCONFIG_PATH": NOWHERE},
    "no programs": {"PATH": NOWHERE},
    "a screen of odd dots": {"QT_SCALE_FACTOR": "3.7"},
}


def reached_by(environment: Mapping[str, str], *arguments: str) -> list[str]:
    """What the program reached for on its way to an answer and its end."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.starting", *arguments],
        cwd=Path(__file__).parents[2],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-400:]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert told["answer"]
    return list(told["reached"])


def test_program_reaches_for_nothing(tmp_path: Path) -> None:
    """Asking the system for its processor's name is no secret."""
    assert [each for each in reached_by(os.environ, str(tmp_path)) if "uname" not in each] == []


@pytest.mark.parametrize("name", CHANGES)
def test_program_in_odd_surroundings_starts_and_answers(name: str, tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    for variable, value in CHANGES[name].items():
        environment.pop(variable, None)
        if value is not None:
            environment[variable] = value
    reached_by(environment, str(tmp_path / "data"), "--engine", "echo")
