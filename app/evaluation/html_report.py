"""Export of an evaluation as one HTML file without scripts or external resources; all data is escaped."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from app.evaluation.disagreement import TITLE, by_row, disagreements
from app.evaluation.export import NumberTable, tables
from app.evaluation.types import EvaluationAnswer, EvaluationOutcome
from app.evaluation.verdict import verdict
from app.i18n import tr
from app.number_format import DASH
from app.records.comparison import DiffSide, word_diff
from app.records.html_export import STYLE, as_text, page

MOST_ROWS = 50
LONGEST = 1_000
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
    """Return sentences, rates and differences with plots, and the rows with the largest differences."""
    told, title = verdict(outcome), as_text(outcome.study.title)
    first, *others = map(as_text, told.sentences)
    parts = [f'<h1 dir="auto">{title}</h1>', f'<p class="first" dir="auto">{first}</p>']
    parts += [f'<ul>{"".join(f"""<li dir="auto">{each}</li>""" for each in others)}</ul>'] if others else []
    for each in tables(told, [arm.name for arm in outcome.study.arms]):
        parts += _pictured(each)
    parts += _largest_differences(outcome)
    return page(title, "\n".join(parts), STYLE + LOOK)


def _pictured(each: NumberTable) -> Iterator[str]:
    """Yield a table whose rows have a name, a plot and numbers."""
    first, *others = map(escape, each.head)
    yield f"<h2>{escape(each.title)}</h2>"
    yield f"<table><tr>{_cells('th', (first, _axis(each.scale), *others))}</tr>"
    for row, place in zip(each.rows, each.places, strict=True):
        name, *numbers = map(as_text, row)
        yield f'<tr><td dir="auto">{name}</td>{_cells("td", (_bar(*place), *numbers))}</tr>'
    yield "</table>"


def _largest_differences(outcome: EvaluationOutcome) -> Iterator[str]:
    answers, prompts = by_row(outcome), outcome.study.prompts
    rows = [each.row for each in disagreements(outcome) if each.apart]
    if not rows:
        return
    names = [as_text(arm.name) for arm in outcome.study.arms]
    yield f"<h2>{escape(TITLE)}</h2>"
    yield f'<table class="parted"><tr>{_cells("th", (escape(tr("Row")), *names))}</tr>'
    for row in rows[:MOST_ROWS]:
        asked = "\n".join(f"{name}: {value}" for name, value in prompts.values(row).items())
        cells = [f"{row + 1}<br>{_text_block(as_text(_short(asked)))}", *_answers(answers[row], len(names))]
        yield f"<tr>{_cells('td', cells)}</tr>"
    yield "</table>"
    if (left := len(rows) - MOST_ROWS) > 0:
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
        text = _short(answer.text)
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


def _short(text: str) -> str:
    return text[:LONGEST] + "…" * (len(text) > LONGEST)


def _cells(tag: str, cells: Iterable[str]) -> str:
    """Return table cells; their content is HTML."""
    return "".join(f"<{tag}>{each}</{tag}>" for each in cells)


def _place(share: float) -> float:
    return round(6 + (WIDE - 12) * share, 1)


def _axis(words: Sequence[str]) -> str:
    anchors = zip((0.0, 0.5, 1.0), ("start", "middle", "end"), words, strict=True)
    said = "".join(
        f'<text x="{_place(at)}" y="15" text-anchor="{anchor}">{each}</text>' for at, anchor, each in anchors
    )
    return f'<svg viewBox="0 0 {WIDE} {HIGH}">{said}</svg>'


def _bar(middle: float, low: float, high: float) -> str:
    """Return the plot of an interval with its estimate."""
    lines = "".join(f'<path class="axis" d="M{_place(at)} 0V{HIGH}"/>' for at in (0, 0.5, 1))
    y = HIGH / 2
    spread = f'<path class="range" d="M{_place(low)} {y}H{_place(high)}"/>'
    dot = f'<circle class="middle" cx="{_place(middle)}" cy="{y}" r="5"/>'
    return f'<svg viewBox="0 0 {WIDE} {HIGH}" aria-hidden="true">{lines}{spread}{dot}</svg>'
