"""The table that compares two runs: the settings that differ, speed, memory and text."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.engine.catalogue import setting_name
from app.engine.text import common_prefix
from app.i18n import tr
from app.number_format import DASH, computed_format, measured_duration, ratio_amount, size, three_digits
from app.records.receipt import question_of
from app.records.run_environment import seed_of
from app.records.run_settings import SEED, flatten_settings, text_of
from app.records.types import Plain, RunRecord

LINE = 24
"""Characters of a prompt or an answer in its cell."""
SAME = 0.005
"""Relative differences below this are called the same."""
SPEEDS = {
    "prompt_speed": tr("Prefill speed (tok/s)"),
    "speed_mean": tr("Mean speed (tok/s)"),
    "end_to_end": tr("End to end (tok/s)"),
}
TIMES = {"first_token": tr("Time to first token"), "elapsed": tr("Total time")}
FASTER, LESS, SHORTER = (
    (tr("{amount} faster"), tr("{amount} slower")),
    (tr("{amount} more"), tr("{amount} less")),
    (tr("{amount} longer"), tr("{amount} shorter")),
)


@dataclass(frozen=True, slots=True)
class ComparedValue:
    """One row: a value of both runs, and how the second differs from the first."""

    name: str
    first: str
    second: str
    difference: str = ""


def compare_runs(first: RunRecord, second: RunRecord) -> tuple[ComparedValue, ...]:
    return (*_settings(first, second), *_numbers(first, second), *_texts(first, second))


def _settings(first: RunRecord, second: RunRecord) -> Iterator[ComparedValue]:
    ours, theirs = map(_all_settings, (first, second))
    for name in dict.fromkeys((*ours, *theirs)):
        before, after = ours.get(name), theirs.get(name)
        if before != after:
            yield ComparedValue(setting_name(name), text_of(before) or DASH, text_of(after) or DASH)
    before, after = computed_format(first.model.format), computed_format(second.model.format)
    if before != after:
        yield ComparedValue(tr("Precision"), before or DASH, after or DASH)


def _all_settings(run: RunRecord) -> dict[str, Plain]:
    adapter = run.model.adapter.name if run.model.adapter else ""
    known: dict[str, Plain] = {
        "model": run.model.name,
        "adapter": adapter,
        "draft": run.draft.name if run.draft else "",
    }
    known |= {"mode": run.mode} | dict(flatten_settings(run.request)) | {SEED: seed_of(run)}
    return {name: value for name, value in known.items() if value != ""}


def _numbers(first: RunRecord, second: RunRecord) -> Iterator[ComparedValue]:
    for names, words, say in ((SPEEDS, FASTER, three_digits), (TIMES, SHORTER, measured_duration)):
        for name, title in names.items():
            pair = [getattr(run.summary.figures, name) if run.summary else None for run in (first, second)]
            yield _number(title, pair, words, say)
    conditions = [run.finish.conditions if run.finish else None for run in (first, second)]
    for name, title in (("weights", tr("Memory of the weights")), ("kv", tr("Memory of the KV cache"))):
        yield _number(title, [getattr(each, name) or None if each else None for each in conditions], LESS, size)


def _number(title: str, pair: list[float | None], words: tuple[str, str], say: Callable[[float], str]) -> ComparedValue:
    first, second = pair
    difference = ""
    if first and second:
        ratio = second / first
        template = tr("the same") if abs(ratio - 1) < SAME else words[0] if ratio > 1 else words[1]
        difference = template.format(amount=ratio_amount(ratio))
    ends = [DASH if value is None else say(value) for value in pair]
    return ComparedValue(title, ends[0], ends[1], difference)


def _texts(first: RunRecord, second: RunRecord) -> Iterator[ComparedValue]:
    same, other = tr("the same"), tr("different")
    before, after = question_of(first), question_of(second)
    yield ComparedValue(tr("Prompt"), _line(before), _line(after), same if before == after else other)
    few, many = sorted((len(first.ids), len(second.ids)))
    at = common_prefix(first.ids, second.ids)
    words = tr("different from token {place} on").format(place=f"{at + 1:,}")
    if at == few:
        words = same if few == many else tr("the same up to token {place}, the end of one").format(place=f"{at:,}")
    if min((*first.ids, *second.ids), default=0) < 0:  # a server gave no ids
        words = ""
    yield ComparedValue(tr("Tokens"), f"{len(first.ids):,}", f"{len(second.ids):,}", words)
    is_same = first.text == second.text
    yield ComparedValue(tr("Answer"), _line(first.text), _line(second.text), same if is_same else other)


def _line(text: str) -> str:
    """Return the beginning of a text in one line."""
    words = " ".join(text[:LINE].split())
    return f"{words}…" if len(text) > LINE else words or DASH
