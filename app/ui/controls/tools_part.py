"""The section Tools: the functions that the model may call, as JSON, with examples."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.engine.catalogue import SETTINGS
from app.engine.tools import EXAMPLE, why_no_tools
from app.i18n import tr
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets import ProseField, SmallPrint, in_column, push_button
from app.ui.widgets.plain_text import to_the_letter

LINES_SHOWN = 5


class ToolsPart(QWidget):
    """`edited` carries the text."""

    edited = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        setting = SETTINGS["tools"]
        hint, font = tr("A list of functions, as JSON"), theme.font(Size.SMALL, mono=True)
        self._editor = ProseField(theme, "tools", LINES_SHOWN, setting.words, setting.text, hint=hint, font=font)
        tip = tr("Insert an example: a clock, the weather and a search")
        self._example = push_button("tools_example", tr("Use the example"), tip, kind="small", press=self._use_example)
        self._wrong = SmallPrint(theme, "tools_wrong", "warning")
        in_column(self._editor, self._example, self._wrong, on=self, gap=GRID_PX)
        self._editor.textChanged.connect(lambda: self.edited.emit(to_the_letter(self._editor.toPlainText())))

    def show_value(self, tools: str, refusal: str) -> None:
        """Set the value without a signal. `refusal`: why this model takes no tools, or empty."""
        self._editor.show_text(tools)
        self._example.setVisible(not tools)
        self._editor.setToolTip("\n".join(filter(None, (SETTINGS["tools"].text, refusal))))
        self._wrong.say((refusal or why_no_tools(tools)) if tools else "")
        for part in (self._editor, self._example):
            part.setEnabled(not refusal)

    def _use_example(self) -> None:
        self._editor.setPlainText(EXAMPLE)
        self._editor.setFocus()
