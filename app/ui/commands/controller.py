"""The feature Commands: the actions, their shortcuts, the command palette and the shortcuts' window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QWidget

from app.actions import ACTIONS, BY_NAME, FIXED, NEEDS, Action, Intent, KeyMap, create, fill, shown, without_mnemonic
from app.controls import WITHOUT_CONTROL
from app.engine.catalogue import SETTINGS
from app.files.settings import Settings
from app.i18n import tr
from app.ui.commands.menus import EditMenu, WindowMenu
from app.ui.commands.ranking import Command, KeyRow
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.ui.commands.keys_sheet import KeysSheet
    from app.ui.commands.palette import CommandPalette

BUTTONS = {
    "sessions_button": "toggle_sessions",
    "inspector_button": "toggle_side",
    "code_button": "view_code",
    "runs_button": "show_runs",
    "stop": "stop",
    "cancel": "stop",
    "new_session": "new_session",
    "session_search": "search_sessions",
}
"""The object name of each button, and its action."""
MAX_RECENT = 8


class CommandsController(Feature):
    """The palette covers `within`."""

    ahead = ("app.ui.commands.palette", "app.ui.commands.keys_sheet")

    control_wanted = Signal(str)
    """Show the control of a setting."""

    def __init__(self, theme: Theme, within: QWidget, window: QMainWindow) -> None:
        super().__init__(window)
        self._theme = theme
        self._within = within
        self._window = window
        self._keys = KeyMap()
        self._recent: tuple[str, ...] = ()
        """Actions run from the palette, the last one first."""
        found = ((within.findChild(QWidget, button), name) for button, name in BUTTONS.items())
        self._tips = [(button, name, button.toolTip()) for button, name in found if button is not None]
        self._palette = LazyWindow(self._make_palette)
        self._refresh_timer = QTimer(self, singleShot=True)
        self._refresh_timer.timeout.connect(self._refresh)
        self._sheet = LazyWindow(self._make_sheet)

    def actions(self) -> dict[str, Intent]:
        return {"change_shortcuts": self.open_sheet, "command_palette": self.open_palette}

    def create(self, intents: Mapping[str, Intent]) -> Mapping[str, QAction]:
        """Make the actions and their menus."""
        self._actions = create(self._window, intents)
        self._actions["stop_all"].setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        system = QApplication.instance()
        assert isinstance(system, QApplication)
        system.focusWindowChanged.connect(self._add_stop_all)
        fill(self._window.menuBar(), self._actions)
        menus = self._window.menuBar().findChildren(QMenu)
        EditMenu(next(menu for menu in menus if self._actions["undo"] in menu.actions()))
        WindowMenu(next(menu for menu in menus if self._actions["minimise"] in menu.actions()))
        return self._actions

    def restore(self, settings: Settings) -> None:
        self._keys = KeyMap.from_settings(settings.shortcuts)
        self._recent = tuple(name for name in settings.recent_actions if name in BY_NAME or name in SETTINGS)
        self._apply()

    def updated_settings(self, settings: Settings) -> Settings:
        return replace(settings, shortcuts=self._keys.to_settings(), recent_actions=self._recent)

    def _add_stop_all(self) -> None:
        """Let Stop Everything work in modal windows too."""
        if (sheet := QApplication.activeModalWidget()) is not None:
            sheet.addAction(self._actions["stop_all"])

    def open_palette(self) -> None:
        """Open or close the palette."""
        if self._palette.seen is not None:
            self._palette.seen.leave()
        else:
            self._palette.window.open_with(self._commands(), self._recent)

    def open_sheet(self) -> None:
        self._sheet.window.show_rows(self._rows())
        self._sheet.window.open_fitted()

    def _make_palette(self) -> CommandPalette:
        from app.ui.commands.palette import CommandPalette

        palette = CommandPalette(self._theme, self._within, self._run)
        for name, act in self._actions.items():
            act.changed.connect(self._on_action_changed)
            if name != "command_palette":
                act.triggered.connect(palette.leave)
        return palette

    def _on_action_changed(self) -> None:
        """Refresh the palette once after several changes."""
        if self._palette.seen is not None:
            self._refresh_timer.start()

    def _refresh(self) -> None:
        if self._palette.seen is not None:
            self._palette.seen.renew(self._commands())

    def _make_sheet(self) -> KeysSheet:
        from app.ui.commands.keys_sheet import KeysSheet

        return KeysSheet(self._theme, self._window, self._set_keys, lambda: self._change_to(KeyMap()))

    def _run(self, name: str) -> None:
        self._recent = (name, *(other for other in self._recent if other != name))[:MAX_RECENT]
        if name in SETTINGS:
            self.control_wanted.emit(name)
        else:
            self._actions[name].trigger()

    def _change_to(self, keys: KeyMap) -> None:
        self._keys = keys
        self._apply()
        self.changed.emit()

    def _set_keys(self, name: str, keys: tuple[str, ...]) -> str:
        """Set the shortcuts of an action, or return why they are refused."""
        refusal = self._keys.refusal(name, keys)
        if not refusal:
            self._change_to(self._keys.with_keys(name, keys))
        return refusal

    def _apply(self) -> None:
        for name, act in self._actions.items():
            act.setShortcuts([QKeySequence(key) for key in self._keys.of(name)])
        for button, name, tip in self._tips:
            keys = shown(filter(None, (self._actions[name].shortcut().toString(),)))
            button.setToolTip(f"{tip} ({keys})" if keys else tip)
        if self._sheet.made is not None:
            self._sheet.made.show_rows(self._rows())

    def _commands(self) -> list[Command]:
        return [*map(self._command, OFFERED), *CONTROLS]

    def _command(self, action: Action) -> Command:
        act = self._actions[action.name]
        return Command(
            action.name,
            without_mnemonic(action.text),
            " › ".join(filter(None, (without_mnemonic(action.menu), action.submenu))),
            act.toolTip(),
            shown(self._keys.of(action.name)),
            act.isEnabled(),
            act.isChecked(),
            NEEDS.get(action.name, ""),
        )

    def _rows(self) -> list[KeyRow]:
        """Return the rows of the shortcuts' window; the fixed keys come last."""
        return [*map(self._row, ACTIONS), *(KeyRow("", each.text, each.where, each.keys) for each in FIXED)]

    def _row(self, action: Action) -> KeyRow:
        keys, changed = self._keys.of(action.name), self._keys.differs(action.name)
        tip = self._actions[action.name].toolTip()
        return KeyRow(action.name, without_mnemonic(action.text), without_mnemonic(action.menu), keys, tip, changed)


OFFERED = tuple(action for action in ACTIONS if action.name != "command_palette")
"""Actions in the palette."""
CONTROLS = tuple(
    Command(name, each.words, tr("Controls"), each.meaning)
    for name, each in SETTINGS.items()
    if name not in {"model", "mode", "arguments", "adapter"} | WITHOUT_CONTROL
)
"""Settings in the palette."""
