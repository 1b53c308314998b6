"""The speed graph: tok/s over time or tokens, with pinned runs behind it and a token cursor."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QContextMenuEvent, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from app.engine.meter.meter import RunMetrics
from app.engine.meter.speeds import Curve
from app.engine.meter.trace import Trace
from app.engine.run_analysis import NOTICED
from app.i18n import tr
from app.number_format import speed, spoken_speed
from app.state import PlaybackSpeed
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.speed_graph.labels import Scene
from app.ui.speed_graph.plot import SpeedPlot
from app.ui.speed_graph.tokens import EosCurve, RunTokenView
from app.ui.widgets import in_column, in_row, named, opening, tool_button
from app.ui.widgets.plots.speed_curve import (
    CurveAxis,
    SpeedCurve,
    curve_csv,
    describe,
    describe_pinned,
    describe_point,
    nearest_point,
)
from app.ui.widgets.table import Numbers

PACES = {
    PlaybackSpeed.READING: tr("At Reading Speed"),
    PlaybackSpeed.OWN: tr("At the Original Speed"),
    PlaybackSpeed.SLOWED: tr("Slowed 10 Times"),
    PlaybackSpeed.VERY_SLOW: tr("Slowed 100 Times"),
}
WATCH, STOP = tr("▷ Play back"), tr("Stop playback")
WATCH_SIGN, STOP_SIGN = "▷", "■"
TIP = tr("Plays the recorded answer back, with its curve and numbers. Nothing is generated.")
EMPTY = tr("The speed will appear here")
DRAG = tr("drag to measure")
AXES = {CurveAxis.TIME: tr("Speed over Time"), CurveAxis.TOKENS: tr("Speed over Tokens")}
EOS_PEAK, EOS_PEAK_SPOKEN = tr("EOS peak at {where}"), tr("EOS probability peaked at token {where}.")
EOS_TIP = tr("Probability of an EOS or stop token at each place: the line from 0 to 100 %")
COLUMNS = (tr("Seconds since Send"), tr("Tokens"), tr("Tokens per second"))
MAX_PINNED = 3
SPOKEN_INTERVAL_S = 1.0
CORNER_SHARE = 0.2
"""Maximum share of the width for the playback button with words; otherwise it shows symbols only."""
NONE = -1
STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
"""Steps of the token cursor in tokens."""
ENDS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}
CLICKS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
IndexSpan = tuple[int, int]


class WatchButton(QWidget):
    """A button that starts the playback at reading speed; its menu has other speeds."""

    wanted = Signal(PlaybackSpeed)
    stopped = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._watching = self._folded = False
        self._button = tool_button("watch_again", WATCH, TIP, tr("Play back"), kind="tiny", press=self._press)
        self._paces = tool_button("watch_paces", "▾", tr("Playback speed"), kind="tiny")
        self._paces.setAccessibleName(tr("Playback speed"))
        menu = QMenu(self)
        for pace, text in PACES.items():
            act = menu.addAction(text)
            act.setObjectName(f"watch_{pace.value}")
            act.triggered.connect(partial(self._choose, pace))
        opening(self._paces, menu)
        for button in (self._button, self._paces):
            button.setFont(theme.font(Size.NORMAL))
        in_row(..., self._button, self._paces, on=self, gap=GRID_PX)

    def fit(self, room: float) -> None:
        """Use words if they fit into `room` pixels, else symbols. The width is constant during the playback."""
        wide = self._wide(WATCH, STOP)
        self._folded = wide > room
        self.setFixedWidth(self._wide(WATCH_SIGN, STOP_SIGN) if self._folded else wide)
        self._set_text()

    def _wide(self, watch: str, stop: str) -> int:
        advance = self._button.fontMetrics().horizontalAdvance
        around = self._button.sizeHint().width() - advance(self._button.text())
        return around + max(advance(stop), advance(watch) + GRID_PX + self._paces.sizeHint().width())

    def _set_text(self) -> None:
        watch, stop = (WATCH_SIGN, STOP_SIGN) if self._folded else (WATCH, STOP)
        self._button.setText(stop if self._watching else watch)

    def show_watching(self, watching: bool, possible: bool) -> None:
        """Show whether a playback is active. Without a possible playback the button is hidden, but keeps its space."""
        self.setVisible(watching or possible)
        self._watching = watching
        self._set_text()
        self._button.setAccessibleName(STOP if watching else tr("Play back"))
        self._paces.setVisible(not watching)

    def _press(self) -> None:
        if self._watching:
            self.stopped.emit()
        else:
            self.wanted.emit(PlaybackSpeed.READING)

    def _choose(self, pace: PlaybackSpeed, checked: bool = False) -> None:
        self.wanted.emit(pace)


class SpeedGraph(QWidget):
    """The speed graph. It draws the run in `scene.curve` at each call of `draw`. The caller appends its tokens.

    Mouse and keys emit signals; `mark_token` and `mark_stretch` emit none. Tokens have their index in the displayed
    run, and need the trace from `show_trace`.
    """

    token_pointed = Signal(int)
    """Index of the token; −1 for none."""
    token_clicked = Signal(int)
    stretch_chosen = Signal(int, int)
    """First and last token; both −1 for none."""
    eos_switched = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "speed_graph", tr("Speed graph"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.measured = False
        """The user has dragged a range before, so no hint is shown."""
        self.scene = Scene(SpeedCurve(), EosCurve())
        self._spoken_at = float("-inf")
        self._tokens = RunTokenView(Trace(), 0)
        self._hovered: int | None = None
        """The token at the mouse or the keyboard cursor; has priority over `_selected`."""
        self._selected: int | None = None
        self._range: IndexSpan | None = None
        self._range_words = ""
        self._plot = SpeedPlot(theme)
        self._menu = self._make_menu()
        tip = tr("Options of the graph; copy it as a picture or CSV")
        self._corner = tool_button("speed_menu", "⋯", tip, tr("Speed graph menu"), kind="small")
        self._corner.setFont(theme.font(Size.SMALL))
        opening(self._corner, self._menu)
        self.watch = WatchButton(theme)
        self._plot.hovered.connect(self._hover)
        self._plot.left.connect(self._leave)
        self._plot.dragged.connect(self._drag)
        self._plot.clicked.connect(self._click)
        in_column(self._plot, on=self, gap=0)
        for each in (self.watch, self._corner):
            each.setParent(self)
        theme.changed.connect(self._fit)
        self._fit()
        self._refresh()

    def add_menu_actions(self, *actions: QAction) -> None:
        """Add actions of the window to the menu."""
        self._menu.addSeparator()
        self._menu.addActions(actions)

    def begin_run(self, model: str = "") -> None:
        """Begin with an empty curve, for a new run, a playback, or no run."""
        self._show(SpeedCurve(model=model))

    def show_run(self, metrics: RunMetrics, model: str = "") -> None:
        """Show a finished run; `show_curve` adds its points."""
        known = (each for each in self.scene.pinned if each.ended and each.metrics == metrics)
        self._show(next(known, SpeedCurve(metrics=metrics, ended=True, model=model)))

    def show_curve(self, curve: Curve) -> None:
        if not self.scene.curve.arrivals:
            self.scene.curve.extend(curve.points, self.scene.curve.metrics, curve.arrivals)
            self._refresh()

    def name_run(self, name: str) -> None:
        """Set the words before the description of the prompt: the kind of the run, and its model."""
        if name != self.scene.name:
            self.scene = replace(self.scene, name=name)
            self._refresh()

    def set_prompt(self, words: str, prefill: tuple[float, float] | None = None) -> None:
        """Set the description, and beginning and end of the prefill since Send; drawn with the next `draw`."""
        self.scene = replace(self.scene, prompt=words, prefill=prefill)

    def draw(self, now: float) -> None:
        """Draw the curve, and update its accessible description once per second."""
        self._draw()
        if now - self._spoken_at >= SPOKEN_INTERVAL_S:
            self._spoken_at = now
            self._speak()

    def finish_run(self, metrics: RunMetrics) -> None:
        self.scene.curve.end(metrics)
        self._refresh()

    def show_trace(self, trace: Trace | None, run: int) -> None:
        """Set the tokens of the displayed run: run `run` of a trace; None if unknown."""
        if (self._tokens.trace, self._tokens.run) != (trace, run):
            self._show_tokens(RunTokenView(trace if trace is not None else Trace(), run))
            self._refresh()

    def mark_token(self, index: int | None) -> None:
        self._selected = index
        self._mark()

    def mark_stretch(self, first: int | None, last: int | None = None) -> None:
        """Shade the tokens from `first` to `last`; None for none."""
        self._shade(None if first is None or last is None else (first, last))

    def set_axis(self, axis: CurveAxis) -> None:
        self.scene = replace(self.scene, axis=axis)
        self._axes[axis].setChecked(True)
        self._draw()

    def set_eos(self, on: bool) -> None:
        self.scene.eos.is_on = on
        self._refresh()

    def pin_run(self, on: bool) -> None:
        """Pin or unpin the displayed run. The oldest of more than MAX_PINNED runs is removed."""
        pinned = [*self.scene.other_pinned, *([self.scene.curve] if on else [])]
        self._pin(pinned[-MAX_PINNED:])

    def _pin(self, curves: Sequence[SpeedCurve]) -> None:
        self.scene = replace(self.scene, pinned=curves)
        self._refresh()

    def numbers(self) -> Numbers:
        """Return a table with a row for each point of the curve."""
        rows = ((f"{point.seconds:.3f}", f"{point.tokens:,}", speed(point.speed)) for point in self.scene.curve.points)
        return Numbers(tr("Speed"), COLUMNS, tuple(rows))

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setToolTipsVisible(True)

        def add(name: str, text: str, do: Callable[..., None], *, checkable: bool = False, tip: str = "") -> QAction:
            act = menu.addAction(text)
            act.setObjectName(name)
            act.setCheckable(checkable)
            act.setToolTip(tip or text)
            act.triggered.connect(do)
            return act

        self._axes, group = dict[CurveAxis, QAction](), QActionGroup(self)
        for axis, text in AXES.items():
            act = add(f"speed_over_{axis.value}", text, lambda _, axis=axis: self.set_axis(axis), checkable=True)
            self._axes[axis] = group.addAction(act)
        self._axes[self.scene.axis].setChecked(True)
        menu.addSeparator()
        self._eos_act = add("speed_eos", tr("EOS Probability"), self.set_eos, checkable=True)
        self._eos_act.triggered.connect(self.eos_switched)
        pin_tip = tr("Keeps this run's curve and mean in the graph while later runs are drawn, up to three runs.")
        self._pin_act = add("pin_speed_run", tr("Pin This Run"), self.pin_run, checkable=True, tip=pin_tip)
        self._unpin_act = add("unpin_speed_runs", tr("Unpin All Runs"), lambda _: self._pin(()))
        menu.addSeparator()
        clip = QApplication.clipboard()
        add("copy_speed_picture", tr("Copy as Picture"), lambda _: clip.setPixmap(self._plot.grab()))
        add("copy_speed_csv", tr("Copy as CSV"), lambda _: clip.setText(curve_csv(self.scene.curve)))
        self._tokens_act = add(
            "copy_speed_tokens", tr("Copy Each Token as CSV"), lambda _: clip.setText(self._tokens.csv())
        )
        return menu

    def _show(self, curve: SpeedCurve) -> None:
        """Display another run. Its name, its tokens and its prompt follow."""
        self.scene = replace(self.scene, curve=curve, name="", prompt="", prefill=None)
        self._spoken_at = float("-inf")
        self._show_tokens(RunTokenView(Trace(), 0))
        self._refresh()

    def _show_tokens(self, tokens: RunTokenView) -> None:
        self._tokens = tokens
        self._selected = None
        self._point(None)
        self._choose(None)
        self.scene.eos.show_tokens(tokens)

    def _hover(self, x: float) -> None:
        if self._tokens:
            self._point(self._tokens.nearest(x, self.scene.axis))
        elif (point := nearest_point(self.scene.curve.drawn, x, self.scene.axis)) is not None:
            position = point.seconds if self.scene.axis is CurveAxis.TIME else float(point.tokens)
            self._plot.draw(replace(self._plot.scene, pointed=position, note=describe_point(point)))

    def _leave(self) -> None:
        self._point(None)
        if not self._tokens and self._plot.scene.pointed is not None:
            self._mark()

    def _drag(self, begin: float, x: float) -> None:
        self.measured = True
        ends = [self._tokens.nearest(each, self.scene.axis) for each in (begin, x)]
        known = sorted(each for each in ends if each is not None)
        if known:
            self._point(None)
            self._choose((known[0], known[-1]))

    def _click(self, x: float, reach: float) -> None:
        found = self._tokens.nearest_slow(x, reach, self.scene.axis)
        self._choose(None)
        if found is not None:
            self._point(found)
            self.token_clicked.emit(found)

    def _point(self, index: int | None) -> None:
        if index != self._hovered:
            self._hovered = index
            self._mark()
            self.token_pointed.emit(NONE if index is None else index)

    def _choose(self, span: IndexSpan | None) -> None:
        if span != self._range:
            self._shade(span)
            self.stretch_chosen.emit(*(span or (NONE, NONE)))

    def _shade(self, span: IndexSpan | None) -> None:
        self._range, self._range_words = None, ""
        if span is not None and 0 <= span[0] <= span[1] < len(self._tokens):
            self._range, self._range_words = span, self._tokens.describe_range(*span)
        self._mark()

    def _mark(self) -> None:
        if self.hasFocus():
            self._speak()
        self._draw()

    def _marked(self) -> int | None:
        """Return the marked token."""
        index = self._hovered if self._hovered is not None else self._selected
        return index if index is not None and 0 <= index < len(self._tokens) else None

    def _marked_words(self) -> str:
        """Describe the selected range, or the marked token outside of it."""
        hovered, span, index = self._hovered, self._range, self._marked()
        if span is not None and (hovered is None or span[0] <= hovered <= span[1]):
            return self._range_words
        return self._tokens.describe(index) if index is not None else ""

    def _draw(self) -> None:
        scene, tokens, index = self.scene, self._tokens, self._marked()
        scene.eos.update()
        missing = scene.eos.missing
        self._eos_act.setEnabled(not missing)
        self._eos_act.setToolTip(missing or EOS_TIP)
        self._eos_act.setChecked(scene.eos.is_on)
        self._pin_act.setEnabled(bool(scene.curve.arrivals))
        self._pin_act.setChecked(scene.curve in scene.pinned)
        self._unpin_act.setEnabled(bool(scene.pinned))
        self._tokens_act.setEnabled(bool(tokens))
        if scene.is_empty:
            self._plot.draw(replace(scene, prompt=EMPTY))
            return
        can_measure = tokens and scene.curve.ended and len(scene.curve.arrivals) > 1
        hint = " · ".join(describe_pinned(each, scene.curve) for each in reversed(scene.other_pinned))
        if can_measure and not self.measured and not hint:
            hint = DRAG
        scene = replace(scene, note=self._marked_words() or scene.eos.describe_peak(EOS_PEAK, NOTICED), hint=hint)
        ends = [x for each in self._range or () if (x := tokens.x(each, scene.axis)) is not None]
        pointed = tokens.x(index, scene.axis) if index is not None else None
        self._plot.draw(replace(scene, pointed=pointed, shaded=(ends[0], ends[-1]) if ends else None))

    def _refresh(self) -> None:
        self._draw()
        self._speak()

    def _speak(self) -> None:
        marked, words = self._marked_words(), tr("Pinned: {model}, mean {mean}.")
        parts = [
            f"{marked}." if marked else "",
            describe(self.scene.curve),
            self.scene.eos.describe_peak(EOS_PEAK_SPOKEN),
        ]
        means = ((each.model, spoken_speed(each.metrics.speed_mean)) for each in self.scene.other_pinned)
        parts += [words.format(model=model, mean=mean) for model, mean in means]
        self.setAccessibleDescription(" ".join(filter(None, parts)))

    def _fit(self) -> None:
        """Place the playback button and the menu in the upper right corner."""
        watch, menu = self.watch, self._corner
        menu.adjustSize()
        watch.fit(CORNER_SHARE * self.width())
        self._plot.fit()
        menu.setVisible(not self._plot.view.is_sparkline)
        menu.move(self.width() - menu.width(), 0)
        right = self.width() if menu.isHidden() else menu.x() - GRID_PX
        watch.setGeometry(right - watch.width(), 0, watch.width(), max(menu.height(), watch.sizeHint().height()))
        self._plot.fit(self.width() - watch.x() + GAP_PX)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._menu.popup(event.globalPos())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._leave()
        self._speak()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        index, generated = self._marked(), self._tokens.generated
        if key == Qt.Key.Key_Escape and self._range is not None:
            self._choose(None)
        elif key in CLICKS and index is not None:
            self.token_clicked.emit(index)
        elif generated and (key in STEPS or key in ENDS):
            self._step(key, generated, extends=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    def _step(self, key: Qt.Key, generated: range, *, extends: bool) -> None:
        before, step = self._marked(), STEPS.get(key, 0)
        if key in ENDS or before is None:
            wanted = generated[ENDS.get(key, 0 if step > 0 else -1)]
        else:
            wanted = min(max(generated[0], before + step), generated[-1])
        ends = self._range or (wanted if before is None else before,) * 2
        anchor = ends[1] if before == ends[0] else ends[0]
        self._point(wanted)
        self._choose((min(anchor, wanted), max(anchor, wanted)) if extends else None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
