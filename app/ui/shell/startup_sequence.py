"""Startup: after the first paint, the engine starts and the last model is loaded; then other windows are imported."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QMenu

from app.bridge.playground import Playground
from app.engine.crash_guard import EngineStep, UnfinishedStep
from app.engine.errors import printable_name
from app.engine.remote.address import server_model
from app.engine.types import LoadRequest
from app.files.regular_files import is_folder
from app.files.settings import Settings
from app.i18n import tr
from app.library import cached
from app.state import SETTLED, State
from app.ui.shell.features import Features
from app.ui.shell.layout import MainLayout

PAUSE_MS = 10


class EarlyImports(QObject):
    """Imports modules of other windows, one at a time; pauses while a model is loaded or generates.

    On the UI thread: PySide creates a class at its first use, and two threads that do so crash the process.
    """

    def __init__(self, playground: Playground, modules: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._waiting = list(reversed(modules))
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._import_next)
        playground.follow(("phase", "opening"), self._on_changed, at_once=True)

    @property
    def is_complete(self) -> bool:
        return not self._waiting

    def leave(self) -> None:
        """Stop, since the window closes."""
        self._waiting.clear()
        self._timer.stop()

    def _on_changed(self, state: State) -> None:
        is_quiet = state.phase in SETTLED and not state.opening
        if not (is_quiet and self._waiting):
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def _import_next(self) -> None:
        name = self._waiting.pop()
        if not self._waiting:
            self._timer.stop()
        import_module(name)


class StartupSequence(QObject):
    """Runs after the first paint. Modules of other windows are imported after the first answer or menu.

    `start` is the model to open; `notice` a message to show.

    `unfinished` is the step during which the last start crashed; `start` then replaces its model.
    """

    def __init__(
        self,
        playground: Playground,
        parts: MainLayout,
        features: Features,
        settings: Settings,
        start: str,
        notice: str,
        unfinished: UnfinishedStep | None,
    ) -> None:
        super().__init__(parts)
        self._playground = playground
        self._parts = parts
        self._features = features
        self._start = start
        self._notice = notice
        self._unfinished = unfinished
        self._replaced = bool(settings.model) and start != settings.model
        beside = settings if start == settings.model and unfinished is None else Settings()
        self._request = LoadRequest(start, _present(beside.draft), adapter=_present(beside.adapter))
        self._is_closed = False
        self._ahead: EarlyImports | None = None
        parts.installEventFilter(self)
        # Before the window is visible, so that a click into another field isn't overridden.
        parts.prompt.setFocus()
        features.prompt.expect_model(bool(start))

    def leave(self) -> None:
        """Do nothing more: the window was closed."""
        self._is_closed = True
        if self._ahead is not None:
            self._ahead.leave()

    def _begin(self) -> None:
        if self._is_closed:
            return
        self._playground.open()
        self._show_notice()
        if self._start and not self._features.reopening.begin(self._start):
            self._playground.load(self._request)
        self._features.prompt.expect_model(False)
        self._playground.finished.connect(self._import_ahead)
        for menu in self._parts.window().findChildren(QMenu):
            menu.aboutToShow.connect(self._import_ahead)

    def _show_notice(self) -> None:
        if self._unfinished is not None:
            self._playground.preview.suspend(self._unfinished.act is EngineStep.READING)
            words = f"{self._notice} {_sentence(self._unfinished, self._start)}".lstrip()
            self._parts.notice.show_until_read(words, tr("Try Again"), self._try_again)
        elif self._notice:
            another = tr("Open Model…") if self._replaced else ""
            self._parts.notice.show_until_read(self._notice, another, self._features.picker.choose_model)

    def _try_again(self) -> None:
        """Retry the model that the last start crashed with; another crash is recorded again."""
        if self._unfinished is not None and self._playground.load(self._unfinished.request):
            self._playground.preview.suspend(False)
            self._parts.notice.clear()

    def _import_ahead(self) -> None:
        """Begin to import modules of other windows, at the first answer or menu. Before that, they would only use 5 MB
        of memory.
        """
        if self._ahead is not None:
            return
        modules = [module for feature in self._features for module in feature.ahead]
        self._ahead = EarlyImports(self._playground, modules, self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._parts.removeEventFilter(self)
            QTimer.singleShot(0, self._begin)
        return False


def _sentence(unfinished: UnfinishedStep, instead: str) -> str:
    model = server_model(unfinished.model)
    name = model.name if model else cached.id_of(unfinished.model) or printable_name(Path(unfinished.model).name)
    if unfinished.act is EngineStep.READING:
        sentence = tr(
            "Sluice crashed while it processed the draft for {model}. The draft is saved, but not processed "
            "automatically."
        )
    else:
        sentence = tr("Sluice crashed while it loaded {model}.")
    then = tr("The bundled model is open instead.") if instead else tr("No model is open.")
    return f"{sentence.format(model=name)} {then}"


def _present(folder: str) -> str | None:
    """Return the folder of a draft model or adapter if it exists, else None."""
    return folder if folder and is_folder(Path(folder)) else None
