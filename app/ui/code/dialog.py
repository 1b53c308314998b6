"""The code of a run: the Python script and the command, side by side as tabs, each to be copied."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QTabWidget, QWidget

from app.i18n import tr
from app.ui.document.code_colours import CodeHighlighter
from app.ui.document.text_finds import TextFinds
from app.ui.look import GAP_PX, MARGIN_PX, Size, Theme
from app.ui.widgets import FindBar, PlainText, begin_window, button_row, in_column, named, plain_label, push_button
from app.ui.widgets.finder import Finder

FIRST_PX = (840, 640)
SMALLEST_PX = (420, 320)
COPY = tr("Copy")
COPIED = tr("Copied")


class CodeDialog(QDialog):
    """Stays open beside the window."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        begin_window(theme, self, "code_dialog", tr("Code"), FIRST_PX, SMALLEST_PX)
        self._about = _label(theme, "code_about")
        self._python = CodePage(theme, "code_python", tr("Python script"), "python")
        self._command = CodePage(theme, "code_command", tr("Command"), "bash")
        spoken = tr("Python or command")
        self._python.find_bar.take_keys(self)
        told = tr("The arrow keys go from tab to tab")
        self._tabs = named(QTabWidget(documentMode=True), "code_tabs", spoken, told=told)
        self._tabs.addTab(self._python, tr("&Python"))
        self._tabs.addTab(self._command, tr("&Command"))
        self._tabs.currentChanged.connect(self._offer_copy)
        tip = tr("Copy what this tab shows")
        self._copy = push_button("code_copy", COPY, tip, kind="primary", press=self._copy_shown)
        self._copy.setDefault(True)
        self._close = push_button("code_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        self._lay_out()

    def show_code(self, title: str, about: str, python: str, command: str, remarks: Sequence[str] = ()) -> None:
        """Whose code it is, and the code; `remarks` are about the command, or say why there is none."""
        self.setWindowTitle(title)
        self._about.setText(about)
        self._about.setVisible(bool(about))
        self._python.show_code(python)
        self._command.show_code(command, remarks)
        self._offer_copy()

    def _lay_out(self) -> None:
        buttons = button_row(self._close, self._copy)
        in_column(self._about, (self._tabs, 1), buttons, on=self, margins=MARGIN_PX)

    def _shown(self) -> str:
        return (self._python, self._command)[self._tabs.currentIndex()].text()

    @Slot()
    def _offer_copy(self) -> None:
        self._copy.setText(COPY)
        self._copy.setEnabled(bool(self._shown()))

    @Slot()
    def _copy_shown(self) -> None:
        """The button says that it was done: nothing else of a copy can be seen."""
        QGuiApplication.clipboard().setText(self._shown())
        self._copy.setText(COPIED)


class CodePage(QWidget):
    """One text of code with what has to be said about it."""

    def __init__(self, theme: Theme, name: str, title: str, language: str, wraps: bool = False) -> None:
        super().__init__()
        self._remarks = _label(theme, f"{name}_remarks")
        tip = tr("{title}, to be selected and copied").format(title=title)
        text = PlainText(readOnly=True, tabChangesFocus=True)
        self._text = named(text, name, title, tip, font=theme.font(Size.NORMAL, mono=True))
        if not wraps:
            self._text.setLineWrapMode(PlainText.LineWrapMode.NoWrap)
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._colours = CodeHighlighter(theme, self._text.document(), language)
        self.find_bar = FindBar(theme, name, tr("Find in the code"))
        Finder(self.find_bar, TextFinds(theme, self._text))
        whole = in_column(self._remarks, self.find_bar, (self._text, 1), on=self, margins=(0, GAP_PX, 0, 0))
        whole.addStretch()

    def text(self) -> str:
        return self._text.toPlainText()

    def show_code(self, text: str, remarks: Sequence[str] = ()) -> None:
        self._text.setPlainText(text)
        self._text.setVisible(bool(text))
        self._remarks.setText("\n".join(remarks))
        self._remarks.setVisible(bool(remarks))


class TemplateDialog(QDialog):
    """The chat template of a model, as it stands in its files."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        begin_window(theme, self, "template_dialog", tr("Chat template"), FIRST_PX, SMALLEST_PX)
        self._page = CodePage(theme, "template_text", tr("Chat template"), "jinja", wraps=True)
        tip = tr("Copy the whole template")
        copy = push_button("template_copy", COPY, tip, kind="primary", press=self._copy_all)
        close = push_button("template_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        in_column((self._page, 1), button_row(close, copy), on=self, margins=MARGIN_PX)

    def show_template(self, model: str, template: str) -> None:
        self.setWindowTitle(tr("Chat template of {model}").format(model=model))
        self._page.show_code(template)

    @Slot()
    def _copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self._page.text())


def _label(theme: Theme, name: str) -> QLabel:
    """Text as it stands: it may quote a model's template."""
    return plain_label(name, font=theme.font(Size.NORMAL), muted=True, wraps=True, selectable=True)
