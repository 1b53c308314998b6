"""Windows as one would write them: the least that shows an answer, and one without any care."""

import statistics
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QProgressBar, QTextEdit, QVBoxLayout, QWidget

from app.bridge.worker import EngineFactory, Worker
from app.engine.protocol import StopFlag
from app.engine.types import ENDLESS, Limits, LoadRequest, RawPrompt, Request, Token
from tests.bench.window_stage import wait

ANSWER_TOKENS = 1_000
UNENDING = Request(RawPrompt(""), limits=Limits(ENDLESS))


class NaiveWindow(QWidget):
    """A field of plain text alone, to which one queued signal for each token appends."""

    def __init__(self) -> None:
        super().__init__()
        self.resize(1200, 800)
        self.text = QPlainTextEdit()
        QVBoxLayout(self).addWidget(self.text)

    @Slot(object)
    def take(self, token: Token) -> None:
        self.text.moveCursor(QTextCursor.MoveOperation.End)
        self.text.insertPlainText(token.text)
        self.text.ensureCursorVisible()


class CarelessWindow(QWidget):
    """With each token all of the formatted answer is set anew, and the whole curve, as in many chats.

    Qt lays out and paints beside the interpreter; that the mean is of all speeds, each time, holds it for certain.
    """

    def __init__(self) -> None:
        import pyqtgraph as pg  # at rest no window has it, so no other part is to be measured with it

        super().__init__()
        self.resize(1200, 800)
        self._text = QTextEdit()
        self._plot = pg.PlotWidget()
        self._curve = self._plot.plot([], [])
        self._label = QLabel()
        self._bar = QProgressBar()
        column = QVBoxLayout(self)
        for widget in (self._text, self._plot, self._label, self._bar):
            column.addWidget(widget)
        self._answer = ""
        self._times: list[float] = []
        self._speeds: list[float] = []

    @Slot(object)
    def take(self, token: Token) -> None:
        self._answer = token.text if token.index % ANSWER_TOKENS == 0 else self._answer + token.text
        self._text.setMarkdown(self._answer)
        self._text.moveCursor(QTextCursor.MoveOperation.End)
        self._text.ensureCursorVisible()
        self._times.append(token.at)
        self._speeds.append(1.0 / max(1e-6, token.at - self._times[-2]) if len(self._times) > 1 else 0.0)
        self._curve.setData(self._times, self._speeds)
        self._label.setText(f"{statistics.mean(self._speeds):.1f} tok/s")
        self._bar.setValue(token.index % 100)


class NaiveStage(QObject):
    """Such a window on the program's own worker."""

    _wanted = Signal(object, object)
    _load = Signal(object, object)
    _close = Signal()

    def __init__(self, factory: EngineFactory, window: NaiveWindow | CarelessWindow, model: str = "naive") -> None:
        super().__init__()
        self.window = window
        self._model = model
        self._stop = StopFlag()
        self._thread = QThread()
        self._worker = Worker(factory)
        self._worker.moveToThread(self._thread)
        self._thread.started.connect(self._worker.open)
        self._load.connect(self._worker.load)
        self._wanted.connect(self._worker.run)
        self._close.connect(self._worker.close)
        self.responded = self._worker.responded
        self.responded.connect(self.window.take, Qt.ConnectionType.QueuedConnection)

    def open(self) -> None:
        self.window.show()
        self._thread.start()
        self._load.emit(LoadRequest(self._model), StopFlag())

    def begin(self, request: Request = UNENDING) -> Callable[[], None]:
        """One run; what is returned lets the window live to its end."""
        self._stop = StopFlag()
        ended = wait(self._worker.finished)
        self._wanted.emit(request, self._stop)
        return ended

    def ask(self) -> None:
        """The run to end."""
        self._stop.ask()

    def close(self) -> None:
        self._close.emit()
        self._thread.wait()
        self.window.close()
