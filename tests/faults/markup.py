"""Puts markup wherever the window shows a text, and looks whether Qt takes it for more than that."""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, QUrl
from PySide6.QtGui import Qt, QTextDocument
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QMessageBox,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from app.engine.types import LoadRequest
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import View
from tests.faults.hostile import MARKUP
from tests.faults.parrot import REFUSED, Parrot
from tests.faults.soak.parts import act, part
from tests.faults.windows import Scene, scene

SIGN = "<img"
MOST_COLUMNS = 40
MOST_ROWS = 30
TIPS = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.WhatsThisRole)
OPENED = (
    *("show_runs", "show_branches", "view_code", "experiment_sampling", "show_tables", "stop_steps"),
    *("report_problem", "about"),
)
LINK = f"https://example.invalid/\u202e{MARKUP}"


def seen_as_markup() -> list[str]:
    """Where it is shown as what it says."""
    with tempfile.TemporaryDirectory() as folder, scene(Path(folder), lambda: Parrot(MARKUP)) as made:
        return list(dict.fromkeys(_walk(made)))


def _walk(made: Scene) -> Iterator[str]:
    window = made.window
    controls = made.state.controls
    limits = replace(controls.limits, stop_strings=(f"never {MARKUP}",))
    made.playground.set_controls(replace(controls, system=MARKUP, observe=5, reply_start="", limits=limits))
    made.say(MARKUP)
    made.playground.regenerate()
    made.until_ready()
    made.say(f"# {MARKUP}\n\n![{MARKUP}](http://example.invalid/i.png)\n\n| {MARKUP} | b |\n| - | - |\n| c | d |\n")
    made.journal.sessions.rename(made.state.session, MARKUP)
    window._parts.sessions.search.setText("bold")
    for name in ("toggle_inspector", "toggle_exact_prompt"):
        if not act(window, name).isChecked():
            act(window, name).trigger()
    page = part(window, Transcript, "transcript")
    for view in View:
        page.set_view(view)
        made.live(150)
        yield from _looked(f"{view.value} view")
    for name in OPENED:
        act(window, name).trigger()
        made.live(150)
        yield from _looked(name)
        if (front := QApplication.activeModalWidget()) is not None:
            front.close()
    page.anchorClicked.emit(QUrl(LINK))
    made.live(50)
    yield from _looked("link")
    if (front := QApplication.activeModalWidget()) is not None:
        if isinstance(front, QMessageBox) and "\u202e" in front.informativeText():
            yield "the address of a link turns its direction"
        front.close()
    made.playground.load(LoadRequest(REFUSED + MARKUP))
    made.until_settled()
    yield from _looked("failure")


def _looked(place: str) -> Iterator[str]:
    for widget in QApplication.allWidgets():
        for what in _wrong_in(widget):
            yield f"{place}: {what} of {type(widget).__name__} “{widget.objectName()}”"


def _wrong_in(widget: QWidget) -> Iterator[str]:
    for name, text in (
        ("tooltip", widget.toolTip()),
        ("What's This", widget.whatsThis()),
        ("status", widget.statusTip()),
    ):
        if _is_rich(text):
            yield name
    if isinstance(widget, QLabel):
        rich = widget.textFormat() in (Qt.TextFormat.RichText, Qt.TextFormat.MarkdownText)
        auto = widget.textFormat() is Qt.TextFormat.AutoText and _is_rich(widget.text())
        if auto or (rich and SIGN in widget.text()):
            yield "text"
    if isinstance(widget, QMessageBox) and widget.textFormat() is not Qt.TextFormat.PlainText and _box_is_rich(widget):
        yield "text"
    if isinstance(widget, QTextEdit | QPlainTextEdit) and _has_image(widget.document()):
        yield "image"
    if isinstance(widget, QAbstractItemView | QComboBox) and any(map(_is_rich, _tips(widget.model()))):
        yield "tooltip of a row"


def _is_rich(text: str) -> bool:
    return SIGN in text and Qt.mightBeRichText(text)


def _has_image(document: QTextDocument) -> bool:
    return any(form.isImageFormat() for form in document.allFormats())


def _box_is_rich(box: QMessageBox) -> bool:
    return _is_rich(box.text()) or _is_rich(box.informativeText())


def _tips(model: QAbstractItemModel | None) -> Iterator[str]:
    if model is None:
        return
    for row in range(min(model.rowCount(), MOST_ROWS)):
        for column in range(MOST_COLUMNS):
            if (index := model.index(row, column)).isValid():
                yield from (str(index.data(role) or "") for role in TIPS)
