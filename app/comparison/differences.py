"""The table of a comparison: settings, speed, memory and text of its columns, and how they differ from the first."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from app.comparison.alignment import common_tokens
from app.comparison.columns import ComparedRun
from app.experiments.significance import RatioEstimate, Significance, judge, least_rounds
from app.i18n import tr
from app.number_format import DASH, bits, measured_duration, ratio_amount, size, three_digits

LINE, LINES = 24, 160
"""Characters of a prompt or an answer: minimum for each cell, and maximum for all cells of a row."""
SAME = 0.005
"""Relative differences below this are called the same."""
FASTER, MORE, LONGER = (
    (tr("{amount} faster"), tr("{amount} slower")),
    (tr("{amount} more"), tr("{amount} less")),
    (tr("{amount} longer"), tr("{amount} shorter")),
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with its label, its format, and the words for a higher and a lower value."""

    title: str
    say: Callable[[float], str]
    words: tuple[str, str]


def _count(value: float) -> str:
    return f"{value:,.0f}"


MEASURES = {
    "prompt_speed": Measure(tr("Prefill speed (tok/s)"), three_digits, FASTER),
    "speed_mean": Measure(tr("Mean speed (tok/s)"), three_digits, FASTER),
    "end_to_end": Measure(tr("End to end (tok/s)"), three_digits, FASTER),
    "first_token": Measure(tr("Time to first token"), measured_duration, LONGER),
    "elapsed": Measure(tr("Total time"), measured_duration, LONGER),
    "weights": Measure(tr("Memory of the weights"), size, MORE),
    "kv": Measure(tr("Memory of the KV cache"), size, MORE),
    "prompt_tokens": Measure(tr("Prompt tokens"), _count, MORE),
    "reused": Measure(tr("Reused prompt tokens"), _count, MORE),
    "tokens": Measure(tr("Tokens"), _count, MORE),
    "surprisal": Measure(tr("Mean surprisal"), bits, MORE),
}


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One value of all columns. `differences` from the first column are empty where they are unknown or not numbers."""

    name: str
    values: tuple[str, ...]
    differences: tuple[str, ...]
    is_equal: bool

    @property
    def cells(self) -> tuple[str, ...]:
        """The values with their differences in brackets."""
        pairs = zip(self.values, self.differences, strict=True)
        return tuple(f"{value} ({difference})" if difference else value for value, difference in pairs)


def compare_columns(columns: Sequence[ComparedRun]) -> tuple[ComparedRow, ...]:
    """Return the rows of the table, those that differ first."""
    rows = (*_settings(columns), *_measures(columns), *_texts(columns))
    return tuple(sorted(rows, key=lambda row: row.is_equal))


def interval_note(columns: Sequence[ComparedRun]) -> str:
    """Return what the differences mean, which depends on the number of rounds."""
    most = max(len(column.rounds) for column in columns)
    least = least_rounds(len(columns) - 1) if len(columns) > 1 else 1
    if most < 2:
        return tr("Single runs: speeds also depend on the load of the computer. Several rounds show by how much.")
    if most < least:
        words = tr("Medians of {rounds} rounds. {least} rounds are needed for a confidence interval.")
        return words.format(rounds=most, least=least)
    words = tr(
        "Medians of {rounds} rounds. In brackets: difference from A, with the confidence interval of the ratio "
        "(96 % for all columns of a row together)."
    )
    return words.format(rounds=most)


def _settings(columns: Sequence[ComparedRun]) -> Iterator[ComparedRow]:
    for name in dict.fromkeys(name for column in columns for name in column.settings):
        yield _row(name, [column.settings.get(name, DASH) for column in columns])


def _measures(columns: Sequence[ComparedRun]) -> Iterator[ComparedRow]:
    for key, measure in MEASURES.items():
        known = [[figures[key] for figures in column.rounds.values() if key in figures] for column in columns]
        if any(known):
            values = [measure.say(median(each)) if each else DASH for each in known]
            differences = ["", *(_difference(columns[0], other, key, len(columns) - 1) for other in columns[1:])]
            yield _row(measure.title, values, differences)


def _difference(first: ComparedRun, other: ComparedRun, key: str, among: int) -> str:
    """Return how a number of a column differs from that of the first; with a confidence interval of enough rounds."""
    shared = [number for number in first.rounds if key in first.rounds[number] and key in other.rounds.get(number, {})]
    pairs = [(first.rounds[number][key], other.rounds[number][key]) for number in shared]
    found = judge(pairs, among)
    if found is None:
        return ""
    if all(one == two for one, two in pairs) or (len(pairs) == 1 and abs(found.ratio - 1) < SAME):
        return tr("the same")
    measure = MEASURES[key]
    if any(measure.say(value) == measure.say(0) for pair in pairs for value in pair):
        return ""  # a ratio to a number that is shown as 0 says nothing
    if found.rounds < found.needed:
        # Without an interval, the difference is that of the medians beside it.
        ratio = median(second for _, second in pairs) / median(one for one, _ in pairs)
        return measure.words[ratio < 1].format(amount=ratio_amount(ratio))
    return _with_interval(measure.words[found.ratio < 1].format(amount=ratio_amount(found.ratio)), found)


def _with_interval(words: str, found: RatioEstimate) -> str:
    if found.verdict is Significance.SAME:
        words = tr("not significant")
    return tr("{difference}; {low}–{high}×").format(
        difference=words, low=three_digits(found.low), high=three_digits(found.high)
    )


def _texts(columns: Sequence[ComparedRun]) -> Iterator[ComparedRow]:
    prompts, answers = [column.prompt for column in columns], [column.words for column in columns]
    yield _row(tr("Prompt"), _lines(prompts), is_equal=len(set(prompts)) == 1)
    yield _row(tr("Finish reason"), [column.finish for column in columns])
    if not any(column.has_pieces for column in columns):
        shared = [common_tokens(columns[0], other) for other in columns[1:]]
        yield _row(tr("First different token"), [DASH, *(DASH if at is None else f"{at + 1:,}" for at in shared)])
    yield _row(tr("Answer"), _lines(answers), is_equal=len(set(answers)) == 1)


def _row(
    name: str, values: Sequence[str], differences: Sequence[str] = (), *, is_equal: bool | None = None
) -> ComparedRow:
    same = len(set(values)) == 1 if is_equal is None else is_equal
    return ComparedRow(name, tuple(values), tuple(differences) or ("",) * len(values), same)


def _lines(texts: Sequence[str]) -> list[str]:
    """Return the beginning of each text in one line, or from the first different character on."""
    at, length = 0, max(LINE, LINES // len(texts))
    if len(set(texts)) > 1:
        at = next((at for at, letters in enumerate(zip(*texts, strict=False)) if len(set(letters)) > 1), 0)
    at = 0 if at < length // 2 else at - length // 3
    return [_line(text, at, length) for text in texts]


def _line(text: str, start: int, length: int) -> str:
    words = " ".join(text[start : start + length].split())
    return f"{'…' if start and words else ''}{words}{'…' if len(text) > start + length else ''}" or DASH
