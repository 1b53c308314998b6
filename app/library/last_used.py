"""Times when each model was last opened, in a small file, since access times of file systems aren't reliable."""

import json
import time
from contextlib import suppress
from pathlib import Path

from app.files import atomic_file, json_reader, regular_files
from app.files.json_values import UNFIT

FILE = "used.json"
MOST = 200
LARGEST_BYTES = 2_000_000
"""The largest file in bytes; paths may have 4,096 characters."""


def read(folder: Path) -> dict[Path, float]:
    """Read the last use of each model, in seconds since 1970, by its resolved folder. `folder`: the data folder."""
    try:
        stored = json_reader.parse(regular_files.read(folder / FILE, LARGEST_BYTES))
        return {Path(name): float(moment) for name, moment in stored.items()}
    except UNFIT:
        return {}


def note(folder: Path, model: Path) -> None:
    """Record that a model was opened now. Errors such as a full disk are ignored."""
    moments = read(folder) | {model.resolve(): time.time()}
    newest = sorted(moments, key=lambda path: moments[path], reverse=True)[:MOST]
    text = json.dumps({str(path): moments[path] for path in newest}, indent=1, ensure_ascii=False)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        # A path may have bytes that aren't UTF-8.
        atomic_file.write(folder / FILE, text.encode("utf-8", "backslashreplace"))
