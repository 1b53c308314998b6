"""The help window: contents, page and search field. The page is an HTML template filled with the program's texts."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QUrl, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent, QTextBlock, QTextCursor
from PySide6.QtWidgets import QDialog, QListWidget, QTextBrowser, QWidget

from app import PROBLEMS_PAGE
from app.actions import ACTIONS, FIXED, TIPS
from app.definitions import GROUPS, Definition
from app.engine.types import Reason
from app.i18n import tr
from app.ui.document.text_finds import TextFinds
from app.ui.guide.explanations import CONTROLS, PARTS, WINDOWS
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, Theme, scaled
from app.ui.widgets import FindBar, begin_window, in_column, in_row, named, push_button
from app.ui.widgets.find_bar import Finder

FOLDER = "help"
FIRST = "en"
EXPERIMENT = "experiment_"
_PLACE = re.compile(r"\{\{(\w+)\}\}")
FIRST_PX = (900, 640)
SMALLEST_PX = (560, 320)
CONTENTS_PX = 200
SPACING_PX = 2
MEASURE_PX = 640
SECTION_LEVEL = 2


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


class HelpView(QDialog):
    """The window of an HTML page. Emits `link_requested` with an external address."""

    link_requested = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        begin_window(theme, self, "help_window", tr("Sluice Help"), FIRST_PX, SMALLEST_PX, is_dialog=False)
        self._theme = theme
        self._html = ""
        self._places: list[int] = []
        self._contents = named(QListWidget(), "help_contents", tr("Contents"), tr("The sections of the page"))
        self._contents.setSpacing(SPACING_PX)
        scaled(theme, self._contents, QWidget.setFixedWidth, CONTENTS_PX)
        self._page = _Page(theme)
        self._find = FindBar(theme, "help", tr("Find in the page"), stays=True)
        self._find.take_keys(self)
        self._finder = Finder(self._find, TextFinds(theme, self._page))
        self._close = push_button("help_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        middle = in_row(self._contents, (self._page, 1), gap=MARGIN_PX)
        in_column(in_row((self._find, 1), self._close), (middle, 1), on=self, margins=MARGIN_PX)
        self._contents.currentRowChanged.connect(self._scroll_to_section)
        self._page.verticalScrollBar().valueChanged.connect(self._select_current_section)
        self._page.verticalScrollBar().rangeChanged.connect(self._select_current_section)
        self._page.anchorClicked.connect(self._open)
        theme.changed.connect(self._write)

    def show_page(self, html: str) -> None:
        """Show a page and keep the reading position."""
        if html != self._html:
            self._html = html
            self._write()

    def _write(self) -> None:
        """Write the page in the current colors and size, and search again."""
        bar = self._page.verticalScrollBar()
        fraction = bar.value() / max(1, bar.maximum())
        self._page.write(self._html)
        with QSignalBlocker(self._contents):
            self._contents.clear()
            self._places = []
            block: QTextBlock = self._page.document().begin()
            while block.isValid():
                if block.blockFormat().headingLevel() == SECTION_LEVEL:
                    self._contents.addItem(block.text())
                    self._places.append(block.position())
                block = block.next()
        self._finder.seek()
        bar.setValue(round(fraction * bar.maximum()))
        self._select_current_section()

    def _scroll_to_section(self, section: int) -> None:
        """Scroll to the heading of a section."""
        if 0 <= section < len(self._places):
            cursor = QTextCursor(self._page.document())
            cursor.setPosition(self._places[section])
            bar = self._page.verticalScrollBar()
            with QSignalBlocker(bar):
                bar.setValue(bar.value() + self._page.cursorRect(cursor).top() - GAP_PX)
            self._page.viewport().update()

    def _select_current_section(self) -> None:
        """Select the current section in the contents. This lays out the complete page, so only a visible one is
        followed.
        """
        if not self.isVisible():
            return
        top = self._page.cursorForPosition(self._page.viewport().rect().topLeft()).position()
        section = max(0, bisect_right(self._places, top + 1) - 1)
        with QSignalBlocker(self._contents):
            self._contents.setCurrentRow(section if self._places else -1)

    def _open(self, address: QUrl) -> None:
        if address.scheme():
            self.link_requested.emit(address.toString())
        else:
            self._page.scrollToAnchor(address.fragment())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._select_current_section()


class _Page(QTextBrowser):
    """The page, which doesn't open links itself."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "help_page", tr("Help page"), description=tr("Help page"))
        self.setOpenLinks(False)
        self.setTabChangesFocus(True)
        self._theme = theme

    def write(self, html: str) -> None:
        document = self.document()
        document.setDefaultFont(self._theme.font(Size.PROSE))
        document.setDefaultStyleSheet(self._style())
        self.setHtml(html)
        self._limit_line_length()

    def _style(self) -> str:
        theme = self._theme
        sizes = {tag: theme.scaled(size) for tag, size in (("h1", 20), ("h2", 18), ("h3", 15))}
        heads = "".join(f"{tag} {{ font-size: {size}px; font-weight: 600; }}" for tag, size in sizes.items())
        return f"{heads} h2 {{ margin-top: {4 * GAP_PX}px; }} h3 {{ color: {theme.hex(Color.MUTED)}; }}" + (
            f"a {{ color: {theme.hex(Color.ACCENT)}; }} code {{ background: {theme.hex(Color.CODE)}; }}"
            f"td {{ padding: {GRID_PX}px; }}"
        )

    def _limit_line_length(self) -> None:
        """Limit the length of the lines."""
        form = self.document().rootFrame().frameFormat()
        side = max(MARGIN_PX, (self.viewport().width() - self._theme.scaled(MEASURE_PX)) // 2)
        form.setLeftMargin(MARGIN_PX)
        form.setRightMargin(max(MARGIN_PX, 2 * side - MARGIN_PX))
        self.document().rootFrame().setFrameFormat(form)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._limit_line_length()
