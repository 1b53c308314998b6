"""The program with the scripted engine: started, used and started again in one folder."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.__main__ import build
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.types import ENDLESS, Limits
from app.records.journal import Journal
from app.records.types import SessionInfo
from app.state import Phase, State
from app.ui.conversation.transcript import Transcript
from app.ui.sessions import SessionsColumn
from app.ui.shell.main_window import MainWindow
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.desk import QUICK, Widget, act, button, named


class Program:
    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.folder = folder
        self.windows: list[MainWindow] = []

    @property
    def window(self) -> MainWindow:
        return self.windows[-1]

    @property
    def state(self) -> State:
        return self.window.playground.state

    @property
    def journal(self) -> Journal:
        """The journal, with everything written."""
        journal = self.window.playground.book.journal
        assert journal is not None and journal.flush()
        return journal

    @property
    def prompt(self) -> QPlainTextEdit:
        return self.find(QPlainTextEdit, "prompt")

    @property
    def column(self) -> SessionsColumn:
        return self.find(SessionsColumn, "sessions")

    @property
    def page(self) -> str:
        return self.find(Transcript, "transcript").plain_text()

    def find(self, kind: type[Widget], name: str) -> Widget:
        return named(self.window, kind, name)

    def show(self, knobs: EchoOptions = QUICK) -> MainWindow:
        window = build(["--data-dir", str(self.folder), "--engine", "echo"], lambda _collect: EchoEngine(knobs))
        self.windows.append(window)
        self.qtbot.addWidget(window)
        window.show()
        return window

    def go(self) -> None:
        """Start with the endless engine, and send a prompt."""
        self.show(ENDLESS_TEXT)
        self.until(lambda: self.state.phase is Phase.READY)
        self.window.playground.set_controls(replace(self.state.controls, limits=Limits(ENDLESS)))
        self.prompt.setPlainText("Go")
        button(self.window, "send").click()

    def start(self, knobs: EchoOptions = QUICK) -> None:
        ready: list[bool] = []
        self.show(knobs).playground.book.ready.connect(lambda: ready.append(True))
        self.until(lambda: bool(ready) and self.state.phase is Phase.READY and not self.state.opening)

    def quit(self) -> None:
        assert self.window.close()

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition)

    def send(self, text: str) -> None:
        self.prompt.setPlainText(text)
        button(self.window, "send").click()
        self.until(lambda: self.state.phase is Phase.READY)

    def act(self, name: str) -> None:
        action = act(self.window, name)
        assert action.isEnabled(), name
        action.trigger()

    def listed(self) -> tuple[SessionInfo, ...]:
        return self.journal.sessions.rows()

    def open(self, session: int) -> None:
        self.column.opened.emit(session)
        self.until(lambda: self.state.session == session and not self.state.opening)

    def select(self, session: int) -> None:
        def selected() -> bool:
            self.column.list.select(session)
            return self.column.list.current() == session

        self.until(selected)
