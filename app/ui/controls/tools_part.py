"""The tools that the model may call, as JSON, with examples to begin with."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QWidget

from app.engine.catalogue import SETTINGS
from app.engine.tools import EXAMPLE, why_no_tools
from app.ui.controls.prose_field import prose_field
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets import SmallPrint, in_column, named, push_button
from app.words import tr

LINES_SHOWN = 5


class ToolsPart(QWidget):
    """`edited` with the text."""

    edited = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        setting = SETTINGS["tools"]
        self._editor = prose_field(theme, "tools", tr("A list of functions, as JSON"), LINES_SHOWN)
        named(self._editor, "", setting.words, setting.text)
        self._editor.setFont(theme.font(Size.SMALL, mono=True))
        tip = tr("A clock, the weather and a search, to be changed")
        self._example = push_button("tools_example", tr("Use the example"), tip, kind="small", press=self._use_example)
        self._wrong = SmallPrint(theme, "tools_wrong", "warning")
        in_column(self._editor, self._example, self._wrong, on=self, gap=GRID_PX)
        self._editor.textChanged.connect(lambda: self.edited.emit(self._editor.toPlainText()))

    def show_value(self, tools: str, refusal: str) -> None:
        """Set it, telling nobody. `refusal`: why none can be given to this model; empty: they can."""
        if self._editor.toPlainText() != tools:
            with QSignalBlocker(self._editor):
                self._editor.setPlainText(tools)
        self._example.setVisible(not tools)
        self._editor.setToolTip("\n".join(filter(None, (SETTINGS["tools"].text, refusal))))
        self._wrong.say((refusal or why_no_tools(tools)) if tools else "")
        for part in (self._editor, self._example):
            part.setEnabled(not refusal)

    @Slot()
    def _use_example(self) -> None:
        self._editor.setPlainText(EXAMPLE)
        self._editor.setFocus()
