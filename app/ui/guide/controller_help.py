"""The Help menu: links, problem reports, About, and the licenses of the bundled software."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QListWidget, QMessageBox, QWidget

from app import PROBLEMS_PAGE, RELEASES_PAGE, __version__
from app.actions import Intent
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.i18n import tr
from app.platform.packages import mlx_backend
from app.records.run_environment import versions
from app.ui.feature import Feature
from app.ui.look import MARGIN_PX, Size, Theme, scaled
from app.ui.widgets import (
    LazyWindow,
    PlainText,
    begin_window,
    button_row,
    in_column,
    in_row,
    named,
    plain_label,
    push_button,
)

if TYPE_CHECKING:
    from app.platform.licenses import ComponentLicense

LONGEST_ADDRESS = 2_000
"""Maximum length in characters of a displayed address; a much longer one would make the box taller than the screen."""
BEGINNING = 200
QT_NAME, LINE_LETTERS = "qt_msgbox_informativelabel", 56
"""Name of the text label in Qt's message box, and its minimum width in characters. Qt makes it as narrow as the title.
"""
FIRST_PX = (860, 600)
SMALLEST_PX = (560, 320)
LIST_PX = 250


class HelpController(Feature):
    """Opens addresses in the browser after confirmation. Sluice itself makes no request."""

    ahead = ("app.platform.licenses", "app.records.problem_report")

    def __init__(self, playground: Playground, theme: Theme, resources: Path | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._resources = resources or Path()
        self._window = parent
        self._tasks = Tasks(self)
        self._failure: Failure | None = None
        self._licenses = LazyWindow(self._make_licenses)
        playground.failed.connect(self._remember)

    def actions(self) -> dict[str, Intent]:
        return {
            "check_updates": partial(open_link, self._window, RELEASES_PAGE),
            "report_problem": self.report_problem,
            "licences": self._licenses.bring_up,
        }

    def report_problem(self) -> None:
        self._tasks.start(self._show_report(), "versions")

    def _make_licenses(self) -> LicensesDialog:
        dialog = LicensesDialog(self._theme, self._window)
        self._tasks.start(self._show_parts(dialog))
        return dialog

    def _remember(self, failure: Failure) -> None:
        self._failure = failure

    async def _show_report(self) -> None:
        from app.records.problem_report import report

        text = report(await self._tasks.in_thread(versions), self._failure)
        QGuiApplication.clipboard().setText(text)
        show_report(self._window, text, PROBLEMS_PAGE)

    async def _show_parts(self, dialog: LicensesDialog) -> None:
        from app.platform import licenses

        texts, own = self._resources / "licences", self._resources.parent / "LICENSE"
        answer = await self._tasks.try_in_thread(licenses.everything, texts, own)
        if isinstance(answer, Failure):
            dialog.say(tr("The licenses could not be read. {todo}").format(todo=answer.todo))
        else:
            dialog.show_parts(answer)


class LicensesDialog(QDialog):
    """A list of the bundled software, and the license of the selected one. The window isn't modal."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        begin_window(theme, self, "licences_dialog", tr("Licenses"), FIRST_PX, SMALLEST_PX)
        self._parts: tuple[ComponentLicense, ...] = ()
        words = tr("Reading the list of installed software…")
        self._about = plain_label("licences_about", words, muted=True, wraps=True)
        tip = tr("All bundled software, with its license")
        self._names = named(QListWidget(), "licences_parts", tr("Parts of Sluice"), tip)
        scaled(theme, self._names, QWidget.setFixedWidth, LIST_PX)
        self._names.currentRowChanged.connect(self._show_part)
        tip, font = tr("Text of the license, which can be selected and copied"), theme.font(Size.SMALL, mono=True)
        text = PlainText(readOnly=True, tabChangesFocus=True)
        self._text = named(text, "licences_text", tr("License text"), tip, font=font)
        below = button_row(push_button("licences_close", tr("Close"), tr("Close (Esc)"), press=self.close))
        in_column(self._about, (in_row(self._names, (self._text, 1)), 1), below, on=self, margins=MARGIN_PX)

    def show_parts(self, parts: Sequence[ComponentLicense]) -> None:
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
            self._text.setPlainText(f"{part.name} {part.version}\n{part.license}\n\n{part.text}")


def open_link(parent: QWidget, address: str) -> None:
    """Ask before opening an address, since it may be written by a model."""
    title, buttons = tr("Open a Link"), QMessageBox.StandardButton
    if len(address) > LONGEST_ADDRESS:
        words = tr("This address is too long to be shown, so it is not opened.")
        box = _box(parent, title, words, f"{address[:BEGINNING]}…")
        box.setStandardButtons(buttons.Close)
    else:
        box = _box(parent, title, tr("Open this address in the browser?"), address)
        box.setStandardButtons(buttons.Open | buttons.Cancel)
        box.accepted.connect(partial(QDesktopServices.openUrl, QUrl(address)))
    box.open()


def show_report(parent: QWidget, report: str, address: str) -> None:
    """Show the report that was copied, so that the user can read it before sending."""
    text = tr("This is on the clipboard now. Nothing that you or a model wrote is in it. Paste it into a report.")
    question = tr("{report}\n\nOpen {address} in the browser?").format(report=report, address=address)
    box = named(_box(parent, tr("Report a Problem"), text, question), "report")
    box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Close)
    box.accepted.connect(partial(QDesktopServices.openUrl, QUrl(address)))
    box.open()


def show_about(parent: QWidget, device: str) -> None:
    """Show versions, backend and device. `device`: empty if unknown."""
    words = tr("A native playground for local language models, on mlx-lm.")
    computing = ", ".join(filter(None, (mlx_backend(), device)))
    _box(parent, tr("About Sluice"), f"Sluice {__version__}", f"{words}\n{computing}").open()


def _box(parent: QWidget, title: str, text: str, more: str) -> QMessageBox:
    box = QMessageBox(parent)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setInformativeText(more)
    for label in box.findChildren(QLabel, QT_NAME):
        label.setMinimumWidth(LINE_LETTERS * box.fontMetrics().averageCharWidth())
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box
