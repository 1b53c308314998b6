"""The results of a perplexity measurement: the text colored by token, tables and curves."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, count, takewhile

from PySide6.QtCore import QModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QTabWidget, QWidget

from app.definitions import DEFINITIONS, WEIGHING
from app.i18n import tr
from app.number_format import chance
from app.perplexity.comparisons import HEAD, NamedComparison, comparison_rows
from app.perplexity.result import PerplexityResult, caution, changed, number, sentence, with_margin
from app.perplexity.statistics import TokenGroup, TokenKind, by_context, by_kind, by_stretch
from app.ui.look import GAP_PX, GRID_PX, Color, Size, Theme, scaled
from app.ui.tokens.chip_lines import mixed
from app.ui.tokens.chips import TokenChips
from app.ui.tokens.colors import LEVELS, PLAIN, Coloring, Scale, ground, share_of
from app.ui.tokens.scale import SWATCH_PX, TokenScale
from app.ui.tokens.words import describe_surprisal, legible, surprisal_tone
from app.ui.widgets import (
    ChoiceBox,
    OneLine,
    SegmentedChoice,
    SmallPrint,
    in_column,
    in_row,
    layout_widget,
    named,
    plain_label,
    split,
)
from app.ui.widgets.word_table import WordTable

SURPRISE, KL, OWN = "surprise", "kl", "own"
SHOWN = {SURPRISE: tr("Surprisal"), KL: tr("KL"), OWN: tr("Log-prob difference")}
TIPS = {
    SURPRISE: tr("Surprisal of each token under the first model"),
    KL: tr("KL divergence between the models at each token"),
    OWN: tr("Log-probability of each token: first model minus second. The other color: negative"),
}
LEAST_TOP = 0.01
HALF = 0.5
ROWS_PX = (300, 300)
LINES = 4
WIDEST = 6


Row = tuple[str, ...]
ALL = tr("All comparisons")


@dataclass(frozen=True, slots=True)
class TokenRows:
    """A table; `positions` are the token indexes of its rows."""

    head: Row
    rows: Sequence[Row]
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PlotCurve:
    """A curve. `ticks` are labels of the points if `xs` aren't token counts."""

    xs: Sequence[float]
    ys: Sequence[float]
    across: str
    up: str
    ticks: Row = ()


@dataclass(frozen=True, slots=True)
class PerplexityFindings:
    """The content of the results. Computed on a thread, since a long text takes a while."""

    result: PerplexityResult
    names: Row
    sentence: str
    caution: str
    pages: dict[str, TokenRows | PlotCurve]


