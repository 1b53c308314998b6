"""Export of an evaluation as JSON, JSON lines, CSV and Markdown."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter

from app.evaluation.disagreement import TITLE, by_row, disagreements
from app.evaluation.types import EvaluationAnswer, EvaluationOutcome, EvaluationVerdict
from app.evaluation.verdict import verdict
from app.experiments.export import escaped, grid
from app.files.json_values import clean
from app.i18n import tr
from app.number_format import DASH, minus, p_value
from app.records.export import as_csv as csv_of
from app.records.run_environment import versions

HEAD = ("row", "arm", "repeat", "right", "why", "reason", "tokens", "seconds", "run", "text")
MOST_ROWS = 20
LONGEST = 300


def as_json(outcome: EvaluationOutcome) -> str:
    """Return the whole evaluation: rates, pairs, sentences, and each answer with its row."""
    study, told = outcome.study, verdict(outcome)
    names = [clean(arm.name) for arm in study.arms]
    known = {each.arm: asdict(each) for each in told.rates}
    none = {"n": 0, "right": 0, "rate": None, "low": None, "high": None}
    said = {
        "title": clean(study.title),
        "set": {"title": clean(study.prompts.title), "digest": study.prompts.digest, "notes": study.prompts.notes},
        "rows": len(study.prompts.rows),
        "repeats": study.repeats,
        "check": asdict(study.check),
        "complete": not outcome.stopped and not outcome.why,
        "why": clean(outcome.why),
        "sentences": [clean(each) for each in told.sentences],
        "arms": [
            {"name": name, "wording": study.arms[at].wording} | known.get(at, none) for at, name in enumerate(names)
        ],
        "pairs": [asdict(each) | {"first": names[each.first], "second": names[each.second]} for each in told.pairs],
        "votes": [asdict(each) | {"first": names[each.first], "second": names[each.second]} for each in outcome.votes],
        "answers": [_answer(outcome, each) for each in _in_order(outcome)],
        "versions": asdict(versions()),
    }
    return json.dumps(said, indent=1, ensure_ascii=False) + "\n"


def as_jsonl(outcome: EvaluationOutcome) -> str:
    """Return one JSON line per answer."""
    return "".join(json.dumps(_answer(outcome, each), ensure_ascii=False) + "\n" for each in _in_order(outcome))


def as_csv(outcome: EvaluationOutcome) -> str:
    """Return one CSV row per answer, followed by the columns of its row in the set."""
    prompts = outcome.study.prompts
    facts = ((_answer_facts(outcome, each), each.place.row) for each in _in_order(outcome))
    rows = ((*values.values(), *map(clean, prompts.rows[row])) for values, row in facts)
    return csv_of((*HEAD, *map(clean, prompts.columns)), rows)


def as_markdown(outcome: EvaluationOutcome) -> str:
    """Return sentences, rates, differences, and the rows with the largest differences between variants."""
    study, told = outcome.study, verdict(outcome)
    names = [arm.name for arm in study.arms]
    first, *others = map(escaped, told.sentences)
    parts = [f"# {escaped(study.title)}", f"**{first}**", "\n".join(f"- {each}" for each in others)]
    parts += [grid(each.head, each.rows) for each in tables(told, names)]
    texts = by_row(outcome)
    parted = [each.row for each in disagreements(outcome)[:MOST_ROWS] if each.apart]
    if parted:
        rows = [(str(row + 1), *(_short(texts[row].get(at)) for at in range(len(names)))) for row in parted]
        parts += [f"## {TITLE}", grid((tr("Row"), *names), rows)]
    return "\n\n".join(part for part in parts if part) + "\n"


@dataclass(frozen=True, slots=True)
class NumberTable:
    """A table of rates or differences. `places`: estimate, low and high of each row, on a scale of 0 to 1."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    places: tuple[tuple[float, float, float], ...]
    scale: tuple[str, str, str]
    """The labels at 0, 0.5 and 1."""


def tables(told: EvaluationVerdict, names: Sequence[str]) -> Iterator[NumberTable]:
    """Yield the tables of a verdict; all differences share one scale."""
    if told.rates:
        head = (tr("Variant"), tr("Rate (%)"), tr("95 % CI"), tr("Rows"), tr("Right"))
        rates = ((names[it.arm], *_numbers(it.rate, it.low, it.high, it.n), f"{it.right:g}") for it in told.rates)
        places = tuple((it.rate, it.low, it.high) for it in told.rates)
        yield NumberTable(tr("Right"), head, tuple(rates), places, ("0", "50", "100"))
    if told.pairs:
        head = (tr("Variants"), tr("Difference (points)"), tr("95 % CI"), tr("Rows"), tr("p-value"))
        less = tr("{second} minus {first}")
        arms = (less.format(second=names[it.second], first=names[it.first]) for it in told.pairs)
        numbers = ((*_numbers(it.difference, it.low, it.high, it.n), p_value(it.corrected)) for it in told.pairs)
        rows = tuple((name, *each) for name, each in zip(arms, numbers, strict=True))
        most = max(0.01, *(max(abs(it.low), abs(it.high)) for it in told.pairs))
        ranges = ((it.difference, it.low, it.high) for it in told.pairs)
        places = tuple(((a / most + 1) / 2, (b / most + 1) / 2, (c / most + 1) / 2) for a, b, c in ranges)
        scale = percentage_points(-most), "0", percentage_points(most)
        yield NumberTable(tr("Differences"), head, rows, places, scale)


def _numbers(middle: float, low: float, high: float, rows: int) -> tuple[str, str, str]:
    return percentage_points(middle), span(low, high), f"{rows:,}"


def percentage_points(share: float) -> str:
    """Format a difference of rates in percentage points."""
    return minus(f"{100 * share:.1f}")


def span(low: float, high: float) -> str:
    return tr("{low} to {high}").format(low=percentage_points(low), high=percentage_points(high))


def _in_order(outcome: EvaluationOutcome) -> list[EvaluationAnswer]:
    return sorted(outcome.answers, key=attrgetter("place.row", "place.arm", "place.repeat"))


def _answer_facts(outcome: EvaluationOutcome, each: EvaluationAnswer) -> dict[str, object]:
    place, name = each.place, clean(outcome.study.arms[each.place.arm].name)
    seconds = round(each.seconds, 6)
    facts = (place.row + 1, name, place.repeat + 1, each.right, clean(each.why), each.reason.value)
    return dict(zip(HEAD, (*facts, each.tokens, seconds, each.run, clean(each.text)), strict=True))


def _answer(outcome: EvaluationOutcome, each: EvaluationAnswer) -> dict[str, object]:
    values = outcome.study.prompts.values(each.place.row)
    return _answer_facts(outcome, each) | {"values": {clean(name): clean(value) for name, value in values.items()}}


def _short(answer: EvaluationAnswer | None) -> str:
    if answer is None:
        return DASH
    mark = {True: "✓ ", False: "✗ ", None: ""}[answer.right]
    return mark + answer.text[:LONGEST] + "…" * (len(answer.text) > LONGEST)
