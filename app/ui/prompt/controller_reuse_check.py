"""Runs the last turn again with reuse off, beside the conversation, and tells what the cache was worth."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.bridge.conversation import Known, asked_again, unlike
from app.bridge.playground import Playground
from app.engine.types import Model, Reason, Request, TokenPrompt
from app.i18n import tr
from app.state import Run
from app.ui.prompt.cache_words import comparable, compared

GOING_ON = tr("Running the same turn with reuse off…")
BUSY = tr("Wait until the model is free, then compare.")
CUT = frozenset({Reason.STOPPED, Reason.ERROR})


class ReuseCheckController(QObject):
    """One at a time; `told` with the sentence about the last run, and whether it can be asked for again."""

    told = Signal(str, bool)

    def __init__(self, playground: Playground, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._run: Run | None = None
        playground.replayed.connect(self._on_replayed)

    def start(self) -> None:
        """The very same ids, settings and seed; only nothing of the cache is used."""
        state, known = self._playground.state, self._playground.book.models.known
        run = state.last_run
        if self._run is not None or run is None or not possible(run, state.model, known):
            return
        if self._playground.replay(without_reuse(run)):
            self._run = run
            self.told.emit(GOING_ON, False)
        else:
            self.told.emit(BUSY, True)

    def _on_replayed(self, without: Run) -> None:
        run, self._run = self._run, None
        if run is not None and run is self._playground.state.last_run:
            self.told.emit(compared(run, without), True)


def possible(run: Run | None, model: Model | None, known: Known) -> bool:
    """Whether this model can tell what the run would have been without the cache."""
    return run is not None and model is not None and comparable(run) and not unlike(run, model, known)


def without_reuse(run: Run) -> Request:
    """One that was cut off is as long as it came to be."""
    assert run.prompt is not None
    asked, limits = asked_again(run.request, run.adapter), run.request.limits
    if run.finish.reason in CUT:
        limits = replace(limits, max_tokens=len(run.ids))
    source = TokenPrompt(run.prompt.ids, raw=run.prompt.raw)
    return replace(asked, prompt=source, limits=limits, kv=replace(asked.kv, reuse=False))
