"""A study as one HTML file with pictures: nothing is loaded, nothing runs, and all that anybody said is text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from app.figures import DASH, chance
from app.records.html_export import STYLE, as_text, page
from app.records.word_diff import Side, word_diff
from app.sets.disagreement import disagreements
from app.sets.export import by_row, points, span
from app.sets.types import Answer, Outcome, Pair, Rate
from app.sets.verdict import verdict
from app.words import tr

MOST_ROWS = 100
LONGEST = 2_000
"""Characters of a text."""
WIDE, HIGH = 240, 22
LOOK = f"""
body {{ max-width: 72rem; margin-bottom: 4rem }}
table {{ border-collapse: collapse; width: 100%; margin: .4rem 0 1.6rem }}
th, td {{ text-align: start; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere }}
th {{ font-size: .85rem; color: var(--muted); font-weight: 400; white-space: nowrap }}
td.number, td.picture {{ white-space: nowrap; font-variant-numeric: tabular-nums }}
svg {{ width: {WIDE}px; height: {HIGH}px; display: block }}
svg .axis {{ stroke: var(--line) }}
svg .range {{ stroke: #3574c4; stroke-width: 3; stroke-linecap: round }}
svg .middle {{ fill: #3574c4 }}
svg text {{ fill: var(--muted); font-size: 11px }}
.first {{ font-size: 1.15rem }}
.parted {{ table-layout: fixed }}
.parted .said {{ max-height: 20rem; overflow: auto }}
mark {{ background: rgba(214, 122, 0, .28); color: inherit }}
@media print {{ :root {{ color-scheme: light; --line: #ccd0d8; --muted: #5b6070; --box: #fff; --text: #1c1d20 }}
  tr {{ break-inside: avoid }} .parted .said {{ max-height: none }} body {{ max-width: none; margin: 0 }} }}
"""


def as_html(outcome: Outcome) -> str:
    """The answer, rates and differences as pictures with their numbers, and the rows where arms part most."""
    told, title = verdict(outcome), as_text(outcome.study.title)
    first, *others = map(as_text, told.sentences)
    parts = [f'<h1 dir="auto">{title}</h1>', f'<p class="first" dir="auto">{first}</p>']
    parts += [f'<ul>{"".join(f"""<li dir="auto">{each}</li>""" for each in others)}</ul>'] if others else []
    names = [as_text(arm.name) for arm in outcome.study.arms]
    parts += _rates(names, told.rates) if told.rates else ()
    parts += _pairs(names, told.pairs) if told.pairs else ()
    parts += _parted(outcome, names)
    return page(title, "\n".join(parts), STYLE + LOOK)


def _rates(names: Sequence[str], rates: Sequence[Rate]) -> Iterator[str]:
    head = (tr("Arm"), _axis(("0", "50", "100 %")), tr("Rate"), tr("95 % range"), tr("Rows"))
    rows = (
        (names[it.arm], _bar(it.rate, it.low, it.high), points(it.rate), span(it.low, it.high), f"{it.n:,}")
        for it in rates
    )
    yield _heading(tr("Right"))
    yield _table(head, rows)


def _pairs(names: Sequence[str], pairs: Sequence[Pair]) -> Iterator[str]:
    """All on one scale, as wide as the widest needs."""
    most = max(0.01, *(max(abs(it.low), abs(it.high)) for it in pairs))
    axis = _axis((f"−{100 * most:.0f}", "0", f"{100 * most:.0f}"))
    head = (tr("Second less first"), axis, tr("Difference"), tr("95 % range"), tr("Pairs"), tr("Chance"))
    rows = []
    for it in pairs:
        middle, low, high = ((value / most + 1) / 2 for value in (it.difference, it.low, it.high))
        name = tr("{second} less {first}").format(second=names[it.second], first=names[it.first])
        numbers = (points(it.difference), span(it.low, it.high), f"{it.n:,}", escape(chance(it.corrected)))
        rows.append((name, _bar(middle, low, high), *numbers))
    yield _heading(tr("Differences"))
    yield _table(head, rows)


def _parted(outcome: Outcome, names: Sequence[str]) -> Iterator[str]:
    answers, prompts = by_row(outcome), outcome.study.prompts
    rows = [each.row for each in disagreements(outcome) if each.apart]
    if not rows:
        return
    yield _heading(tr("Where they part most"))
    yield '<table class="parted"><tr>' + "".join(f"<th>{each}</th>" for each in (escape(tr("Row")), *names)) + "</tr>"
    for row in rows[:MOST_ROWS]:
        asked = "\n".join(f"{name}: {value}" for name, value in prompts.values(row).items())
        cells = [f"{row + 1}<br>{_said(as_text(_short(asked)))}", *_answers(answers[row], len(names))]
        yield "<tr>" + "".join(f"<td>{each}</td>" for each in cells) + "</tr>"
    yield "</table>"
    if (left := len(rows) - MOST_ROWS) > 0:
        more = tr("%n more rows are in the other exports.", "%n more row is in the other exports.", left)
        yield f"<p>{escape(more)}</p>"


def _answers(of_arm: Mapping[int, Answer], arms: int) -> Iterator[str]:
    """Side by side; what the first didn't say is marked in the others."""
    base: str | None = None
    for arm in range(arms):
        answer = of_arm.get(arm)
        if answer is None:
            yield DASH
            continue
        text = _short(answer.text)
        mark = {True: "✓", False: "✗", None: ""}[answer.right]
        yield mark + _said(as_text(text) if base is None else _marked(base, text))
        base = text if base is None else base


def _marked(base: str, text: str) -> str:
    stretches = (each for each in word_diff(base, text) if each.side is not Side.FIRST)
    return "".join(
        as_text(each.text) if each.side is Side.BOTH else f"<mark>{as_text(each.text)}</mark>" for each in stretches
    )


def _said(html: str) -> str:
    return f'<div class="said" dir="auto">{html}</div>'


def _short(text: str) -> str:
    return text[:LONGEST] + "…" * (len(text) > LONGEST)


def _heading(words: str) -> str:
    return f"<h2>{escape(words)}</h2>"


def _table(head: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """A name, a picture, numbers; all of it is HTML already."""
    kinds = ("name", "picture", *("number" for _ in range(9)))
    lines = ("".join(f'<td class="{kind}">{each}</td>' for kind, each in zip(kinds, row, strict=False)) for row in rows)
    return f"<table><tr>{''.join(f'<th>{each}</th>' for each in head)}</tr><tr>{'</tr><tr>'.join(lines)}</tr></table>"


def _place(share: float) -> float:
    return round(6 + (WIDE - 12) * share, 1)


def _axis(words: Sequence[str]) -> str:
    anchors = zip((0.0, 0.5, 1.0), ("start", "middle", "end"), words, strict=True)
    said = "".join(
        f'<text x="{_place(at)}" y="15" text-anchor="{anchor}">{each}</text>' for at, anchor, each in anchors
    )
    return f'<svg viewBox="0 0 {WIDE} {HIGH}">{said}</svg>'


def _bar(middle: float, low: float, high: float) -> str:
    """A range with its middle, between both ends of a scale and its centre; its numbers stand beside it."""
    lines = "".join(f'<path class="axis" d="M{_place(at)} 0V{HIGH}"/>' for at in (0, 0.5, 1))
    y = HIGH / 2
    spread = f'<path class="range" d="M{_place(low)} {y}H{_place(high)}"/>'
    dot = f'<circle class="middle" cx="{_place(middle)}" cy="{y}" r="5"/>'
    return f'<svg viewBox="0 0 {WIDE} {HIGH}" aria-hidden="true">{lines}{spread}{dot}</svg>'
