"""The strip along the bottom of the window: the graph, and a column of figures if there is room."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.definitions import meaning
from app.engine.meter.meter import RunMetrics
from app.engine.meter.speeds import WINDOW_TOKENS
from app.i18n import tr
from app.number_format import duration, speed, spoken_duration, spoken_speed
from app.ui.instruments.gauges import ContextGauge, MemoryGauge
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, MUTED_ROLE, Color, Size, TextSizeFollower, Theme
from app.ui.widgets import OneLine, as_tip, named, plain_label
from app.ui.widgets.rows import Part, in_row, layout_widget
from app.ui.widgets.table import Numbers

UNIT, NOW, MEAN = tr("tok/s"), tr("tok/s now"), tr("tok/s mean")
TITLES = {
    "speed_now": tr("Speed now"),
    "first_token": tr("Time to first token"),
    "token_count": tr("Tokens"),
    "elapsed": tr("Elapsed"),
    "speed_mean": tr("Mean speed"),
    "prompt_speed": tr("Prefill speed"),
}
APART_PX = GAP_PX + GRID_PX
"""Minimum distance of a gauge from the part above it."""
SHARE = tr("{share} of the measured bandwidth limit")
BOTTOM = Qt.AlignmentFlag.AlignBottom
WANTED_PX = 312
"""Minimum width of the column, which the headline of the memory gauge needs."""
WIDEST = tr("TTFT 88.8 s · 88,888 tokens · 88 min 8 s")
HEIGHT_PX, LEAST_PX = 220, 60
DRESSED = (QEvent.Type.FontChange, QEvent.Type.StyleChange)
MOST_PX = 16_777_215
"""Qt's QWIDGETSIZE_MAX."""
GRAPH_SHARE = 0.66
"""Minimum share of the strip's width."""
SHARE_OF_WINDOW = 0.36
"""Maximum share of the window's height, also with large text."""
SIDE_PX = 2 * GAP_PX
HERO_LETTERS = 7
"""Minimum width of the column in large digits, for the speed with its unit."""


def display_values(metrics: RunMetrics) -> dict[str, tuple[str, str]]:
    """Return each figure as displayed text and as accessible text."""
    speeds = {name: getattr(metrics, name) for name in ("speed_now", "speed_mean", "prompt_speed")}
    times = {"first_token": metrics.first_token, "elapsed": metrics.elapsed or None}
    count = spoken = tr("%n pieces", "%n piece", metrics.tokens)
    if not metrics.pieces:
        count, spoken = f"{metrics.tokens:,}", _spoken_tokens(metrics)
    return {
        **{name: (speed(value), spoken_speed(value)) for name, value in speeds.items()},
        **{name: (duration(value), spoken_duration(value)) for name, value in times.items()},
        "token_count": (count, spoken),
    }


def _spoken_tokens(metrics: RunMetrics) -> str:
    words = tr("{generated} generated")
    if metrics.visible is not None:
        words = tr("{generated} generated, {visible} visible")
        if metrics.reasoning:
            words = tr("{generated} generated, {visible} visible, {reasoning} of them reasoning")
    return words.format(
        generated=f"{metrics.tokens:,}", visible=f"{metrics.visible or 0:,}", reasoning=f"{metrics.reasoning:,}"
    )


class NumberLabel(QLabel):
    """A label whose fixed size follows its text: Qt doesn't lay out again when the text of such a label changes."""

    def __init__(self) -> None:
        super().__init__()
        self._needed = QSize()

    def say(self, words: str) -> None:
        if words != self.text():
            self.setText(words)
            self._fit()

    def _fit(self) -> None:
        needed = self.fontMetrics().size(0, self.text())
        if needed != self._needed:
            self._needed = needed
            # The size hint of a label of fixed size is that size.
            self.setMinimumSize(0, 0)
            self.setMaximumSize(MOST_PX, MOST_PX)
            self.setFixedSize(self.sizeHint())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in DRESSED:
            self._needed = QSize()
            self._fit()


