"""Finds what a test leaves behind: threads, processes, tasks, timers, windows, garbage."""

import gc
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

PATIENCE_S = 10.0

# Weak, so that watching a timer keeps none alive that the test has let go.
Started = list["weakref.ref[Any]"]


@contextmanager
def watched() -> Iterator[None]:
    """Fail at the end if something that was started in the block is still there."""
    threads, collecting = set(threading.enumerate()), gc.isenabled()
    with pytest.MonkeyPatch.context() as patch:
        started = _record_starts(patch)
        windows = _windows()
        yield
        leaks = _left_threads(threads) + _left_running(started) + _left_windows(windows)
    if gc.isenabled() is not collecting:
        leaks.append("garbage collected by itself" if gc.isenabled() else "garbage that nobody collects")
    if leaks:
        pytest.fail(f"left behind: {'; '.join(leaks)}")


@contextmanager
def reaped() -> Iterator[None]:
    """Fail at the end if a child process that was started in the block isn't reaped.

    For a module, since fixtures can share a process among its tests.
    """
    processes: list[tuple[subprocess.Popen[Any], str]] = []
    start = subprocess.Popen.__init__

    def start_and_note(self: subprocess.Popen[Any], *arguments: Any, **options: Any) -> None:
        start(self, *arguments, **options)
        processes.append((self, os.environ.get("PYTEST_CURRENT_TEST", "")))  # kept here, so it isn't collected alive

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess.Popen, "__init__", start_and_note)
        yield
    rendering = sys.modules.get("app.engine.templates.rendering")
    shared = rendering.TEMPLATES.pid if rendering is not None else 0  # renders for the whole session
    left = [(process, test) for process, test in processes if process.returncode is None and process.pid != shared]
    for process, _ in left:
        process.kill()
        process.wait()
    if left:
        pytest.fail("left behind: " + "; ".join(f"process {process.args!r} of {test}" for process, test in left))


def _left_threads(before: set[threading.Thread]) -> list[str]:
    left = []
    for thread in set(threading.enumerate()) - before:
        # Python's stand-in for a native thread, which it keeps after that thread has ended; QThreads are found below.
        if isinstance(thread, threading._DummyThread):
            continue
        thread.join(PATIENCE_S)
        if thread.is_alive():
            left.append(f"thread {thread.name}")
    return left


def _record_starts(patch: pytest.MonkeyPatch) -> Started:
    """Record every QTimer, QThread and task that Python starts, since Qt keeps no list of them."""
    started: Started = []
    core, tasks = sys.modules.get("PySide6.QtCore"), sys.modules.get("app.bridge.tasks")
    kinds = [*([core.QTimer, core.QThread] if core is not None else []), *([tasks.Tasks] if tasks is not None else [])]
    for kind in kinds:
        patch.setattr(kind, "start", _noting(kind.start, started))
    return started


def _noting(start: Any, started: Started) -> Any:
    def start_and_note(self: Any, *arguments: Any) -> Any:
        if all(known() is not self for known in started):
            started.append(weakref.ref(self))
        return start(self, *arguments)

    return start_and_note


def _left_running(started: Started) -> list[str]:
    if not started:
        return []
    from PySide6.QtCore import QThread, QTimer
    from shiboken6 import isValid

    _run_deferred_deletes()
    left = []
    for reference in started:
        thing = reference()
        if thing is not None and getattr(thing, "going_on", False):
            left.append(f"{thing.count} tasks of {thing.parent()!r}")
            continue
        if thing is None or not isValid(thing) or not isinstance(thing, (QTimer, QThread)):
            continue
        running = thing.isActive() if isinstance(thing, QTimer) else thing.isRunning()
        if running:
            left.append(f"running {type(thing).__name__} {thing.objectName()!r} of {thing.parent()!r}")
    return left


def _left_windows(before: list[Any]) -> list[str]:
    if not _new_windows(before):
        return []
    _run_deferred_deletes()
    gc.collect()
    return [f"window {type(window).__name__} {window.objectName()!r}" for window in _new_windows(before)]


def _new_windows(before: list[Any]) -> list[Any]:
    return [window for window in _windows() if window not in before]


def _windows() -> list[Any]:
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or not isinstance(widgets.QApplication.instance(), widgets.QApplication):
        return []
    return list(widgets.QApplication.topLevelWidgets())


def _run_deferred_deletes() -> None:
    from PySide6.QtCore import QCoreApplication, QEvent

    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
