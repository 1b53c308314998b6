"""Stop strings step by step, for the last run or a typed text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.engine.stop_strings import NO_MARKERS, Markers, ReplyReader
from app.engine.types import Failure, PromptSource, RawPrompt, TokenPrompt
from app.experiments.questions.stops import readings
from app.i18n import tr
from app.records.types import TurnId
from app.state import Run, State
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.ui.stop_trace.dialog import StopTraceDialog

RUN, TEXT = "run", "text"
MOST = 20_000
"""Tokens of a run, or characters of a text, that are shown."""
TYPE = tr("Type a text to split it into tokens.")
NO_MODEL = tr("Open a model first: its tokenizer splits the text.")
LOADING = tr("Loading the tokens…")
KIND = "stop steps"


class StopTraceController(Feature):
    """Controls one dialog, which stays open beside the main window."""

    ahead = ("app.ui.stop_trace.dialog",)

    def __init__(self, playground: Playground, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground, self._theme, self._parent = playground, theme, parent
        self._dialog = LazyWindow(self._make)
        self._source = TEXT
        self._run: Run | None = None
        self._tokens: Sequence[tuple[int, str]] = ()
        self._pieces: tuple[bytes, ...] = ()
        playground.traces.changed.connect(self._on_traced)
        playground.changed.connect(self._on_changed)

    def actions(self) -> dict[str, Intent]:
        return {"stop_steps": self.view}

    def view(self) -> None:
        """Show the last run, if there is one."""
        dialog, state = self._dialog.window, self._playground.state
        run = state.last_run
        dialog.allow_run(run is not None)
        dialog.show_strings((run.request if run is not None else state.controls).limits.stop_strings)
        self._choose(RUN if run is not None else TEXT)
        self._dialog.bring_up()

    def _make(self) -> StopTraceDialog:
        from app.ui.stop_trace.dialog import StopTraceDialog

        return StopTraceDialog(self._theme, self._parent, self._choose, self._split, self._show)

    def _choose(self, source: str) -> None:
        self._source = source
        self._dialog.window.show_source(source)
        if source == TEXT:
            self._split(self._dialog.window.text())
        else:
            self._read_run()

    def _read_run(self) -> None:
        """Show the tokens of the last run, with their bytes if the open model is the same."""
        state = self._playground.state
        run = self._run = self._playground.load_full(state.last_run) if state.last_run is not None else None
        self._tokens, self._pieces = (self._tokens_of(run, state) if run is not None else ()), ()
        self._playground.tasks.cancel(KIND)
        if run is not None and self._tokens and state.model is not None and state.model.name == run.model:
            self._ask(TokenPrompt(tuple(token for token, _ in self._tokens)))
        self._show()

    def _tokens_of(self, run: Run, state: State) -> Sequence[tuple[int, str]]:
        """Return the tokens without the EOS token, or none while they are read from the database."""
        turn = state.turns[-1]
        trace = self._playground.traces.of(turn.id)
        if trace is None:
            self._playground.traces.want(turn)
            return ()
        places = trace.places(len(turn.runs) - 1)
        own = places[max(0, len(places) - len(run.ids)) :]
        text = own[:-1] if run.finish.stop_id is not None else own
        return [(token.id, token.text) for token in map(trace.token, text[:MOST])]

    def _split(self, text: str) -> None:
        self._tokens, self._pieces = (), ()
        self._playground.tasks.cancel(KIND)
        if text and self._playground.state.model is not None:
            self._ask(RawPrompt(text[:MOST]))
        self._show()

    def _ask(self, source: PromptSource) -> None:
        self._playground.tasks.start(self._show_pieces(source), KIND)

    async def _show_pieces(self, source: PromptSource) -> None:
        answer = await self._playground.token_texts(source)
        if isinstance(answer, Failure):
            if self._dialog.made is not None and self._source == TEXT:
                self._dialog.made.show_steps((), answer.sentence)
            return
        if self._source == TEXT:
            self._tokens = [(each.id, each.text) for each in answer]
        self._pieces = tuple(each.piece for each in answer)
        self._show()

    def _on_traced(self, turn: TurnId) -> None:
        """Show the tokens of this turn, read from the database."""
        turns = self._playground.state.turns
        is_waiting = self._dialog.seen is not None and self._source == RUN and not self._tokens
        if is_waiting and turns and turns[-1].id == turn and turns[-1].runs:
            self._read_run()

    def _on_changed(self, old: State, new: State) -> None:
        dialog = self._dialog.seen
        if dialog is None:
            return
        dialog.allow_run(new.last_run is not None)
        if self._source == TEXT and new.model is not old.model:
            self._split(dialog.text())
        elif self._source == RUN and new.last_run is not None and new.last_run is not old.last_run:
            self._read_run()

    def _show(self) -> None:
        if (dialog := self._dialog.made) is not None:
            steps = readings(self._tokens, self._reader(dialog.strings()), self._pieces)
            dialog.show_steps(steps, "" if steps else self._why_nothing(dialog.text()))

    def _reader(self, strings: tuple[str, ...]) -> ReplyReader:
        run = self._run if self._source == RUN else None
        if run is None or run.prompt is None:
            return ReplyReader(strings)
        marks = run.on.reasoning if run.on is not None else None
        reader = ReplyReader.behind(run.prompt, strings, Markers.reasoning(*marks) if marks else NO_MARKERS)
        reader.resume("".join(run.prompt.begun))
        return reader

    def _why_nothing(self, typed: str) -> str:
        if self._source == TEXT and self._playground.state.model is None:
            return NO_MODEL
        return LOADING if self._source == RUN or typed else TYPE
