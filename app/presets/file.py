"""The file format of presets: JSON, which people may edit, so it isn't trusted."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from app.engine.ranges import LONGEST_STRING, MOST_ITEMS, clamped_format
from app.engine.sampling import check
from app.engine.types import OutputFormat, RawPrompt, Request
from app.files import json_reader
from app.files.json_reader import Json, JsonLimits
from app.files.json_values import read_plain
from app.i18n import tr
from app.presets import LONGEST_NAME, Preset, readable

KIND = "sluice presets"
VERSION = 1
LARGEST_BYTES = 16_000_000
"""The largest file in bytes; a system prompt can be as long as a book."""
BOUNDS = JsonLimits(LARGEST_BYTES, most=300_000, lists=100_000)
"""Limits of the file, also of the number of values, since each takes time."""
TOO_LARGE = tr("The file is larger than {most} MB, so it can't be a file of presets.").format(
    most=LARGEST_BYTES // 1_000_000
)
MOST_PRESETS = 200
ALL_TOKENS = 2**31 + 1
"""Larger than the id of any token."""


@dataclass(frozen=True, slots=True)
class _File:
    kind: str = ""
    version: int = 0
    presets: tuple[Preset, ...] = ()


def written(presets: Sequence[Preset]) -> str:
    """Return the content of a file with these presets, without seeds and local folders."""
    stored = [asdict(preset) for preset in presets]
    for each in stored:
        del each["sampling"]["seed"], each["adapter"]
    return json.dumps({"kind": KIND, "version": VERSION, "presets": stored}, indent=1, ensure_ascii=False) + "\n"


def refusal(text: str) -> str:
    """Return why `read` would refuse the output of `written`; empty: it would accept it."""
    refused = read(text.encode("utf-8", "backslashreplace"))
    return refused if isinstance(refused, str) else ""


def read(content: bytes) -> tuple[Preset, ...] | str:
    """Return the presets of a file, or the reason for its refusal as a sentence."""
    if len(content) > LARGEST_BYTES:
        return TOO_LARGE
    try:
        stored = json_reader.parse(content, BOUNDS)
    except json_reader.JsonLimitError as error:
        return tr("{file} can't be opened: {reason}.").format(file=tr("The file"), reason=error)
    except ValueError:
        return tr("The file isn't JSON, so it contains no presets.")
    if not isinstance(stored, dict) or stored.get("kind") != KIND:
        return tr("The file contains no presets of Sluice.")
    if stored.get("version") != VERSION:
        return tr("The file was written by another version of Sluice, which this one can't read.")
    return _presets(stored)


def _presets(stored: dict[str, Json]) -> tuple[Preset, ...] | str:
    there = stored.get("presets", [])
    count = len(there) if isinstance(there, list) else 1
    if not 0 < count <= MOST_PRESETS:  # before each preset is parsed: sixty thousand would take seconds
        raw = tr("The file contains {count} presets; from 1 to {most} can be read.")
        return raw.format(count=count, most=MOST_PRESETS)
    try:
        presets = tuple(replace(preset, adapter=None) for preset in read_plain(_File, stored).presets)
    except (TypeError, ValueError, OverflowError):
        return tr("The file contains a value whose type doesn't fit its setting.")
    return next((wrong for preset in presets for wrong in _wrong(preset)), presets)


def _wrong(preset: Preset) -> Iterator[str]:
    name = readable(preset.name)
    if not name or name != preset.name.strip(" ") or len(preset.name) > LONGEST_NAME:
        raw = tr("The file contains a preset whose name is empty, unreadable or longer than {most} characters.")
        yield raw.format(most=LONGEST_NAME)
    if preset.system is not None and not _is_text(preset.system):
        yield tr("“{name}” has a system prompt that isn't valid text.").format(name=preset.name)
    form = preset.form or OutputFormat()
    if clamped_format(form.alone) != form or not _is_text(form.text):
        yield tr("The output format of “{name}” is too long, or isn't text.").format(name=preset.name)
    ids = (*preset.limits.stop_ids, *(token for token, _ in preset.sampling.logit_bias))
    strings = preset.limits.stop_strings
    if any(token < 0 or token >= ALL_TOKENS for token in ids):
        yield tr("“{name}” contains an invalid token id.").format(name=preset.name)
    elif failure := check(Request(RawPrompt(""), preset.sampling, preset.limits), ALL_TOKENS):
        yield f"“{preset.name}”: {failure.what}"
    if max(len(ids), len(strings)) > MOST_ITEMS or not all(map(_is_stop_string, strings)):
        raw = tr("“{name}” has stop strings or tokens that are empty, too long or too many.")
        yield raw.format(name=preset.name)


def _is_stop_string(text: str) -> bool:
    return 0 < len(text) <= LONGEST_STRING and _is_text(text)


def _is_text(text: str) -> bool:
    """Return whether a value is a string without lone surrogates, which can't be saved."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
