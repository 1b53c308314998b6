"""The saved state of the window: geometry, splitters, and the panels, which are hidden where there is no room."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLayout, QMainWindow, QSplitter, QToolButton, QWidget

from app.actions import Intent
from app.files.settings import Layout as Place
from app.files.settings import Settings
from app.ui.feature import Feature
from app.ui.instruments.strip import HEIGHT_PX, SHARE_OF_WINDOW
from app.ui.shell.layout import COLUMNS_PX, ROWS_PX, MainLayout
from app.ui.widgets import FindBar, keep_focus

USUAL = 100


class ResponsiveLayout(QObject):
    """Scales the parts of splitters with the text size; the instruments get at most a share of a small window."""

    def __init__(self, parts: MainLayout) -> None:
        super().__init__(parts)
        self._parts = parts
        self._percent = parts.theme.percent
        self._wanted: dict[QSplitter, list[float]] = {}
        """Sizes of a splitter's parts at 100 %, until the user moves it."""
        for splitter in (parts.columns, parts.rows):
            splitter.splitterMoved.connect(partial(self._forget, splitter))
        parts.theme.changed.connect(self._rescale)

    def _rescale(self) -> None:
        """Give the conversation the rest of the width."""
        before, self._percent = self._percent, self._parts.theme.percent
        if before == self._percent:
            return
        self._measure()
        for splitter, main in ((self._parts.columns, 1), (self._parts.rows, 0)):
            wanted = self._wanted.setdefault(splitter, [0.0] * splitter.count())
            # A strip with its default height keeps it: in a low window, larger text couldn't enlarge it.
            least = HEIGHT_PX if splitter is self._parts.rows else 0
            self._wanted[splitter] = [
                known or max(size * USUAL / before, min(size, least))
                for known, size in zip(wanted, splitter.sizes(), strict=True)
            ]
            self._divide(splitter, main)

    def _measure(self) -> None:
        """Update the minimum sizes first, which Qt caches for each widget."""
        for layout in self._parts.findChildren(QLayout):
            layout.invalidate()
        for widget in reversed(self._parts.findChildren(QWidget)):  # children first
            if widget.layout() is not None:
                widget.updateGeometry()

    def _divide(self, splitter: QSplitter, main: int) -> None:
        """Give parts without a size their default, or they would stay invisible when shown again."""
        shown, scale = splitter.sizes(), self._percent / USUAL
        sizes = [round(wanted * scale) for wanted in self._wanted[splitter]]
        if splitter is self._parts.rows:
            sizes[1] = min(sizes[1], round(SHARE_OF_WINDOW * sum(shown)))
        others = sum(size for number, size in enumerate(sizes) if shown[number] and number != main)
        sizes[main] = max(1, sum(shown) - others)
        usual = COLUMNS_PX if splitter is self._parts.columns else ROWS_PX
        splitter.setSizes([size or round(first * scale) for size, first in zip(sizes, usual, strict=True)])

    def _forget(self, splitter: QSplitter, _place: int, _handle: int) -> None:
        self._wanted.pop(splitter, None)


TABS = {name: f"toggle_{name}" for name in ("controls", "inspector", "inside", "exact_prompt")}
"""Pages of the inspector, and the actions that show them."""


def follow(button: QAbstractButton, action: QAction) -> None:
    """Trigger the action when the button is toggled, by the mouse or by a screen reader.

    Code that changes the action has to set the action first, then the button.
    """
    button.toggled.connect(partial(_agree, action))


def _agree(action: QAction, on: bool) -> None:
    if action.isChecked() != on:
        action.trigger()


def press(button: QAbstractButton, action: QAction) -> None:
    """Trigger the action on a click, and enable the button together with it."""
    button.clicked.connect(action.trigger)
    action.enabledChanged.connect(button.setEnabled)
    button.setEnabled(action.isEnabled())


class SidePanel(QObject):
    """A panel that saves whether the user wants it. Without room it is hidden until there is room or the user requests
    it.
    """

    def __init__(
        self, parts: MainLayout, pane: QWidget, button: QToolButton, toggle: QAction, has_room: Callable[[], bool]
    ) -> None:
        super().__init__(parts)
        self._parts = parts
        self._pane = pane
        self._button = button
        self._toggle = toggle
        self._has_room = has_room
        self._roomy, self._aside = True, False
        self.wanted = True
        """Whether it is shown if there is room."""
        follow(button, toggle)
        # The columns' events, not the window's: a panel that is shown before they are resized would be squeezed.
        parts.columns.installEventFilter(self)
        parts.theme.resized.connect(self._check_room)

    def show(self, shown: bool) -> None:
        """Show or hide the panel as the user wants. A request shows it in a narrow window, too."""
        self.wanted, self._aside = shown, False
        self._set()

    def restore(self, wanted: bool) -> None:
        self.wanted = wanted
        self._set()

    def step_aside(self) -> None:
        """Hide the panel to make room for another column, if there is room for one only."""
        if self._parts.tight:
            self._aside = True
            self._set()

    def _set(self) -> None:
        """Show or hide the panel, and update its button and menu entry."""
        shown = self.wanted and not self._aside
        if not shown:
            keep_focus(self._pane, self._button)
        self._pane.setVisible(shown)
        self._toggle.setChecked(shown)
        self._button.setChecked(shown)

    def _check_room(self) -> None:
        """Check whether there is room, which depends on the text size."""
        roomy = self._has_room()
        if roomy != self._roomy:
            self._roomy, self._aside = roomy, not roomy
            self._set()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent):
            self._check_room()
        return False


class Inspector(SidePanel):
    """The panel on the right, which has pages."""

    def __init__(self, parts: MainLayout, actions: Mapping[str, QAction]) -> None:
        self._pages = {tab: actions[name] for tab, name in TABS.items()}
        super().__init__(parts, parts.side, parts.bar.inspector, actions["toggle_side"], lambda: not parts.tight)
        parts.side.tabBarClicked.connect(self._hold)
        parts.side.currentChanged.connect(self._set)

    @property
    def tab(self) -> str:
        """The name of the current page."""
        return self._parts.side.currentWidget().objectName()

    def turn(self, tab: str) -> None:
        """Show a page without moving the focus."""
        side = self._parts.side
        page = next((page for name in TABS if name == tab and (page := side.findChild(QWidget, name))), None)
        if page is not None and page is not side.currentWidget():
            self._hold()
            side.setCurrentWidget(page)

    def _hold(self) -> None:
        """Move the focus before the page changes, or a field of the next page would get it."""
        keep_focus(self._parts.side, self._parts.side.tabBar())

    def _set(self) -> None:
        super()._set()
        for tab, action in self._pages.items():
            action.setChecked(self._toggle.isChecked() and tab == self.tab)


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

    def connect_actions(self) -> None:
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
        parts, index = self._parts, settings.layout
        self._window.restoreGeometry(QByteArray.fromBase64(index.geometry.encode("ascii", "ignore")))
        _divide(parts.columns, index.columns or tuple(map(parts.theme.scaled, COLUMNS_PX)))
        _divide(parts.rows, index.rows)
        self._right.turn(index.side_tab)
        self._right.restore(index.side_shown)
        self._side.restore(index.sessions_shown)
        parts.controls.fold(index.folded)
        parts.controls.show_more(index.more_shown)
        parts.theme.tables.update(index.tables)

    def _has_room(self) -> bool:
        return self._parts.free_width >= self._parts.theme.scaled(ROOMY_PX)

    def updated_settings(self, settings: Settings) -> Settings:
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
