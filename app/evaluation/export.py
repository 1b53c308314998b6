"""Export of an evaluation as JSON, JSON lines, CSV, Markdown and HTML."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from html import escape
from operator import attrgetter
from typing import TypeAlias

from app.evaluation.published import question_facts
from app.evaluation.rates import TITLE, by_row, disagreements
from app.evaluation.types import Calibration, EvaluationAnswer, EvaluationOutcome, EvaluationVerdict, Interval, Scoring
from app.evaluation.verdict import verdict
from app.experiments.export import CONDITIONS, SETTING_HEAD, SHOWN, date_and_versions, escaped, grid
from app.experiments.requests import describe_setting, value_of
from app.files import json_values
from app.files.json_values import clean
from app.i18n import tr
from app.library.cached import name_of
from app.number_format import DASH, minus, p_value
from app.records.comparison import DiffSide, word_diff
from app.records.export import as_csv as csv_of
from app.records.html_export import STYLE, as_text, page
from app.records.html_parts import table_of
from app.records.run_environment import versions

HEAD = ("row", "arm", "repeat", "right", "why", "reason", "tokens", "seconds", "run", "text")
MOST_ROWS = 20
LONGEST = 300


def as_json(outcome: EvaluationOutcome) -> str:
    """Return the whole evaluation: rates, pairs, sentences, and each answer with its row."""
    study, judged = outcome.study, verdict(outcome)
    names = [clean(arm.name) for arm in study.arms]
    known = {each.arm: asdict(each) for each in judged.rates}
    none = {"n": 0, "right": 0, "rate": None, "low": None, "high": None}
    data = {
        "title": clean(study.title),
        "set": {"title": clean(study.prompts.title), "digest": study.prompts.digest, "notes": study.notes},
        "rows": len(study.prompts.rows),
        "repeats": study.repeats,
        "check": asdict(study.check),
        "complete": not outcome.stopped and not outcome.why,
        "why": clean(outcome.why),
        "sentences": [clean(each) for each in judged.sentences],
        "arms": [
            {"name": name, "wording": study.arms[at].wording} | known.get(at, none) | _likelihood_facts(judged, at)
            for at, name in enumerate(names)
        ],
        "pairs": [asdict(each) | {"first": names[each.first], "second": names[each.second]} for each in judged.pairs],
        "calibration_pairs": [
            asdict(each) | {"first": names[each.first], "second": names[each.second]}
            for each in judged.calibration_pairs
        ],
        "votes": [asdict(each) | {"first": names[each.first], "second": names[each.second]} for each in outcome.votes],
        "answers": [_answer(outcome, each) for each in _in_order(outcome)],
        "versions": asdict(versions()),
    } | question_facts(outcome)
    return json_values.dumps_strict(data, indent=1) + "\n"


ACCURACIES = {
    Scoring.SUM: "accuracy",
    Scoring.CHARACTERS: "accuracy_normalized",
    Scoring.BYTES: "accuracy_per_byte",
    Scoring.UNCONDITIONAL: "accuracy_unconditional",
}


def _likelihood_facts(judged: EvaluationVerdict, arm: int) -> dict[str, object]:
    """Return accuracies and calibration of a variant; empty if its choices weren't scored."""
    rates = {ACCURACIES[each.scoring]: each.rate.rate for each in judged.scorings if each.rate.arm == arm}
    known = next((asdict(each) for each in judged.calibrations if each.arm == arm), None)
    if known is None:
        return dict(rates)
    intervals = {name: known[name]["middle"] for name in ("ece", "brier", "overconfidence")}
    bounds = {f"{name}_{end}": known[name][end] for name in intervals for end in ("low", "high")}
    figures = {"confidence": known["confidence"], "calibration_chance": known["chance"], "bins": known["bins"]}
    return rates | intervals | bounds | figures


def as_jsonl(outcome: EvaluationOutcome) -> str:
    return "".join(json_values.dumps_strict(_answer(outcome, each)) + "\n" for each in _in_order(outcome))


def as_csv(outcome: EvaluationOutcome) -> str:
    """Return one CSV row per answer, followed by the columns of its row in the set."""
    prompts = outcome.study.prompts
    facts = ((_answer_facts(outcome, each), each.key.row) for each in _in_order(outcome))
    rows = ((*values.values(), *map(clean, prompts.rows[row])) for values, row in facts)
    return csv_of((*HEAD, *map(clean, prompts.columns)), rows)


