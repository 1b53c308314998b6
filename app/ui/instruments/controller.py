"""Controller of the instruments: graph, figures and gauges show the displayed run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.actions import BY_NAME, Intent
from app.bridge.playground import Playground
from app.engine.meter.first_token import FirstTokenTime, StartPart, prefill_time
from app.engine.meter.meter import ContextUse, Frame, RunMetrics
from app.engine.meter.speeds import Curve
from app.engine.types import Finish, Memory, Role
from app.files.settings import Settings
from app.i18n import tr
from app.number_format import duration, measured_duration, two_percent
from app.records.types import TurnId
from app.roofline.roofline import Roofline, has_ceiling
from app.state import SETTLED, DisplayedRun, PlaybackSpeed, Run, State
from app.ui.feature import Feature
from app.ui.instruments.strip import Strip
from app.ui.look import Theme
from app.ui.speed_graph.tokens import RunTokenView
from app.ui.widgets import LazyWindow
from app.ui.widgets.plots.speed_curve import Limit

if TYPE_CHECKING:
    from app.ui.instruments.tables_dialog import TablesDialog

INTERVAL_S = 0.125
"""Minimum interval between updates, at which figures are readable and the curve looks smooth."""
SLOW_INTERVAL_S = 0.5
"""The same below SLOW_SPEED, where updates are a larger part of the window's CPU time than the text."""
SLOW_SPEED = 60
"""In tokens per second."""
LIMIT_MEANING = tr("Share: mean speed ÷ the bandwidth limit at the middle of the answer.")
GRAPH_TABLE, GAUGE_TABLE = 0, 2


