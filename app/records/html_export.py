"""Export of a session as one HTML file without scripts or external resources; all its texts are escaped.

The less likely a token was, the stronger its background; hovering over a token shows the recorded alternatives.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape

from app.engine.types import Role
from app.i18n import tr
from app.number_format import chance
from app.records.export import SPEAKERS, speaker, visible_turns
from app.records.listing import UNTITLED
from app.records.types import TokenRecord, WholeSession, WholeTurn

MAX_ALTERNATIVES = 6
LEVELS = 5
LIKELY = 0.9
"""Tokens with at least this probability have no background."""
GROUNDS = "\n".join(f".u{level} {{ background: rgba(214, 122, 0, {0.09 * level:.2f}) }}" for level in range(1, LEVELS))
STYLE = f"""
:root {{ color-scheme: light dark; --line: #ccd0d8; --user: #eef2fb; --muted: #5b6070; --box: #fff; --text: #1c1d20 }}
@media (prefers-color-scheme: dark) {{
  :root {{ --line: #3a3d44; --user: #202b3d; --muted: #a2a7b3; --box: #25272b; --text: #ececec }}
}}
body {{ font: 16px/1.55 system-ui, sans-serif; color: var(--text); background: var(--box);
  max-width: 44rem; margin: 2rem auto 14rem; padding: 0 1rem }}
h1 {{ font-size: 1.4rem; overflow-wrap: anywhere }}
h2, footer, details {{ font-size: .85rem; color: var(--muted); font-weight: 400; margin: 1.4rem 0 .3rem }}
.said {{ white-space: pre-wrap; overflow-wrap: anywhere }}
details {{ margin: 0 0 .3rem }}
.user {{ background: var(--user); border-radius: .6rem; padding: .6rem .8rem }}
[data-top] {{ position: relative; border-radius: .2rem }}
[data-top]:hover {{ outline: 1px solid var(--muted) }}
[data-top]:hover::after {{ content: attr(data-top); position: absolute; left: 0; top: 1.7em; z-index: 1;
  padding: .4rem .6rem; font: 13px/1.5 ui-monospace, monospace; white-space: pre;
  color: var(--text); background: var(--box);
  border: 1px solid var(--line); border-radius: .4rem; box-shadow: 0 4px 16px #0004 }}
@media (max-width: 60rem) {{
  [data-top] {{ position: static }}
  [data-top]:hover::after {{ position: fixed; top: auto; left: .5rem; bottom: .5rem; max-width: calc(100vw - 2.3rem);
    white-space: pre-wrap }}
}}
{GROUNDS}
"""
NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
META = f"""<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width">"""
SCALE = tr("The less likely a token was, the stronger its background. Hover over a token to see its alternatives.")


def as_html(session: WholeSession) -> str:
    """Return the page with the system prompt and the visible conversation."""
    title = as_text(session.title or UNTITLED)
    parts = [f'<h1 dir="auto">{title}</h1>']
    if session.settings.system:
        parts.append(_turn(SPEAKERS[Role.SYSTEM], as_text(session.settings.system), "user"))
    turns = tuple(visible_turns(session))
    parts += [_turn(speaker(turn), _answer(turn), "" if turn.role is Role.ASSISTANT else "user") for turn in turns]
    if any(token.observed for turn in turns for token in _tokens(turn)):
        parts.append(f"<footer>{escape(SCALE)}</footer>")
    return page(title, "\n".join(parts), STYLE)


def page(title: str, body: str, style: str) -> str:
    head = f"{META}<title>{title}</title>"
    return f"<!DOCTYPE html>\n<html>\n<head>{head}<style>{style}</style></head>\n<body>\n{body}\n</body>\n</html>\n"


def _turn(who: str, html: str, kind: str) -> str:
    return f'<h2>{as_text(who)}</h2>\n<div class="said {kind}" dir="auto">{html}</div>'


def _answer(turn: WholeTurn) -> str:
    """Return collapsed reasoning, and the text, split into tokens if they match it."""
    reasoning = turn.reasoning.strip()
    title = escape(tr("Reasoning"))
    folded = f"<details><summary>{title}</summary>{as_text(reasoning)}</details>" if reasoning else ""
    return folded + "".join(_pieces(turn.text, turn.reasoning, _tokens(turn)))


def _tokens(turn: WholeTurn) -> list[TokenRecord]:
    return [token for whole in turn.runs for token in whole.tokens]


def _pieces(text: str, reasoning: str, tokens: Sequence[TokenRecord]) -> Iterator[str]:
    """Yield the text as tokens, without reasoning tags. Text inherited by a fork isn't split.

    The same words may also occur earlier, in inherited text or reasoning, and after the end.
    """
    whole = "".join(token.text for token in tokens)
    thought = whole.find(reasoning)
    inside = whole.find(text, thought + len(reasoning)) if thought >= 0 else whole.rfind(text)
    before = text.rfind(whole)
    if not whole or (before < 0 and inside < 0):
        yield as_text(text)
        return
    position = before if before >= 0 else -inside
    yield as_text(text[: max(0, position)])
    for token in tokens:
        end = position + len(token.text)
        if piece := text[max(0, position) : max(0, end)]:
            yield _token(piece, token)
        position = end
    yield as_text(text[max(0, position) :])


def _token(piece: str, token: TokenRecord) -> str:
    seen = token.observed
    if seen is None:
        return as_text(piece)
    lines = "\n".join(f"{chance(each.probability):>8}  {visible(each.text)}" for each in seen.top[:MAX_ALTERNATIVES])
    unlikely = max(0.0, LIKELY - seen.chosen.probability) / LIKELY
    level = min(LEVELS - 1, int(unlikely * LEVELS + (unlikely > 0)))
    tooltip = f"{visible(piece)}: {chance(seen.chosen.probability)}\n{lines}"
    return f'<span class="u{level}" data-top="{as_text(tooltip)}">{as_text(piece)}</span>'


def visible(text: str) -> str:
    """Return a text with visible spaces, tabs and line ends."""
    return text.replace("\n", "⏎").replace("\t", "⇥").replace(" ", "␣")


def as_text(text: str) -> str:
    """Escape text; characters that HTML can't hold are replaced."""
    return escape(NO_TEXT.sub("\ufffd", text))