class PerplexityResults(QWidget):
    """Shows the results. Selecting a table row scrolls the text to its passage or token."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("weigh_results")
        self._theme = theme
        self._found: PerplexityFindings | None = None
        self._top = 1.0
        self._pages: list[QWidget] = []
        self._sentence = plain_label(
            "weigh_sentence", font=theme.font(Size.PROSE, bold=True), wraps=True, selectable=True
        )
        self._caution = SmallPrint(theme, "weigh_caution", "text")
        self._all: tuple[PerplexityFindings, ...] = ()
        self._caches = ChoiceBox("weigh_cache", tr("Comparison"), tr("The comparison that is shown"))
        self._caches.activated.connect(lambda at: self._show(self._all[at]))
        self._switch = SegmentedChoice("weigh_map", tr("Coloring"), SHOWN, TIPS)
        self._switch.chosen.connect(self._color)
        self._scale = TokenScale(theme)
        scaled(theme, self._scale, QWidget.setFixedHeight, SWATCH_PX)
        self._text = TokenChips(theme, "weigh_text", tr("Tokens of the text"), at_end=False)
        self._pointed = named(OneLine(), "weigh_pointed", font=theme.font(Size.SMALL))
        self._text.pointed.connect(self._pointed.setText)
        self._tabs = named(QTabWidget(), "weigh_tabs", tr("Figures and curves"))
        self._tabs.setDocumentMode(True)
        head = in_row(self._switch, ..., self._caches)
        above = in_column(head, self._scale, (self._text, 1), self._pointed, gap=GRID_PX, margins=(0, 0, 0, GRID_PX))
        halves = split(Qt.Orientation.Vertical, layout_widget(above), self._tabs, ROWS_PX, "weigh_halves")
        in_column(self._sentence, self._caution, (halves, 1), on=self, gap=GAP_PX)

    def show_findings(self, *found: PerplexityFindings) -> None:
        """Show findings; of several comparisons, the user chooses one."""
        self._all = found
        self._caches.show_entries(dict(enumerate(each.names[-1] for each in found)))
        self._caches.setVisible(len(found) > 1)
        self._show(found[0])

    def show_earlier(self) -> None:
        """Mark the results as those of another text or model, while that is measured."""
        if self._found is not None:
            self._sentence.setText(tr("Earlier result: {sentence}").format(sentence=self._found.sentence))

    def _show(self, found: PerplexityFindings) -> None:
        self._found, result = found, found.result
        self._sentence.setText(found.sentence)
        self._caution.say(found.caution)
        self._text.show_prompt(result.prompt)
        for key in (KL, OWN):
            self._switch.allow(key, result.between is not None)
        self._switch.show_choice(KL if result.between is not None else SURPRISE)
        self._color()
        at, old = max(0, self._tabs.currentIndex()), self._pages
        self._tabs.clear()
        self._pages = [self._page(title, page) for title, page in found.pages.items()]
        for title, page in zip(found.pages, self._pages, strict=True):
            self._tabs.addTab(page, title)
        self._tabs.setCurrentIndex(min(at, len(self._pages) - 1))
        for page in old:
            page.deleteLater()

    def _page(self, title: str, page: TokenRows | PlotCurve) -> QWidget:
        if isinstance(page, PlotCurve):
            return CurvePlot(self._theme, page)
        table = WordTable(self._theme, "weigh_table", title)
        table.show_rows(page.head, page.rows, list(map(tip, page.head)))
        if page.positions:
            table.selectionModel().currentChanged.connect(partial(self._reveal, page.positions))
        return table

    def _reveal(self, positions: tuple[int, ...], index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            self._text.reveal(positions[index.row()])

    def _color(self) -> None:
        found = self._found
        if found is None:
            return
        choice = self._switch.choice
        if choice == SURPRISE:
            self._scale.show_scale(Scale(Coloring.SURPRISE))
        else:
            alike = [each.result for each in self._all if each.result.kl and each.names[0] == found.names[0]]
            highest = max(_highest(each, choice) for each in alike)  # a common scale for all KV caches, or models
            self._top = LEAST_TOP * 2 ** len(list(takewhile(lambda power: LEAST_TOP * 2**power < highest, count())))
            self._scale.show_ends(tr("0 nats"), tr("≥ {nats} nats").format(nats=number(self._top)))
        self._text.show_grounds(self._ground, self._describe)

    def _at(self, token: int) -> int | None:
        """Return the index of a token among the measured ones."""
        assert self._found is not None
        positions = self._found.result.positions
        at = bisect_left(positions, token)
        return at if at < len(positions) and positions[at] == token else None

    def _ground(self, token: int) -> QColor:
        assert self._found is not None
        result, at, choice = self._found.result, self._at(token), self._switch.choice
        if at is None or (choice != SURPRISE and at >= len(result.kl)):
            return ground(PLAIN, self._theme)
        if choice == SURPRISE:
            return ground(surprisal_tone(result.weights[at]), self._theme)
        value = result.kl[at] if choice == KL else result.own(at)
        level = min(LEVELS - 1, int(abs(value) / self._top * LEVELS))
        if value >= 0:
            return ground(level, self._theme)
        under, over = self._theme.color(Color.SURFACE), self._theme.color(Color.DECODE)
        return mixed(over, under, HALF * share_of(level))

    def _describe(self, token: int) -> str:
        assert self._found is not None
        result, at = self._found.result, self._at(token)
        if at is None:
            return tr("not measured")
        if at >= len(result.kl):
            return describe_surprisal(result.weights[at])
        words = tr("KL {kl} nats; {first}: {one}; {second}: {other}")
        values = {"one": describe_surprisal(result.weights[at]), "other": describe_surprisal(result.others[at])}
        return words.format(kl=number(result.kl[at]), first=self._found.names[0], second=self._found.names[1], **values)


def _highest(result: PerplexityResult, choice: str) -> float:
    """Return the 99th percentile of a comparison's values."""
    values = result.kl if choice == KL else [abs(result.own(at)) for at in range(len(result.kl))]
    return sorted(values)[int(0.99 * (len(values) - 1))]


