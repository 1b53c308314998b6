"""The license window: a list of the bundled software, and the license of the selected one."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QListWidget, QWidget

from app.i18n import tr
from app.platform.licenses import Licence
from app.ui.look import MARGIN_PX, Size, Theme, scaled
from app.ui.widgets import PlainText, begin_window, button_row, in_column, in_row, named, plain_label, push_button

FIRST_PX = (860, 600)
SMALLEST_PX = (560, 320)
LIST_PX = 250
LOOKING = tr("Reading the list of installed software…")


class LicencesDialog(QDialog):
    """The license window, which isn't modal."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        begin_window(theme, self, "licences_dialog", tr("Licenses"), FIRST_PX, SMALLEST_PX)
        self._parts: tuple[Licence, ...] = ()
        self._about = plain_label("licences_about", LOOKING, muted=True, wraps=True)
        tip = tr("All bundled software, with its license")
        self._names = named(QListWidget(), "licences_parts", tr("Parts of Sluice"), tip)
        scaled(theme, self._names, QWidget.setFixedWidth, LIST_PX)
        self._names.currentRowChanged.connect(self._show_part)
        tip, font = tr("Text of the license, which can be selected and copied"), theme.font(Size.SMALL, mono=True)
        text = PlainText(readOnly=True, tabChangesFocus=True)
        self._text = named(text, "licences_text", tr("License text"), tip, font=font)
        below = button_row(push_button("licences_close", tr("Close"), tr("Close (Esc)"), press=self.close))
        in_column(self._about, (in_row(self._names, (self._text, 1)), 1), below, on=self, margins=MARGIN_PX)

    def show_parts(self, parts: Sequence[Licence]) -> None:
        """Show the bundled software and select the first entry."""
        self._parts = tuple(parts)
        self._about.setText(
            tr(
                "Sluice contains %n parts by others. Each keeps its own license.",
                "Sluice contains %n part by others. It keeps its own license.",
                len(parts) - 1,
            )
        )
        self._names.clear()
        for part in self._parts:
            self._names.addItem(" ".join(filter(None, (part.name, part.version))))
        self._names.setCurrentRow(0)
        self._names.setFocus(Qt.FocusReason.OtherFocusReason)

    def say(self, text: str) -> None:
        """Show a message in place of the list."""
        self._about.setText(text)

    def _show_part(self, row: int) -> None:
        if 0 <= row < len(self._parts):
            part = self._parts[row]
            self._text.setPlainText(f"{part.name} {part.version}\n{part.licence}\n\n{part.text}")
