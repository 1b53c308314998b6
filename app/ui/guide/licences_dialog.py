"""Whose work the program is made of: a list of all parts, and the licence of the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.licences import Licence
from app.ui.look.sizes import open_at, scaled
from app.ui.look.theme import GAP_PX, MARGIN_PX, MUTED_ROLE, Size, Theme
from app.words import tr

FIRST_PX = (860, 600)
SMALLEST_PX = (560, 320)
LIST_PX = 250
LOOKING = tr("Looking at what is installed …")


class LicencesDialog(QDialog):
    """Stays open beside the window."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("licences_dialog")
        self.setAccessibleName(tr("Licences"))
        self.setWindowTitle(tr("Licences"))
        open_at(theme, self, *FIRST_PX)
        self.setMinimumSize(*SMALLEST_PX)
        self._parts: tuple[Licence, ...] = ()
        self._about = QLabel(LOOKING)
        self._about.setObjectName("licences_about")
        self._about.setWordWrap(True)
        self._about.setForegroundRole(MUTED_ROLE)
        self._names = QListWidget()
        self._names.setObjectName("licences_parts")
        self._names.setAccessibleName(tr("Parts of Sluice"))
        self._names.setToolTip(tr("Everything that Sluice is made of, with its licence"))
        scaled(theme, self._names, QWidget.setFixedWidth, LIST_PX)
        self._names.currentRowChanged.connect(self._show_part)
        self._text = QPlainTextEdit()
        self._text.setObjectName("licences_text")
        self._text.setAccessibleName(tr("Licence text"))
        self._text.setToolTip(tr("The text of the licence, to be selected and copied"))
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setFont(theme.font(Size.SMALL, mono=True))
        self._close = QPushButton(tr("Close"))
        self._close.setObjectName("licences_close")
        self._close.setAccessibleName(tr("Close"))
        self._close.setToolTip(tr("Close (Esc)"))
        self._close.clicked.connect(self.close)
        self._lay_out()

    def show_parts(self, parts: Sequence[Licence]) -> None:
        """All of them; the first one is chosen."""
        self._parts = tuple(parts)
        self._about.setText(
            tr(
                "Sluice carries %n parts that others made. Each stays under the licence of its makers.",
                "Sluice carries %n part that others made. It stays under the licence of its makers.",
                len(parts) - 1,
            )
        )
        self._names.clear()
        for part in self._parts:
            self._names.addItem(" ".join(filter(None, (part.name, part.version))))
        self._names.setCurrentRow(0)
        self._names.setFocus(Qt.FocusReason.OtherFocusReason)

    def say(self, text: str) -> None:
        """Instead of parts."""
        self._about.setText(text)

    def _lay_out(self) -> None:
        middle = QHBoxLayout()
        middle.setSpacing(GAP_PX)
        middle.addWidget(self._names)
        middle.addWidget(self._text, 1)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(MARGIN_PX, MARGIN_PX, MARGIN_PX, MARGIN_PX)
        whole.setSpacing(GAP_PX)
        whole.addWidget(self._about)
        whole.addLayout(middle, 1)
        whole.addLayout(buttons)

    @Slot(int)
    def _show_part(self, row: int) -> None:
        if 0 <= row < len(self._parts):
            part = self._parts[row]
            self._text.setPlainText(f"{part.name} {part.version}\n{part.licence}\n\n{part.text}")