class CurvePlot(QWidget):
    """A plot of one curve whose y axis begins at zero."""

    def __init__(self, theme: Theme, course: PlotCurve) -> None:
        super().__init__()
        self._theme, self._course = theme, course
        described = tr("{what}: first {first}, last {last}, maximum {most}")
        values = {"first": number(course.ys[0]), "last": number(course.ys[-1]), "most": number(max(course.ys))}
        named(self, "weigh_curve", tr("Curve"), description=described.format(what=course.up, **values))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, course = QPainter(self), self._theme, self._course
        painter.fillRect(self.rect(), theme.color(Color.SURFACE))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(Size.SMALL))
        line, wide = painter.fontMetrics().height(), painter.fontMetrics().horizontalAdvance("0" * WIDEST)
        room = QRectF(self.rect()).adjusted(wide + 2 * GAP_PX, 2 * line, -wide, -(2 * line + GAP_PX))
        top, left, right = max(course.ys) or 1.0, course.xs[0], course.xs[-1]
        ticks = course.ticks or tuple(f"{left + (right - left) * at / LINES:,.0f}" for at in range(LINES + 1))
        for at in range(LINES + 1):
            y = room.bottom() - room.height() * at / LINES
            painter.setPen(theme.color(Color.LINE))
            painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
            painter.setPen(theme.color(Color.MUTED))
            beside = QRectF(0, y - line / 2, room.left() - GAP_PX, line)
            painter.drawText(beside, Qt.AlignmentFlag.AlignRight, number(top * at / LINES))
        for at, words in enumerate(ticks):
            x = room.left() + room.width() * at / (len(ticks) - 1)
            painter.drawText(QRectF(x - wide, room.bottom(), 2 * wide, line), Qt.AlignmentFlag.AlignCenter, words)
        painter.drawText(QRectF(GAP_PX, 0, self.width(), 2 * line), Qt.AlignmentFlag.AlignVCenter, course.up)
        below = QRectF(room.left(), room.bottom() + line, room.width(), line + GAP_PX)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, course.across)
        painter.setPen(QPen(theme.color(Color.DECODE), 2))
        across, up = room.width() / (right - left), room.height() / top
        pairs = zip(course.xs, course.ys, strict=True)
        points = [QPointF(room.left() + (x - left) * across, room.bottom() - y * up) for x, y in pairs]
        painter.drawPolyline(QPolygonF(points))


MOST_COMPARISONS = 16
EXCERPT = 90
MOST_POINTS = 1_000
KINDS = {
    TokenKind.WORDS: tr("Words"),
    TokenKind.DIGITS: tr("Digits"),
    TokenKind.PUNCTUATION: tr("Punctuation and symbols"),
    TokenKind.CODE: tr("Code"),
    TokenKind.BLANKS: tr("Whitespace"),
}


def findings(result: PerplexityResult, names: Row, whole: bool) -> PerplexityFindings:
    """Compute the content. `whole`: the measurement is complete. `names` are those of the models."""
    nats, kl = result.first.each, result.kl
    stretches, contexts = by_stretch(nats, kl), by_context(result.before, nats, kl)
    up, tokens = DEFINITIONS["kl_mean" if kl else "nats_per_token"].name, tr("tokens of the text")
    before, ticks = tr("minimum number of tokens before the scored token"), tuple(str(each.name) for each in contexts)
    pages: dict[str, TokenRows | PlotCurve] = {
        tr("Comparison"): _between(result),
        tr("Figures"): _metrics(result, names),
        tr("Worst passages"): _passages(result, stretches),
        tr("Largest differences"): _changed(result, names),
        tr("By token type"): _kinds(by_kind(result.prompt, result.positions, nats, kl)),
        tr("Over the text"): _course([each.start for each in stretches], _heights(stretches), tokens, up),
        tr("By context"): _course(range(len(ticks)), _heights(contexts), before, up, ticks),
        tr("Cumulative KL"): _course(range(len(kl)), list(accumulate(kl)), tokens, tr("cumulative KL in nats")),
    }
    shown = {
        title: page for title, page in pages.items() if (page.rows if isinstance(page, TokenRows) else page.xs[1:])
    }
    return PerplexityFindings(result, names, sentence(result), caution(result, whole), shown)


