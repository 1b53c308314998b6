"""Windows that show a run's script or a model's chat template."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from app.i18n import tr
from app.ui.document.code_colors import CodeHighlighter
from app.ui.document.text_finds import TextFinds
from app.ui.look import MARGIN_PX, Size, Theme
from app.ui.widgets import FindBar, PlainText, begin_window, button_row, in_column, named, plain_label, push_button
from app.ui.widgets.find_bar import Finder

FIRST_PX = (840, 640)
SMALLEST_PX = (420, 320)
COPY = tr("Copy")
COPIED = tr("Copied")


class TextWindow(QDialog):
    """A window with one highlighted text and buttons. It stays open beside the main window."""

    def __init__(self, theme: Theme, parent: QWidget | None, name: str, text_name: str, title: str, tip: str) -> None:
        super().__init__(parent)
        begin_window(theme, self, f"{name}_dialog", title, FIRST_PX, SMALLEST_PX)
        about = plain_label(f"{name}_about", font=theme.font(Size.NORMAL), muted=True, wraps=True, selectable=True)
        self.about = about
        text_tip = tr("{title}: select and copy").format(title=title)
        text = PlainText(readOnly=True, tabChangesFocus=True)
        self.text = named(text, text_name, title, text_tip, font=theme.font(Size.NORMAL, mono=True))
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        find_bar = FindBar(theme, text_name, tr("Find in the code"))
        Finder(find_bar, TextFinds(theme, self.text))
        find_bar.take_keys(self)
        self._copy = push_button(f"{name}_copy", COPY, tip, kind="primary", press=self._copy_all)
        self._copy.setDefault(True)
        close = push_button(f"{name}_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        in_column(about, find_bar, (self.text, 1), button_row(close, self._copy), on=self, margins=MARGIN_PX)

    def show_text(self, title: str, text: str, about: str = "") -> None:
        self.setWindowTitle(title)
        self.about.setText(about)
        self.about.setVisible(bool(about))
        self.text.setPlainText(text)
        self._copy.setText(COPY)

    def _copy_all(self) -> None:
        """Copy everything. The button confirms it, since a copy has no other visible effect."""
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self._copy.setText(COPIED)


class CodeDialog(TextWindow):
    """The Python script of a run."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent, "code", "code_python", tr("Python script"), tr("Copy the complete script"))
        self.text.setLineWrapMode(PlainText.LineWrapMode.NoWrap)
        self._colors = CodeHighlighter(theme, self.text.document(), "python")


class TemplateDialog(TextWindow):
    """The chat template of a model, from its files."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        tip = tr("Copy the complete template")
        super().__init__(theme, parent, "template", "template_text", tr("Chat template"), tip)
        self._colors = CodeHighlighter(theme, self.text.document(), "jinja")
