"""More of something than any model has: libraries build each of it, or compare each of it with every other."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app import json_reader, ordinary_files
from app.engine.model_files.files import AGAIN, SETTINGS_BYTES
from app.engine.model_files.folder import Folder
from app.engine.refusal import RefusedError
from app.json_reader import BeyondError, Bounds
from app.words import tr

MOST_FIELDS = 10_000
"""mlx-lm looks at its own signature for each field: seven seconds for fifty thousand."""
MOST_LISTED = 20_000
"""transformers compares special tokens with each other: two seconds for so many, 26 for seventy thousand."""
MOST_ADDED = 150_000
"""Six seconds. The most that is known are 65,536, of a model that speaks."""
LISTS = ("tokenizer_config.json", "special_tokens_map.json", "generation_config.json")
ADDED = "added_tokens_decoder"
Found = tuple[str, int, int]
"""A file, how many it lists, and how many it may."""


def check_limits(folder: Folder) -> None:
    """Refuse what would be loaded for minutes."""
    for file, count, most in _counts(folder.path, folder.config):
        if count > most:
            what = tr("{file} lists {count} things of a kind, more than any model has.")
            raise RefusedError(what.format(file=file, count=f"{count:,}"), AGAIN, kind="config")


def _counts(path: Path, config: dict[str, Any]) -> Iterator[Found]:
    inner = config.get("text_config")
    for part in (config, inner if isinstance(inner, dict) else {}):
        yield "config.json", len(part), MOST_FIELDS
        yield from _inside("config.json", part)
    for name in LISTS:
        yield from _inside(name, _content(path / name))
    yield "added_tokens.json", len(_content(path / "added_tokens.json")), MOST_ADDED


def _inside(file: str, content: dict[str, Any]) -> Iterator[Found]:
    for field, value in content.items():
        if isinstance(value, list | dict):
            yield file, len(value), MOST_ADDED if field == ADDED else MOST_LISTED


def _content(file: Path) -> dict[str, Any]:
    """Whoever needs the file says what is wrong with it; but nobody else would refuse what is beyond all limits."""
    try:
        found = json_reader.parse(ordinary_files.read(file, SETTINGS_BYTES), Bounds(SETTINGS_BYTES))
    except BeyondError as error:
        what = tr("“{name}” could not be read: {why}.").format(name=file.name, why=error)
        raise RefusedError(what, AGAIN, kind="config") from None
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
