"""The help page: an HTML template in the user's language, filled with the program's own texts."""

import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from app import PROBLEMS_PAGE
from app.actions import ACTIONS, FIXED, TIPS
from app.definitions import GROUPS, Definition
from app.engine.types import Reason
from app.i18n import tr
from app.ui.guide.explanations import CONTROLS, PARTS, WINDOWS

FOLDER = "help"
FIRST = "en"
EXPERIMENT = "experiment_"
_PLACE = re.compile(r"\{\{(\w+)\}\}")


def language() -> str:
    """Return the language code of the user interface, which is the name of the page's file."""
    #: The code of this language: en, ko …
    return tr("en", "the code of this language")


def page(resources: Path, keys: Mapping[str, str], data: Path) -> str:
    """Return the page as HTML, in English without a translation. `keys`: current shortcuts by action name."""
    return fill(_read(resources / FOLDER), keys, data)


def fill(text: str, keys: Mapping[str, str], data: Path) -> str:
    """Replace the placeholders of a template."""
    parts = {
        "parts": _pairs({**PARTS, **WINDOWS}.values()),
        "controls": _pairs(CONTROLS.values()),
        "numbers": "".join(f"<h3>{escape(name)}</h3>{_pairs(group.values())}" for name, group in GROUPS.items()),
        "experiments": _table(
            (_plain(each.text), TIPS[each.name]) for each in ACTIONS if each.name.startswith(EXPERIMENT)
        ),
        "keys": _keys(keys),
        **{f"reason_{reason.name.lower()}": escape(reason.words) for reason in Reason},
        "data": escape(str(data)),
        "problems": PROBLEMS_PAGE,
    }
    return _PLACE.sub(lambda found: parts[found[1]], text)


def _read(folder: Path) -> str:
    for name in (language(), FIRST):
        try:
            return (folder / f"{name}.html").read_text("utf-8")
        except OSError:
            continue
    missing = escape(tr("The help page is missing. Install Sluice again."))
    return f"<p>{missing}</p>"


def _keys(keys: Mapping[str, str]) -> str:
    own = [(_plain(each.text), keys[each.name]) for each in ACTIONS if keys.get(each.name)]
    fixed = [(f"{each.where}: {each.text}", ", ".join(each.keys)) for each in FIXED]
    return _table([*own, *fixed])


def _pairs(each: Iterable[Definition]) -> str:
    return _table((one.name, one.text) for one in each)


def _table(rows: Iterable[tuple[str, str]]) -> str:
    cells = (f'<tr><td width="30%"><b>{escape(name)}</b></td><td>{escape(text)}</td></tr>' for name, text in rows)
    return f'<table width="100%" cellpadding="4">{"".join(cells)}</table>'


def _plain(text: str) -> str:
    return text.replace("&", "").rstrip("…")
