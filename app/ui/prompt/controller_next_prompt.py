"""Shows what would be sent while the user types, and what was sent: the pane, the count by Send, the sanity lights."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.bridge.playground import Playground
from app.bridge.preview import PromptPreview
from app.controls import Mode
from app.engine.prompt_warnings import PromptWarning, QuickFix, WarningKind, lights
from app.engine.types import ExactPrompt, Failure, Prompted
from app.i18n import tr
from app.records.types import SessionId
from app.state import SETTLED, Run, State
from app.ui.prompt.cache_line import CacheSaid
from app.ui.prompt.cache_words import foretold, read_for, told
from app.ui.prompt.controller_reuse_check import ReuseCheckController, possible
from app.ui.prompt.editor import PromptEditor
from app.ui.prompt.exact_prompt import NEXT, SENT, ExactPromptPane, Reading
from app.ui.prompt.warnings_row import LightLine, LightsRow

GOING_ON = tr("The model is answering this one; what you type next is shown when it has finished.")


class NextPromptController(QObject):
    """Asks whenever something that decides the prompt has changed. `way_on_taken` carries what a light offered."""

    way_on_taken = Signal(object, object)
    """WayOn, and the ExactPrompt it is about or None."""

    def __init__(
        self,
        playground: Playground,
        prompt: PromptEditor,
        lights_row: LightsRow,
        exact_prompt: ExactPromptPane,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._prompt = prompt
        self._lights = lights_row
        self._exact_prompt = exact_prompt
        self._foreseen: PromptPreview | None = None
        self._next = self._sent = Reading()
        self._source = NEXT
        self._note = ""
        """What the engine said of the cache at the last run."""
        self._origin = 0
        """The other session whose cache had its beginning."""
        self._check = ReuseCheckController(playground, self)
        self._check.told.connect(self._tell_check)
        exact_prompt.comparison_wanted.connect(self._check.start)
        playground.changed.connect(self._on_changed)
        playground.prompt_read.connect(self._on_prompt_read)
        playground.finished.connect(self._on_finished)
        playground.preview.foreseen.connect(self._on_foreseen)
        prompt.edited.connect(self._on_edited)
        exact_prompt.source_chosen.connect(self._choose)
        lights_row.taken.connect(self._take)
        exact_prompt.allow_sent(False)
        exact_prompt.allow_template(False)

    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model:
            self._exact_prompt.allow_template(new.model is not None and bool(new.model.template))
            self._tell_check(self._sent.cache.words, True)
        if new.phase not in SETTLED or new.model is None:
            return
        decides = [(state.phase, state.model, state.controls, state.session, state.turns) for state in (old, new)]
        if decides[0] != decides[1]:
            if new.session != old.session or new.controls.mode is not old.controls.mode:
                self._turn_to(new)
            if new.model is not old.model:
                self._on_foreseen(None)
            self._ask()

    def _turn_to(self, state: State) -> None:
        """What was sent belongs to a session, and this is another one."""
        run, context = state.last_run, state.model.context if state.model is not None else None
        self._note, self._origin = "", 0
        self._sent = self._reading_of(run, context) if run is not None and run.prompt is not None else Reading()
        self._source = SENT if self._sent.prompt is not None and self._source == SENT else NEXT
        self._show()

    def _on_edited(self) -> None:
        if self._playground.state.phase in SETTLED:
            self._source = NEXT
            self._ask()
        else:
            # It was of another text, and this one is counted when the run has ended.
            self._prompt.set_token_count("")

    def _ask(self) -> None:
        self._playground.preview.ask(self._prompt.text, self._prompt.editing)

    def _on_foreseen(self, foreseen: PromptPreview | None) -> None:
        state = self._playground.state
        self._foreseen = foreseen
        context = state.model.context if state.model is not None else None
        prompt = foreseen.prompt if foreseen is not None else None
        if foreseen is not None and isinstance(prompt, ExactPrompt):
            reasoning = state.model.reasoning if state.model is not None else None
            said = foretold(prompt, foreseen.reusable, self._sent.prompt, reasoning)
            said = replace(said, words=self._with_origin(said.words, foreseen.reusable.session))
            self._next = Reading(prompt, foreseen.reusable.count, context, cache=said)
            self._prompt.set_token_count(tr("%n tok", "%n tok", len(prompt.ids)))
        else:
            self._next = Reading(words=f"{prompt.what} {prompt.todo}" if isinstance(prompt, Failure) else "")
            self._prompt.set_token_count("")
        self._light()
        self._show()

    def _light(self) -> None:
        state = self._playground.state
        if state.model is None:
            self._lights.show_lines(())
            return
        prompt = self._foreseen.prompt if self._foreseen is not None else None
        found = lights(state.model, state.controls.mode is Mode.RAW, prompt)
        if state.last_run is not None and not self._prompt.page_is_touched:
            # The line about the last run says so already, and offers the same.
            found = tuple(light for light in found if light.alarm is not WarningKind.CHAT_AS_RAW)
        self._lights.show_lines(tuple(self._line(light, state) for light in found))

    def _line(self, light: PromptWarning, state: State) -> LightLine:
        """Without turns there is no oldest one to leave out."""
        way_on = light.way_on
        if way_on is None or (way_on is QuickFix.DROP_OLDEST and not state.turns):
            return LightLine(light.says)
        return LightLine(light.says, way_on.value, way_on.words)

    def _on_prompt_read(self, prompted: Prompted) -> None:
        model = self._playground.state.model
        context = model.context if model is not None else None
        self._note, self._origin = prompted.cache_note, prompted.session
        prompt = prompted.prompt
        self._sent = Reading(prompt, prompted.reused, context, remark=GOING_ON) if prompt.ids else _text(prompt)
        self._source = SENT
        self._show()

    def _on_finished(self, run: Run) -> None:
        if run.prompt is not None:
            self._sent = self._reading_of(run, self._sent.context)
            self._show()

    def _reading_of(self, run: Run, context: int | None) -> Reading:
        if run.prompt is not None and not run.prompt.ids:
            return _text(run.prompt)
        words = self._with_origin(told(run, self._note), self._origin)
        said = CacheSaid(words, comparable=self._possible(run))
        return Reading(run.prompt, run.finish.reused, context, cache=said)

    def _possible(self, run: Run | None) -> bool:
        return possible(run, self._playground.state.model, self._playground.book.models.known)

    def _with_origin(self, words: str, session: SessionId) -> str:
        book = self._playground.book
        return f"{words} {read_for('' if book.is_in_memory else book.title(session))}" if session else words

    def _tell_check(self, words: str, again: bool) -> None:
        """What was said of the last run, on the model that is open now."""
        said = CacheSaid(words, comparable=again and self._possible(self._playground.state.last_run))
        self._sent = replace(self._sent, cache=said)
        self._show()

    def _choose(self, source: str) -> None:
        self._source = source
        self._show()

    def _show(self) -> None:
        pane = self._exact_prompt
        pane.allow_sent(self._sent.prompt is not None)
        pane.show_reading(self._source, self._sent if self._source == SENT else self._next)

    def _take(self, name: str) -> None:
        if QuickFix(name) is QuickFix.SHOW_TOKENS:
            self._choose(NEXT)
        prompt = self._foreseen.prompt if self._foreseen is not None else None
        self.way_on_taken.emit(QuickFix(name), prompt if isinstance(prompt, ExactPrompt) else None)


def _text(prompt: ExactPrompt) -> Reading:
    """What a server was sent: it makes the tokens itself."""
    return Reading(words=" ".join(prompt.notes) or tr("The server was sent the text, and makes the tokens itself."))
