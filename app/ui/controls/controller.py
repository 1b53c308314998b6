"""Controller of the panel: shows the settings of the next run and applies the user's changes."""

import math
import re
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.capacity import context_room, memory_room
from app.engine.meter.meter import Frame
from app.engine.meter.speeds import recording_share
from app.engine.structured_output.grammar import why_not
from app.engine.types import ExactPrompt, Failure, Memory, OutputFormat, RawPrompt, TokenLogprobs, TokenPrompt
from app.files.settings import Settings
from app.library.drafts_and_adapters import drafts_around
from app.library.types import FolderChoice
from app.state import ANSWERING, Phase, Run, State
from app.ui.controls import ControlsPanel
from app.ui.controls.controller_presets import PresetsController
from app.ui.controls.end_part import FreeTokens
from app.ui.controls.panel import ControlsView
from app.ui.controls.sampling_picture import SamplingPicture
from app.ui.feature import Feature

ID = re.compile(r"#(\d+)")
PAUSE_S = 0.3
"""The pause in typing after which an output format is checked."""


class ControlsController(Feature):
    """Connects the Controls tab with the playground, which holds the values; each edit replaces them there.

    `bundled`: the folder of bundled models.
    """

    panel_wanted = Signal()
    """The user asked to see a control."""

    def __init__(
        self,
        playground: Playground,
        bundled: Path | None,
        *,
        panel: ControlsPanel,
        picture: SamplingPicture,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._playground, self._panel, self._picture = playground, panel, picture
        self._memory: Memory | None = None
        self._least_certain: TokenLogprobs | None = None
        """The token with the highest entropy of the run: at other tokens the settings change less."""
        self._view: ControlsView | None = None
        """Before a lesson showed a control."""
        self._token_lists = panel.end.tokens, panel.bias
        self._presets = PresetsController(playground, panel, self)
        self._presets.changed.connect(self.changed)
        DraftController(playground, panel, bundled, self)
        panel.edited.connect(playground.set_controls)
        picture.recording_wanted.connect(self.record)
        for tokens in self._token_lists:
            tokens.search.wanted.connect(self._search_token)
        playground.changed.connect(self._on_changed)
        playground.follow(("controls", "model", "is_recording"), self._show_sampling, at_once=True)
        playground.measured.connect(self._on_measured)
        playground.advanced.connect(self._on_advanced)
        playground.finished.connect(self._on_finished)
        panel.show_values(playground.state.controls)

    def restore(self, settings: Settings) -> None:
        self._presets.restore(settings.presets, settings.model)
        self._playground.set_controls(settings.controls)

    def updated_settings(self, settings: Settings) -> Settings:
        return replace(settings, controls=self._playground.state.controls, presets=self._presets.store)

    def record(self, wanted: bool = True) -> None:
        """Record alternatives from the next run on, or stop it."""
        self._playground.set_recording(wanted)

    def reveal_for_lesson(self, setting: str) -> None:
        """Show the control of a setting until `restore_view`."""
        self._view = self._view or self._panel.view
        self.reveal(setting)

    def restore_view(self) -> None:
        """Show the controls as before the first `reveal_for_lesson`."""
        if self._view is not None:
            self._panel.show_view(self._view)
            self._view = None

    def reveal(self, setting: str) -> None:
        """Show the control of a setting, and open the panel and section that contain it."""
        self.panel_wanted.emit()
        self._panel.reveal(setting)

    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model:
            self._panel.show_model(new.model)
        self._panel.show_values(new.controls)
        is_live = new.phase in ANSWERING and new.elsewhere is None
        if not is_live and (new.model, new.controls, new.turns) != (old.model, old.controls, old.turns):
            self._show_free_tokens(new)
        if new.model is not old.model or _set_ids(new) - _set_ids(old):
            self._look_up_set_ids(new)
        if new.phase is Phase.PREFILLING and old.phase is not Phase.PREFILLING and not new.is_background:
            self._least_certain = None
        if (output_format := new.controls.form) and output_format != old.controls.form:
            self._playground.tasks.start(self._check_output_format(output_format), "output format")

    def _on_measured(self, memory: Memory) -> None:
        self._memory = memory
        if self._playground.state.phase in (Phase.READY, Phase.EMPTY, Phase.LOADING):
            self._show_free_tokens(self._playground.state)

    def _on_advanced(self, frame: Frame) -> None:
        seen = [self._least_certain, *(token.observed for token in frame.tokens)]
        self._least_certain = max(filter(None, seen), key=_entropy, default=None)

    def _on_finished(self, run: Run) -> None:
        self._panel.seed.show_last(run.seed)
        self._show_free_tokens(self._playground.state)
        self._picture.show_cost(recording_share(run.finish))
        if self._least_certain is not None:
            eos = (token for token, _ in run.on.eos) if run.on else ()
            spared = frozenset((*eos, *run.request.limits.stop_ids))
            self._picture.show_observed(self._least_certain, spared, run.request.sampling)

    def _show_free_tokens(self, state: State) -> None:
        model = state.model
        if model is None:
            self._panel.length.show_free(FreeTokens())
            return
        run = state.last_run
        is_known = run.is_by(model) if run is not None else not state.turns
        used = run.summary.context.used if run is not None and run.summary.context is not None and is_known else 0
        memory = memory_room(self._memory, model.kv, state.controls.kv) if self._memory else None
        free = FreeTokens(context_room(model.context, used), memory, model.context, is_known)
        self._panel.length.show_free(free)

    def _show_sampling(self, state: State) -> None:
        self._picture.show_sampling(state.controls.sampling)
        self._picture.show_recording(state.is_recording)
        self._picture.refuse_recording(state.model.can.refusal("observe") if state.model is not None else "")

    async def _check_output_format(self, output_format: OutputFormat) -> None:
        """Compile an output format in a child process, which may crash or take too much memory, and show errors."""
        import asyncio  # imported at the first output format

        await asyncio.sleep(PAUSE_S)
        self._panel.form.show_error(output_format, await self._playground.tasks.in_thread(why_not, output_format))

    def _search_token(self, query: str) -> None:
        if self._playground.state.model is not None:
            self._playground.tasks.start(self._find_token(query))

    async def _find_token(self, query: str) -> None:
        """Tokenize a text, or look up the text of an id; each list takes only the answers to its own queries."""
        number = ID.fullmatch(query)
        answer = await self._playground.tokenize(TokenPrompt((int(number[1]),)) if number else RawPrompt(query))
        for tokens in self._token_lists:
            if isinstance(answer, Failure):
                tokens.search.show_failure(query, answer.what)
            else:
                tokens.search.show_found(query, answer.texts("" if number else query))

    def _look_up_set_ids(self, state: State) -> None:
        if state.model is not None and (ids := _set_ids(state)):
            known = tuple(sorted(token for token in ids if token < state.model.vocabulary))
            self._playground.tasks.start(self._look_up(known), "token_texts")

    async def _look_up(self, ids: tuple[int, ...]) -> None:
        answer = await self._playground.tokenize(TokenPrompt(ids)) if ids else None
        if isinstance(answer, ExactPrompt):
            for tokens in self._token_lists:
                tokens.name_tokens(dict(answer.texts()))


class DraftController(QObject):
    """Looks for draft models when the section is opened. `bundled` is the folder of the program's own models."""

    def __init__(self, playground: Playground, panel: ControlsPanel, bundled: Path | None, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._part, self._section = panel.draft, panel.sections["draft"]
        self._choices: tuple[FolderChoice, ...] | None = ()
        """None: being searched."""
        self._searched_for: Path | None = None
        """The model for which the candidates were searched."""
        self._bundled = bundled
        self._tasks = Tasks(self)
        playground.follow(("model", "phase"), self._update)
        self._section.unfolded.connect(lambda: self._update(playground.state))
        self._part.picked.connect(self._load)
        self._update(playground.state)

    def _update(self, state: State) -> None:
        if state.model is not None and state.model.folder != self._searched_for and self._section.is_open:
            self._search(state.model.folder)
        self._show(state)

    def _search(self, model: Path) -> None:
        self._searched_for = model
        if model.is_dir():
            self._choices = None
            self._tasks.start(self._find(model), "drafts")
        else:
            self._tasks.cancel("drafts")
            self._choices = ()

    async def _find(self, model: Path) -> None:
        """Search for draft models; files that can't be read mean no candidates."""
        choices = await self._tasks.try_in_thread(find_drafts, model, self._bundled)
        self._choices = () if isinstance(choices, Failure) else choices
        self._show(self._playground.state)

    def _show(self, state: State) -> None:
        model = state.model
        if model is None:
            self._part.show_choices(())
            return
        found = self._choices if model.folder == self._searched_for else ()
        choices, loaded = found or (), model.draft.folder if model.draft else None
        if model.draft is not None and loaded not in {choice.folder for choice in choices}:
            choices = (FolderChoice(model.draft.name, model.draft.folder), *choices)
        refusal = model.can.refusal("draft")
        lookup_refusal = model.can.refusal("lookup")
        self._part.show_choices(choices, loaded, state.phase is Phase.READY, refusal, lookup_refusal)
        if found is None and not refusal:
            self._part.show_searching()

    def _load(self, folder: Path | None) -> None:
        model = self._playground.state.model
        if model is not None:
            self._playground.load(replace(model.opened_by, draft=str(folder) if folder else None))


def find_drafts(model: Path, bundled: Path | None) -> tuple[FolderChoice, ...]:
    """Return the possible draft models for the panel, on a worker thread."""
    choices = drafts_around(model, bundled)
    return tuple(FolderChoice(choice.model.name, choice.model.folder, choice.why_not) for choice in choices)


def _entropy(observed: TokenLogprobs) -> float:
    return 0.0 if math.isnan(observed.entropy) else observed.entropy


def _set_ids(state: State) -> set[int]:
    """Return the token ids of the controls: stop tokens and logit biases."""
    controls = state.controls
    return {*controls.limits.stop_ids, *(token for token, _ in controls.sampling.logit_bias)}
