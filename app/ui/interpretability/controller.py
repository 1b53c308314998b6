"""The Inside tab, and the controller of tab and window: both show the inspections of the selected token."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.i18n import tr
from app.state import Phase, Run, State
from app.ui.feature import Feature
from app.ui.interpretability import ATTENTION, LADDER, MATRIX, STATES, STRETCH, WORDS
from app.ui.interpretability.inspections import AnswerToken, HeadId, Inspections
from app.ui.look import Theme
from app.ui.tokens.text import NOWHERE
from app.ui.widgets import LazyWindow, come_after, in_column, named

if TYPE_CHECKING:
    from app.ui.interpretability.panel import InterpretabilityPanel
    from app.ui.interpretability.window import InterpretabilityWindow

BEFORE_TOKENS = 4
"""Tokens shown before the selected one."""
BUSY = tr("Not available during a run.")
NO_MODEL = tr("Open a model first.")


class InterpretabilityPage(QWidget):
    """The Inside tab. It creates its panel when first shown, since importing numpy would delay the first paint."""

    made = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "inside", tr("Inside"))
        self._theme = theme
        self._place = in_column(on=self)
        self.panel: InterpretabilityPanel | None = None

    def make(self) -> None:
        if self.panel is not None:
            return
        from app.ui.interpretability.panel import InterpretabilityPanel

        self.panel = InterpretabilityPanel(self._theme, self)
        self._place.addWidget(self.panel)
        come_after(self, self.panel)
        self.made.emit(self.panel)
        self.panel.show()

    def showEvent(self, event: QShowEvent) -> None:
        self.make()
        super().showEvent(event)


class InterpretabilityController(Feature):
    ahead = ("app.ui.interpretability.window",)

    fork_wanted = Signal(int, int, int)
    """Index of the turn, place of the token, id of the new token."""
    token_picked = Signal(int, int)
    """Index of the turn, and place of a token that was picked in the window."""

    def __init__(
        self, playground: Playground, page: InterpretabilityPage, theme: Theme, bundled: Path, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._playground, self._page, self._theme, self._bundled = playground, page, theme, bundled
        self._window_parent = parent
        self._inspections = Inspections(playground, self)
        self._tried_answer: tuple[int, ...] = ()
        """Token ids of the answer that is generated again with a shorter prompt."""
        self._head = HeadId(0, None)
        """The head whose matrix the tab asked for last."""
        self._window = LazyWindow(self._make_window)
        page.made.connect(self._connect_panel)
        self._inspections.arrived.connect(self._show_result)
        self._inspections.forgotten.connect(self._forget)
        playground.changed.connect(self._on_changed)
        playground.replayed.connect(self._on_replayed)

    def actions(self) -> dict[str, Intent]:
        return {"inside_window": self._window.bring_up}

    def close(self) -> None:
        if self._window.made is not None:
            self._window.made.leave()

    def show_token(self, index: int, position: int) -> None:
        """Set the selected token; NOWHERE for none."""
        turns = self._playground.state.turns
        is_token = 0 <= index < len(turns) and position != NOWHERE
        self._inspections.select(AnswerToken(turns[index].id, index, position) if is_token else None)
        if self._page.panel is not None:
            self._show_selected(self._page.panel)

    def look(self, kind: str) -> None:
        """Compute the result of this tab for the selected token."""
        self._page.make()
        if self._page.panel is not None:
            self._page.panel.choose(kind)
        self._request(kind)

    def _make_window(self) -> InterpretabilityWindow:
        from app.ui.interpretability.window import InterpretabilityWindow

        window = InterpretabilityWindow(
            self._playground, self._inspections, self._theme, self._bundled, self._window_parent
        )
        window.fork_wanted.connect(self.fork_wanted)
        window.token_picked.connect(self.token_picked)
        window.try_wanted.connect(self._try_shorter_prompt)
        return window

    def _connect_panel(self, panel: InterpretabilityPanel) -> None:
        panel.look_wanted.connect(self._request)
        panel.matrix_wanted.connect(self._request_matrix)
        panel.fork_wanted.connect(self._ask_fork)
        panel.window_wanted.connect(self._window.bring_up)
        panel.words.try_wanted.connect(self._try_shorter_prompt)
        self._show_selected(panel)
        for kind in (LADDER, WORDS):
            self._show_result(kind)
        self._update_availability(self._playground.state)

    def _show_selected(self, panel: InterpretabilityPanel) -> None:
        token = self._inspections.token
        trace = self._playground.traces.of(token.turn) if token is not None else None
        if token is None or trace is None or token.place >= len(trace):
            panel.show_token(None)
            return
        position = token.place
        before = "".join(trace.token(each).text for each in range(max(0, position - BEFORE_TOKENS), position))
        panel.show_token(position, trace.token(position).name, len(trace), before)
        for kind in (ATTENTION, STATES):
            if panel.known.get(kind) != position:
                self._show_result(kind)

    def _request(self, kind: str) -> None:
        part = self._page.panel.words.part if self._page.panel is not None else None
        if kind != WORDS:
            self._inspections.request(kind)
        elif part is not None:
            self._inspections.request(kind, part)

    def _request_matrix(self, layer: int, head: int | None) -> None:
        token = self._inspections.token
        self._head = HeadId(layer, head)
        if token is not None:
            self._inspections.request_matrix(token, self._head)

    def _ask_fork(self, position: int, token: int) -> None:
        if self._inspections.token is not None:
            self.fork_wanted.emit(self._inspections.token.index, position, token)

    def _show_result(self, kind: str) -> None:
        """Show the result of this kind in the tab, if there is one for the selected token."""
        panel, token, results = self._page.panel, self._inspections.token, self._inspections.results
        if panel is None or token is None:
            return
        place = token.place
        if kind in (LADDER, STRETCH):
            panel.show_found(results.lens_result(), results.start)
        elif kind == ATTENTION and place in results.attention:
            panel.show_attention(place, *results.attention[place])
        elif kind == MATRIX and (matrix := results.matrices.get((place, self._head))) is not None:
            panel.show_matrix(matrix)
        elif kind == STATES and place in results.states:
            prompt, states = results.states[place]
            panel.show_states(place, results.start, prompt, states)
        elif kind == WORDS and (known := results.ablation) is not None:
            panel.show_ablation(known.place, known.prompt, known.unit, known.found)

    def _try_shorter_prompt(self) -> None:
        known = self._inspections.results.ablation
        if known is not None and self._playground.try_shorter(known.read, known.found.kept):
            self._tried_answer = known.read.answer

    def _on_replayed(self, run: Run) -> None:
        answer, self._tried_answer = self._tried_answer, ()
        if answer and self._page.panel is not None:
            self._page.panel.words.show_tried(answer, run)
        if answer and self._window.made is not None:
            self._window.made.words.show_tried(answer, run)

    def _on_changed(self, old: State, new: State) -> None:
        if (new.phase, new.model) != (old.phase, old.model):
            self._update_availability(new)

    def _update_availability(self, state: State) -> None:
        why = "" if state.phase is Phase.READY else NO_MODEL if state.phase is Phase.EMPTY else BUSY
        if state.model is not None:
            why = state.model.can.refusal("ids") or why
        if self._page.panel is not None:
            self._page.panel.set_unavailable(why)

    def _forget(self) -> None:
        """Drop the results of another model, page or answer."""
        self._tried_answer = ()
        if self._page.panel is not None:
            self._page.panel.show_ablation(NOWHERE)
            self._page.panel.show_found(None)
