"""The saved state of the window: geometry, splitters, and which panels are shown."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter

from app.actions import Intent
from app.files.settings import Layout as Place
from app.files.settings import Settings
from app.ui.feature import Feature
from app.ui.shell.layout import COLUMNS_PX, MainLayout
from app.ui.shell.responsive_layout import ResponsiveLayout
from app.ui.shell.side_panel import TABS, Inspector, SidePanel, press
from app.ui.widgets import FindBar

ROOMY_PX = 1100
"""Below this width there is room for the conversation and the controls only."""


class WindowState(Feature):
    """Shows and hides the panels, saves their state, and updates their actions."""

    def __init__(self, window: QMainWindow, parts: MainLayout) -> None:
        super().__init__(window)
        self._window = window
        self._parts = parts

    def actions(self) -> dict[str, Intent]:
        return {
            "toggle_sessions": self.show_sessions,
            "search_sessions": self.search_sessions,
            "find": lambda: self._find_bar().open(),
            "find_next": partial(self._find_more, 1),
            "find_previous": partial(self._find_more, -1),
            "toggle_side": self.show_side,
            **{name: self._turning(tab) for tab, name in TABS.items()},
            "full_screen": self.toggle_full_screen,
            "minimise": self._window.showMinimized,
        }

    def joined(self) -> None:
        """Connect buttons and menu entries."""
        parts, actions = self._parts, self._actions
        toggle = actions["toggle_sessions"]
        self._side = SidePanel(parts, parts.sessions, parts.bar.sessions, toggle, self._has_room)
        self._right = Inspector(parts, actions)
        ResponsiveLayout(self._parts)
        for button, name in (
            (self._parts.bar.compose, "new_session"),
            (self._parts.bar.runs, "show_runs"),
            (self._parts.bar.code, "view_code"),
        ):
            press(button, actions[name])

    def restore(self, settings: Settings) -> None:
        """Restore the saved state."""
        parts, place = self._parts, settings.layout
        self._window.restoreGeometry(QByteArray.fromBase64(place.geometry.encode("ascii", "ignore")))
        _divide(parts.columns, place.columns or tuple(map(parts.theme.scaled, COLUMNS_PX)))
        _divide(parts.rows, place.rows)
        self._right.turn(place.side_tab)
        self._right.restore(place.side_shown)
        self._side.restore(place.sessions_shown)
        parts.controls.fold(place.folded)
        parts.controls.show_more(place.more_shown)
        parts.theme.tables.update(place.tables)

    def _has_room(self) -> bool:
        return self._parts.width() >= self._parts.theme.scaled(ROOMY_PX)

    def kept(self, settings: Settings) -> Settings:
        return replace(settings, layout=self._place(settings.layout))

    def _place(self, before: Place) -> Place:
        """Return the state to save; a hidden panel keeps its last size."""
        parts = self._parts
        widths = before.columns if len(before.columns) == parts.columns.count() else COLUMNS_PX
        return Place(
            geometry=bytes(self._window.saveGeometry().toBase64().data()).decode(),
            columns=known_widths(parts.columns.sizes(), widths),
            rows=tuple(parts.rows.sizes()),
            sessions_shown=self._side.wanted,
            side_shown=self._right.wanted,
            side_tab=self._right.tab,
            folded=parts.controls.folded_sections,
            more_shown=parts.controls.more_shown,
            end_probability_shown=before.end_probability_shown,
            curve_measured=before.curve_measured,
            tables=tuple(parts.theme.tables.items()),
        )

    def show_sessions(self, shown: bool) -> None:
        if shown:
            self._right.step_aside()
        self._side.show(shown)

    def search_sessions(self) -> None:
        self.show_sessions(True)
        self._parts.sessions.focus_search()

    def _find_more(self, by: int) -> None:
        self._find_bar().step(by)

    def _find_bar(self) -> FindBar:
        """Open the find bar of the focused part or window, else of the conversation."""
        now = QApplication.focusWidget() or QApplication.activeWindow()
        way = Qt.FindChildOption.FindDirectChildrenOnly
        while now is not None and now is not self._window:
            bars = now.findChildren(FindBar) if now.isWindow() else now.findChildren(FindBar, options=way)
            if found := [bar for bar in bars if bar.is_at_hand]:
                return found[0]
            now = now.parentWidget()
        return self._parts.find_bar

    def show_side(self, shown: bool) -> None:
        if shown:
            self._side.step_aside()
        self._right.show(shown)

    def show_token(self) -> None:
        """Show a page of the inspector for a token, if none is open."""
        self.turn("inside" if self._right.tab == "inside" else "inspector")

    def _turning(self, tab: str) -> Intent:
        return lambda shown: self.turn(tab, shown)

    def turn(self, tab: str, shown: bool = True) -> None:
        """Show a page of the inspector, or hide the inspector."""
        if shown:
            self._side.step_aside()
            self._right.turn(tab)
            self._right.show(True)
        else:
            self._right.show(False)

    def toggle_full_screen(self) -> None:
        """Enter or leave full screen; a maximized window stays so."""
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)

    def show_full_screen(self) -> None:
        """Update the menu, since a Mac's windows have a full-screen button, too."""
        self._actions["full_screen"].setChecked(self._window.isFullScreen())


def _divide(splitter: QSplitter, sizes: tuple[int, ...]) -> None:
    """Restore the sizes of a splitter, unless its number of parts has changed."""
    if len(sizes) == splitter.count():
        splitter.setSizes(list(sizes))


def known_widths(now: Sequence[int], before: Sequence[int]) -> tuple[int, ...]:
    """Return the widths of the columns; a hidden one keeps its last width."""
    if all(now):
        return tuple(now)
    if len(before) != len(now):
        return ()
    return tuple(width or last for width, last in zip(now, before, strict=True))