class InstrumentsController(Feature):
    """Controller that draws the frames of the active run, and other runs when they are displayed."""

    ahead = ("app.ui.instruments.tables_dialog",)

    def __init__(self, playground: Playground, strip: Strip, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground, self._strip, self._theme, self._window = playground, strip, theme, parent
        self._graph, self._readouts = strip.graph, strip.readouts
        self._memory, self._context = strip.memory, strip.context
        self._tables = LazyWindow(self._make_tables)
        self._drawn_at = float("-inf")
        self._latest_usage: tuple[Memory | None, ContextUse | None] = (None, None)
        """Memory and context of the active run, since most frames don't contain them."""
        self._pending_frames: list[Frame] = []
        """Frames that aren't displayed yet. A repaint of the graph must not show them before the figures do."""
        self._prefilled = (0, 0)
        """Prompt tokens of the active run: prefilled, and cached."""
        self._prefill_start: float | None = None
        """Seconds from Send to the start of the active run's prefill; None before it."""
        self._latest_memory: Memory | None = None
        """Latest memory of the allocator."""
        self._measured_run: Run | None = None
        """The run in which `_latest_memory` was measured; None after its model was unloaded."""
        self._roofline: Roofline | None = None
        self._limit_prompt_tokens = -1
        """Number of prompt tokens for which the bandwidth limit is drawn."""
        self._no_memory = ""
        """Reason for the unknown memory of the open model."""
        self._connect()
        self._offer_playback()

    def actions(self) -> dict[str, Intent]:
        return {
            "show_tables": lambda: self._open_tables(GRAPH_TABLE),
            "watch_again": lambda: self._playground.watch(PlaybackSpeed.READING),
        }

    def connect_actions(self) -> None:
        self._graph.add_menu_actions(self._actions["show_tables"])
        self._offer_playback()

    def restore(self, settings: Settings) -> None:
        self._graph.set_eos(settings.layout.end_probability_shown)
        self._graph.measured = settings.layout.curve_measured

    def updated_settings(self, settings: Settings) -> Settings:
        eos, measured = self._graph.scene.eos.is_on, self._graph.measured
        return replace(settings, layout=replace(settings.layout, end_probability_shown=eos, curve_measured=measured))

    def show_ceiling(self, roofline: Roofline | None) -> None:
        """Set the roofline of the open model."""
        self._roofline = roofline
        shown = self._playground.shown.now
        if shown.run is not None:
            self._show_limit(shown, shown.run)
            self._graph.draw(0.0)

    def _connect(self) -> None:
        playground = self._playground
        for source in (playground.advanced, playground.replay_advanced, playground.playback.advanced):
            source.connect(self._advance)
        playground.resumed.connect(self._resume)
        playground.measured.connect(self._measure)
        playground.changed.connect(self._follow)
        playground.shown.changed.connect(self._apply)
        playground.traces.changed.connect(self._take_trace)
        self._graph.watch.wanted.connect(playground.watch)
        self._graph.watch.stopped.connect(playground.stop)
        for gauge in (self._memory, self._context):
            act = QAction(BY_NAME["show_tables"].text, gauge)
            act.setObjectName(f"{gauge.objectName()}_as_table")
            act.triggered.connect(lambda: self._open_tables(GAUGE_TABLE))
            gauge.addAction(act)
            gauge.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def _make_tables(self) -> TablesDialog:
        from app.ui.instruments.tables_dialog import TablesDialog

        return TablesDialog(self._theme, self._window)

    def _open_tables(self, first: int) -> None:
        instruments = (self._graph, self._readouts, self._memory, self._context)
        self._tables.window.show_numbers([each.numbers() for each in instruments], first)
        self._tables.window.open()

    def _offer_playback(self) -> None:
        """Enable playback of an answer's run while no other run is active."""
        shown = self._playground.shown.now
        is_recorded = shown.run is not None and bool(shown.turn) and bool(shown.run.summary.figures.tokens)
        is_possible = is_recorded and self._playground.state.phase in SETTLED
        self._graph.watch.show_watching(bool(shown.slowed), is_possible)
        if self._actions:
            self._actions["watch_again"].setEnabled(is_possible and not shown.slowed)

    def _advance(self, frame: Frame) -> None:
        """Process a frame of the active run. All instruments are updated together, a few times per second."""
        memory, context = self._latest_usage
        self._latest_usage = frame.memory or memory, frame.context or context
        self._pending_frames.append(frame)
        if frame.prompted is not None:
            self._prefilled = frame.prompted.new, frame.prompted.reused
        if frame.prefill is not None and not frame.prefill.stage:
            self._prefill_start = frame.prefill.started
        is_slow = bool(frame.tokens) and (frame.metrics.speed_now or SLOW_SPEED) < SLOW_SPEED
        if frame.at - self._drawn_at >= (SLOW_INTERVAL_S if is_slow else INTERVAL_S):
            self._drawn_at = frame.at
            self._draw(frame)

    def _resume(self, frame: Frame, curve: Curve) -> None:
        """Show the active run again, after another session was displayed."""
        self._graph.show_curve(curve)
        self._advance(frame)

    def _draw(self, frame: Frame) -> None:
        memory, context = self._latest_usage
        self._take_waiting()
        self._readouts.show_metrics(frame.metrics)
        until = frame.prefill_ended or frame.metrics.first_token or frame.metrics.elapsed
        prefill = (self._prefill_start, until) if self._prefill_start is not None else None
        self._graph.set_prompt(progress_words(*self._prefilled, frame.metrics.first_token), prefill)
        if frame.prefill is not None and frame.prefill.remaining is not None:
            self._graph.scene.curve.expected = frame.metrics.elapsed + frame.prefill.remaining
        if context is not None and self._limit_prompt_tokens != (prompt := context.used - frame.metrics.tokens):
            self._limit_prompt_tokens = prompt
            has_limit = self._has_limit(self._playground.shown.now)
            self._graph.scene.curve.show_limit(_limit_by_tokens(self._roofline, prompt) if has_limit else None)
        self._graph.draw(frame.at)
        if memory is not None and memory is not self._latest_memory:
            self._latest_memory = memory
            self._memory.show_memory(memory)
        if context is not None:
            self._context.show_context(context)

    def _take_waiting(self) -> None:
        if self._pending_frames:
            points = [point for frame in self._pending_frames for point in frame.points]
            arrivals = [token.at - frame.sent for frame in self._pending_frames for token in frame.tokens]
            self._graph.scene.curve.extend(points, self._pending_frames[-1].metrics, arrivals)
            self._pending_frames.clear()

    def _apply(self, old: DisplayedRun, new: DisplayedRun) -> None:
        """Show another run, or the end of the displayed one."""
        self._offer_playback()
        begins = (new.slowed and not old.slowed) or (new.live and not old.live)
        if new == old or ((new.live or new.slowed) and not begins):
            return
        self._take_waiting()
        if begins:
            self._begin(new)
        elif old.live and new.run is not None and (new.key, new.replay) == (old.key, old.replay):
            self._measured_run = new.run
            self._latest_memory = self._latest_usage[0] or self._latest_memory
            self._show_numbers(new.run)
            self._graph.finish_run(new.run.summary.figures)
        elif new.run is not None:
            self._show_finished(new, new.run)
        else:
            self._readouts.show_metrics(None)
            self._show_room(new.length)
            self._graph.begin_run()
            self._show_tokens(new)
        self._show_memory()
        self._show_model()

    def _begin(self, shown: DisplayedRun) -> None:
        """Begin a run, and draw its first frame at once."""
        self._drawn_at, self._latest_usage, self._prefilled = float("-inf"), (None, None), (0, 0)
        self._limit_prompt_tokens, self._prefill_start = -1, None
        self._readouts.show_metrics(RunMetrics())
        self._context.show_room(shown.length)
        self._graph.begin_run(self._label(shown))
        if not shown.slowed:
            self._show_tokens(shown)

    def _show_finished(self, shown: DisplayedRun, run: Run) -> None:
        """Show a finished run."""
        self._graph.show_run(run.summary.figures, self._label(shown))
        self._show_numbers(run)
        self._show_tokens(shown)
        trace = self._playground.traces.of(shown.turn) if shown.turn else None
        if trace is not None:
            self._graph.show_curve(RunTokenView(trace, shown.number).curve())
        if not self._graph.scene.curve.arrivals and run.summary.figures.tokens:
            self._playground.shown.read_curve(self._graph.show_curve)
        self._graph.draw(0.0)

    def _label(self, shown: DisplayedRun) -> str:
        return shown.run.model_label if shown.run is not None else self._playground.state.model_label

    def _show_numbers(self, run: Run) -> None:
        metrics, finish, times = run.summary.figures, run.finish, run.finish.times
        self._readouts.show_metrics(metrics, over=True)
        self._show_limit(self._playground.shown.now, run)
        self._graph.scene.curve.prompt = hash(run.prompt.ids) if run.prompt is not None and run.prompt.ids else None
        prefill = (times.prefill_started - times.sent, times.prefill_ended - times.sent)
        words = prefill_words(finish, metrics.first_token)
        self._graph.set_prompt(words, prefill if times.prefill_ended else None)

    def _show_limit(self, shown: DisplayedRun, run: Run) -> None:
        roofline = self._roofline if self._has_limit(shown) else None
        reached = roofline.reached(run.finish, run.summary.figures.speed_mean) if roofline is not None else None
        if reached is not None and reached.is_exceeded:
            roofline = reached = None
        self._graph.scene.curve.show_limit(_limit_by_tokens(roofline, run.finish.prompt_known or 0))
        if reached is not None:
            self._readouts.show_share(two_percent(reached.share), f"{reached.sentence} {LIMIT_MEANING}")
        else:
            self._readouts.show_share("")

    def _has_limit(self, shown: DisplayedRun) -> bool:
        """Return whether the roofline applies: only to runs of the open model without draft tokens."""
        model, asked = self._playground.state.model, self._playground.state.controls
        if model is None or shown.model != model.name:
            return False
        if shown.run is not None:
            return has_ceiling(shown.run.finish)
        drafts = model.draft is not None or (model.can.lookup and asked.lookup_tokens)
        return not drafts and (asked.kv.enabled or not model.can.bare_loop)

    def _show_tokens(self, shown: DisplayedRun) -> None:
        self._graph.show_trace(self._playground.traces.of(shown.turn) if shown.turn else None, shown.number)

    def _take_trace(self, turn: TurnId) -> None:
        """Show a trace that has grown or was loaded."""
        shown = self._playground.shown.now
        if shown.turn == turn and not (shown.live or shown.slowed):
            self._show_tokens(shown)

    def _measure(self, memory: Memory) -> None:
        self._latest_memory = memory
        self._show_memory()

    def _show_memory(self) -> None:
        """Show the memory of the open model. The peak is shown only with the run in which it was measured."""
        run = self._playground.shown.now.run
        if self._no_memory:
            self._memory.show_unknown(self._no_memory)
        elif self._latest_memory is not None and (run is None or run == self._measured_run):
            self._memory.show_memory(self._latest_memory)
        elif self._latest_memory is not None:
            self._memory.show_now(self._latest_memory)

    def _follow(self, old: State, new: State) -> None:
        self._offer_playback()
        if new.model is not old.model:
            self._measured_run = None
            self._no_memory = new.model.can.refusal("memory") if new.model is not None else ""
            self._show_memory()
            self._show_model()

    def _show_room(self, length: int | None) -> None:
        """Show the context of the open model, which hasn't answered on this page."""
        answered = any(turn.role is Role.ASSISTANT and not turn.is_failed for turn in self._playground.state.turns)
        self._context.show_room(length, is_empty=not answered)

    def _show_model(self) -> None:
        """Name the model of a run that isn't by the open one. The context gauge always shows the open model's."""
        shown, model = self._playground.shown.now, self._playground.state.model
        run = shown.run
        writer = run.model_label if run is not None and (model is None or not run.is_by(model)) else ""
        self._readouts.show_model(writer)
        self._graph.name_run(" · ".join(filter(None, (_name(shown), writer))))
        is_unknown = run is not None and run.summary.context is None and run.finish.wire is None
        if writer or is_unknown:
            self._show_room(model.context if model is not None else None)
        elif run is not None and not shown.slowed:
            self._context.show_run(run)


def progress_words(new: int, reused: int, first_token: float | None) -> str:
    """Return “prefilling 46 tokens · 30 from the cache”, and after the first token “46 tokens prefilled”.

    The last prompt token is not prefilled: the first decode step processes it.
    """
    if not new:
        return tr("TTFT {time}").format(time=duration(first_token)) if first_token is not None else ""
    if first_token is not None:
        return _join_prompt(_prefilled_words(new - 1), reused=reused)
    return _join_prompt(tr("prefilling %n tokens", "prefilling %n token", new - 1) if new > 1 else "", reused=reused)


def prefill_words(finish: Finish, first_token: float | None) -> str:
    """Return “46 tokens prefilled · 310.0 ms · 30 from the cache”, with the longest part of the TTFT if another."""
    if not finish.new:
        return progress_words(0, 0, first_token)
    parts, longest = FirstTokenTime.of(finish), ""
    if parts is not None and parts.longest is not StartPart.PREFILL:
        longest = f"{parts.longest.words} {measured_duration(parts.seconds[parts.longest])}"
    time = prefill_time(finish) if finish.prefilled else ""
    return _join_prompt(_prefilled_words(finish.prefilled), time, longest, reused=finish.reused_known or 0)


def _prefilled_words(count: int) -> str:
    return tr("%n tokens prefilled", "%n token prefilled", count) if count > 0 else tr("no prefill")


def _join_prompt(*words: str, reused: int) -> str:
    cached = tr("{count} from the cache").format(count=f"{reused:,}") if reused else ""
    return " · ".join(filter(None, (*words, cached)))


def _limit_by_tokens(roofline: Roofline | None, prompt: int) -> Limit | None:
    """Return the bandwidth limit as a function of the generated tokens after a prompt of `prompt` tokens."""
    return (lambda generated: roofline.of_run(prompt + generated).tokens_per_s) if roofline is not None else None


def _name(shown: DisplayedRun) -> str:
    """Return the name of a run in the graph; empty for the latest one."""
    if shown.slowed:
        return tr("slowed {factor}×").format(factor=shown.slowed) if shown.slowed > 1 else tr("playback")
    if shown.replay:
        return tr("rerun")
    return tr("earlier run") if shown.earlier else ""
