"""Export of a comparison as HTML, Markdown and CSV. Texts of models are never markup, nor formulas."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import exp

from app.comparison.columns import speed_points, surprisal_of, surprisal_points
from app.comparison.comparison import LETTERS, Comparison
from app.engine.meter.speeds import Point
from app.experiments.export import escaped, grid
from app.files import json_values
from app.i18n import tr
from app.number_format import chance, three_digits
from app.records.export import as_csv
from app.records.html_export import STYLE, as_text, page
from app.records.types import TokenRecord

TITLE, FIRSTS, TOKENS, AXIS = tr("Comparison"), tr("First differences"), tr("Tokens"), tr("tokens")
SPEED, SURPRISAL = tr("Speed (tok/s)"), tr("Surprisal (bits)")
SCALE = tr("The less likely a token, the stronger its background. Tokens that differ from A have a frame.")
STRONGEST = 0.55
"""Opacity of the background of a token with a probability of 0."""
BLOCK = 12
"""Aligned tokens in a row."""
LONGEST_HTML = 4_000
"""Aligned tokens in the HTML file."""
DRAWN = 300
"""Points of a curve."""
WIDE, HIGH, LEFT, ABOVE = 720, 200, 48, 20
"""Size of a plot, and the room for its labels."""
STROKES = (
    ("#0b7a75", ""),
    ("#8e44ad", "6 3"),
    ("#b86e00", "2 3"),
    ("#1f6feb", "9 3 2 3"),
    ("#c0392b", "9 3 2 3 2 3"),
    ("#6b7280", "4 4"),
)
"""Color and dashes of the curve of each column."""
LOOK = """
body { max-width: 72rem }
table { border-collapse: collapse; margin: 0 0 1rem; font-size: .85rem }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; vertical-align: top;
  overflow-wrap: anywhere }
