"""When each model was last opened in this program: a small file, since the system's access times are no witness."""

import json
import time
from contextlib import suppress
from pathlib import Path

from app.files import atomic_file, json_reader, regular_files
from app.files.json_values import UNFIT

FILE = "used.json"
MOST = 200
LARGEST_BYTES = 2_000_000
"""A path may have 4,096 characters."""


def read(folder: Path) -> dict[Path, float]:
    """Seconds since 1970 for each model's folder as it really lies, as kept in the program's data `folder`."""
    try:
        kept = json_reader.parse(regular_files.read(folder / FILE, LARGEST_BYTES))
        return {Path(name): float(moment) for name, moment in kept.items()}
    except UNFIT:
        return {}


def note(folder: Path, model: Path) -> None:
    """A model was opened now. Forgetting it would be no loss, so a full disk is no reason to complain."""
    moments = read(folder) | {model.resolve(): time.time()}
    newest = sorted(moments, key=lambda path: moments[path], reverse=True)[:MOST]
    text = json.dumps({str(path): moments[path] for path in newest}, indent=1, ensure_ascii=False)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        # A path may have bytes that are no UTF-8.
        atomic_file.write(folder / FILE, text.encode("utf-8", "backslashreplace"))
