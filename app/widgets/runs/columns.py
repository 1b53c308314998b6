"""The columns of the table of runs: what each says, and by what it is sorted. No Qt."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

from app.definitions import meaning, meanings
from app.records.settings_of import Difference, text_of
from app.records.types import Plain, RunRow, RunState
from app.widgets.formatting import DASH, duration, speed

MARK = "◆ "
"""Before what differs from the row above: weight alone is easily overlooked, and colour is not for everyone."""
TEMPERATURE = "sampling.temperature"
STARTED, SESSION, DRAFT, OTHERS = "started", "session", "draft", "others"


@dataclass(frozen=True, slots=True)
class Column:
    """`value` is what it is sorted by, None last either way. `setting`: the name under which a difference is told."""

    name: str
    title: str
    tip: str
    value: Callable[[RunRow], Plain]
    say: Callable[[Any], str] = str
    setting: str = ""
    number: bool = True

    def text(self, row: RunRow) -> str:
        """What the cell says."""
        return self.say(self.value(row))


def moment(started: float) -> str:
    """When it was sent; the year only where it is another one."""
    sent, now = time.localtime(started), time.localtime()
    return time.strftime("%d %b %H:%M:%S" if sent.tm_year == now.tm_year else "%d %b %Y %H:%M", sent)


def named(difference: Difference) -> str:
    """What it is now: top p 0.9."""
    return f"{difference.name.rpartition('.')[2].replace('_', ' ')} {text_of(difference.after) or DASH}"


def explained(difference: Difference) -> str:
    """And what it was: top p 0.9 (1.0 above)."""
    return f"{named(difference)} ({text_of(difference.before) or DASH} above)"


def haystack(row: RunRow) -> str:
    """Everything that can be looked for, in small letters."""
    names = (row.title, row.model, row.draft, row.mode, _ending(row), f"seed {row.seed}", moment(row.started))
    return f"{chr(10).join(names).casefold()}\n{_told(row.settings)}"


def sort_key(column: Column, row: RunRow) -> tuple[str, float]:
    """Numbers by size, words by their letters."""
    value = column.value(row)
    if isinstance(value, int | float):
        return "", float(value)
    return (value or "").casefold(), row.started


def _temperature(row: RunRow) -> Plain:
    return next((value for name, value in row.settings if name == TEMPERATURE), None)


def _ending(row: RunRow) -> str:
    """Why it ended, or that it did not."""
    return row.reason if row.state is RunState.ENDED else row.state.value


def _settings(row: RunRow) -> str:
    return _told(row.settings)


@lru_cache
def _told(settings: tuple[tuple[str, Plain], ...]) -> str:
    """Remembered, since most runs have the settings of many others."""
    return "\n".join(f"{name} {text_of(value)}" for name, value in settings).casefold()


def _number(value: int | None) -> str:
    return DASH if value is None else f"{value:,}"


def _or_dash(value: str) -> str:
    return value or DASH


COLUMNS = (
    Column(STARTED, "When", meaning("sent"), attrgetter("started"), moment, number=False),
    Column(SESSION, "Session", "The session it belongs to", attrgetter("title"), number=False),
    Column("model", "Model", "The model", attrgetter("model"), setting="model", number=False),
    Column(DRAFT, "Draft", "The draft model beside it", attrgetter("draft"), _or_dash, "draft", False),
    Column("temperature", "Temp.", meaning("temperature"), _temperature, text_of, TEMPERATURE),
    Column("seed", "Seed", meaning("seed"), attrgetter("seed"), setting="seed"),
    Column("prompt", "Prompt", meaning("prompt_tokens"), attrgetter("prompt_tokens"), _number),
    Column("reused", "Reused", meaning("reused"), attrgetter("reused"), _number),
    Column("tokens", "Tokens", meaning("token_count"), attrgetter("tokens"), _number),
    Column("first", "First", meaning("first_token"), attrgetter("first_token"), duration),
    Column("speed", "Tok/s", meanings("speed_mean"), attrgetter("speed_mean"), speed),
    Column("ending", "Ending", "Why it ended", _ending, number=False),
    Column(OTHERS, "Other settings", "All other settings that differ from the row above", _settings, number=False),
)
OWN = frozenset(column.setting for column in COLUMNS if column.setting)
"""Settings that have a column of their own."""
