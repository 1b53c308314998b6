"""A window with a few of the program's widgets and features, for tests of one feature that need no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import QMainWindow, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.actions import ACTIONS, Intent, create
from app.bridge.playground import Playground
from app.bridge.session_store import Opener
from app.bridge.tasks import Tasks
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.types import LoadRequest
from app.files.settings import Settings
from app.platform.shutdown import deadline
from app.records.journal import Journal
from app.state import Phase, State
from app.ui.feature import Feature
from app.ui.look.theme import Theme
from app.ui.shell.main_window import FailureNotice
from app.ui.widgets import NoticeBar, in_column
from tests.ui.desk import Widget, act, button, named

QUICK = EchoOptions(tokens_per_second=0, prefill_per_second=0, load_seconds=0)


class Rooms:
    """The rooms that a test opens."""

    def __init__(self, qtbot: QtBot, theme: Theme) -> None:
        self.qtbot = qtbot
        self.theme = theme
        self.opened: list[Room] = []

    def close(self) -> None:
        for room in self.opened:
            room.close()
        self.opened.clear()


class Room(QMainWindow):
    """Widgets and features on a playground with the scripted engine.

    `opener` opens the journal, which is in memory without one. A subclass makes the parts and passes them to `furnish`.
    """

    def __init__(
        self,
        rooms: Rooms,
        knobs: EchoOptions = QUICK,
        settings: Settings | None = None,
        *,
        engine: type[EchoEngine] = EchoEngine,
        opener: Opener | None = None,
    ) -> None:
        super().__init__()
        self.rooms = rooms
        self.opener = opener
        self.qtbot = rooms.qtbot
        self.theme = rooms.theme
        self.settings = settings or Settings()
        self.playground = Playground(lambda _collect: engine(knobs), opener=opener)
        self.playground.set_controls(self.settings.controls)
        self.notice = NoticeBar(self.theme)
        FailureNotice(self.playground, self.notice, _nothing, self)
        self.features: tuple[Feature, ...] = ()
        self.has_journal = False
        """The journal is open, or one in memory replaces it."""
        self.playground.book.ready.connect(self._note_ready)
        rooms.opened.append(self)
        rooms.qtbot.addWidget(self)

    def furnish(self, widgets: Iterable[QWidget], features: Iterable[Feature]) -> None:
        """Show the widgets one below the other, and join the features with all actions."""
        middle = QWidget()
        in_column(self.notice, *widgets, on=middle)
        self.setCentralWidget(middle)
        self.features = tuple(features)
        intents: dict[str, Intent] = {}
        for feature in self.features:
            intents |= feature.actions()
        actions = create(self, {each.name: _nothing for each in ACTIONS} | intents)
        for name in actions.keys() - intents.keys():
            actions[name].setShortcuts([])
        for feature in self.features:
            feature.set_actions(actions)
        for feature in self.features:
            feature.restore(self.settings)
        self.resize(1000, 700)
        self.show()

    def enter(self, until: Phase = Phase.READY, *, early: bool = False) -> None:
        """Open the journal and the scripted model. `early`: wait for neither."""
        self.playground.open()
        assert self.playground.load(LoadRequest("echo"))
        if not early:
            self.until_phase(until)
            self.until(lambda: self.has_journal and not self.state.opening)

    @property
    def state(self) -> State:
        return self.playground.state

    @property
    def journal(self) -> Journal:
        """The journal, with everything written."""
        journal = self.playground.book.journal
        assert journal is not None and journal.flush()
        return journal

    @property
    def kept(self) -> Settings:
        """The settings as the features leave them for the next start."""
        settings = self.settings
        for feature in self.features:
            settings = feature.updated_settings(settings)
        return settings

    def part(self, kind: type[Widget], name: str) -> Widget:
        return named(self, kind, name)

    def press(self, name: str) -> None:
        button(self, name).click()

    def act(self, name: str) -> QAction:
        return act(self, name)

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition)

    def until_phase(self, phase: Phase) -> None:
        self.until(lambda: self.state.phase is phase)

    def load(self, model: str, adapter: str | None = None) -> None:
        assert self.playground.load(LoadRequest(model, adapter=adapter))
        assert self.state.phase is Phase.LOADING
        self.until_phase(Phase.READY)

    def send(self, text: str = "Hello") -> None:
        """Send a prompt, by the prompt field if there is one, and wait for the answer."""
        if (prompt := self.findChild(QPlainTextEdit, "prompt")) is not None:
            prompt.setPlainText(text)
            self.press("send")
        else:
            assert self.playground.send(text)
        self.until_phase(Phase.READY)

    def _note_ready(self) -> None:
        self.has_journal = True

    def closeEvent(self, event: QCloseEvent) -> None:
        for feature in reversed(self.features):
            feature.close()
            for tasks in feature.findChildren(Tasks):
                tasks.close()
        self.playground.close(deadline())
        super().closeEvent(event)


def _nothing() -> None:
    """Stand in for a feature that isn't here."""
