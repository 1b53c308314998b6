"""An asyncio event loop on top of Qt's. It also runs inside a nested Qt loop, such as a dialog's.

Imported at first use: asyncio takes 20 ms, and the first paint doesn't need it.
"""

import asyncio
import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context

from PySide6.QtCore import QCoreApplication

os.environ.pop("QT_API", None)  # qasync would look for another Qt if the user's environment names one.
from qasync import QEventLoop


class Loop(QEventLoop):
    """Never runs by itself: it is marked as running only during a step.

    Due steps can be taken at once, so a task starts before `start` returns and ends before `close` does.
    """

    def __init__(self, tell: Callable[[BaseException], None]) -> None:
        super().__init__(QCoreApplication.instance())
        self._due: deque[asyncio.Handle] = deque()
        self.set_exception_handler(
            lambda _, context: tell(context.get("exception") or RuntimeError(context["message"]))
        )

    def call_soon(
        self, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._due.append(handle)
        super().call_later(0, self._take_step)
        return handle

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: object, context: Context | None = None
    ) -> asyncio.Handle:
        later: asyncio.Handle = super().call_later(delay, self.call_soon, callback, *args, context=context)
        return later

    def close(self) -> None:
        self._due.clear()
        with suppress(RuntimeError):  # An owner was never closed: Qt and its notifiers no longer exist.
            super().close()

    def take_first_step(self) -> None:
        self._take(self._due.pop())

    def take_steps(self) -> None:
        """Take all due steps, and those that follow from them."""
        while self._due:
            self._take_step()

    def _take_step(self) -> None:
        if self._due:
            self._take(self._due.popleft())

    def _take(self, handle: asyncio.Handle) -> None:
        """Take one step, also inside another step, although asyncio allows only one at a time."""
        if handle.cancelled():
            return
        around = asyncio._get_running_loop()
        outer = asyncio.current_task(around) if around is not None else None
        if around is not None and outer is not None:
            asyncio.tasks._leave_task(around, outer)
        asyncio._set_running_loop(self)
        try:
            handle._run()
        finally:
            asyncio._set_running_loop(around)
            if around is not None and outer is not None:
                asyncio.tasks._enter_task(around, outer)