def collected(
    earlier: Sequence[PerplexityFindings], fresh: Sequence[PerplexityFindings]
) -> tuple[PerplexityFindings, ...]:
    """Return the new findings, then earlier ones of the same text. With several, each has a table of all first."""
    names = {each.names for each in fresh}
    found = (*fresh, *(each for each in earlier if each.names not in names))[:MOST_COMPARISONS]
    compared = [NamedComparison(each.names[0], each.names[1], each.result) for each in found]
    if len(found) == len(fresh):
        return found
    table: dict[str, TokenRows | PlotCurve] = {ALL: TokenRows(HEAD, comparison_rows(compared))}
    return tuple(replace(each, pages=table | {**each.pages, **table}) for each in found)


def tip(title: str) -> str:
    return next((each.text for each in WEIGHING.values() if each.name == title), "")


def _between(result: PerplexityResult) -> TokenRows:
    found, tokens = result.between, result.first.tokens
    keys = [key for key in WEIGHING if hasattr(found, key)]
    rows = [(WEIGHING[key].name, with_margin(found, key, tokens)) for key in keys]
    return TokenRows((tr("Figure"), tr("Comparison")), rows)


def _metrics(result: PerplexityResult, names: Row) -> TokenRows:
    sides = [each for each in (result.first, result.second) if each is not None]
    keys = [key for key in WEIGHING if hasattr(result.first, key)]
    rows = [(WEIGHING[key].name, *(with_margin(side, key) for side in sides)) for key in keys]
    return TokenRows((tr("Figure"), *names[: len(sides)]), rows)


def _passages(result: PerplexityResult, stretches: Sequence[TokenGroup]) -> TokenRows:
    """List passages by KL divergence, or by cross-entropy where there is one model."""
    order = sorted(stretches, key=lambda each: -(each.nats_per_token if each.kl_mean is None else each.kl_mean))
    positions = tuple(result.positions[each.start] for each in order)
    starts = (result.prompt.offsets[position][0] for position in positions)
    texts = (result.prompt.text[start : start + EXCERPT].strip() for start in starts)
    rows = [
        (f"{position + 1:,}", *_means(each), text) for position, each, text in zip(positions, order, texts, strict=True)
    ]
    return TokenRows((tr("From token"), *_heads(order), tr("Text")), rows, positions)


def _changed(result: PerplexityResult, names: Row) -> TokenRows:
    found = changed(result)
    rows = [
        (
            *(f"{each.place + 1:,}", legible(each.text), number(each.kl), number(each.own_difference)),
            *(f"{legible(each.first)} {chance(each.first_probability)}",),
            *(f"{legible(each.second)} {chance(each.second_probability)}",),
        )
        for each in found
    ]
    likeliest = [tr("Top token of {model}").format(model=name) for name in names]
    head = (tr("Token", "index"), tr("Text"), *(DEFINITIONS[key].name for key in ("kl_mean", "own_difference")))
    return TokenRows((*head, *likeliest), rows, tuple(each.place for each in found))


def _kinds(portions: Sequence[TokenGroup]) -> TokenRows:
    rows = [(KINDS[TokenKind(str(each.name))], f"{each.tokens:,}", *_means(each)) for each in portions]
    return TokenRows((tr("Kind"), tr("Tokens"), *_heads(portions)), rows)


def _heads(portions: Sequence[TokenGroup]) -> Row:
    names = DEFINITIONS["nats_per_token"].name, DEFINITIONS["kl_mean"].name
    return names if portions[0].kl_mean is not None else names[:1]


def _means(portion: TokenGroup) -> Row:
    nats = with_margin(portion, "nats_per_token")
    return (nats,) if portion.kl_mean is None else (nats, number(portion.kl_mean))


def _heights(portions: Sequence[TokenGroup]) -> list[float]:
    return [each.nats_per_token if each.kl_mean is None else each.kl_mean for each in portions]


def _course(xs: Sequence[float], ys: Sequence[float], across: str, up: str, ticks: Row = ()) -> PlotCurve:
    every = max(1, -(-len(xs) // MOST_POINTS))
    return PlotCurve(xs[::every], ys[::every], across, up, ticks)
