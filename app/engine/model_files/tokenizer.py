"""Checks the limits of tokenizer files before a library reads them, and of a tokenizer after it is opened.

The tokenizers library is written in Rust. A `tokenizer.json` whose parts grow a text without end aborts the process;
that isn't detected here. The crash guard marks the load, so the next start doesn't open that model by itself.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.engine.errors import UserError
from app.engine.model_files.folder import AGAIN, SETTINGS_BYTES, Folder, read_bytes
from app.files import json_reader, regular_files
from app.files.json_reader import JsonLimitError, JsonLimits
from app.i18n import tr

MOST_FIELDS = 10_000
"""Maximum number of fields. mlx-lm compares its own signature with each: 50,000 take 7 s."""
MOST_LISTED = 20_000
"""Maximum number of special tokens. transformers compares each with all others: 20,000 take 2 s, 70,000 take 26 s."""
MOST_ADDED = 150_000
"""Maximum number of added tokens: 150,000 take 6 s. Speech models have up to 65,536."""
MOST_MADE_UP = 1_000
"""Maximum number of tokens that transformers generates from a number. Known models have 100."""
SETTINGS, MAP, GENERATION = "tokenizer_config.json", "special_tokens_map.json", "generation_config.json"
ADDED = "added_tokens_decoder"
MADE_UP = frozenset({"extra_ids", "offset", "num_madeup_words"})
DETOURS = frozenset(
    {
        *("fast_tokenizer_files", "gguf_file", "init_inputs", "tokenizer_object", "vocab", "merges"),
        *("post_processor", "tokenizer_padding", "tokenizer_truncation", "_spm_precompiled_charsmap"),
    }
)
"""Settings that make transformers read another file than tokenizer.json, or change its contents."""
TOKENS = ("_token", "_tokens")
LOTS = ("dropout", "alpha", "nbest_size")
ELSEWHERE = tr("Choose another copy of the model.")
Found = tuple[str, int, int]
"""A file, the number of entries in it, and the limit."""


def _in_json(name: str) -> bytes:
    """Return a pattern of this name in JSON, where each letter may be an escape such as `\\u0061`."""
    return b'"' + b"".join(rb"(?:%c|(?i:\\u%04x))" % (letter, letter) for letter in name.encode()) + b'"'


VOCABULARY_ELSEWHERE = re.compile(_in_json("vocab") + rb'\s*:\s*"')
"""Some classes of transformers, such as BertTokenizer, read a string here as the path of a vocabulary."""
ADDED_TOKEN = re.compile(_in_json("content"))


def check_limits(folder: Folder) -> None:
    """Raise UserError for files that would take minutes to open, or lead to files outside the folder."""
    contents = {name: _content(folder.path / name) for name in (SETTINGS, MAP, GENERATION, "added_tokens.json")}
    _check_settings(contents)
    for file, count, most in (*_counts(folder.config, contents), *_vocabulary(folder.path / "tokenizer.json")):
        if count > most:
            what = tr("{file} has a list of {count} entries, more than any known model.")
            raise UserError(what.format(file=file, count=f"{count:,}"), AGAIN, kind="config")


def check_opened(tokenizer: object) -> None:
    """Raise UserError for a tokenizer in Python or with random output. Turns off padding and truncation."""
    backend: Any = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise in_python(type(tokenizer))
    if any(getattr(backend.model, name, None) for name in LOTS):
        what = tr("This model's tokenizer is random: the same text would give other tokens each time.")
        raise UserError(what, ELSEWHERE, kind="tokenizer")
    backend.no_padding()
    backend.no_truncation()


def in_python(kind: type) -> UserError:
    what = tr("This model's tokenizer is written in Python. Sluice opens only those of the tokenizers library.")
    return UserError(what, ELSEWHERE, kind.__name__, "tokenizer")


def refused(setting: str, details: str = "") -> UserError:
    what = tr("This model's tokenizer can't be opened: Sluice doesn't support its setting “{setting}”.")
    return UserError(what.format(setting=setting), ELSEWHERE, details, "tokenizer")


def _check_settings(contents: dict[str, dict[str, Any]]) -> None:
    for setting, value in contents[SETTINGS].items():
        if value and (setting in DETOURS or (setting in MADE_UP and not _is_count(value))):
            raise refused(setting, SETTINGS)
    for setting, value in contents[MAP].items():
        if value and not setting.endswith(TOKENS):
            raise refused(setting, MAP)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST_MADE_UP


def _counts(config: dict[str, Any], contents: dict[str, dict[str, Any]]) -> Iterator[Found]:
    inner = config.get("text_config")
    for part in (config, inner if isinstance(inner, dict) else {}):
        yield "config.json", len(part), MOST_FIELDS
        yield from _list_counts("config.json", part)
    for name in (SETTINGS, MAP, GENERATION):
        yield from _list_counts(name, contents[name])
    yield "added_tokens.json", len(contents["added_tokens.json"]), MOST_ADDED


def _list_counts(file: str, content: dict[str, Any]) -> Iterator[Found]:
    for field, value in content.items():
        if isinstance(value, list | dict):
            yield file, len(value), MOST_ADDED if field == ADDED else MOST_LISTED


def _vocabulary(file: Path) -> Iterator[Found]:
    """Yield the number of added tokens in tokenizer.json. Its bytes are searched: json_reader takes 2 s for 17 MB."""
    content = read_bytes(file) if file.is_file() else b""
    if VOCABULARY_ELSEWHERE.search(content):
        raise refused("vocab", file.name)
    yield file.name, sum(1 for _ in ADDED_TOKEN.finditer(content)), MOST_ADDED


def _content(file: Path) -> dict[str, Any]:
    """Read a file up to its limit; empty if it can't be read: the code that loads it reports the error."""
    try:
        found = json_reader.parse(regular_files.read(file, SETTINGS_BYTES), JsonLimits(SETTINGS_BYTES))
    except JsonLimitError as error:
        what = tr("“{name}” could not be read: {why}.").format(name=file.name, why=error)
        raise UserError(what, AGAIN, kind="config") from None
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
