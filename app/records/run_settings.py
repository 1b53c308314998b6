"""Settings of a request as flat values, which the runs table compares and sorts."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

from app.engine.types import AUTOMATIC, ENDLESS, ChatPrompt, RawPrompt, Request, Role
from app.files import json_values
from app.i18n import tr
from app.records.types import ModelRef, Plain, RunRow

SEED = "sampling.seed"
SPECIAL: dict[tuple[str, Plain], str] = {
    ("limits.max_tokens", ENDLESS): tr("until the context is full"),
    **dict.fromkeys((("draft_tokens", AUTOMATIC), ("lookup_tokens", AUTOMATIC)), tr("automatic")),
    **dict.fromkeys((("draft_tokens", 0), ("lookup_tokens", 0)), tr("off")),
}
"""Values with a meaning of their own."""


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """A setting that differs between two runs, by dotted name."""

    name: str
    before: Plain
    after: Plain


def flatten_settings(request: Request) -> tuple[tuple[str, Plain], ...]:
    """Return all settings of a request by dotted name, including the seed, without the conversation."""
    return tuple(_flat("", request))


def row_settings(request: Request, model: ModelRef) -> str:
    """Return the settings as JSON for the runs table, with the adapter's name."""
    adapter = {"adapter": json_values.clean(model.adapter.name)} if model.adapter else {}
    return json.dumps(dict(flatten_settings(request)) | adapter)


def differences(before: RunRow, after: RunRow) -> tuple[SettingDifference, ...]:
    """Return the differences in model, draft model, mode, seed and every setting."""
    first, second = _compared(before), _compared(after)
    names = [*first, *(name for name in second if name not in first)]
    return tuple(
        SettingDifference(name, first.get(name), second.get(name))
        for name in names
        if first.get(name) != second.get(name)
    )


def text_of(value: Plain) -> str:
    if value is None:
        return "–"
    return (tr("on") if value else tr("off")) if isinstance(value, bool) else str(value)


def words_of(name: str, value: Plain) -> str:
    """Return the value of a setting as the window shows it."""
    return SPECIAL.get((name, value)) or text_of(value)


def quoted(text: str, value: Plain) -> str:
    """Quote the text of a value that has several words, so that its end is visible; a list has brackets."""
    has_words = isinstance(value, str) and len(text.split()) > 1 and not text.startswith(("[", "{"))
    return f"“{text}”" if has_words else text


def _compared(row: RunRow) -> dict[str, Plain]:
    known: dict[str, Plain] = {"model": row.model, "draft": row.draft, "mode": row.mode, "seed": row.seed}
    # A run that continues from tokens has no texts, which equals empty fields.
    return {name: value for name, value in (known | DEFAULTS | dict(row.settings)).items() if value != ""}


def _flat(name: str, value: object) -> Iterator[tuple[str, Plain]]:
    if isinstance(value, ChatPrompt):
        systems = [message.text for message in value.messages if message.role is Role.SYSTEM]
        yield f"{name}.system", json_values.clean("\n".join(systems))
        yield f"{name}.reply_start", json_values.clean(value.reply_start)
        yield f"{name}.arguments", _as_text(value.arguments)
        if value.tools:
            yield f"{name}.tools", json_values.clean(value.tools)
    elif name == "prompt":
        return
    elif is_dataclass(value):
        for field in fields(value):
            yield from _flat(f"{name}.{field.name}".lstrip("."), getattr(value, field.name))
    elif isinstance(value, tuple):
        yield name, _as_text(value)
    else:
        assert value is None or isinstance(value, str | int | float | bool)
        yield name, json_values.write(type(value), value)


def _as_text(items: tuple[object, ...]) -> str:
    return json_values.clean(json.dumps(items, ensure_ascii=False)) if items else ""


DEFAULTS = dict(flatten_settings(Request(RawPrompt(""))))
"""Default values, also used for settings that older runs don't have."""
