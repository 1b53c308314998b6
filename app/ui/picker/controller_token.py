"""The token for gated models between its field and the system's keychain, which is asked away from this thread."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.library import keychain
from app.ui.picker.token_line import LOOKING, TokenLine, TokenState

UNKNOWN = ""
"""In the place of a token: nobody knows what the keychain holds, and nobody wants it changed."""

Looked = tuple[str, str | Failure | None]


class TokenController(QObject):
    """One wish at a time, so that the last one is the last thing done. `changed` when another token is used.

    The keychain's first answer is not waited for: it may wait for a password, and the program may be left meanwhile.
    """

    changed = Signal()

    def __init__(self, tasks: Tasks, line: TokenLine, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._line = line
        self.token: str | None = None
        """In no file and no log."""
        self._there: str | None = UNKNOWN
        self._wish: str | None = UNKNOWN
        """What the keychain should hold."""
        self._looked = self._busy = False
        self._unavailable: str | None = None
        """None until it has been looked for."""
        self._waiting: list[Callable[[str | None], None]] = []
        line.given.connect(self._take)
        line.keep_chosen.connect(self._choose)
        line.forget_wanted.connect(self._forget)
        self._show()

    @Slot()
    def look(self) -> None:
        """Ask the keychain, once."""
        if not self._looked:
            self._looked = True
            self._tasks.start(self._learn())

    def when_known(self, act: Callable[[str | None], None]) -> None:
        """Do it with the token, after the keychain has been asked for one."""
        if self.token is not None or self._unavailable is not None:
            act(self.token)
            return
        self._waiting.append(act)
        self.look()

    async def _learn(self) -> None:
        self._show()
        answer = await self._tasks.tried(_look)
        self._unavailable, found = (answer.what.rstrip("."), None) if isinstance(answer, Failure) else answer
        failure = None
        if self._wish == UNKNOWN:
            failure = found if isinstance(found, Failure) else None
            self._wish = self._there = UNKNOWN if isinstance(found, Failure) else found
            if self._there and self.token is None:
                self.token = self._there
                self.changed.emit()
        self._settle(failure)
        waiting, self._waiting = self._waiting, []
        for act in waiting:
            act(self.token)

    def _settle(self, failure: Failure | None = None) -> None:
        """Bring the keychain to what is wished, when it is free."""
        if self._wish != self._there and not (self._unavailable or self._busy):
            self._tasks.start(self._bring())
        self._show(failure)

    async def _bring(self) -> None:
        """Until the keychain holds what is wished by then."""
        self._busy = True
        wish = self._wish
        work = partial(keychain.keep, wish) if wish else keychain.forget
        failure = await self._tasks.kept(work)
        self._busy = False
        self._there = wish if failure is None else UNKNOWN
        if failure is not None and self._wish == wish:
            self._wish = UNKNOWN
        self._settle(failure)

    def _show(self, failure: Failure | None = None) -> None:
        held = self.token is not None
        there = self._there is not None and self._unavailable == ""
        state = TokenState(
            keychain.name(),
            LOOKING if self._unavailable is None else self._unavailable,
            held,
            kept=held and self._wish == self.token,
            forgettable=held or there,
            busy=self._busy or (self._looked and self._unavailable is None),
            warning=failure.sentence if failure is not None else "",
        )
        self._line.show_state(state)

    @Slot(str, bool)
    def _take(self, token: str, keep: bool) -> None:
        self.token = token
        if keep:
            self._wish = token
        self._settle()
        self.changed.emit()

    @Slot(bool)
    def _choose(self, keep: bool) -> None:
        if self.token is not None:
            self._wish = self.token if keep else None
            self._settle()

    @Slot()
    def _forget(self) -> None:
        self.token = self._wish = None
        self._settle()
        self.changed.emit()


def _look() -> Looked:
    unavailable = keychain.unavailable()
    return unavailable, None if unavailable else keychain.read()
