"""Step: sleep is held off while a model is opened and runs, and no longer: as macOS lists what holds it off."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from app.ui.shell.mac import REASON
from tests.mac_check.facts import Facts, NotHereError, step
from tests.mac_check.opening import BUNDLE, LOOK_S

LIMIT_S = 300


def held_off_by(pid: int, told: str) -> list[str]:
    """The lines of `pmset -g assertions` that are of this process."""
    return [line.strip() for line in told.splitlines() if f"pid {pid}(" in line]


def look(facts: Facts) -> None:
    executable = BUNDLE / "Contents" / "MacOS" / "Sluice"
    if not executable.is_file():
        raise NotHereError("there is no dist/Sluice.app")
    with tempfile.TemporaryDirectory() as folder:
        running = subprocess.Popen([str(executable), "--self-test", folder])
        began, seen = time.monotonic(), 0
        while running.poll() is None and time.monotonic() - began < LIMIT_S:
            seen += any(REASON in line for line in held_off_by(running.pid, _told()))
            time.sleep(LOOK_S)
        running.kill()
        code = running.wait()
        facts.held("the self-test passed", (Path(folder) / "PASS").exists(), f"code {code}")
    facts.held("sleep is held off meanwhile", seen > 0, f"seen {seen} times")
    facts.held("nothing holds it off afterwards", not held_off_by(running.pid, _told()))


def _told() -> str:
    return subprocess.run(["pmset", "-g", "assertions"], capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    sys.exit(step(look))
