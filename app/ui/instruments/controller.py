"""The instruments: graph, cards and gauges tell of the one run that is shown."""

from dataclasses import replace

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.displayed_run import DisplayedRun
from app.engine.meter.frame import ContextUse, Figures, Frame
from app.engine.types import Memory
from app.files.settings import Settings
from app.i18n import tr
from app.number_format import two_percent
from app.records.types import TurnId
from app.roofline.figures import Roofline, has_ceiling
from app.state import Run, State
from app.ui.feature import Feature
from app.ui.graph.tokens import RunTokens
from app.ui.instruments.controller_tables import TablesController
from app.ui.instruments.controller_watch import WatchController
from app.ui.instruments.prompt_words import Prompt
from app.ui.instruments.speed_graph import THIS_RUN
from app.ui.instruments.strip import Strip
from app.ui.look import Theme
from app.ui.widgets.plots.speed_curve import Limit

INTERVAL_S = 0.125
"""More often nobody reads a number, and more seldom a curve does not flow."""
REACHED_BY = tr("That is its mean speed, and the ceiling with half of the answer before it.")
ALONE_S = 0.25
"""The same where tokens come one by one: fewer are new."""


class InstrumentsController(Feature):
    """Frames of the run that goes on come straight here; all else is the difference of two Showns."""

    ahead = ("app.ui.instruments.tables_dialog",)

    def __init__(self, playground: Playground, strip: Strip, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._graph, self._readouts = strip.graph, strip.readouts
        self._memory, self._context = strip.memory, strip.context
        told_by = (strip.graph, strip.readouts, strip.memory, strip.context)
        self._tables = TablesController(told_by, (strip.memory, strip.context), theme, parent)
        self._watch = WatchController(playground, strip.graph.watch, self)
        self._drawn_at = float("-inf")
        self._latest: tuple[Memory | None, ContextUse | None] = (None, None)
        """What a frame told last of memory and context: most tell nothing new."""
        self._waiting: list[Frame] = []
        """Those that no instrument shows yet: a graph that is painted in between is no newer than the numbers."""
        self._prompt = Prompt()
        self._told: Memory | None = None
        """What the allocator said last."""
        self._measured: Run | None = None
        """The run in which that was, as long as its model is open."""
        self._ceiling: Roofline | None = None
        self._limited = -1
        """By a prompt of so many tokens."""
        self._elsewhere = ""
        """Why nobody tells how much the open model takes."""
        self._listen()

    def actions(self) -> dict[str, Intent]:
        return {"show_tables": self._tables.show, "watch_again": self._watch.watch}

    def joined(self) -> None:
        self._graph.offer(self._actions["show_tables"])
        self._watch.join(self._actions)

    def restore(self, settings: Settings) -> None:
        self._graph.set_eos(settings.layout.end_probability_shown)
        self._graph.measured = settings.layout.curve_measured

    def kept(self, settings: Settings) -> Settings:
        eos, measured = self._graph.eos, self._graph.measured
        return replace(settings, layout=replace(settings.layout, end_probability_shown=eos, curve_measured=measured))

    def _listen(self) -> None:
        self._playground.advanced.connect(self._advance)
        self._playground.replay_advanced.connect(self._advance)
        self._playground.watching.advanced.connect(self._advance)
        self._playground.measured.connect(self._measure)
        self._playground.changed.connect(self._follow)
        self._playground.shown.changed.connect(self._apply)
        self._playground.traces.changed.connect(self._take_trace)

    @Slot(object)
    def _advance(self, frame: Frame) -> None:
        """One helping of the run that is going on. All instruments show the same one, a few times a second."""
        memory, context = self._latest
        self._latest = frame.memory or memory, frame.context or context
        self._waiting.append(frame)
        self._prompt = self._prompt.after(frame)
        if frame.at - self._drawn_at >= (ALONE_S if len(frame.tokens) == 1 else INTERVAL_S):
            self._drawn_at = frame.at
            self._draw(frame, *self._latest)

    @Slot(object)
    def show_ceiling(self, ceiling: Roofline | None) -> None:
        """Of the model that is open."""
        self._ceiling = ceiling
        shown = self._playground.shown.now
        if shown.run is not None:
            self._limit(shown, shown.run)
            self._graph.draw(0.0)

    def _limit(self, shown: DisplayedRun, run: Run) -> None:
        """What the open model could do is nothing to another one's run."""
        own = self._has_ceiling(shown)
        self._graph.set_limit(_limit(self._ceiling, run.finish.prompt_known or 0) if own else None)
        mean = run.summary.figures.speed_mean
        reached = self._ceiling.reached(run.finish, mean) if own and self._ceiling is not None else None
        if reached is not None:
            self._readouts.show_share(two_percent(reached.share), f"{reached.sentence} {REACHED_BY}")
        else:
            self._readouts.show_share("")

    def _has_ceiling(self, shown: DisplayedRun) -> bool:
        """It is the open model's run, and one that a ceiling can be told of."""
        model, asked = self._playground.state.model, self._playground.state.controls
        if model is None or shown.model != model.name:
            return False
        if shown.run is not None:
            return has_ceiling(shown.run.finish)
        return model.draft is None and (asked.kv.enabled or not model.can.bare_loop)

    def _catch_up(self) -> None:
        if self._waiting:
            points = [point for frame in self._waiting for point in frame.points]
            arrivals = [token.at - frame.sent for frame in self._waiting for token in frame.tokens]
            self._graph.take(points, self._waiting[-1].figures, arrivals)
            self._waiting.clear()

    def _draw(self, frame: Frame, memory: Memory | None, context: ContextUse | None) -> None:
        self._catch_up()
        self._readouts.show_figures(frame.figures)
        self._graph.tell_prompt(self._prompt.told(frame.figures))
        if frame.prefill is not None and frame.prefill.remaining is not None:
            self._graph.expect(frame.figures.elapsed + frame.prefill.remaining)
        if context is not None and self._limited != (prompt := context.used - frame.figures.tokens):
            self._limited = prompt
            own = self._has_ceiling(self._playground.shown.now)
            self._graph.set_limit(_limit(self._ceiling, prompt) if own else None)
        self._graph.draw(frame.at)
        if memory is not None and memory is not self._told:
            self._told = memory
            self._memory.show_memory(memory)
        if context is not None:
            self._context.show_context(context)

    @Slot(object, object)
    def _apply(self, old: DisplayedRun, new: DisplayedRun) -> None:
        """All of them together."""
        begins = (new.slowed and not old.slowed) or (new.live and not old.live)
        if new == old or ((new.live or new.slowed) and not begins):
            return
        self._catch_up()
        if begins:
            self._begin(new)
        elif old.live and new.run is not None and (new.key, new.replay) == (old.key, old.replay):
            self._finish(new.run)
        elif new.run is not None:
            self._show_past(new, new.run)
        else:
            self._show_nothing(new)
        self._show_memory()

    def _begin(self, shown: DisplayedRun) -> None:
        """What begins is drawn at once, whenever the last one was."""
        self._drawn_at, self._latest, self._prompt, self._limited = float("-inf"), (None, None), Prompt(), -1
        self._readouts.show_figures(Figures())
        self._context.show_room(shown.length)
        begin = self._graph.watch_run if shown.slowed else self._graph.begin_run
        begin(shown.model, _name(shown))
        if not shown.slowed:
            self._show_tokens(shown)

    def _finish(self, run: Run) -> None:
        """All that was measured."""
        self._measured = run
        self._told = self._latest[0] or self._told
        self._show_numbers(run)
        self._graph.finish_run(run.summary.figures)

    def _show_numbers(self, run: Run) -> None:
        self._readouts.show_figures(run.summary.figures, over=True)
        self._context.show_run(run)
        self._limit(self._playground.shown.now, run)
        prompt = Prompt.of(run)
        self._graph.tell_prompt(prompt.told(run.summary.figures), prompt.seconds, prompt.brief)

    def _show_past(self, shown: DisplayedRun, run: Run) -> None:
        """A run that did not end just now."""
        self._graph.show_run(run.summary.figures, shown.model, _name(shown))
        self._show_numbers(run)
        self._show_tokens(shown)
        trace = self._playground.traces.of(shown.turn) if shown.turn else None
        if trace is not None:
            self._graph.show_curve(RunTokens(trace, shown.number).curve())
        if not self._graph.drawn and run.summary.figures.tokens:
            self._playground.shown.read_curve(self._graph.show_curve)
        self._graph.draw(0.0)

    def _show_nothing(self, shown: DisplayedRun) -> None:
        self._readouts.show_figures(None)
        self._context.show_room(shown.length)
        self._graph.clear()
        self._show_tokens(shown)

    def _show_tokens(self, shown: DisplayedRun) -> None:
        """So that the graph points at tokens."""
        self._graph.show_trace(self._playground.traces.of(shown.turn) if shown.turn else None, shown.number)

    @Slot(object)
    def _take_trace(self, turn: TurnId) -> None:
        """It has grown, or has been read."""
        shown = self._playground.shown.now
        if shown.turn == turn and not (shown.live or shown.slowed):
            self._show_tokens(shown)

    @Slot(object)
    def _measure(self, memory: Memory) -> None:
        """The allocator as it stands."""
        self._told = memory
        self._show_memory()

    def _show_memory(self) -> None:
        """It belongs to the model that is open, and its peak to the run in which it was measured."""
        run = self._playground.shown.now.run
        if self._elsewhere:
            self._memory.show_elsewhere(self._elsewhere)
        elif self._told is not None and (run is None or run == self._measured):
            self._memory.show_memory(self._told)
        elif self._told is not None:
            self._memory.show_now(self._told)

    @Slot(object, object)
    def _follow(self, old: State, new: State) -> None:
        if new.model is not old.model:
            self._measured = None
            self._elsewhere = new.model.can.refusal("memory") if new.model is not None else ""
            self._show_memory()


def _limit(ceiling: Roofline | None, prompt: int) -> Limit | None:
    return (lambda written: ceiling.of_run(prompt + written).tokens_per_s) if ceiling is not None else None


def _name(shown: DisplayedRun) -> str:
    """What the graph calls it."""
    if shown.slowed:
        return tr("slowed {factor}×").format(factor=shown.slowed) if shown.slowed > 1 else tr("once more")
    if shown.replay:
        return tr("replay")
    return tr("earlier run") if shown.earlier else THIS_RUN
