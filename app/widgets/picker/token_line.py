"""Where a token for gated models is typed: it is held for this session alone, and says so."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.widgets.picker.making import button
from app.widgets.theme import GAP_PX, Size, Theme
from app.widgets.words import Words

ASKED = "Kept in memory until Sluice quits, in no file. A login of the hub's own (hf auth login) is used without it."
HELD = "Your token is used until Sluice quits; it is in no file."


class TokenLine(QWidget):
    """`given` with the token, or with nothing to forget it."""

    given = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("token_line")
        self._field = QLineEdit()
        self._field.setObjectName("hub_token")
        self._field.setAccessibleName("Token for gated models")
        self._field.setPlaceholderText("Token for gated models (hf_…)")
        self._field.setToolTip(ASKED)
        self._field.setEchoMode(QLineEdit.EchoMode.Password)
        self._field.setFont(theme.font(Size.NORMAL))
        self._field.returnPressed.connect(self._give)
        self._use = button("use_token", "Use", "Ask the hub with this token")
        self._use.clicked.connect(self._give)
        self._words = Words(theme, "token_words")
        self._words.say(ASKED)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP_PX)
        row.addWidget(self._field, 2)
        row.addWidget(self._use)
        row.addWidget(self._words, 3)
        self.hide()

    @Slot()
    def ask(self) -> None:
        """Let it be typed."""
        self.show()
        self._field.setFocus()

    @Slot()
    def _give(self) -> None:
        token = self._field.text().strip()
        self._words.say(HELD if token else ASKED)
        self.given.emit(token)
