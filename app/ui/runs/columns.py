"""The columns of the table of runs."""

from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from typing import Any

from app.definitions import meaning, meanings
from app.engine.catalogue import setting_name
from app.engine.types import Reason
from app.i18n import tr
from app.number_format import DASH, duration, speed
from app.records.run_settings import SettingDifference, text_of, words_of
from app.records.types import Plain, RunRow, RunState
from app.ui.widgets import Column
from app.ui.widgets.dates import format_time

MARK = "◆ "
"""Marks a difference to the row above, in addition to bold text."""
TEMPERATURE = "sampling.temperature"
ENDINGS = {reason.value: reason.plain_words for reason in Reason} | {
    RunState.RUNNING.value: tr("running"),
    RunState.INTERRUPTED.value: tr("interrupted"),
}
"""Texts by the stored values."""
UNSEEDED = tr("None (–): not sent to the server of this run.")
STARTED, SESSION, DRAFT, OTHERS = "started", "session", "draft", "others"
QUESTION, ANSWER = "question", "answer"


def setting_text(difference: SettingDifference) -> str:
    """Format a setting: top-p 0.9."""
    return f"{setting_name(difference.name)} {words_of(difference.name, difference.after) or DASH}"


def explained(difference: SettingDifference) -> str:
    """Format a setting with the value above: top-p 0.9 (1.0 above)."""
    before = words_of(difference.name, difference.before) or DASH
    return tr("{setting} ({before} above)").format(setting=setting_text(difference), before=before)


def haystack(row: RunRow) -> str:
    """Return the text that the filter searches, case-folded."""
    names = (
        row.title,
        row.question,
        row.answer,
        row.model,
        row.draft,
        row.mode,
        _ending(row),
        f"seed {text_of(row.seed)}",
        format_time(row.started),
    )
    return f"{chr(10).join(names).casefold()}\n{_all_settings(row.settings)}"


def _temperature(row: RunRow) -> Plain:
    return next((value for name, value in row.settings if name == TEMPERATURE), None)


def _ending(row: RunRow) -> str:
    """Format the finish reason or the state."""
    stored = row.reason if row.state is RunState.ENDED else row.state.value
    return ENDINGS.get(stored, stored)


@lru_cache
def _all_settings(settings: tuple[tuple[str, Plain], ...]) -> str:
    """Format all settings; cached, since most runs share them."""
    return "\n".join(f"{name} {setting_name(name)} {text_of(value)}" for name, value in settings).casefold()


def _line(text: str) -> str:
    """Return a text in one line."""
    return " ".join(text.split())


def _number(value: int | None) -> str:
    return DASH if value is None else f"{value:,}"


def _token_count(row: RunRow) -> str:
    """Format the number of tokens, or of a server's pieces."""
    return tr("%n pieces", "%n piece", row.tokens) if row.pieces else _number(row.tokens)


def _column(
    name: str,
    title: str,
    tip: str,
    value: Callable[[RunRow], Plain],
    say: Callable[[Any], str] = str,
    *,
    number: bool = True,
) -> Column[RunRow]:
    """Make a column that shows the value it sorts by."""
    return Column(name, title, lambda row: say(value(row)), tip, value, number)


COLUMNS = (
    _column(STARTED, tr("When"), meaning("sent"), attrgetter("started"), format_time, number=False),
    _column(SESSION, tr("Session"), tr("The session of the run"), attrgetter("title"), number=False),
    _column(QUESTION, tr("Prompt"), tr("The beginning of the prompt"), attrgetter("question"), _line, number=False),
    _column(ANSWER, tr("Answer"), tr("The beginning of the answer"), attrgetter("answer"), _line, number=False),
    _column("model", tr("Model"), tr("The model"), attrgetter("model"), number=False),
    _column(DRAFT, tr("Draft"), tr("Draft model"), attrgetter("draft"), lambda draft: draft or DASH, number=False),
    _column("temperature", tr("Temp."), meaning("temperature"), _temperature, text_of),
    _column("seed", tr("Seed"), f"{meaning('seed')} {UNSEEDED}", attrgetter("seed"), text_of),
    _column("prompt", tr("Prompt tokens"), meaning("prompt_tokens"), attrgetter("prompt_tokens"), _number),
    _column("reused", tr("Reused"), meaning("reused"), attrgetter("reused"), _number),
    Column("tokens", tr("Tokens"), _token_count, meanings("token_count", "pieces"), attrgetter("tokens")),
    _column("first", tr("First"), meaning("first_token"), attrgetter("first_token"), duration),
    _column("speed", tr("Tok/s"), meanings("speed_mean"), attrgetter("speed_mean"), speed),
    _column("ending", tr("Ending"), tr("Finish reason, with mlx-lm's name in brackets"), _ending, number=False),
    _column(
        OTHERS,
        tr("Changed settings"),
        tr("All other settings that differ from the row above"),
        lambda row: _all_settings(row.settings),
        number=False,
    ),
)
SETTINGS = {"model": "model", "draft": DRAFT, TEMPERATURE: "temperature", "seed": "seed"}
"""Settings with their own column."""
