"""Tasks on the GUI thread that await other threads. A new task cancels the one of its kind."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeVar, runtime_checkable

from PySide6.QtCore import QObject
from shiboken6 import isValid

from app.engine.types import Failure
from app.i18n import tr
from app.platform.shutdown import seconds_left

if TYPE_CHECKING:
    import asyncio

    from app.bridge.loop import Loop

Asked = ParamSpec("Asked")
Value = TypeVar("Value")


@runtime_checkable
class ShowsFailures(Protocol):
    def show_failure(self, failure: Failure) -> None: ...


class Tasks(QObject):
    """The tasks of one owner, at most one of each kind."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loop: Loop | None = None
        self._tasks: dict[asyncio.Task[None], str] = {}
        self._threads, self._write_threads = _Threads(), _Threads()
        self._closed = False

    def start(self, coroutine: Coroutine[Any, Any, None], kind: str = "") -> None:
        """Start a task. It has run up to its first `await` when this returns."""
        if self._closed:
            coroutine.close()
            return
        if kind:
            self.cancel(kind)
        if self._loop is None:
            from app.bridge.loop import Loop

            self._loop = Loop(self._report)
            self.destroyed.connect(self._loop.close)
        task: asyncio.Task[None] = self._loop.create_task(coroutine)
        task.add_done_callback(self._on_task_done)
        self._tasks[task] = kind
        self._loop.take_first_step()

    def cancel(self, kind: str) -> None:
        for task in self._tasks_of(kind):
            self._tasks[task] = ""
            task.cancel()

    def is_running(self, kind: str) -> bool:
        return bool(self._tasks_of(kind))

    @property
    def count(self) -> int:
        return len(self._tasks)

    async def in_thread(self, work: Callable[Asked, Value], *args: Asked.args, **kwargs: Asked.kwargs) -> Value:
        """Await `work` on a thread. `work` must not release the last reference to a QObject.

        It runs even if the task that awaits it was cancelled before.
        """
        return await run_on_thread(self._threads.do, partial(work, *args, **kwargs), anyway=True)

    async def try_in_thread(
        self, work: Callable[Asked, Value], *args: Asked.args, **kwargs: Asked.kwargs
    ) -> Value | Failure:
        """Like `in_thread`, but return an exception as a Failure."""
        try:
            return await self.in_thread(work, *args, **kwargs)
        except Exception as error:
            return failure_of(error)

    async def complete(self, work: Callable[[], Value]) -> Value | Failure:
        """Like `try_in_thread`, for work that shutdown waits for, such as storing a key."""
        try:
            return await run_on_thread(self._write_threads.do, work, anyway=True)
        except Exception as error:
            return failure_of(error)

    def close(self) -> None:
        """Cancel all tasks. Their threads continue; one that hangs blocks nothing."""
        self._closed = True
        for task in tuple(self._tasks):
            task.cancel()
        if self._loop is not None:
            self._loop.take_steps()
            self._close_loop()

    def wait(self, until: float) -> bool:
        """After `close`: return whether the threads ended by this time (see `app.platform.shutdown`)."""
        return self._threads.join(until) and self.wait_for_writes(until)

    def wait_for_writes(self, until: float) -> bool:
        """Like `wait`, but only for the threads of `complete`."""
        return self._write_threads.join(until)

    def _tasks_of(self, kind: str) -> list[asyncio.Task[None]]:
        return [task for task, each in self._tasks.items() if each == kind and not task.done()]

    def _close_loop(self) -> None:
        if self._loop is not None and not self._tasks:
            self._loop.close()

    def _on_task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._report(error)
        if self._closed:
            self._close_loop()

    def _report(self, error: BaseException) -> None:
        """Log the error and show it at the nearest owner that shows failures."""
        sys.excepthook(type(error), error, error.__traceback__)
        owner = self.parent() if isValid(self) else None
        while owner is not None and not isinstance(owner, ShowsFailures):
            owner = owner.parent()
        if owner is not None:
            owner.show_failure(failure_of(error))


class CrossThreadCallback:
    """A callback for another thread. After `cut` it does nothing and holds no references."""

    def __init__(self, emit: Callable[..., object]) -> None:
        self._lock = threading.Lock()
        self._emit: Callable[..., object] | None = emit

    @property
    def is_cut(self) -> bool:
        return self._emit is None

    def send(self, *values: object) -> None:
        """Call the callback on its own thread. Can be called from any thread."""
        with self._lock:
            if self._emit is not None:
                self._emit(*values)

    def cut(self) -> None:
        with self._lock:
            self._emit = None


class _Threads:
    """Starts one thread for each piece of work.

    Work that hangs blocks neither other work nor the end of the process.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._threads: set[threading.Thread] = set()

    def do(self, job: Callable[[], None]) -> None:
        with self._lock:
            thread = threading.Thread(target=self._work, args=(job,), name="task", daemon=True)
            thread.start()
            self._threads.add(thread)

    def join(self, until: float) -> bool:
        with self._lock:
            threads = tuple(self._threads)
        for thread in threads:
            thread.join(seconds_left(until))
        return not any(thread.is_alive() for thread in threads)

    def _work(self, job: Callable[[], None]) -> None:
        job()
        with self._lock:
            self._threads.discard(threading.current_thread())


async def run_on_thread(
    order: Callable[[Callable[[], None]], object], work: Callable[[], Value], anyway: bool = False
) -> Value:
    """Await `work`, which `order` runs on its thread. It is skipped if the task that awaits it was cancelled before."""
    from asyncio import get_running_loop

    loop = get_running_loop()
    future: asyncio.Future[Value] = loop.create_future()
    callback = CrossThreadCallback(lambda value, error: loop.call_soon_threadsafe(_settle, future, value, error))
    try:
        order(partial(_call, callback, work, anyway))
        return await future
    finally:
        callback.cut()


def failure_of(error: BaseException) -> Failure:
    """Return a Failure with the traceback as text: an exception would hold the frames of its traceback in memory."""
    details = "".join(traceback.format_exception(error))
    return Failure(tr("The operation failed."), tr("Try again."), details, type(error).__name__)


def _call(callback: CrossThreadCallback, work: Callable[[], object], anyway: bool) -> None:
    """Run `work` on the other thread and pass its result to the task."""
    if callback.is_cut and not anyway:
        return
    try:
        value = work()
    except BaseException as error:
        # A future takes no StopIteration, and SystemExit would end the window's event loop.
        plain = isinstance(error, Exception) and not isinstance(error, StopIteration)
        callback.send(None, error if plain else RuntimeError(f"{type(error).__name__}: {error}"))
    else:
        callback.send(value, None)


def _settle(future: asyncio.Future[Any], value: object, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)