class ReadOuts(QWidget):
    """A column of the speed, three lines of figures, and gauges. If space is short, the least important are hidden."""

    def __init__(self, theme: Theme, gauges: Sequence[QWidget]) -> None:
        super().__init__()
        self._theme = theme
        self._numbers = {name: self._number(name) for name in TITLES}
        number = self._numbers
        self._tokens, self._dot = self._word(tr("tokens")), self._word("·")
        self._units = (self._word(UNIT), self._word(tr("mean")), self._word(UNIT))
        unit, mean, of_mean = self._units
        self._unit_below = self._word(UNIT)
        for word in (*self._units, self._dot):
            policy = word.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            word.setSizePolicy(policy)
        self._mean, self._mean_dot = self._line(mean, number["speed_mean"], of_mean), self._word("·")
        self._prompt = self._line(self._mean_dot, self._word(tr("prefill")), number["prompt_speed"], self._word(UNIT))
        TextSizeFollower(theme, unit, partial(_align_baseline, theme))
        first = self._line((number["speed_now"], 0, BOTTOM), (unit, 0, BOTTOM), ...)
        counts = (number["token_count"], self._tokens, self._dot, number["elapsed"], ...)
        self._ttft = self._line(self._word(tr("TTFT")), number["first_token"], self._word("·"))
        second = self._line(self._ttft, *counts)
        third = self._line(self._mean, self._prompt, ...)
        self._share = plain_label("speed_share", font=theme.font(Size.NORMAL), muted=True)
        self._model = named(OneLine(), "speed_model", font=theme.font(Size.NORMAL))
        self._model.setForegroundRole(MUTED_ROLE)
        self._has_tokens, self._over = False, True
        self._widest = ""
        """The widest speed text of this run. Its width is reserved, so that the unit moves only to the right."""
        self._lines = (self._model, first, self._unit_below, second, third, self._share)
        self._gauges = tuple(gauges)
        for part in (*self._lines, *self._gauges):
            part.setParent(self)
        self.show_metrics(None)

    @property
    def wanted(self) -> int:
        """Width at which the longest figures fit."""
        numbers = QFontMetrics(self._theme.font(Size.NORMAL)).horizontalAdvance(WIDEST) + 2 * GAP_PX
        return max(numbers, self._theme.scaled(WANTED_PX))

    def show_metrics(self, metrics: RunMetrics | None, over: bool = False) -> None:
        """Show the figures of a run; None for no run. After the run (`over`) the speed is the mean speed.

        Some figures are empty before the first token; their accessible names aren't.
        """
        begun, metrics = metrics is not None, metrics or RunMetrics()
        metrics = replace(metrics, speed_now=metrics.speed_mean) if over else metrics
        before, self._has_tokens, self._over = (self._has_tokens, self._over), bool(metrics.tokens), over
        seen = {"token_count": begun, "elapsed": bool(metrics.elapsed)}
        for name, (text, value) in display_values(metrics).items():
            label, spoken = self._numbers[name], f"{TITLES[name]}: {value}"
            label.say(text if self._has_tokens or seen.get(name, False) else "")
            if spoken != label.accessibleName():
                label.setAccessibleName(spoken)
        if over or not metrics.tokens:
            self._widest = ""
        # The mean of a very short answer is that of a few intervals: it is shown, but not emphasized.
        known = metrics.speed_now is not None and not (over and metrics.tokens < WINDOW_TOKENS)
        hero = self._numbers["speed_now"]
        if known is not (hero.font().weight() == QFont.Weight.DemiBold):
            hero.setForegroundRole(QPalette.ColorRole.WindowText if known else MUTED_ROLE)
            hero.setFont(self._theme.font(Size.HERO, bold=known))
        if not over:
            self.show_share("")
        self._prompt.setVisible(metrics.prompt_speed is not None and self._has_tokens)
        for part in (self._mean, self._mean_dot):  # after the run, the large number is the mean
            part.setVisible(not over)
        self._tokens.setText(tr("token") if metrics.tokens == 1 else tr("tokens"))
        self._tokens.setVisible(begun and not metrics.pieces)
        self._dot.setVisible(seen["elapsed"])
        for word in self._units:
            word.setVisible(self._has_tokens)
        if before != (self._has_tokens, over):
            self.arrange()

    def show_share(self, share: str, meaning: str = "") -> None:
        """Show the mean speed as a share of the measured bandwidth limit; empty if unknown."""
        text = SHARE.format(share=share) if share else ""
        if meaning != self._share.toolTip():
            self._share.setToolTip(meaning)
        if text != self._share.text():
            self._share.setText(text)
            self.arrange()

    def show_model(self, model: str) -> None:
        """Name the model of the run above its figures; empty for the open model."""
        words = tr("Run of {model}").format(model=model) if model else ""
        if words != self._model.text():
            self._model.setText(words)
            self._model.setToolTip(as_tip(words))
            self.arrange()

    def numbers(self) -> Numbers:
        spoken = {title: self._numbers[name].accessibleName() for name, title in TITLES.items()}
        rows = tuple((title, words.removeprefix(f"{title}: ")) for title, words in spoken.items())
        share = ((tr("Share of the bandwidth limit"), self._share.text()),) if self._share.text() else ()
        return Numbers(tr("Figures"), (tr("Name"), tr("Value")), (*rows, *share))

    def _number(self, name: str) -> NumberLabel:
        size = Size.HERO if name == "speed_now" else Size.NORMAL
        font = self._theme.font(size, bold=name == "speed_now")
        return named(NumberLabel(), name, tip=meaning(name), font=font)

    def _word(self, text: str) -> QLabel:
        return plain_label("", text, font=self._theme.font(Size.NORMAL), muted=True)

    def _line(self, *parts: Part) -> QWidget:
        return layout_widget(in_row(*parts, gap=GRID_PX))

    def arrange(self) -> None:
        """Lay out the lines, then the gauges. Priority: speed, model, two lines, gauges, the other lines."""
        model, first, below, second, third, share = self._lines
        self._place_unit()
        waited = self._ttft.sizeHint().width() + GRID_PX
        rest = second.sizeHint().width() - (0 if self._ttft.isHidden() else waited)
        self._ttft.setVisible(self._has_tokens and rest + waited <= self.width())
        left, shown = self.height(), set[QWidget]()
        empty: list[QWidget] = [each for each in (model, below, share) if not each.text()]
        empty += [third] if self._over and self._prompt.isHidden() else []
        for part in (each for each in (first, model, below, second, *self._gauges, third, share) if each not in empty):
            left -= part.sizeHint().height() + (APART_PX if part in self._gauges else 0)
            narrow = part in (second, third, share) and part.sizeHint().width() > self.width()
            shown |= {part} if left >= 0 and not narrow else set()
        gauges = [part for part in self._gauges if part in shown]
        more = max(0, min(APART_PX, left // max(1, len(gauges))))
        top = 0
        for part in (*self._lines, *self._gauges):
            part.setVisible(part in shown)
            if part in shown:
                top += APART_PX + more if part in gauges else 0
                part.setGeometry(0, top, self.width(), part.sizeHint().height())
                top += part.height()

    def _place_unit(self) -> None:
        """Put the unit after the number, or below it. It is “tok/s” if “tok/s now” is too wide."""
        unit, words, hero = self._units[0], MEAN if self._over else NOW, self._numbers["speed_now"]
        self._widest = max(self._widest, hero.text(), key=hero.fontMetrics().horizontalAdvance)
        room = self.width() - hero.fontMetrics().size(0, self._widest).width() - GRID_PX
        beside = [each for each in (words, UNIT) if unit.fontMetrics().horizontalAdvance(each) <= room]
        unit.setText(beside[0] if beside else "")
        self._unit_below.setText("" if beside else words)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()


def _align_baseline(theme: Theme, unit: QLabel) -> None:
    """Align the unit with the baseline of the large number, since Qt's layouts don't align baselines."""
    hero, small = (QFontMetrics(theme.font(size)).descent() for size in (Size.HERO, Size.NORMAL))
    unit.setContentsMargins(0, 0, 0, hero - small)


class Strip(QWidget):
    """The strip of instruments. Lays out its parts itself, so that their changes don't lay out the window again."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "instruments")
        self._theme = theme
        self.graph = SpeedGraph(theme)
        self.memory = MemoryGauge(theme)
        self.context = ContextGauge(theme)
        self.readouts = ReadOuts(theme, (self.memory, self.context))
        for part in (self.graph, self.readouts):
            part.setParent(self)
        theme.changed.connect(self.arrange)

    def arrange(self) -> None:
        """Lay out the parts. The graph gets its share first; a column that is too narrow for the speed is hidden."""
        above = MARGIN_PX if self.height() > 2 * self.minimumSizeHint().height() else GAP_PX
        inner = self.rect().adjusted(SIDE_PX, above, -SIDE_PX, -above)
        column = min(self.readouts.wanted, int((1 - GRAPH_SHARE) * self.width()) - 3 * SIDE_PX)
        if column < HERO_LETTERS * self.fontMetrics().horizontalAdvance("0"):
            column = 0
        self.readouts.setVisible(bool(column))
        gap = SIDE_PX if column else 0
        self.graph.setGeometry(inner.adjusted(0, 0, -column - gap, 0))
        self.readouts.setGeometry(inner.right() + 1 - column, inner.top(), column, inner.height())
        self.readouts.arrange()

    def sizeHint(self) -> QSize:
        return QSize(0, self._theme.scaled(HEIGHT_PX))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._theme.scaled(LEAST_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a hairline at the top."""
        with QPainter(self) as painter:
            painter.fillRect(0, 0, self.width(), 1, self._theme.color(Color.LINE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()
