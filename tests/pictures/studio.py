"""The real window, set as a picture wants it, and what is done with it before the picture is taken."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction, QPixmap
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit, QWidget

from app.__main__ import build
from app.controls import Controls
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.meter.meter import Frame
from app.files import settings
from app.files.settings import Settings
from app.i18n import translation
from app.state import Phase
from tests.bench.window_stage import PATIENCE_S, Part, live
from tests.pictures import scenes
from tests.pictures.animation import Picture
from tests.pictures.faults import faults
from tests.pictures.looks import Look

LAYOUTS = 5
SETTLING_S = 0.2
"""One layout may ask for the next: of a line that is broken, of what is around it."""
LOOK_S = 0.02
"""How often a condition is looked at."""


class Studio:
    """One window; what scenes do with it."""

    def __init__(self, look: Look, knobs: EchoOptions | None = None, model: str = "") -> None:
        """`knobs` are the scripted engine's, None: the real one; `model` was open the last time."""
        self._look = look
        self._folder = tempfile.TemporaryDirectory()
        kept = Settings(model, appearance=look.appearance, text_percent=look.text_percent, language=look.language)
        settings.save(replace(kept, native_look=look.native), Path(self._folder.name))
        scripted = ["--engine", "echo"] if knobs is not None else []
        factory = (lambda _collect: EchoEngine(knobs)) if knobs is not None else None
        self.window = build(["--data-dir", self._folder.name, *scripted], factory)
        application = QApplication.instance()
        assert application is not None
        translation.translate_qt(application, look.language)
        self.playground = self.window.playground
        self.window.resize(look.width, look.height)
        self._tokens = 0
        self.playground.advanced.connect(self._note)

    def __enter__(self) -> Studio:
        self.window.show()
        self.until(lambda: self.playground.state.phase is Phase.READY or self.playground.state.failure is not None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.window.close()
        theme = self.window._parts.theme
        theme.prefer(Qt.ColorScheme.Unknown)
        theme.resize(100)
        self.window.deleteLater()
        del self.window, self.playground
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self._folder.cleanup()

    def take(self) -> QPixmap:
        """The picture. A scene says what is to be seen, or nothing for the window."""
        shown: QWidget | None = getattr(scenes, self._look.scene)(self)
        if shown is not None or self.playground.state.phase is Phase.READY:
            live(scenes.SETTLED_S)
        return (shown or self.window).grab()

    def record(self) -> list[Picture]:
        """Run a moving scene and grab the window after each of its steps."""
        durations = getattr(scenes, self._look.scene)(self)
        return [Picture(self.window.grab().toImage(), milliseconds) for milliseconds in durations]

    def wear(self, look: Look, shown: QWidget) -> None:
        """The same in another look, until nothing moves any more that this has moved."""
        theme = self.window._parts.theme
        theme.prefer(Qt.ColorScheme.Dark if look.appearance == "dark" else Qt.ColorScheme.Light)
        theme.resize(look.text_percent)
        self.window.resize(look.width, look.height)
        if shown is not self.window:
            shown.resize(min(shown.width(), look.width), min(shown.height(), look.height))
        for _ in range(LAYOUTS):
            live(0)

    def faults(self, look: Look, shown: QWidget) -> list[str]:
        """What is wrong with it in this look, once all of it has its place: on a busy machine that takes longer."""
        self.wear(look, shown)
        found: list[str] = []
        for _ in range(LAYOUTS):
            found = faults(shown, look.text_percent)
            if not found:
                break
            live(SETTLING_S)
        return found

    def set(self, **controls: object) -> None:
        self.playground.set_controls(replace(self.controls, **controls))  # type: ignore[arg-type]

    @property
    def controls(self) -> Controls:
        return self.playground.state.controls

    def ask(self, text: str, temperature: float = 0.0, max_tokens: int | None = None) -> None:
        """Type it and press Send."""
        limits = replace(self.controls.limits, max_tokens=max_tokens) if max_tokens else self.controls.limits
        self.set(sampling=replace(self.controls.sampling, temperature=temperature), limits=limits)
        self.part(QPlainTextEdit, "prompt").setPlainText(text)
        self.part(QAbstractButton, "send").click()

    def answer(self, text: str, temperature: float = 0.0, max_tokens: int | None = None) -> None:
        """Ask, and wait for the end."""
        self.ask(text, temperature, max_tokens)
        self.until_ready()

    def act(self, name: str) -> None:
        """Choose it from the menu."""
        self.part(QAction, f"action_{name}").trigger()

    def until_ready(self) -> None:
        self.until(lambda: self.playground.state.phase is Phase.READY)

    def until_tokens(self, count: int) -> None:
        """Until the answer that is being written has so many."""
        self._tokens = 0
        self.until(lambda: self._tokens >= count)

    def until(self, condition: Callable[[], bool]) -> None:
        """Let the window live until the condition holds."""
        for _ in range(round(PATIENCE_S / LOOK_S)):
            if condition():
                return
            live(LOOK_S)
        raise TimeoutError("What was waited for did not come.")

    def part(self, kind: type[Part], name: str) -> Part:
        found = self.window.findChild(kind, name)
        assert found is not None, name
        return found

    def _note(self, frame: Frame) -> None:
        self._tokens = frame.metrics.tokens