def as_markdown(outcome: EvaluationOutcome) -> str:
    """Return sentences, notes, rates, differences, and the rows with the largest differences between variants."""
    study, judged = outcome.study, verdict(outcome)
    names = [arm.name for arm in study.arms]
    first, *others = map(escaped, (*judged.sentences, *study.notes))
    parts = [f"# {escaped(study.title)}", f"**{first}**", "\n".join(f"- {each}" for each in others)]
    parts += [grid(each.head, each.rows) for each in tables(judged, names)]
    for title, head, cells in likelihood_tables(judged, names):
        parts += [f"## {title}", grid(head, cells)]
    texts = by_row(outcome)
    parted = [each.row for each in disagreements(outcome)[:MOST_ROWS] if each.apart]
    if parted:
        rows = [(str(row + 1), *(_short(texts[row].get(at)) for at in range(len(names)))) for row in parted]
        parts += [f"## {TITLE}", grid((tr("Row"), *names), rows)]
    parts += [f"## {CONDITIONS}", grid(SETTING_HEAD, conditions(outcome))]
    return "\n\n".join(part for part in parts if part) + "\n"


def conditions(outcome: EvaluationOutcome) -> list[tuple[str, str]]:
    """Return what was evaluated, and with what."""
    study, opened = outcome.study, outcome.opened
    loads = [load for each in study.arms if (load := each.load or opened) is not None]
    models = [" + ".join(name_of(part) for part in (load.model, load.adapter) if part) for load in loads]
    models = models or ([outcome.model.full_name] if outcome.model is not None else [])
    requests = [each.request for each in study.arms if not each.by_likelihood]
    settings = [{describe_setting(name, value_of(each, name)) for each in requests} for name in SHOWN]
    check = ": ".join(filter(None, (study.check.kind.value, study.check.argument)))
    rows = (
        (tr("Model"), ", ".join(dict.fromkeys(models))),
        (tr("Prompt set"), tr("{title}, {rows} rows").format(title=study.prompts.title, rows=len(study.prompts.rows))),
        (tr("Check"), check),
        (tr("Settings of all variants"), ", ".join(each.pop() for each in settings if len(each) == 1)),
        (tr("Answers of each row"), f"{study.repeats:,}"),
        *date_and_versions(),
    )
    return [(name, words) for name, words in rows if words]


Head: TypeAlias = tuple[str, ...]
Rows: TypeAlias = tuple[tuple[str, ...], ...]
ECE, BRIER = tr("Calibration error (95 % CI)"), tr("Brier score (95 % CI)")


