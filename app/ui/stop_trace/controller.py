"""Goes through a reply token by token: the last run's, or a text that the user types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.engine.stop_strings import NO_MARKERS, Markers, ReplyReader
from app.engine.types import Failure, PromptSource, RawPrompt, TokenPrompt
from app.experiments.stop_trace import readings
from app.i18n import tr
from app.records.types import TurnId
from app.state import Run, State
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.stop_trace.words import RUN, TEXT
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.ui.stop_trace.dialog import StopStepsDialog

MOST = 20_000
"""More steps than anybody goes through."""
TYPE = tr("Type a text, and it is cut into tokens here.")
NO_MODEL = tr("Open a model first: its tokenizer cuts the text.")
COMING = tr("The tokens are on their way.")

KIND = "stop steps"
Tokens = Sequence[tuple[int, str]]


class StopStepsController(Feature):
    """One dialog, kept open beside the window."""

    ahead = ("app.ui.stop_trace.dialog",)

    def __init__(self, playground: Playground, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._theme = theme
        self._window = parent
        self._dialog = LazyWindow(self._make)
        self._source = TEXT
        self._run: Run | None = None
        self._tokens: Tokens = ()
        self._pieces: tuple[bytes, ...] = ()
        playground.traces.changed.connect(self._on_traced)
        playground.changed.connect(self._on_changed)

    def actions(self) -> dict[str, Intent]:
        return {"stop_steps": self.view}

    @Slot()
    def view(self) -> None:
        """The last run, where there is one."""
        dialog = self._dialog.window
        state = self._playground.state
        run = state.last_run
        dialog.allow_run(run is not None)
        dialog.show_strings((run.request if run is not None else state.controls).limits.stop_strings)
        self._choose(RUN if run is not None else TEXT)
        self._dialog.bring_up()

    def _make(self) -> StopStepsDialog:
        from app.ui.stop_trace.dialog import StopStepsDialog

        dialog = StopStepsDialog(self._theme, self._window)
        dialog.source_chosen.connect(self._choose)
        dialog.text_edited.connect(self._cut)
        dialog.strings_edited.connect(self._show)
        return dialog

    @Slot(str)
    def _choose(self, source: str) -> None:
        self._source = source
        self._dialog.window.show_source(source)
        if source == TEXT:
            self._cut(self._dialog.window.text())
        else:
            self._read_run()

    def _read_run(self) -> None:
        """Its tokens, and from the model that is open, if it is still the same one, their bytes."""
        state = self._playground.state
        run = self._run = self._playground.load_full(state.last_run) if state.last_run is not None else None
        self._tokens, self._pieces = (self._tokens_of(run, state) if run is not None else ()), ()
        self._playground.tasks.cancel(KIND)
        if run is not None and self._tokens and state.model is not None and state.model.name == run.model:
            self._ask(TokenPrompt(tuple(token for token, _ in self._tokens)))
        self._show()

    def _tokens_of(self, run: Run, state: State) -> Tokens:
        """Without the end token, which is no text."""
        turn = state.turns[-1]
        trace = self._playground.traces.of(turn.id)
        if trace is None:
            self._playground.traces.want(turn)
            return ()
        places = trace.places(len(turn.runs) - 1)
        own = places[max(0, len(places) - len(run.ids)) :]
        text = own[:-1] if run.finish.stop_id is not None else own
        return [(token.id, token.text) for token in map(trace.token, text[:MOST])]

    @Slot(str)
    def _cut(self, text: str) -> None:
        self._tokens, self._pieces = (), ()
        self._playground.tasks.cancel(KIND)
        if text and self._playground.state.model is not None:
            self._ask(RawPrompt(text[:MOST]))
        self._show()

    def _ask(self, source: PromptSource) -> None:
        self._playground.tasks.start(self._show_apart(source), KIND)

    async def _show_apart(self, source: PromptSource) -> None:
        answer = await self._playground.token_texts(source)
        if isinstance(answer, Failure):
            if self._dialog.made is not None and self._source == TEXT:
                self._dialog.made.show_steps((), answer.sentence)
            return
        if self._source == TEXT:
            self._tokens = [(each.id, each.text) for each in answer]
        self._pieces = tuple(each.piece for each in answer)
        self._show()

    @Slot(object)
    def _on_traced(self, turn: TurnId) -> None:
        """Its tokens have been read back."""
        turns = self._playground.state.turns
        waits = self._dialog.seen is not None and self._source == RUN and not self._tokens
        if waits and turns and turns[-1].id == turn and turns[-1].runs:
            self._read_run()

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        dialog = self._dialog.seen
        if dialog is None:
            return
        dialog.allow_run(new.last_run is not None)
        if self._source == TEXT and new.model is not old.model:
            self._cut(dialog.text())
        elif self._source == RUN and new.last_run is not None and new.last_run is not old.last_run:
            self._read_run()

    @Slot()
    def _show(self) -> None:
        """The tokens that are known, with the stop strings as they stand in the field."""
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
        return COMING if self._source == RUN or typed else TYPE
