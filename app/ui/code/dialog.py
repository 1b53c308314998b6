"""Windows that show a run's script or a model's chat template."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from app.engine.types import Failure
from app.i18n import tr
from app.ui.document.code_colors import CodeHighlighter
from app.ui.document.text_finds import TextFinds
from app.ui.look import MARGIN_PX, Size, Theme
from app.ui.widgets import (
    FindBar,
    PlainText,
    begin_window,
    button_row,
    in_column,
    in_row,
    layout_widget,
    named,
    plain_label,
    push_button,
)
from app.ui.widgets.choices import SegmentedChoice
from app.ui.widgets.find_bar import Finder

FIRST_PX = (840, 640)
SMALLEST_PX = (420, 320)
COPY = tr("Copy")
COPIED = tr("Copied")
SAVE = tr("Save As…")
SAVED = tr("Saved")
FORMS = {"streaming": tr("Streaming"), "exact": tr("Exact text")}
FORM_TIPS = {
    "streaming": tr("Prints mlx-lm's text as it streams, then finish reason, speeds and peak memory"),
    "exact": tr("Prints at the end, with the same spaces and characters as in Sluice"),
}


class TextWindow(QDialog):
    """A window with one highlighted text and buttons. It stays open beside the main window."""

    save_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None,
        name: str,
        text_name: str,
        title: str,
        tip: str,
        above: QWidget | None = None,
    ) -> None:
        """`above`: a widget above the text."""
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
        self._save = push_button(f"{name}_save", SAVE, tr("Save as a file"), press=self.save_wanted)
        close = push_button(f"{name}_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        parts = (about, *((above,) if above is not None else ()), find_bar, (self.text, 1))
        in_column(*parts, button_row(close, self._save, self._copy), on=self, margins=MARGIN_PX)

    def show_text(self, title: str, text: str, about: str = "") -> None:
        self.setWindowTitle(title)
        self.about.setText(about)
        self.about.setVisible(bool(about))
        self._replace(text)

    def show_saved(self, failure: Failure | None) -> None:
        """Confirm that the text was saved, or show why not."""
        if failure is None:
            self._save.setText(SAVED)
        else:
            self.about.setText(failure.sentence)
            self.about.show()

    def _replace(self, text: str) -> None:
        self.text.setPlainText(text)
        self._copy.setText(COPY)
        self._save.setText(SAVE)

    def _copy_all(self) -> None:
        """Copy everything. The button confirms it, since a copy has no other visible effect."""
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self._copy.setText(COPIED)


class CodeDialog(TextWindow):
    """The Python script of a run, in two forms."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self._forms = SegmentedChoice("code_form", tr("Form of the script"), FORMS, FORM_TIPS)
        self._scripts = dict.fromkeys(FORMS, "")
        title, tip = tr("Python script"), tr("Copy the complete script")
        form_row = layout_widget(in_row(self._forms, ...))
        super().__init__(theme, parent, "code", "code_python", title, tip, form_row)
        self._forms.chosen.connect(lambda form: self._replace(self._scripts[form]))
        self.text.setLineWrapMode(PlainText.LineWrapMode.NoWrap)
        self._colors = CodeHighlighter(theme, self.text.document(), "python")

    def show_scripts(self, title: str, streaming: str, exact: str, about: str) -> None:
        """Show the chosen form. `streaming` is empty if the run can't be streamed."""
        self._scripts = {"streaming": streaming, "exact": exact}
        self._forms.allow("streaming", bool(streaming))
        if not streaming:
            self._forms.show_choice("exact")
        self.show_text(title, self._scripts[self._forms.choice], about)


class TemplateDialog(TextWindow):
    """The chat template of a model, from its files."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        tip = tr("Copy the complete template")
        super().__init__(theme, parent, "template", "template_text", tr("Chat template"), tip)
        self._colors = CodeHighlighter(theme, self.text.document(), "jinja")
