"""The command palette, the keys of the actions, and the sheet in which those are changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow

from app.actions import ACTIONS, BY_NAME, FIXED, NEEDS, Action, Intent, KeyMap, create, fill, shown
from app.actions.keys import Kept, portable
from app.settings import Settings
from app.ui.commands.key_tips import KeyTips
from app.ui.commands.values import Command, KeyRow
from app.ui.document.turns import TurnAction
from app.ui.look.theme import Theme
from app.ui.shell.layout import Layout

if TYPE_CHECKING:
    from app.ui.commands.keys_sheet import KeysSheet
    from app.ui.commands.palette import CommandPalette

MOST_RECENT = 8
OPENER = re.compile(r"\(&\w\)|&")
"""The letter of a menu's own words, or one put behind words of another script."""
OF_TURNS = {
    TurnAction.REGENERATE: "regenerate",
    TurnAction.CONTINUE: "continue_run",
    TurnAction.VIEW_CODE: "view_code",
}
"""What is done with a turn as well, and is called the same there."""


class CommandsController(QObject):
    """`create` makes the actions; their keys are what the user made of them."""

    def __init__(self, parts: Layout, theme: Theme, settings: Settings, window: QMainWindow) -> None:
        super().__init__(window)
        self._parts = parts
        self._theme = theme
        self._window = window
        self._keys = KeyMap.of_kept(settings.shortcuts)
        self._recent = tuple(name for name in settings.recent_actions if name in BY_NAME)
        self._acts: Mapping[str, QAction] = {}
        self._tips = KeyTips(parts)
        self._palette: CommandPalette | None = None
        self._sheet: KeysSheet | None = None

    @property
    def kept_keys(self) -> Kept:
        """For the settings: only what differs from the table."""
        return self._keys.kept

    @property
    def recent(self) -> tuple[str, ...]:
        """The actions that were run from the palette, the last one first."""
        return self._recent

    @property
    def intents(self) -> dict[str, Intent]:
        """What it does itself."""
        return {"change_shortcuts": self.open_sheet, "command_palette": self.open_palette}

    def create(self, intents: Mapping[str, Intent]) -> Mapping[str, QAction]:
        """The actions of the table, and the menus that show them."""
        self._acts = create(self._window, {**intents, **self.intents})
        fill(self._window.menuBar(), self._acts)
        self._apply()
        self._parts.transcript.know({wish: self._acts[name] for wish, name in OF_TURNS.items()})
        return self._acts

    @Slot()
    def open_palette(self) -> None:
        """Or close it, if it is open."""
        if self._palette is None:
            from app.ui.commands.palette import CommandPalette

            self._palette = CommandPalette(self._theme, self._parts)
            self._palette.chosen.connect(self._run)
            for name, act in self._acts.items():
                if name != "command_palette":
                    act.triggered.connect(self._palette.leave)
        if self._palette.isVisible():
            self._palette.leave()
        else:
            self._palette.open_with([self._command(action) for action in OFFERED], self._recent)

    @Slot()
    def open_sheet(self) -> None:
        if self._sheet is None:
            from app.ui.commands.keys_sheet import KeysSheet

            self._sheet = KeysSheet(self._theme, self._window)
            self._sheet.keys_wanted.connect(self._change)
            self._sheet.reset_wanted.connect(self._reset)
            self._sheet.reset_all_wanted.connect(self._reset_all)
        self._sheet.show_rows(self._rows())
        self._sheet.open_fitted()

    @Slot(str)
    def _run(self, name: str) -> None:
        self._recent = (name, *(other for other in self._recent if other != name))[:MOST_RECENT]
        self._acts[name].trigger()

    @Slot(str, QKeySequence, QKeySequence)
    def _change(self, name: str, first: QKeySequence, second: QKeySequence) -> None:
        """The keys that were pressed, none of them twice."""
        self._take(name, tuple(dict.fromkeys(filter(None, map(portable, (first, second))))))

    @Slot(str)
    def _reset(self, name: str) -> None:
        self._take(name, BY_NAME[name].shortcuts)

    @Slot()
    def _reset_all(self) -> None:
        self._keys = KeyMap()
        self._apply()

    def _take(self, name: str, keys: tuple[str, ...]) -> None:
        refusal = self._keys.refusal(name, keys)
        if refusal and self._sheet is not None:
            self._sheet.refuse(refusal)
        elif not refusal:
            self._keys = self._keys.with_keys(name, keys)
            self._apply()

    def _apply(self) -> None:
        """At once, and wherever keys are told."""
        for name, act in self._acts.items():
            act.setShortcuts([QKeySequence(key) for key in self._keys.of(name)])
        self._tips.show_keys(self._acts)
        if self._sheet is not None:
            self._sheet.show_rows(self._rows())

    def _command(self, action: Action) -> Command:
        act = self._acts[action.name]
        return Command(
            action.name,
            plain(action.text),
            " › ".join(filter(None, (plain(action.menu), action.submenu))),
            act.toolTip(),
            shown(self._keys.of(action.name)),
            act.isEnabled(),
            act.isChecked(),
            NEEDS.get(action.name, ""),
        )

    def _rows(self) -> list[KeyRow]:
        """All keys there are: those of the actions, then those that can't be changed."""
        return [*map(self._row, ACTIONS), *(KeyRow("", each.text, each.where, each.keys) for each in FIXED)]

    def _row(self, action: Action) -> KeyRow:
        keys, changed = self._keys.of(action.name), self._keys.differs(action.name)
        tip = self._acts[action.name].toolTip()
        return KeyRow(action.name, plain(action.text), plain(action.menu), keys, tip, changed)


OFFERED = tuple(action for action in ACTIONS if action.name != "command_palette")
"""In the palette, which doesn't offer itself."""


def plain(text: str) -> str:
    """Without the mark before the letter that opens a menu, and without a letter that stands there for that alone."""
    return OPENER.sub("", text)
