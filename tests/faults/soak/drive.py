"""Drives the window step by step, looks at the truths after each, and closes and opens it now and then."""

import gc
from collections.abc import Callable
from pathlib import Path
from random import Random

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWhatsThis

from app.__main__ import build, bundled_model
from app.files.json_values import clean
from app.state import SETTLED
from app.ui.conversation.transcript import Transcript
from app.ui.shell.main_window import MainWindow
from tests import hangs
from tests.faults.soak import truths
from tests.faults.soak.engines import SCRIPTED, factory
from tests.faults.soak.holdings import Holdings, holdings
from tests.faults.soak.user import User
from tests.faults.windows import Waiting, part

HANG_S = 180
STEPS_OF_A_LIFE = 150
"""After so many the window is closed, in whichever phase, and opened again."""
STEPS_TO_A_REST = 12
PAUSE_MS = 40
"""The longest rest of the user between two steps."""
LAST_STEPS = 40
LOOKS, LOOK_MS = 200, 20
"""What is still being put on the page or into the journal has so long to come there."""


class BrokenError(Exception):
    """Something did not hold."""


class Soak:
    """One seed. `heard` returns the complaints of Qt and Python; `lives` is what was held between two windows."""

    def __init__(self, seed: int, folder: Path, heard: Callable[[], list[str]], real: bool = False) -> None:
        self.lives: list[Holdings] = []
        self._seed = seed
        self._folder = folder
        self._heard = heard
        self._real = real
        self._steps: list[str] = []
        self._waiting = Waiting()
        self._window: MainWindow | None = None
        self._user: User | None = None
        self._shown: tuple[int, list[str]] = (0, [])

    def run(self, steps: int) -> None:
        """Raise `BrokenError`, with the last steps, at the first step after which something does not hold."""
        try:
            for number in range(steps):
                self._step(number)
            hangs.call_off()
            self._close()
            _complain(self._heard())
        except BrokenError as error:
            last = "\n".join(self._steps[-LAST_STEPS:])
            raise BrokenError(f"seed {self._seed}, step {len(self._steps)}: {error}\n{last}") from error
        finally:
            hangs.call_off()
            if self._window is not None and self._user is not None:
                self._user.leave()
                self._window.close()

    def _step(self, number: int) -> None:
        hangs.end_after(HANG_S)
        random = Random(f"{self._seed}/{number}")
        if number % STEPS_OF_A_LIFE == 0:
            self._live_anew(number)
        self._do(number, random)
        problems = [*self._heard(), *truths.broken(self._alive)]
        if not problems and number % STEPS_TO_A_REST == STEPS_TO_A_REST - 1:
            problems = [*self._rest(), *self._heard()]
        _complain(problems)

    def _do(self, number: int, random: Random) -> None:
        """Let the user do something, then the window."""
        assert self._user is not None
        self._steps.append(f"{number}: …")
        self._steps[-1] = f"{number}: {self._user.step(random)}"
        self._waiting.live(random.randrange(PAUSE_MS + 1))

    @property
    def _alive(self) -> MainWindow:
        assert self._window is not None
        return self._window

    def _live_anew(self, number: int) -> None:
        self._close()
        if (now := holdings()) is not None:
            self.lives.append(now)
        self._open(Random(f"{self._seed}/engine/{number}"))
        session, texts = self._shown
        state = self._alive.playground.state
        if session and texts and state.session != session:
            raise BrokenError(f"after a restart session {state.session} is open, not {session}")
        if session and not _follows(texts, [turn.text for turn in state.turns]):
            raise BrokenError(f"after a restart {texts!r:.400} became {[turn.text for turn in state.turns]!r:.400}")

    def _open(self, random: Random) -> None:
        switches = ["--data-dir", str(self._folder), "--engine", "echo"]
        window = self._window = build(switches, factory(random, self._real))
        ready: list[bool] = []
        window.playground.book.ready.connect(lambda: ready.append(True))
        window.show()
        models = bundled_model().parent
        real = (str(models / "demo"), str(models / "demo-draft")) if self._real else ()
        self._user = User(window, (*SCRIPTED, *real), self._folder)
        playground = window.playground
        for condition, what, signal in (
            (lambda: bool(ready), "the journal did not open", playground.book.ready),
            (lambda: playground.state.phase in SETTLED, "no model was opened", playground.changed),
            (lambda: not playground.state.opening, "the last session was not opened", playground.changed),
        ):
            if not self._waiting.until(condition, signal):
                raise BrokenError(what)

    def _close(self) -> None:
        if self._window is None or self._user is None:
            return
        self._shown = _shown_in(self._window)
        self._user.leave()
        QWhatsThis.hideText()
        QWhatsThis.leaveWhatsThisMode()
        self._window.close()
        self._window.deleteLater()
        self._window = self._user = None
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
        gc.unfreeze()
        gc.collect()
        gc.freeze()  # as the program's own start leaves it: what stays is not looked at in each collection
        if left := [each.metaObject().className() for each in QApplication.topLevelWidgets() if each.isVisible()]:
            raise BrokenError(f"still open: {left}")

    def _rest(self) -> list[str]:
        """Let what goes on come to its end, and look at what then holds."""
        playground = self._alive.playground
        playground.stop()
        if not self._waiting.until(lambda: playground.state.phase in SETTLED, playground.changed):
            return [f"it never came to rest: {playground.state.phase}"]
        if not self._waiting.until(lambda: not playground.state.opening, playground.changed):
            return ["the session never came"]
        problems: list[str] = []
        for _ in range(LOOKS):
            problems = list(truths.broken_at_rest(self._alive))
            if not problems or playground.state.phase not in SETTLED:
                return []
            self._waiting.live(LOOK_MS)
        return problems


def _complain(problems: list[str]) -> None:
    if problems:
        raise BrokenError("\n".join(problems))


def _shown_in(window: MainWindow) -> tuple[int, list[str]]:
    """The session that is open, and what is read of it; nothing where it is still being put on the page."""
    state, page = window.playground.state, part(window, Transcript, "transcript")
    texts = [page.turn_text(at) for at in range(len(state.turns))]
    whole = all(text == turn.text for text, turn in zip(texts, state.turns, strict=True) if not turn.open)
    return (state.session, [clean(text) for text in texts]) if whole and not state.opening else (0, [])


def _follows(before: list[str], now: list[str]) -> bool:
    """What was on the page is there, and an open answer may have grown."""
    same = len(now) == len(before) and now[:-1] == before[:-1]
    return same and (not before or now[-1].startswith(before[-1]))
