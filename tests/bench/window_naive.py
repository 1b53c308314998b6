"""A window as one would write it without thinking: everything is redrawn for every token."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLabel, QProgressBar, QTextEdit, QVBoxLayout, QWidget

from app.bridge.worker import EngineFactory, Worker
from app.engine.protocol import StopFlag
from app.engine.types import ENDLESS, Limits, LoadRequest, RawPrompt, Request, Token
from tests.bench.window_stage import wait


class NaiveWindow(QWidget):
    """One queued signal for each token; each appends text, scrolls, and sets the whole curve anew."""

    def __init__(self) -> None:
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
        self._times: list[float] = []
        self._speeds: list[float] = []

    @Slot(object)
    def take(self, token: Token) -> None:
        self._text.moveCursor(QTextCursor.MoveOperation.End)
        self._text.insertPlainText(token.text)
        self._text.ensureCursorVisible()
        self._times.append(token.at)
        self._speeds.append(1.0 / max(1e-6, token.at - self._times[-2]) if len(self._times) > 1 else 0.0)
        self._curve.setData(self._times, self._speeds)
        self._label.setText(f"{self._speeds[-1]:.1f} tok/s")
        self._bar.setValue(token.index % 100)


class NaiveStage(QObject):
    """The naive window on the program's own worker."""

    _wanted = Signal(object, object)
    _load = Signal(object, object)
    _close = Signal()

    def __init__(self, factory: EngineFactory) -> None:
        super().__init__()
        self.window = NaiveWindow()
        self._thread = QThread()
        self._worker = Worker(factory)
        self._worker.moveToThread(self._thread)
        self._thread.started.connect(self._worker.open)
        self._load.connect(self._worker.load)
        self._wanted.connect(self._worker.run)
        self._close.connect(self._worker.close)
        self._worker.responded.connect(self.window.take, Qt.ConnectionType.QueuedConnection)

    def open(self) -> None:
        self.window.show()
        self._thread.start()
        self._load.emit(LoadRequest("naive"), StopFlag())

    def run(self) -> None:
        """One run, to its end."""
        ended = wait(self._worker.finished)
        self._wanted.emit(Request(RawPrompt(""), limits=Limits(ENDLESS)), StopFlag())
        ended()

    def close(self) -> None:
        self._close.emit()
        self._thread.wait()
        self.window.close()
