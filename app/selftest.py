"""Self-test of the installed program: operates its own window like a user, and writes a report."""

import json
import platform
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import PySide6
from PySide6.QtCore import QCoreApplication, QObject, QTimer
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QTextEdit, QWidget

from app import __version__
from app.bridge.playground import Playground
from app.controls import Controls, Mode
from app.engine.meter.meter import Frame
from app.engine.types import ENDLESS, Failure, Limits, Reason, Sampling
from app.state import Phase, Run, State

PATIENCE_S = 300
"""Seconds for the whole test; a first start on a slow disk needs most of it for imports."""
PROMPT = "Count from 1 to 5."
FIRST_LIMIT = 64
TOKENS_BEFORE_STOP = 8

Trial = Callable[[], str]
"""A check without the window: returns a result to report, or raises an error."""


@dataclass(frozen=True, slots=True)
class SelfTestCheck:
    name: str
    holds: bool
    detail: str


class SelfTest(QObject):
    """The self-test: one complete run, one stopped run, and checks without the window. A passed test writes PASS."""

    def __init__(self, window: QWidget, playground: Playground, trials: Mapping[str, Trial], folder: Path) -> None:
        super().__init__()
        self._window = window
        self._playground = playground
        self._trials = trials
        self._folder = folder
        self._checks: list[SelfTestCheck] = []
        self._stopping = False
        self._timeout = QTimer(self, singleShot=True)
        self._timeout.timeout.connect(self._give_up)
        playground.changed.connect(self._on_changed)
        playground.advanced.connect(self._on_advanced)
        playground.finished.connect(self._on_finished)
        playground.failed.connect(self._on_failed)

    def run(self) -> int:
        """Run all checks and return the exit code. The window must be visible; it is closed at the end."""
        self._timeout.start(PATIENCE_S * 1000)
        QCoreApplication.exec()
        self._timeout.stop()
        self._window.grab().save(str(self._folder / "window.png"))
        self._window.close()
        for name, trial in self._trials.items():
            self._try(name, trial)
        return self._report()

    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is Phase.READY and old.phase is Phase.LOADING and new.model is not None:
            self._note("loaded", True, f"{new.model.name}, {new.model.parameters:,} parameters")
            self._send(Controls(sampling=Sampling(temperature=0.0), limits=Limits(FIRST_LIMIT), seed=0))

    def _on_advanced(self, frame: Frame) -> None:
        if self._stopping and frame.metrics.tokens >= TOKENS_BEFORE_STOP and self._button("stop").isEnabled():
            self._button("stop").click()

    def _on_finished(self, run: Run) -> None:
        if self._stopping:
            stopped = run.finish.reason is Reason.STOPPED
            self._note("stopped midway", stopped and bool(run.ids), f"{run.finish.reason} after {len(run.ids)} tokens")
            QCoreApplication.quit()
            return
        self._note("streamed", len(run.ids) > 1, f"{len(run.ids)} tokens, {run.summary.figures.speed_mean} tok/s")
        transcript = self._window.findChild(QTextEdit, "transcript")
        shown = transcript.toPlainText() if transcript is not None else ""
        self._note("shown", bool(run.text.strip()) and run.text.strip()[:20] in shown, run.text)
        self._stopping = True
        self._send(Controls(mode=Mode.RAW, limits=Limits(ENDLESS), seed=0))

    def _on_failed(self, failure: Failure) -> None:
        self._note("no failure", False, f"{failure.what} {failure.details}")
        QCoreApplication.quit()

    def _give_up(self) -> None:
        self._note("in time", False, f"not done after {PATIENCE_S} s, in {self._playground.state.phase}")
        QCoreApplication.quit()

    def _send(self, controls: Controls) -> None:
        """Type a prompt and click Send; only the controls are set directly."""
        self._playground.set_controls(controls)
        prompt = self._window.findChild(QPlainTextEdit, "prompt")
        assert prompt is not None
        prompt.setPlainText(PROMPT)
        self._button("send").click()

    def _button(self, name: str) -> QAbstractButton:
        button = self._window.findChild(QAbstractButton, name)
        assert button is not None
        return button

    def _try(self, name: str, trial: Trial) -> None:
        try:
            self._note(name, True, trial())
        except Exception:
            self._note(name, False, traceback.format_exc())

    def _note(self, name: str, holds: bool, detail: str) -> None:
        self._checks.append(SelfTestCheck(name, holds, detail))

    def _report(self) -> int:
        wanted = {"loaded", "streamed", "shown", "stopped midway", *self._trials}
        passed = all(check.holds for check in self._checks) and wanted <= {check.name for check in self._checks}
        report = {
            "pass": passed,
            "version": __version__,
            "python": platform.python_version(),
            "system": platform.platform(),
            "pyside": PySide6.__version__,
            "checks": [{"name": check.name, "holds": check.holds, "detail": check.detail} for check in self._checks],
        }
        (self._folder / "report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False), "utf-8")
        (self._folder / "PASS").unlink(missing_ok=True)
        if passed:
            (self._folder / "PASS").touch()
        return 0 if passed else 1
