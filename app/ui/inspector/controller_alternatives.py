"""Records candidates after the fact: the same run happens once more, and what is seen of it is kept with it."""

from collections.abc import Callable
from itertools import takewhile

from PySide6.QtCore import QObject

from app.bridge import conversation
from app.bridge.playground import Playground
from app.engine.meter.frame import Frame
from app.engine.types import Reason, Token
from app.i18n import tr
from app.state import Run

GOES_ON = tr("The same run happens again…")
OTHERWISE = tr("The same run took another way this time: alternatives are recorded up to token {place}.")
STOPPED = tr("You stopped it: alternatives are recorded up to token {place}.")
FAILED = tr("The same run failed this time: {what}")


class CandidatesController(QObject):
    """One run at a time. `tell` says how it is going; at the end, `done`."""

    def __init__(
        self, playground: Playground, tell: Callable[[str], None], done: Callable[[], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._tell, self._done = tell, done
        self._of: tuple[int, int, Run] | None = None
        """Where its answer stands: that may get another number meanwhile, and nothing else changes on the page."""
        self._tokens: list[Token] = []
        playground.replay_advanced.connect(self._on_advanced)
        playground.replayed.connect(self._on_replayed)

    def start(self, index: int, number: int) -> None:
        """Replay the run of the answer at `index` with this number, if that is possible now."""
        run = self._playground.whole(self._playground.state.turns[index].runs[number])
        if run.prompt is None or not run.ids:
            return
        request = conversation.replay_of(run.request, run.prompt, len(run.ids), run.adapter)
        if self._playground.replay(request):
            self._of, self._tokens = (index, number, run), []
            self._tell(GOES_ON)

    def _on_advanced(self, frame: Frame) -> None:
        if self._of is not None:
            self._tokens += frame.tokens

    def _on_replayed(self, again: Run) -> None:
        if self._of is None:
            return
        (index, number, run), self._of = self._of, None
        same = [*takewhile(lambda pair: pair[0].id == pair[1], zip(self._tokens, run.ids, strict=False))]
        seen = [token.observed for token, _ in same if token.observed is not None]
        self._playground.traces.learn(self._playground.state.turns[index], number, seen)
        self._done()
        self._tell(_words(again, len(seen), len(same) == len(self._tokens)) if len(seen) < len(run.ids) else "")


def _words(again: Run, seen: int, same: bool) -> str:
    """Why a replay recorded so many candidates alone; one that was stopped at its prompt leaves all as it was."""
    if same and again.finish.failure is not None:
        return FAILED.format(what=again.finish.failure.sentence)
    if same and again.finish.reason is Reason.STOPPED:
        return STOPPED.format(place=f"{seen:,}") if seen else ""
    return OTHERWISE.format(place=f"{seen:,}")
