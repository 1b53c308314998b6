"""The one way to wait: tasks on the window's thread that await other threads. A newer question cancels the older."""

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
from app.platform.shutdown import left

if TYPE_CHECKING:
    import asyncio

    from app.bridge.loop import Loop

Asked = ParamSpec("Asked")
Value = TypeVar("Value")


@runtime_checkable
class ShowsFailures(Protocol):
    """An owner of tasks that can show what went wrong in one."""

    def show_failure(self, failure: Failure) -> None: ...


class Tasks(QObject):
    """The tasks of one owner. One of each kind goes on: a newer one cancels the older."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loop: Loop | None = None
        self._tasks: dict[asyncio.Task[None], str] = {}
        self._threads, self._keeping = _Threads(), _Threads()
        self._closed = False

    def start(self, coroutine: Coroutine[Any, Any, None], kind: str = "") -> None:
        """Begin at once: up to its first `await` it is through when this returns."""
        if self._closed:
            coroutine.close()
            return
        if kind:
            self.cancel(kind)
        if self._loop is None:
            from app.bridge.loop import Loop

            self._loop = Loop(self._tell)
            self.destroyed.connect(self._loop.close)
        task: asyncio.Task[None] = self._loop.create_task(coroutine)
        task.add_done_callback(self._on_done)
        self._tasks[task] = kind
        self._loop.take_first_step()

    def cancel(self, kind: str) -> None:
        """Nobody waits for this any more."""
        for task in self._of(kind):
            self._tasks[task] = ""
            task.cancel()

    def waiting(self, kind: str) -> bool:
        """Whether one of this kind goes on."""
        return bool(self._of(kind))

    @property
    def going_on(self) -> int:
        """How many there are."""
        return len(self._tasks)

    async def in_thread(self, work: Callable[Asked, Value], *args: Asked.args, **kwargs: Asked.kwargs) -> Value:
        """What `work` returns or raises on a thread, which must not be the last to hold a QObject.

        It is done also if nobody waits for it by then.
        """
        return await run_on_thread(self._threads.do, partial(work, *args, **kwargs), anyway=True)

    async def tried(self, work: Callable[Asked, Value], *args: Asked.args, **kwargs: Asked.kwargs) -> Value | Failure:
        """The same; what it raises becomes a Failure to be shown where it was asked for."""
        try:
            return await self.in_thread(work, *args, **kwargs)
        except Exception as error:
            return failure_of(error)

    async def kept(self, work: Callable[[], Value]) -> Value | Failure:
        """The same for what is to be waited for when the program is left, where nothing else is: a key to be kept."""
        try:
            return await run_on_thread(self._keeping.do, work, anyway=True)
        except Exception as error:
            return failure_of(error)

    def close(self) -> None:
        """Cancel what is left. What threads have begun goes on; one that hangs keeps nobody from leaving."""
        self._closed = True
        for task in tuple(self._tasks):
            task.cancel()
        if self._loop is not None:
            self._loop.take_steps()
            self._leave()

    def wait(self, until: float) -> bool:
        """After `close`: whether what threads have begun is done by this moment (see `app.platform.shutdown`)."""
        return self._threads.join(until) and self.wait_for_kept(until)

    def wait_for_kept(self, until: float) -> bool:
        """The same for what is to be `kept` alone."""
        return self._keeping.join(until)

    def _of(self, kind: str) -> list[asyncio.Task[None]]:
        return [task for task, each in self._tasks.items() if each == kind and not task.done()]

    def _leave(self) -> None:
        if self._loop is not None and not self._tasks:
            self._loop.close()

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._tell(error)
        if self._closed:
            self._leave()

    def _tell(self, error: BaseException) -> None:
        """Into the log, and to the nearest owner that shows failures."""
        sys.excepthook(type(error), error, error.__traceback__)
        owner = self.parent() if isValid(self) else None
        while owner is not None and not isinstance(owner, ShowsFailures):
            owner = owner.parent()
        if owner is not None:
            owner.show_failure(failure_of(error))


class CrossThreadCallback:
    """What another thread holds of this one: it can be cut, and keeps nothing alive then."""

    def __init__(self, emit: Callable[..., object]) -> None:
        self._lock = threading.Lock()
        self._emit: Callable[..., object] | None = emit

    @property
    def is_cut(self) -> bool:
        return self._emit is None

    def send(self, *values: object) -> None:
        """From any thread."""
        with self._lock:
            if self._emit is not None:
                self._emit(*values)

    def cut(self) -> None:
        with self._lock:
            self._emit = None


class _Threads:
    """One for each piece of work: what hangs keeps no other from being done, nor the program from ending."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._threads: set[threading.Thread] = set()

    def do(self, job: Callable[[], None]) -> None:
        with self._lock:
            thread = threading.Thread(target=self._work, args=(job,), name="task", daemon=True)
            thread.start()
            self._threads.add(thread)

    def join(self, until: float) -> bool:
        """Whether all is done that was asked for."""
        with self._lock:
            threads = tuple(self._threads)
        for thread in threads:
            thread.join(left(until))
        return not any(thread.is_alive() for thread in threads)

    def _work(self, job: Callable[[], None]) -> None:
        job()
        with self._lock:
            self._threads.discard(threading.current_thread())


async def run_on_thread(
    order: Callable[[Callable[[], None]], object], work: Callable[[], Value], anyway: bool = False
) -> Value:
    """What `work` returns or raises on the thread that `order` has it done on; left out if nobody waits by then."""
    from asyncio import get_running_loop

    loop = get_running_loop()
    future: asyncio.Future[Value] = loop.create_future()
    wire = CrossThreadCallback(lambda value, error: loop.call_soon_threadsafe(_settle, future, value, error))
    try:
        order(partial(_answer, wire, work, anyway))
        return await future
    finally:
        wire.cut()


def failure_of(error: BaseException) -> Failure:
    """As plain text: a kept exception would keep all that its traceback holds."""
    details = "".join(traceback.format_exception(error))
    return Failure(tr("This could not be done."), tr("Try again."), details, type(error).__name__)


def _answer(wire: CrossThreadCallback, work: Callable[[], object], anyway: bool) -> None:
    """On the other thread."""
    if wire.is_cut and not anyway:
        return
    try:
        value = work()
    except BaseException as error:
        # A future takes no StopIteration, and what ends a program would end the window's loop.
        plain = isinstance(error, Exception) and not isinstance(error, StopIteration)
        wire.send(None, error if plain else RuntimeError(f"{type(error).__name__}: {error}"))
    else:
        wire.send(value, None)


def _settle(future: asyncio.Future[Any], value: object, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)
