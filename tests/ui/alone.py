"""A window with a few features of the program."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from app.actions import BY_NAME
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import LoadRequest
from app.platform.shutdown import deadline
from app.state import Phase
from app.ui.feature import Feature
from app.ui.widgets.rows import in_column

AnyFeature = TypeVar("AnyFeature", bound=Feature)


class Alone(QMainWindow):
    """Shows widgets and runs features on a playground, as the main window does with all of them."""

    def __init__(self, qtbot: QtBot, playground: Playground) -> None:
        super().__init__()
        self.qtbot = qtbot
        self.playground = playground
        self._features: list[Feature] = []
        self._left = False
        qtbot.addWidget(self)
        self.resize(1200, 800)
        self.show()

    def put(self, *parts: QWidget) -> None:
        holder = QWidget()
        in_column(*parts, on=holder)
        self.setCentralWidget(holder)

    def add(self, feature: AnyFeature, *others: str) -> AnyFeature:
        """Run a feature with its actions; `others` are actions of features that aren't here."""
        self._features.append(feature)
        for name, intent in (dict.fromkeys(others, lambda: None) | feature.actions()).items():
            action = QAction(BY_NAME[name].text, self, checkable=BY_NAME[name].checkable)
            action.setObjectName(f"action_{name}")
            action.triggered.connect(lambda _checked=False, intent=intent: intent())
            self.addAction(action)
        feature.set_actions({each.objectName().removeprefix("action_"): each for each in self.actions()})
        return feature

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition)

    def until_phase(self, phase: Phase) -> None:
        self.until(lambda: self.playground.state.phase is phase)

    def open_model(self, name: str = "echo") -> None:
        """Open a model again, for features that follow the model."""
        assert self.playground.load(LoadRequest(name))
        self.until_phase(Phase.READY)

    def send(self, text: str) -> None:
        assert self.playground.send(text)
        self.until_phase(Phase.READY)

    def leave(self) -> None:
        """Close the window with its features, in the order in which the main window does that."""
        if self._left:
            return
        self._left = True
        self.close()
        for feature in self._features:
            feature.close()
            for tasks in feature.findChildren(Tasks):
                tasks.close()
        self.playground.close()
        for feature in self._features:
            feature.discard()
        assert all(each.wait_for_writes(deadline()) for each in self.findChildren(Tasks))
