"""Opens main windows with the scripted engine, and finds their parts."""

from typing import TypeVar

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.bridge.playground import Playground
from app.engine.crash_guard import UnfinishedStep
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.files.settings import Settings
from app.platform.shutdown import deadline
from app.state import Phase
from app.ui.interpretability.controller import InterpretabilityPage
from app.ui.look.theme import Theme
from app.ui.shell.features import DataPaths
from app.ui.shell.main_window import MainWindow
from tests.patience import WAIT_S

Widget = TypeVar("Widget", bound=QWidget)
QUICK = EchoOptions(tokens_per_second=0, prefill_per_second=0, load_seconds=0)


class Desk:
    """Opens windows, and records the settings that they save."""

    def __init__(self, qtbot: QtBot, theme: Theme) -> None:
        self.qtbot = qtbot
        self.theme = theme
        self.paths: DataPaths | None = None
        self.windows: list[MainWindow] = []
        self._kept: list[Settings] = []

    @property
    def kept(self) -> list[Settings]:
        """The saved settings; another thread saves them."""
        assert all(window._saving.wait(deadline(WAIT_S)) for window in self.windows)
        return self._kept

    def open(
        self,
        settings: Settings | None = None,
        knobs: EchoOptions = QUICK,
        notice: str = "",
        start: str = "echo",
        unfinished: UnfinishedStep | None = None,
        engine: type[EchoEngine] = EchoEngine,
    ) -> MainWindow:
        playground = Playground(lambda _collect: engine(knobs))
        window = MainWindow(
            playground,
            self.theme,
            settings or Settings(),
            self._kept.append,
            start=start,
            notice=notice,
            paths=self.paths,
            unfinished=unfinished,
        )
        self.windows.append(window)
        self.qtbot.addWidget(window)
        window.show()
        return window

    def ready(self, settings: Settings | None = None, knobs: EchoOptions = QUICK) -> MainWindow:
        window = self.open(settings, knobs)
        self.until(window, Phase.READY)
        return window

    def until(self, window: MainWindow, phase: Phase) -> None:
        self.qtbot.waitUntil(lambda: window.playground.state.phase is phase)

    def send(self, window: MainWindow, text: str) -> None:
        named(window, QPlainTextEdit, "prompt").setPlainText(text)
        button(window, "send").click()
        self.qtbot.waitUntil(lambda: window.playground.state.phase is Phase.READY)


def named(window: QWidget, kind: type[Widget], name: str) -> Widget:
    found = window.findChild(kind, name)
    assert found is not None, f"no {kind.__name__} is called {name}"
    return found


def button(window: QWidget, name: str) -> QAbstractButton:
    return named(window, QAbstractButton, name)


def words(window: QWidget, name: str) -> str:
    """Return the text of a label."""
    return named(window, QLabel, name).text()


def make_pages(window: MainWindow) -> None:
    """Make the page that is made when it is first shown."""
    named(window, InterpretabilityPage, "inside").make()


def act(window: QWidget, name: str) -> QAction:
    return next(each for each in window.actions() if each.objectName() == f"action_{name}")
