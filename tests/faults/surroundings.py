"""Surroundings: no home, no fonts, a foreign language, nowhere to write: the program starts, answers and ends."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.faults.table import Row

POINT = "surroundings"
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
SHORT = ("no home", "files in the place of all folders", "no fonts")
"""For `make test`, on the script."""


def rows() -> list[Row]:
    """In full, on the demo model."""
    return [started(name) for name in CHANGES]


def started(name: str, switches: Sequence[str] = ()) -> Row:
    """Once, in a child."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    for variable, value in CHANGES[name].items():
        environment.pop(variable, None)
        if value is not None:
            environment[variable] = value
    project = Path(__file__).parents[2]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.faults.starting", str(Path(folder) / "data"), *switches]
        done = subprocess.run(
            command,
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    told = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 and done.stdout else {}
    lost = () if told.get("answer") else (f"exit code {done.returncode}: {done.stderr[-400:]}",)
    return Row(POINT, name, 1, lost)