.equal td { color: var(--muted) }
.aligned td { font: 13px/1.4 ui-monospace, monospace; white-space: pre; padding: .1rem .25rem }
.aligned th { font-weight: 400; color: var(--muted); border: 0 }
svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--muted) }
svg polyline { fill: none; stroke-width: 1.5 }
svg .axis { stroke: var(--line) }
.aligned .other { outline: 2px solid #c0392b; outline-offset: -2px }
"""


def as_html(found: Comparison) -> str:
    """Return the table, the first differences, the aligned tokens, and the whole texts."""
    parts = [f"<h1>{escape(TITLE)}</h1>", *_table(found)]
    parts += [f"<p>{escape(found.note)}</p>"] if found.note else []
    parts += [f"<h2>{escape(FIRSTS)}</h2>"]
    parts += [f'<p dir="auto">{as_text(each)}</p>' for each in found.sentences]
    parts += _plot(SPEED, list(map(speed_points, found.columns)))
    parts += _plot(SURPRISAL, list(map(surprisal_points, found.columns)))
    parts += [f"<h2>{escape(TOKENS)}</h2>", f"<p>{escape(SCALE)}</p>", *_aligned(found)]
    for title, column in zip(found.titles, found.columns, strict=True):
        parts += [f"<h2>{as_text(title)}</h2>", f'<div class="said" dir="auto">{as_text(column.words)}</div>']
    return page(escape(TITLE), "\n".join(parts), STYLE + LOOK)


def as_markdown(found: Comparison) -> str:
    rows = [(row.name, *row.cells) for row in found.rows]
    parts = [f"# {TITLE}", grid(("", *found.titles), rows), escaped(found.note), f"## {FIRSTS}"]
    parts += map(escaped, found.sentences)
    for title, column in zip(found.titles, found.columns, strict=True):
        parts += [f"## {escaped(title)}", _fenced(column.words)]
    return "\n\n".join(filter(None, parts)) + "\n"


def table_csv(found: Comparison) -> str:
    """Return one CSV row per row of the table, with the difference of each further column."""
    pairs = [(title, tr("{column}: difference").format(column=title)) for title in found.titles]
    head = (tr("Value"), *(title for pair in pairs for title in pair))
    rows = ((row.name, *_alternating(row.values, row.differences)) for row in found.rows)
    texts = (tr("Text"), *_alternating([column.words for column in found.columns], [""] * len(found.columns)))
    return as_csv(head, [*rows, texts])


def _alternating(values: Iterable[str], differences: Iterable[str]) -> Iterator[str]:
    for value, difference in zip(values, differences, strict=True):
        yield json_values.clean(value)
        yield difference


def _table(found: Comparison) -> Iterator[str]:
    yield f"<table><tr><th></th>{_cells('th', map(as_text, found.titles))}</tr>"
    for row in found.rows:
        kind = ' class="equal"' if row.is_equal else ""
        yield f"<tr{kind}><td>{as_text(row.name)}</td>{_cells('td', map(as_text, row.cells))}</tr>"
    yield "</table>"


def _plot(title: str, curves: Sequence[Sequence[Point]]) -> Iterator[str]:
    """Yield a heading and a plot over tokens, with a letter at the end of each curve; nothing without a curve."""
    last = max((curve[-1].tokens for curve in curves if curve), default=0)
    highest = max((point.speed for curve in curves for point in curve), default=0.0)
    if last < 2 or not highest > 0:
        return
    right, bottom = WIDE - LEFT, HIGH - ABOVE
    yield f'<h2>{escape(title)}</h2><svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(title)}">'
    for share in (0.0, 0.5, 1.0):
        y = bottom - share * (bottom - ABOVE)
        yield f'<path class="axis" d="M{LEFT} {y}H{right}"/>'
        yield f'<text x="0" y="{y + 4}">{three_digits(share * highest)}</text>'
    yield f'<text x="{right}" y="{HIGH - 4}" text-anchor="end">{escape(AXIS)}: {last:,}</text>'
    for letter, curve, (color, dashes) in zip(LETTERS, curves, STROKES, strict=False):
        if curve:
            shown = (*curve[:: -(-len(curve) // DRAWN)], curve[-1])
            xs = [LEFT + (right - LEFT) * point.tokens / last for point in shown]
            ys = [bottom - (bottom - ABOVE) * point.speed / highest for point in shown]
            places = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
            yield f'<polyline points="{places}" stroke="{color}" stroke-dasharray="{dashes}"/>'
            yield f'<text x="{xs[-1] + 4:.1f}" y="{ys[-1] + 4:.1f}" fill="{color}">{letter}</text>'
    yield "</svg>"


def _aligned(found: Comparison) -> Iterator[str]:
    """Yield tables of a few tokens each, one row for each column; different tokens have a frame."""
    slots, different = found.alignment.slots[:LONGEST_HTML], found.alignment.different
    for start in range(0, len(slots), BLOCK):
        yield '<table class="aligned">'
        places = range(start, min(len(slots), start + BLOCK))
        for number, column in enumerate(found.columns):
            tokens = ((at, slots[at][number]) for at in places)
            cells = (
                _token(None if index is None else column.tokens[index], number in different[at]) for at, index in tokens
            )
            yield f"<tr><th>{LETTERS[number]}</th>{''.join(cells)}</tr>"
        yield "</table>"
    if (left := len(found.alignment.slots) - LONGEST_HTML) > 0:
        words = tr("%n more tokens.", "%n more token.", left)
        yield f"<p>{escape(words)}</p>"


def _token(token: TokenRecord | None, is_different: bool) -> str:
    kind = ' class="other"' if is_different else ""
    if token is None:
        return f"<td{kind}></td>"
    nats, shown = surprisal_of(token), as_text(token.text.replace("\n", "⏎"))
    if nats is None:
        return f"<td{kind}>{shown}</td>"
    color = f"background:rgba(214,122,0,{STRONGEST * (1 - exp(-nats)):.2f})"
    return f'<td{kind} style="{color}" title="{escape(chance(exp(-nats)))}">{shown}</td>'


def _cells(tag: str, cells: Iterable[str]) -> str:
    """Return table cells; their content is HTML."""
    return "".join(f"<{tag}>{each}</{tag}>" for each in cells)


def _fenced(text: str) -> str:
    """Return a code block, whose fence is longer than any in the text."""
    clean, fence = json_values.clean(text), "```"
    while fence in clean:
        fence += "`"
    return f"{fence}text\n{clean}\n{fence}"
