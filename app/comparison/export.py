"""Export of a comparison as HTML, Markdown and CSV. Texts of models are never markup, nor formulas."""

from collections.abc import Iterable, Iterator
from html import escape
from math import exp

from app.comparison.columns import speed_points, surprisal_of, surprisal_points
from app.comparison.comparison import LETTERS, Comparison
from app.experiments.export import SETTING_HEAD, escaped, grid
from app.files import json_values
from app.i18n import tr
from app.number_format import chance
from app.records.export import as_csv
from app.records.html_export import STYLE, as_text, page
from app.records.html_parts import PLOTS, TABLES, plot, table_of
from app.records.types import TokenRecord

TITLE, FIRSTS, TOKENS = tr("Comparison"), tr("First differences"), tr("Tokens")
EQUAL = tr("Equal in all columns")
SPEED, SURPRISAL = tr("Speed (tok/s)"), tr("Surprisal (bits)")
SCALE = tr("The less likely a token, the stronger its background. Tokens that differ from A have a frame.")
STRONGEST = 0.55
"""Opacity of the background of a token with a probability of 0."""
BLOCK = 12
"""Aligned tokens in a row."""
LONGEST_HTML = 4_000
"""Aligned tokens in the HTML file."""
LOOK = """
body { max-width: 72rem }
.aligned td { font: 13px/1.4 ui-monospace, monospace; white-space: pre; padding: .1rem .25rem }
.aligned th { font-weight: 400; color: var(--muted); border: 0 }
.aligned .other { outline: 2px solid #c0392b; outline-offset: -2px }
"""


def as_html(found: Comparison) -> str:
    """Return the table, the first differences, the aligned tokens, and the whole texts."""
    parts = [f"<h1>{escape(TITLE)}</h1>", *table_of(("", *found.titles), _different(found))]
    parts += [f"<p>{escape(found.note)}</p>"] if found.note else []
    parts += [f"<h2>{escape(FIRSTS)}</h2>"]
    parts += [f'<p dir="auto">{as_text(each)}</p>' for each in found.sentences]
    parts += plot(SPEED, list(map(speed_points, found.columns)))
    parts += plot(SURPRISAL, list(map(surprisal_points, found.columns)))
    parts += [f"<h2>{escape(TOKENS)}</h2>", f"<p>{escape(SCALE)}</p>", *_aligned(found)]
    for title, text in _texts(found):
        parts += [f"<h2>{as_text(title)}</h2>", f'<div class="said" dir="auto">{as_text(text)}</div>']
    parts += [f"<h2>{escape(EQUAL)}</h2>", *table_of(SETTING_HEAD, _equal(found))]
    return page(escape(TITLE), "\n".join(parts), STYLE + TABLES + PLOTS + LOOK)


def as_markdown(found: Comparison) -> str:
    parts = [f"# {TITLE}", grid(("", *found.titles), _different(found)), escaped(found.note), f"## {FIRSTS}"]
    parts += map(escaped, found.sentences)
    for title, text in _texts(found):
        parts += [f"## {escaped(title)}", _fenced(text)]
    parts += [f"## {EQUAL}", grid(SETTING_HEAD, _equal(found))]
    return "\n\n".join(filter(None, parts)) + "\n"


def _different(found: Comparison) -> list[tuple[str, ...]]:
    return [(row.name, *row.cells) for row in found.rows if not row.is_equal]


def _equal(found: Comparison) -> list[tuple[str, str]]:
    return [(row.name, row.values[0]) for row in found.rows if row.is_equal]


def _texts(found: Comparison) -> Iterator[tuple[str, str]]:
    """Yield the prompts, one if all are the same, and the answers, each with a title."""
    prompts = [column.prompt for column in found.columns]
    if len(set(prompts)) == 1:
        yield tr("Prompt"), prompts[0]
    else:
        words = tr("Prompt of {column}")
        yield from ((words.format(column=title), text) for title, text in zip(found.titles, prompts, strict=True))
    yield from ((title, column.words) for title, column in zip(found.titles, found.columns, strict=True))


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


def _fenced(text: str) -> str:
    """Return a code block, whose fence is longer than any in the text."""
    clean, fence = json_values.clean(text), "```"
    while fence in clean:
        fence += "`"
    return f"{fence}text\n{clean}\n{fence}"
