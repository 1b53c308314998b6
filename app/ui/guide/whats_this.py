"""Answers "What's this?": of what the pointer is then put on, and of what the keyboard is on."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QTextDocumentFragment
from PySide6.QtWidgets import QApplication, QLabel, QWhatsThis, QWidget

from app.ui.widgets import Announcer


class WhatsThis(QObject):
    """Qt's own mode. The answers are given to the widgets when somebody asks: there are hundreds of them."""

    def join(self, act: QAction) -> None:
        """Its key asks for what the keyboard is on, in whichever window that is; its menu begins the mode."""
        act.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        act.installEventFilter(self)

    @Slot()
    def ask(self) -> None:
        """Of what is clicked next: that ends it, so nothing needs an answer but what is in sight now."""
        for widget in QApplication.allWidgets():
            if widget.isVisible():
                widget.setWhatsThis(answer(widget))
        QWhatsThis.enterWhatsThisMode()

    def ask_focused(self) -> None:
        """Of what the keyboard is on, or of the part of the window that this stands in."""
        focused = QApplication.focusWidget()
        widget = focused
        while widget is not None and not (words := answer(widget)):
            widget = widget.parentWidget() if not widget.isWindow() else None
        if widget is not None and focused is not None:
            Announcer(focused).say(QTextDocumentFragment.fromHtml(words).toPlainText())
            QWhatsThis.showText(focused.mapToGlobal(QPoint(0, focused.height())), words, focused)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Of the action alone: a key reaches it as a shortcut, the menu doesn't."""
        if event.type() == QEvent.Type.Shortcut:
            self.ask_focused()
            return True
        return False


def answer(widget: QWidget) -> str:
    """Its paragraph, or what is said of it anyway; what has neither leaves the answer to what it stands in."""
    # Imported when somebody asks: the paragraphs would keep the first paint waiting.
    from app.ui.guide.explanations import EXPLAINED

    known = EXPLAINED.get(widget.objectName())
    tip = widget.toolTip() or widget.accessibleDescription()
    if known is not None:
        return _words(known.name, known.text) + (tip if tip.startswith("<") else "")
    if tip.startswith("<"):
        return tip
    return _words(_name(widget), tip) if tip else ""


def _name(widget: QWidget) -> str:
    """A read-out's name goes on with its value."""
    name = widget.accessibleName()
    return name.partition(": ")[0] if isinstance(widget, QLabel) else name


def _words(name: str, text: str) -> str:
    lines = escape(text).replace("\n", "<br>")
    return f"<p><b>{escape(name)}</b></p><p>{lines}</p>" if name else f"<p>{lines}</p>"
