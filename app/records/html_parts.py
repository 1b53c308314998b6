"""Tables and plots of HTML exports."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from app.engine.meter.speeds import Point
from app.i18n import tr
from app.number_format import three_digits
from app.records.html_export import as_text

LETTERS = "ABCDEF"
"""Letters of the curves; there are at most as many."""
AXIS = tr("tokens")
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
TABLES = """
table { border-collapse: collapse; margin: 0 0 1rem; font-size: .85rem }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; vertical-align: top;
  overflow-wrap: anywhere }
"""
PLOTS = """
svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--muted) }
svg polyline { fill: none; stroke-width: 1.5 }
svg .axis { stroke: var(--line) }
"""


def table_of(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    yield f"<table><tr>{_cells('th', head)}</tr>"
    yield from (f"<tr>{_cells('td', row)}</tr>" for row in rows)
    yield "</table>"


def _cells(tag: str, cells: Iterable[str]) -> str:
    return "".join(f"<{tag}>{as_text(each)}</{tag}>" for each in cells)


def plot(title: str, curves: Sequence[Sequence[Point]]) -> Iterator[str]:
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
