"""Imports the windows that nobody has asked for yet while nothing else goes on: each would take its time when it opens.

On the window's own thread: PySide makes a class when it is first named, and two threads that do so crash the process.
"""

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

from PySide6.QtCore import QObject, QTimer, Slot

from app.bridge.playground import Playground
from app.state import SETTLED, State

OWN = "app."
SLICE_S = 0.004
PAUSE_MS = 10


class EarlyImports(QObject):
    """Begins when it is made, waits while something goes on, and is out of the way when all `modules` are there."""

    def __init__(self, playground: Playground, modules: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._waiting = list(reversed(modules))
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._import_some)
        playground.changed.connect(self._on_changed)
        self._go_on(playground.state)

    def leave(self) -> None:
        """The window goes, or there is nothing left to do."""
        self._waiting.clear()
        self._timer.stop()

    @property
    def going_on(self) -> bool:
        """There is something left."""
        return bool(self._waiting)

    def _go_on(self, state: State) -> None:
        quiet = state.phase in SETTLED and not state.opening
        if quiet and self._waiting:
            self._timer.start()
        else:
            self._timer.stop()

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if (old.phase, old.opening) != (new.phase, new.opening):
            self._go_on(new)

    @Slot()
    def _import_some(self) -> None:
        enough = time.perf_counter() + SLICE_S
        try:
            while self._waiting:
                take_step(self._waiting)
                if time.perf_counter() >= enough:
                    break
        except Exception:  # told once: it would be no better with the next step
            self._waiting.clear()
            raise
        finally:
            if not self._waiting:
                self.leave()


def take_step(waiting: list[str]) -> None:
    """Import the last of these; or put behind it what it needs first, so that no step is a long one."""
    name = waiting[-1]
    package = name.rpartition(".")[0]
    if name in sys.modules:
        waiting.pop()
    elif package not in sys.modules:
        waiting.append(package)
    else:
        try:
            with _alone(name):
                import_module(name)
        except _Needed as needed:
            if needed.name in waiting:  # each needs the other
                import_module(name)
            else:
                waiting.append(needed.name)


class _Needed(BaseException):
    """No `Exception`: a module that does without what is lacking must not hear of it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class _Alone(MetaPathFinder):
    """Breaks off the import of one module where it would import another of the program's own.

    Imports are the first thing in a module, so that nothing was done yet that must not be done twice.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread = threading.get_ident()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.startswith(OWN) and fullname != self._name and threading.get_ident() == self._thread:
            raise _Needed(fullname)
        return None


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """A package comes with all that it imports: broken off, it would lose what it has by then.

    The list of finders is replaced and never changed: another thread that goes through it in an import of its own
    would miss the finder behind one that is taken out, and find nothing.
    """
    spec = find_spec(name)
    guards = [] if spec is None or spec.submodule_search_locations is not None else [_Alone(name)]
    sys.meta_path = [*guards, *sys.meta_path]
    try:
        yield
    finally:
        sys.meta_path = [each for each in sys.meta_path if each not in guards]
