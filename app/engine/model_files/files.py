"""Reads files of a model folder: regular files with a size limit for their kind."""

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.engine.errors import UserError, details_of, named
from app.files import json_reader, regular_files
from app.files.json_reader import Bounds
from app.i18n import tr

SETTINGS_BYTES = 32_000_000
"""Maximum bytes of a JSON file; the largest known index of weights has 13 MB."""
VOCABULARY_BYTES = 150_000_000
"""Maximum bytes of a vocabulary; the largest known tokenizer.json has 34 MB. Reading it takes twenty times its size."""
VOCABULARIES = frozenset({"tokenizer.json", "vocab.json"})
OF_TOKENIZER = VOCABULARIES | {"special_tokens_map.json", "added_tokens.json", "tokenizer_config.json"}
READ_WHOLE = frozenset({".jinja", ".json", ".jsonl", ".model", ".tiktoken", ".txt"})
MB = 1_000_000
AGAIN = tr("Download the model again, or choose another.")


def check_files(path: Path) -> None:
    """Refuse pipes, which would block, and files above their limits."""
    for file in _entries(path):
        check_file(file)


def check_file(file: Path) -> None:
    """Check a file before it is read. The model list also reads files of unchecked folders."""
    try:
        found = file.stat()
    except OSError:  # a broken link counts as no file
        return
    if stat.S_ISDIR(found.st_mode):
        return
    if not stat.S_ISREG(found.st_mode):
        what = tr("{file} is not a regular file, so it isn't read.").format(file=named(file.name))
        raise UserError(what, tr("Remove it from the folder, or choose another model."), kind="config")
    if file.suffix in READ_WHOLE and found.st_size > _limit(file):
        what = tr("{file} has {size} MB, but at most {limit} MB are allowed.")
        what = what.format(file=named(file.name), size=f"{found.st_size // MB:,}", limit=_limit(file) // MB)
        raise UserError(what, tr("Choose another copy of the model."), kind="config")


def read_json(file: Path) -> dict[str, Any]:
    """Read a JSON object from a file of the model."""
    check_file(file)
    kind = "tokenizer" if file.name in OF_TOKENIZER else "config"
    try:
        with regular_files.open_regular(file, _limit(file)) as stream:
            content = json_reader.read(stream, Bounds(_limit(file)))
    except (OSError, ValueError) as error:
        what = tr("{file} could not be read.").format(file=named(file.name))
        raise UserError(what, AGAIN, details_of(error), kind) from None
    if not isinstance(content, dict):
        raise UserError(tr("{file} contains no JSON object.").format(file=named(file.name)), AGAIN, kind=kind)
    return content


def read_bytes(file: Path) -> bytes:
    """Read a file of the model."""
    check_file(file)
    try:
        return regular_files.read(file, _limit(file))
    except OSError as error:
        what = tr("{file} could not be read.").format(file=named(file.name))
        raise UserError(what, AGAIN, details_of(error), "tokenizer") from None


def _entries(path: Path) -> Iterator[Path]:
    try:
        yield from path.iterdir()
        yield from path.glob("additional_chat_templates/*")
    except OSError:  # deleted or unreadable; reading the files reports that
        return


def _limit(file: Path) -> int:
    is_settings = file.suffix == ".json" and file.name not in VOCABULARIES
    return SETTINGS_BYTES if is_settings else VOCABULARY_BYTES
