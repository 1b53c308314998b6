"""Shows what the playground says: of two states only the difference, of each frame what is new."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from app.bridge import conversation
from app.bridge.playground import Playground
from app.bridge.servers import Servers
from app.controls import Mode
from app.engine.frame import Frame
from app.engine.remote.address import server_model
from app.engine.speeds import observing_share
from app.engine.types import Model, Observed
from app.figures import parameters
from app.state import LOADABLE, RUNNING, STOPPABLE, Phase, Run, State
from app.ui.conversation.transcript_filling import TranscriptFilling
from app.ui.conversation.transcript_update import TranscriptUpdate
from app.ui.prompt.controller_page import PageController
from app.ui.shell.layout import Layout
from app.ui.widgets.tooltips import as_tip
from app.words import tr


class StateView(QObject):
    """Values out of the playground, into widgets."""

    def __init__(
        self, playground: Playground, parts: Layout, acts: Mapping[str, QAction], servers: Servers, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._parts = parts
        self._acts = acts
        self._servers = servers
        self._conversation = TranscriptUpdate(parts.transcript, TranscriptFilling(parts.transcript))
        self._page = PageController(parts.prompt)
        self._raw = False
        self._reasoning_before = 0
        self._open_choice: Observed | None = None
        """The least certain choice of the run that is going on: one that is certain would show nothing."""

    def listen(self) -> None:
        """To the playground from now on, and for other names of the servers."""
        self._playground.changed.connect(self._apply)
        self._playground.advanced.connect(self._advance)
        self._playground.replay_advanced.connect(self._show_prefill)
        self._playground.finished.connect(self._finish)
        self._servers.changed.connect(self._show_name)

    def begin(self) -> None:
        """The first state is all difference."""
        state = self._playground.state
        self._show_controls(state)
        self._show_phase(state)
        self._enable(state)

    @Slot(object, object)
    def _apply(self, old: State, new: State) -> None:
        """Only what changed is touched."""
        if new.controls != old.controls:
            self._show_controls(new)
        self._page.apply(old, new)
        if new.turns is not old.turns:
            self._show_turns(old, new)
        if (new.phase, new.model, new.loading) != (old.phase, old.model, old.loading):
            self._show_phase(new)
        if new.failure is not old.failure:
            self._show_failure(new)
        if new.phase is Phase.PREFILLING and old.phase is not Phase.PREFILLING and not new.aside:
            self._open_choice = None
        self._enable(new)

    @Slot(object)
    def _advance(self, frame: Frame) -> None:
        """One helping of the run that is going on."""
        self._parts.transcript.append_shown(frame.shown, self._reasoning_before + frame.figures.thought)
        if self._raw:
            self._page.write(frame.shown)
        seen = [self._open_choice, *(token.observed for token in frame.tokens)]
        self._open_choice = max(filter(None, seen), key=_entropy, default=None)
        self._show_prefill(frame)

    @Slot(object)
    def _show_prefill(self, frame: Frame) -> None:
        """How far the prompt has been read, until the first token is there."""
        if frame.prefill is not None:
            self._parts.progress.show_prefill(frame.prefill, frame.figures.elapsed)
        elif frame.tokens:
            self._parts.progress.clear()

    @Slot(object)
    def _finish(self, run: Run) -> None:
        """The last word on a run; its text is on the page already."""
        self._parts.picture.show_cost(observing_share(run.finish))
        if self._open_choice is not None:
            ends = (end for end, _ in run.on.eos) if run.on else ()
            self._parts.picture.show_observed(self._open_choice, frozenset((*ends, *run.request.limits.stop_ids)))

    def _show_controls(self, state: State) -> None:
        self._parts.controls.show_values(state.controls)
        self._parts.picture.show_sampling(state.controls.sampling)
        self._parts.picture.show_recording(state.controls.observe > 0)
        self._raw = state.controls.mode is Mode.RAW
        self._parts.mode.show_choice(state.controls.mode.value)
        self._parts.template.show_values(state.controls.reply_start, state.controls.arguments)
        # In raw mode the page stands in the prompt; the transcript has it too, for whoever reads that by name.
        self._parts.transcript.set_raw(self._raw)
        self._parts.set_raw(self._raw)

    def _show_turns(self, old: State, new: State) -> None:
        self._conversation.apply(old.turns, new.turns)
        self._parts.pages.setCurrentWidget(self._parts.transcript if new.turns else self._parts.welcome)
        runs = new.turns[-1].runs if new.turns else ()
        self._reasoning_before = sum(run.summary.figures.thought for run in runs)

    def _show_phase(self, state: State) -> None:
        parts = self._parts
        model = state.model
        self._show_button(model)
        parts.picture.refuse_recording(dict(model.can.refusals).get("observe", "") if model is not None else "")
        if model is not None:
            parts.template.offer(model.template_arguments, model.can.chat, _out_of_reach(model))
        if state.phase is Phase.LOADING:
            parts.progress.show_loading(_short(state.wanted), state.loading)
            parts.welcome.show_loading(_short(state.wanted))
        elif state.phase is Phase.STOPPING:
            parts.progress.show_stopping()
        elif state.phase not in RUNNING:
            parts.progress.clear()
            if model is not None:
                parts.welcome.show_ready(model.name)
            else:
                parts.welcome.show_no_model()

    @Slot()
    def _show_name(self) -> None:
        """A server may have another name by now."""
        self._show_button(self._playground.state.model)

    def _show_button(self, model: Model | None) -> None:
        """The model's name where it is always to be seen, and the server's if it runs on one."""
        button = self._parts.model_button
        there = server_model(str(model.folder)) if model is not None else None
        server = self._servers.name_of(there.address) if there is not None else ""
        described = _described(model, server) if model is not None else ""
        button.setText(f"{described} ▾" if described else tr("Open a model ▾"))
        is_open = tr("{model} is open").format(model=described) if described else tr("No model is open")
        button.setAccessibleDescription(is_open)
        if model is not None:
            button.setToolTip(as_tip(_origin(model, server)))
        window = button.window()
        on = tr("Sluice: {model} on {server}").format(model=model.name, server=server) if model and server else "Sluice"
        window.setWindowTitle(on)

    def _show_failure(self, state: State) -> None:
        if state.failure is not None:
            self._parts.notice.show_failure(state.failure)
        else:
            self._parts.notice.clear()

    def _enable(self, state: State) -> None:
        ready = state.phase is Phase.READY
        settled = ready or state.phase is Phase.EMPTY
        self._parts.mode.setEnabled(state.phase not in RUNNING and state.phase is not Phase.STOPPING)
        self._parts.prompt.set_ready(ready)
        self._parts.prompt.set_stoppable(state.phase in STOPPABLE)
        run = state.last_run
        enabled = {
            "stop": state.phase in STOPPABLE,
            "new_session": state.phase in LOADABLE and bool(state.session or state.turns),
            "undo": settled and state.undoable is not None,
            "copy_answer": bool(state.turns),
            "continue_run": ready and run is not None and conversation.can_continue(run),
            "replay": ready and run is not None,
            "regenerate": ready and conversation.is_answer(state.turns, len(state.turns) - 1),
        }
        enabled |= dict.fromkeys(("view_code", "copy_python", "copy_command"), ready)
        for name, value in enabled.items():
            self._acts[name].setEnabled(value)


def _entropy(observed: Observed) -> float:
    return 0.0 if math.isnan(observed.entropy) else observed.entropy


def _out_of_reach(model: Model) -> str:
    return tr("The server has its own chat template, and begins its answers itself.") if model.server else ""


def _origin(model: Model, server: str) -> str:
    """Where it comes from, and how large it is."""
    if model.server:
        named = server if server == model.server else f"{server} ({model.server})"
        return tr("{model}\nruns on {server}").format(model=model.name, server=named)
    return f"{model.folder}\n{tr('%n parameters', '%n parameter', model.parameters)}"


def _described(model: Model, server: str) -> str:
    """Its name, its size and its precision."""
    parts = [model.name]
    if model.parameters:
        parts.append(parameters(model.parameters))
    if model.bits is not None:
        parts.append(tr("{bits}-bit").format(bits=model.bits))
    if server:
        parts.append(server)
    return " · ".join(parts)


def _short(model: str) -> str:
    """The last part of a path or an id: what people call a model."""
    elsewhere = server_model(model)
    return elsewhere.name if elsewhere is not None else model.replace("\\", "/").rstrip("/").rpartition("/")[2]
