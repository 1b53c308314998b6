"""The project's documents as a reader has them, and what they name that isn't there."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from app.actions import FIXED
from app.actions.table import USUAL

PROJECT = Path(__file__).resolve().parents[2]
ALWAYS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "docs/*.md")
PERHAPS = ("ARCHITECTURE.md",)
MAKEFILE = (PROJECT / "Makefile").read_text("utf-8")
TARGETS = re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE)

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)|(?:src|href)=\"([^\"]+)\"", re.MULTILINE)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_ELSEWHERE = re.compile(r"https://|mailto:")
_COMMAND = re.compile(r"(?<![\w-])make ([a-z][a-z-]*)")
_PATH = re.compile(r"(?<![\w./~-])((?:app|tests|packaging|resources|docs|\.github|\.ci)/[\w./*-]*)")
_MODULE = re.compile(r"-m ((?:app|tests)[\w.]*)")
_KEY = re.compile(r"(?:(?:Ctrl|Shift|Alt|Meta)\+)+(?:[A-Z]\w*|\d|[,.=+←→↑↓-])|\bF\d+\b")
_MENU = re.compile(r"\*\*(\w+) → ([^*]+)\*\*")
_KEY_NAMES = {"←": "Left", "→": "Right", "↑": "Up", "↓": "Down", "Enter": "Return"}


@dataclass(frozen=True, slots=True)
class Document:
    """A page of Markdown. `path` is where its links begin."""

    path: Path
    text: str

    @property
    def prose(self) -> str:
        """All but the blocks of code."""
        return _BLOCK.sub("", self.text)

    @property
    def code(self) -> Iterator[str]:
        """Each block, and each word or line of code between other words."""
        yield from (block for _, block in _BLOCK.findall(self.text))
        yield from _SPAN.findall(self.prose)

    @property
    def links(self) -> Iterator[str]:
        """Where it leads, pictures included, as it is written."""
        for found in _LINK.finditer(_SPAN.sub("", self.prose)):
            yield next(filter(None, found.groups()))

    @property
    def anchors(self) -> set[str]:
        """What its headings are called in links."""
        return {_anchor(heading) for heading in _HEADING.findall(self.prose)}

    def blocks(self, language: str) -> list[str]:
        """The code in this language; empty: in none."""
        return [block for its, block in _BLOCK.findall(self.text) if its == language]


def read(path: Path) -> Document:
    """The page in this file."""
    return Document(path, path.read_text(encoding="utf-8"))


def documents() -> list[Document]:
    """All that there are; a pattern without any page is a fault."""
    found = {pattern: sorted(PROJECT.glob(pattern)) for pattern in (*ALWAYS, *PERHAPS)}
    assert all(found[pattern] for pattern in ALWAYS), found
    return [read(path) for paths in found.values() for path in paths]


def broken_links(document: Document) -> list[str]:
    """Links to files and headings that there aren't."""
    return [link for link in document.links if not _ELSEWHERE.match(link) and not _leads_somewhere(document, link)]


def unknown_commands(document: Document) -> list[str]:
    """`make` of something that the Makefile doesn't have."""
    return _not_in(TARGETS, _named(document, _COMMAND))


def absent_paths(document: Document) -> list[str]:
    """Files, folders and modules of the project that aren't in it."""
    paths = _named(document, _PATH)
    modules = [module.replace(".", "/") for module in _named(document, _MODULE)]
    absent = [path for path in paths if not any(PROJECT.glob(path.rstrip("/.")))]
    return absent + [each for each in modules if not any(PROJECT.glob(f"{each}*"))]


def unknown_keys(document: Document) -> list[str]:
    """Keys that do nothing in the program."""
    known = {key for action in USUAL for key in action.shortcuts} | {key for each in FIXED for key in each.keys}
    keys = _KEY.findall(document.prose)
    return _not_in(known, ("+".join(_KEY_NAMES.get(part, part) for part in key.split("+")) for key in keys))


def unknown_menu_items(document: Document) -> list[str]:
    """`**Menu → Item**` that the menu bar doesn't have; a menu within a menu counts."""
    known = {(_plain(action.menu), _plain(text)) for action in USUAL for text in (action.text, action.submenu)}
    items = [(menu, " ".join(item.split())) for menu, item in _MENU.findall(document.prose)]
    return [" → ".join(item) for item in items if item not in known]


def _leads_somewhere(document: Document, link: str) -> bool:
    file, _, anchor = link.partition("#")
    target = (document.path.parent / file).resolve() if file else document.path
    if not target.exists() or not target.is_relative_to(PROJECT):
        return False
    return not anchor or (target == document.path and anchor in document.anchors) or anchor in read(target).anchors


def _anchor(heading: str) -> str:
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _named(document: Document, pattern: re.Pattern[str]) -> list[str]:
    return [name for code in document.code for name in pattern.findall(code)]


def _not_in(known: Iterable[str], named: Iterable[str]) -> list[str]:
    there = set(known)
    return [name for name in named if name not in there]


def _plain(text: str) -> str:
    return text.replace("&", "").rstrip("…")