@dataclass(frozen=True, slots=True)
class NumberTable:
    """A table of rates or differences. `spans`: estimate, low and high of each row, on a scale of 0 to 1."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    spans: tuple[tuple[float, float, float], ...]
    scale: tuple[str, str, str]
    """The labels at 0, 0.5 and 1."""


def tables(judged: EvaluationVerdict, names: Sequence[str]) -> Iterator[NumberTable]:
    """Yield the tables of a verdict; all differences share one scale."""
    if judged.rates:
        head = (tr("Variant"), tr("Rate (%)"), tr("95 % CI"), tr("Rows"), tr("Right"))
        rates = ((names[it.arm], *_numbers(it.rate, it.low, it.high, it.n), f"{it.right:g}") for it in judged.rates)
        spans = tuple((it.rate, it.low, it.high) for it in judged.rates)
        yield NumberTable(tr("Right"), head, tuple(rates), spans, ("0", "50", "100"))
    if judged.pairs:
        head = (tr("Variants"), tr("Difference (points)"), tr("95 % CI"), tr("Rows"), tr("p-value"))
        less = tr("{second} minus {first}")
        arms = (less.format(second=names[it.second], first=names[it.first]) for it in judged.pairs)
        numbers = ((*_numbers(it.difference, it.low, it.high, it.n), p_value(it.corrected)) for it in judged.pairs)
        rows = tuple((name, *each) for name, each in zip(arms, numbers, strict=True))
        most = max(0.01, *(max(abs(it.low), abs(it.high)) for it in judged.pairs))
        ranges = ((it.difference, it.low, it.high) for it in judged.pairs)
        spans = tuple(((a / most + 1) / 2, (b / most + 1) / 2, (c / most + 1) / 2) for a, b, c in ranges)
        scale = percentage_points(-most), "0", percentage_points(most)
        yield NumberTable(tr("Differences"), head, rows, spans, scale)


def likelihood_tables(judged: EvaluationVerdict, names: Sequence[str]) -> Iterator[tuple[str, Head, Rows]]:
    """Yield title, head and rows of the tables of scores, calibration, and its differences."""
    rates = ((each.scoring.words, each.rate) for each in judged.scorings)
    scored = ((names[it.arm], words, *_numbers(it.rate, it.low, it.high, it.n)) for words, it in rates)
    calibrated = (_calibration_row(each, names) for each in judged.calibrations)
    less = tr("{second} minus {first}")
    pairs = (
        (less.format(second=names[it.second], first=names[it.first]), f"{it.n:,}", _of(it.ece), _of(it.brier))
        for it in judged.calibration_pairs
    )
    variant, rate, rows = tr("Variant"), tr("Rate (%)"), tr("Rows")
    found: tuple[tuple[str, Head, Rows], ...] = (
        (tr("Rate by score"), (variant, tr("Score"), rate, tr("95 % CI"), rows), tuple(scored)),
        (
            tr("Calibration"),
            (variant, rows, tr("Confidence (%)"), rate, ECE, tr("p-value"), BRIER),
            tuple(calibrated),
        ),
        (tr("Differences in calibration"), (tr("Variants"), rows, ECE, BRIER), tuple(pairs)),
    )
    yield from (each for each in found if each[2])


def _calibration_row(each: Calibration, names: Sequence[str]) -> tuple[str, ...]:
    shares = percentage_points(each.confidence), percentage_points(each.accuracy.middle)
    return names[each.arm], f"{each.n:,}", *shares, _of(each.ece), p_value(each.chance), _of(each.brier)


def _of(value: Interval) -> str:
    words = tr("{number} ({low} to {high})")
    return words.format(
        **{name: minus(f"{each:.3f}") for name, each in zip(("number", "low", "high"), astuple(value), strict=True)}
    )


def _numbers(middle: float, low: float, high: float, rows: int) -> tuple[str, str, str]:
    return percentage_points(middle), span(low, high), f"{rows:,}"


def percentage_points(share: float) -> str:
    return minus(f"{100 * share:.1f}")


def span(low: float, high: float) -> str:
    return tr("{low} to {high}").format(low=percentage_points(low), high=percentage_points(high))


def _in_order(outcome: EvaluationOutcome) -> list[EvaluationAnswer]:
    return sorted(outcome.answers, key=attrgetter("key.row", "key.arm", "key.repeat"))


def _answer_facts(outcome: EvaluationOutcome, each: EvaluationAnswer) -> dict[str, object]:
    key, name = each.key, clean(outcome.study.arms[each.key.arm].name)
    seconds = round(each.seconds, 6)
    facts = (key.row + 1, name, key.repeat + 1, each.right, clean(each.why), each.reason.value)
    return dict(zip(HEAD, (*facts, each.tokens, seconds, each.run, clean(each.text)), strict=True))


def _answer(outcome: EvaluationOutcome, each: EvaluationAnswer) -> dict[str, object]:
    values = outcome.study.prompts.values(each.key.row)
    scored: dict[str, object] = {"scores": [asdict(score) for score in each.scores]} if each.scores else {}
    scored |= {"confidence": each.confidence} if each.confidence is not None else {}
    texts = {clean(name): clean(value) for name, value in values.items()}
    return _answer_facts(outcome, each) | scored | {"values": texts}


def _short(answer: EvaluationAnswer | None) -> str:
    if answer is None:
        return DASH
    mark = {True: "✓ ", False: "✗ ", None: ""}[answer.right]
    return mark + answer.text[:LONGEST] + "…" * (len(answer.text) > LONGEST)


HTML_ROWS = 50
HTML_LENGTH = 1_000
"""Characters of a text."""
WIDE, HIGH = 240, 22
LOOK = f"""
body {{ max-width: 72rem; margin-bottom: 4rem }}
table {{ border-collapse: collapse; width: 100%; margin: .4rem 0 1.6rem }}
th, td {{ text-align: start; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere }}
th {{ font-size: .85rem; color: var(--muted); font-weight: 400 }}
table:not(.parted) th {{ overflow-wrap: normal }}
table:not(.parted) td:not(:first-child) {{ white-space: nowrap; font-variant-numeric: tabular-nums }}
svg {{ width: {WIDE}px; height: {HIGH}px; display: block }}
svg .axis {{ stroke: var(--line) }}
svg .range {{ stroke: #3574c4; stroke-width: 3; stroke-linecap: round }}
svg .middle {{ fill: #3574c4 }}
svg text {{ fill: var(--muted); font-size: 11px }}
.first {{ font-size: 1.15rem }}
.parted {{ table-layout: fixed }}
.parted .said {{ max-height: 20rem; overflow: auto }}
mark {{ background: rgba(214, 122, 0, .28); color: inherit }}
@media (max-width: 50rem) {{ table {{ font-size: .85rem }} }}
@media print {{ :root {{ color-scheme: light; --line: #ccd0d8; --muted: #5b6070; --box: #fff; --text: #1c1d20 }}
  tr {{ break-inside: avoid }} .parted .said {{ max-height: none }} body {{ max-width: none; margin: 0 }} }}
"""


def as_html(outcome: EvaluationOutcome) -> str:
    """Return sentences, notes, rates and differences with plots, and the rows with the largest differences."""
    judged, title = verdict(outcome), as_text(outcome.study.title)
    first, *others = map(as_text, (*judged.sentences, *outcome.study.notes))
    parts = [f'<h1 dir="auto">{title}</h1>', f'<p class="first" dir="auto">{first}</p>']
    parts += [f'<ul>{"".join(f"""<li dir="auto">{each}</li>""" for each in others)}</ul>'] if others else []
    for each in tables(judged, [arm.name for arm in outcome.study.arms]):
        parts += _pictured(each)
    for heading, head, rows in likelihood_tables(judged, [arm.name for arm in outcome.study.arms]):
        parts += [f"<h2>{escape(heading)}</h2>", *table_of(head, rows)]
    parts += _largest_differences(outcome)
    parts += [f"<h2>{escape(CONDITIONS)}</h2>", *table_of(SETTING_HEAD, conditions(outcome))]
    return page(title, "\n".join(parts), STYLE + LOOK)


def _pictured(each: NumberTable) -> Iterator[str]:
    first, *others = map(escape, each.head)
    yield f"<h2>{escape(each.title)}</h2>"
    yield f"<table><tr>{_cells('th', (first, _axis(each.scale), *others))}</tr>"
    for row, bounds in zip(each.rows, each.spans, strict=True):
        name, *numbers = map(as_text, row)
        yield f'<tr><td dir="auto">{name}</td>{_cells("td", (_bar(*bounds), *numbers))}</tr>'
    yield "</table>"


def _largest_differences(outcome: EvaluationOutcome) -> Iterator[str]:
    answers, prompts = by_row(outcome), outcome.study.prompts
    rows = [each.row for each in disagreements(outcome) if each.apart]
    if not rows:
        return
    names = [as_text(arm.name) for arm in outcome.study.arms]
    yield f"<h2>{escape(TITLE)}</h2>"
    yield f'<table class="parted"><tr>{_cells("th", (escape(tr("Row")), *names))}</tr>'
    for row in rows[:HTML_ROWS]:
        asked = "\n".join(f"{name}: {value}" for name, value in prompts.values(row).items())
        cells = [f"{row + 1}<br>{_text_block(as_text(_cut(asked)))}", *_answers(answers[row], len(names))]
        yield f"<tr>{_cells('td', cells)}</tr>"
    yield "</table>"
    if (left := len(rows) - HTML_ROWS) > 0:
        more = tr("%n more rows are in the other exports.", "%n more row is in the other exports.", left)
        yield f"<p>{escape(more)}</p>"


def _answers(of_arm: Mapping[int, EvaluationAnswer], arms: int) -> Iterator[str]:
    """Yield the answers side by side; text that differs from the first one is highlighted."""
    base: str | None = None
    for arm in range(arms):
        answer = of_arm.get(arm)
        if answer is None:
            yield DASH
            continue
        text = _cut(answer.text)
        mark = {True: "✓", False: "✗", None: ""}[answer.right]
        yield mark + _text_block(as_text(text) if base is None else _highlighted(base, text))
        base = text if base is None else base


def _highlighted(base: str, text: str) -> str:
    stretches = (each for each in word_diff(base, text) if each.side is not DiffSide.FIRST)
    return "".join(
        as_text(each.text) if each.side is DiffSide.BOTH else f"<mark>{as_text(each.text)}</mark>" for each in stretches
    )


def _text_block(html: str) -> str:
    return f'<div class="said" dir="auto">{html}</div>'


def _cut(text: str) -> str:
    return text[:HTML_LENGTH] + "…" * (len(text) > HTML_LENGTH)


def _cells(tag: str, cells: Iterable[str]) -> str:
    """Return table cells; their content is HTML."""
    return "".join(f"<{tag}>{each}</{tag}>" for each in cells)


def _place(share: float) -> float:
    return round(6 + (WIDE - 12) * share, 1)


def _axis(words: Sequence[str]) -> str:
    anchors = zip((0.0, 0.5, 1.0), ("start", "middle", "end"), words, strict=True)
    labels = "".join(
        f'<text x="{_place(at)}" y="15" text-anchor="{anchor}">{each}</text>' for at, anchor, each in anchors
    )
    return f'<svg viewBox="0 0 {WIDE} {HIGH}">{labels}</svg>'


def _bar(middle: float, low: float, high: float) -> str:
    lines = "".join(f'<path class="axis" d="M{_place(at)} 0V{HIGH}"/>' for at in (0, 0.5, 1))
    y = HIGH / 2
    spread = f'<path class="range" d="M{_place(low)} {y}H{_place(high)}"/>'
    dot = f'<circle class="middle" cx="{_place(middle)}" cy="{y}" r="5"/>'
    return f'<svg viewBox="0 0 {WIDE} {HIGH}" aria-hidden="true">{lines}{spread}{dot}</svg>'
