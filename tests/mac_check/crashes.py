"""Step: what crashed while the check went on: macOS's own reports of it, and what the program's logs kept.

Of a report only what names nobody: the program, why it ended, and where the thread was that ended it.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.mac_check.facts import ON_A_MAC, Facts, step

REPORTS = Path.home() / "Library" / "Logs" / "DiagnosticReports"
OURS = re.compile(r"sluice|python", re.IGNORECASE)
FRAMES = 12
LOG_S = 240
"""macOS's own log is long."""
LOUD = "process == 'Sluice' AND messageType IN {'fault', 'error'}"


def look(facts: Facts) -> None:
    began = float(os.environ.get("BEGAN", "0"))
    places = (Path(os.environ["SCRATCH"]), Path(os.environ["OUT"]).parent)
    kept = [file for place in places for file in sorted(place.rglob("crash.log")) if file.stat().st_size]
    facts.held("no log of the program tells of a crash", not kept, f"{len(kept)} do")
    for file in kept:
        for line in re.findall(
            r'^  File "[^"]*/([^"/]+)", line (\d+) in (\S+)', file.read_text("utf-8", "replace"), re.M
        ):
            facts.told("in the log", " ".join(line))
    if ON_A_MAC:
        found = list(reports(REPORTS, began))
        facts.held("macOS has no report of a crash", not found, f"{len(found)} reports")
        for line in found:
            facts.told("crash", line)
        for sender, count in _complaints(began):
            facts.told(f"faults and errors in macOS's own log, of {sender}", count, "lines")


def reports(folder: Path, began: float) -> Iterator[str]:
    """In a line each, of programs of ours that ended since then."""
    for file in sorted(folder.glob("*.ips")):
        if file.stat().st_mtime < began or not OURS.search(file.name):
            continue
        head, _, body = file.read_text("utf-8", "replace").partition("\n")
        try:
            yield summary(json.loads(head), json.loads(body))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            yield f"a report that could not be read: {type(error).__name__}"


def summary(head: dict[str, Any], body: dict[str, Any]) -> str:
    exception, ending = body.get("exception", {}), body.get("termination", {})
    thread = body["threads"][body.get("faultingThread", 0)]
    images = [Path(image.get("name", "?")).name for image in body["usedImages"]]
    frames = [f"{images[each['imageIndex']]}:{each.get('symbol', '?')}" for each in thread["frames"][:FRAMES]]
    why = " ".join(
        str(part) for part in (exception.get("type"), exception.get("signal"), ending.get("indicator")) if part
    )
    return f"{head['app_name']}: {why}; {thread.get('name') or thread.get('queue') or 'a thread'}: {' < '.join(frames)}"


def _complaints(began: float) -> Iterator[tuple[str, int]]:
    """How many, by who said it: what they say may name anything."""
    since = datetime.fromtimestamp(began).strftime("%Y-%m-%d %H:%M:%S")
    command = ["log", "show", "--start", since, "--predicate", LOUD, "--style", "ndjson"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LOG_S).stdout
    except (OSError, subprocess.TimeoutExpired):
        return
    counted: Counter[str] = Counter()
    for line in told.splitlines():
        try:
            entry = json.loads(line)
            counted[entry.get("subsystem") or Path(entry.get("senderImagePath", "?")).name] += 1
        except (ValueError, AttributeError):
            continue
    yield from counted.most_common(12)


if __name__ == "__main__":
    sys.exit(step(look))
