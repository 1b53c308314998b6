"""The real main window on an engine of the measurement's choosing, without a screen."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer, SignalInstance, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit

from app.__main__ import build
from app.bridge.worker import EngineFactory
from app.controls import Controls
from app.engine.meter.meter import Frame
from app.engine.types import ENDLESS, KV, Limits, Sampling
from app.state import Phase, Run
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import AnswerView

Part = TypeVar("Part", bound=QObject)

PATIENCE_S = 120
ENDLESSLY = Controls(sampling=Sampling(temperature=0.0), limits=Limits(ENDLESS), kv=KV(reuse=False), seed=1)


class Stage(QObject):
    """One window. `factory` makes its engine, None: mlx-lm's; it loads the bundled model or, if not, a made-up one."""

    def __init__(self, factory: EngineFactory | None = None, bundled: bool = True) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        kind = "mlx" if bundled else "echo"
        self.window = build(["--data-dir", self._folder.name, "--engine", kind], factory)
        self.playground = self.window.playground
        self.runs: list[Run] = []
        self.tokens = 0
        self.prefilled = 0
        """How far the present run has come."""
        self.playground.finished.connect(self._note_run)
        self.playground.advanced.connect(self._note_frame)

    @property
    def transcript(self) -> Transcript:
        return self._part(Transcript, "transcript")

    @property
    def stop_button(self) -> QAbstractButton:
        return self._part(QAbstractButton, "stop")

    def open(self) -> None:
        """Up, with a model."""
        self.window.show()
        self.until_phase(Phase.READY)

    def show(self, view: AnswerView) -> None:
        """As a user chooses it."""
        self._part(QAction, f"action_view_{view.value}").trigger()

    def until_phase(self, phase: Phase) -> None:
        self.until(self.playground.changed, lambda: self.playground.state.phase is phase)

    def send(self, text: str = "Tell me all about rivers.", controls: Controls = ENDLESSLY) -> None:
        """Type and press, as a user would; an end token is made so unlikely that it never comes."""
        model = self.playground.state.model
        assert model is not None
        bias = tuple((token, -100.0) for token, _ in model.eos)
        sampling = replace(controls.sampling, logit_bias=bias)
        self.playground.set_controls(replace(controls, sampling=sampling if bias else controls.sampling))
        self.tokens = self.prefilled = 0
        self._part(QPlainTextEdit, "prompt").setPlainText(text)
        self._part(QAbstractButton, "send").click()
        if self.playground.state.phase is Phase.READY:
            raise RuntimeError("The prompt was not sent.")

    def until_finished(self) -> Run:
        """The run that is going on, when it is over."""
        self.until(self.playground.changed, lambda: self.playground.state.phase is Phase.READY)
        return self.runs[-1]

    def stop(self) -> Run:
        self.playground.stop()
        return self.until_finished()

    def until(self, signal: SignalInstance, condition: Callable[[], bool]) -> None:
        """Let the window live until the condition holds at the time of the signal."""
        if not condition():
            wait(signal, condition)()

    def timers(self) -> list[QTimer]:
        """All of the program's timers that are running."""
        owners: tuple[QObject, ...] = (self.playground, self.window)
        return [timer for owner in owners for timer in owner.findChildren(QTimer) if timer.isActive()]

    def close(self) -> None:
        self.window.close()
        self.window.deleteLater()  # or it would be dressed with each window that comes after it
        self._folder.cleanup()

    @Slot(object)
    def _note_run(self, run: Run) -> None:
        self.runs.append(run)

    @Slot(object)
    def _note_frame(self, frame: Frame) -> None:
        self.tokens = frame.metrics.tokens
        self.prefilled = frame.prefill.done if frame.prefill is not None else 0

    def _part(self, kind: type[Part], name: str) -> Part:
        part = self.window.findChild(kind, name)
        assert part is not None, name
        return part


def wait(signal: SignalInstance, condition: Callable[[], bool] = lambda: True) -> Callable[[], None]:
    """Begin to listen; what is returned lets the window live until the condition holds at the time of the signal."""
    waiting = _Waiting(condition)
    signal.connect(waiting.check)

    def until() -> None:
        waiting.wait(PATIENCE_S)
        signal.disconnect(waiting.check)
        if not waiting.over:
            raise TimeoutError("What was waited for did not come.")

    return until


def live(seconds: float) -> None:
    """Let the window live for so long."""
    _Waiting(lambda: False).wait(seconds)


class _Waiting(QObject):
    """An event loop that ends when a condition holds or the time is over."""

    def __init__(self, condition: Callable[[], bool]) -> None:
        super().__init__()
        self.over = False
        self._condition = condition
        self._loop = QEventLoop()

    @Slot()
    @Slot(object)
    @Slot(object, object)
    def check(self, *_said: object) -> None:
        """Belongs to the window's thread, so a signal of the worker's is queued to it."""
        if self._condition():
            self.over = True
            self._loop.quit()

    def wait(self, seconds: float) -> None:
        timer = QTimer()
        timer.setSingleShot(True)
        timer.timeout.connect(self._loop.quit)
        timer.start(round(seconds * 1000))
        if not self.over:
            self._loop.exec()
        timer.stop()


class PaintWatch(QObject):
    """Calls `painted` when a widget has just been painted."""

    def __init__(self, widget: QObject, painted: Callable[[], None]) -> None:
        super().__init__(widget)
        self._painted = painted
        self._within = False
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Paint or self._within:
            return False
        self._within = True
        QApplication.sendEvent(watched, event)
        self._within = False
        self._painted()
        return True
