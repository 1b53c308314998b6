"""Results of an evaluation: conclusion, rates with confidence intervals, answers side by side, blind A/B."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import isfinite

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTabWidget, QWidget

from app.bridge.tasks import Tasks
from app.definitions import of_name
from app.evaluation.calibration import RowPrediction, predictions
from app.evaluation.export import percentage_points, span, tables
from app.evaluation.likelihood import probabilities
from app.evaluation.paired_tests import LEAST_VOTES, NARROW, BlindPair, is_conclusive, next_blind, preferences
from app.evaluation.rates import disagreements
from app.evaluation.templates import EXAMPLES, filled
from app.evaluation.types import EvaluationAnswer, EvaluationOutcome, EvaluationVerdict, Preference, Vote
from app.evaluation.verdict import of_votes, verdict
from app.i18n import tr
from app.number_format import PERCENT, minus, percent
from app.records.types import RunId
from app.ui.evaluation.calibration_page import CalibrationPage
from app.ui.evaluation.rows import RowsTable, number_column, seen, short, text_column
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.look.sizes import show_lines
from app.ui.study_window import result_pages
from app.ui.widgets import (
    Announcer,
    ChoiceBox,
    Column,
    PlainText,
    SmallPrint,
    ThinBar,
    in_column,
    in_row,
    layout_widget,
    named,
    plain_label,
    push_button,
    split,
)
from app.ui.widgets.diff_view import DiffPane
from app.ui.widgets.empty_page import EmptyPage, draw_dots
from app.ui.widgets.plain_text import reading_pane
from app.ui.widgets.plots.dots import DotPlot, DotRow
from app.ui.widgets.rows import scrolling
from app.ui.widgets.word_table import WordTable

KEYS = {
    Qt.Key.Key_Left: Preference.LEFT,
    Qt.Key.Key_Equal: Preference.SAME,
    Qt.Key.Key_Down: Preference.SAME,
    Qt.Key.Key_Right: Preference.RIGHT,
}
BUTTONS = {
    Preference.LEFT: (tr("← Left is better"), tr("Key: ←")),
    Preference.SAME: (tr("= Equal"), tr("Key: = or ↓")),
    Preference.RIGHT: (tr("Right is better →"), tr("Key: →")),
}
SWAPPED = {Preference.LEFT: Preference.RIGHT, Preference.SAME: Preference.SAME, Preference.RIGHT: Preference.LEFT}
PANES = (tr("Answer on the left, variant hidden"), tr("Answer on the right, variant hidden"))
PROMPT_LINES = 4
NAMES_HIDDEN = tr("The variants are revealed at the end.")
ENOUGH = tr("The confidence interval is narrow enough. Reveal shows the variants.")
NONE_LEFT = tr("All pairs of answers are judged. Reveal shows the variants.")
HUNDRED = 100
NEXT = "next blind"

Pair = tuple[BlindPair, str, str]
"""The next pair, and its answers on the left and on the right."""


class BlindPage(QWidget):
    """The page of blind A/B votes. `keep` receives each `Vote`; `on_reveal` is called after the variants are shown."""

    def __init__(
        self, theme: Theme, tasks: Tasks, keep: Callable[[Vote], None], on_reveal: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__()
        self._tasks, self._keep, self._on_reveal = tasks, keep, on_reveal
        self._outcome: EvaluationOutcome | None = None
        self._now: BlindPair | None = None
        self.is_revealed = False
        """The variants are shown, so there are no more blind votes."""
        tip = tr("The arrow keys choose the better answer; = means equal")
        named(self, "sets_blind", tr("Blind A/B"), description=tip)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._none = plain_label("sets_blind_none", wraps=True)
        self._prompt = _pane(theme, "sets_blind_asked", tr("Prompt of both answers"), tr("Prompt of both answers"))
        show_lines(theme, self._prompt, PROMPT_LINES)
        self._texts = [_pane(theme, f"sets_blind_text_{at}", PANES[at], NAMES_HIDDEN) for at in range(2)]
        self._buttons = {
            key: push_button(f"sets_blind_{key.value}", words, tip, press=lambda _=False, key=key: self._vote(key))
            for key, (words, tip) in BUTTONS.items()
        }
        self._words = SmallPrint(theme, "sets_blind_progress", "text")
        self._bar = ThinBar(theme, "sets_blind_bar")
        tip = tr("Show the variants and which was preferred")
        self._reveal = push_button("sets_blind_reveal", tr("Reveal"), tip, press=self._show_names)
        self._result = plain_label("sets_blind_result", font=theme.font(Size.PROSE, bold=True), wraps=True)
        sides = in_row(*((text, 1) for text in self._texts))
        self._choice = layout_widget(in_row(..., *self._buttons.values(), ...))
        foot = in_row((in_column(self._words, self._bar, gap=GRID_PX), 1), self._reveal)
        parts = (self._result, self._none, self._prompt, (sides, 1), self._choice, foot)
        in_column(*parts, on=self, margins=(0, GAP_PX, 0, 0))
        self.show_pair("", None)
        self._show_progress()
        self._show_result("")

    def begin(self, outcome: EvaluationOutcome) -> None:
        """Begin with another evaluation."""
        self._outcome, self._now, self.is_revealed = outcome, None, False
        self._show_result("")
        self._tasks.cancel(NEXT)
        self._show_next(None)

    def show_outcome(self, outcome: EvaluationOutcome) -> None:
        """Take in more answers; the current pair stays."""
        self._outcome = outcome
        if self._now is None and not self.is_revealed and not self._tasks.is_running(NEXT):
            self._tasks.start(self._find(outcome), NEXT)

    def show_pair(self, prompt: str, texts: tuple[str, str] | None) -> None:
        """Show two answers; if there are none, `prompt` is the reason."""
        self._none.setText(prompt if texts is None else "")
        self._none.setVisible(texts is None)
        contents = (seen(prompt), *texts) if texts is not None else ("", "", "")
        for pane, text in zip((self._prompt, *self._texts), contents, strict=True):
            pane.setPlainText(text)
            pane.setVisible(texts is not None)
        self._choice.setVisible(texts is not None)

    def _vote(self, preference: Preference) -> None:
        outcome, now = self._outcome, self._now
        if outcome is None or now is None:
            return
        vote = Vote(now.first, now.second, now.row, SWAPPED[preference] if now.turned else preference, blind=True)
        self._outcome, self._now = replace(outcome, votes=(*outcome.votes, vote)), None
        self._tasks.start(self._find(self._outcome), NEXT)
        self._keep(vote)

    async def _find(self, outcome: EvaluationOutcome) -> None:
        """Find the next pair on a thread, since ten thousand rows take a while."""
        found = await self._tasks.in_thread(_next, outcome)
        while found is None and self._outcome is not None and self._outcome is not outcome:
            outcome = self._outcome
            found = await self._tasks.in_thread(_next, outcome)
        self._show_next(found)

    def _show_next(self, found: Pair | None) -> None:
        outcome = self._outcome
        self._now = now = found[0] if found is not None else None
        if found is None or now is None or outcome is None:
            self.show_pair(self._why_none(), None)
        else:
            values = {EXAMPLES: ""} | dict(outcome.study.prompts.values(now.row))
            prompt = filled(outcome.study.template.prompt, values)
            self.show_pair(prompt, found[1:])
        self._show_progress()

    def _why_none(self) -> str:
        votes = self._outcome.votes if self._outcome is not None else ()
        if self.is_revealed or not votes:
            return "" if self.is_revealed else tr("Two answers to a row appear here as soon as there are any.")
        return ENOUGH if all(map(is_conclusive, preferences(votes))) else NONE_LEFT

    def _show_progress(self) -> None:
        votes = self._outcome.votes if self._outcome is not None else ()
        words = tr("%n votes", "%n vote", len(votes)) if votes else ""
        done = total = 0
        if found := preferences(votes):
            widest = max((each.high - each.low) / 4 for each in found)
            full = tr("{votes}; ±{now} percentage points. Enough: ±{enough}, and {least} votes per pair")
            points = {"now": f"{HUNDRED * widest:.0f}", "enough": f"{HUNDRED * NARROW:.0f}"}
            words = full.format(votes=words, least=LEAST_VOTES, **points)
            share = min((NARROW / widest) ** 2 if widest else 1.0, min(each.n for each in found) / LEAST_VOTES)
            done, total = round(HUNDRED * share), HUNDRED
        self._words.say(words)
        self._bar.setVisible(bool(total))
        self._bar.show_share(min(done, total), total, words)
        self._reveal.setVisible(bool(votes) and not self.is_revealed)

    def _show_names(self) -> None:
        if (outcome := self._outcome) is not None:
            self.is_revealed, found = True, preferences(outcome.votes)
            self._tasks.cancel(NEXT)
            self._show_next(None)
            self._show_result(" ".join(of_votes(outcome, each, len(found)) for each in found))
            self._on_reveal()

    def _show_result(self, sentence: str) -> None:
        self._result.setText(sentence)
        self._result.setVisible(bool(sentence))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        preference = KEYS.get(Qt.Key(event.key()))
        if preference is None:
            super().keyPressEvent(event)
        else:
            self._vote(preference)


class _Pane(PlainText):
    """Selectable text that leaves the arrow keys to the page."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in KEYS and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)


def _pane(theme: Theme, name: str, spoken: str, tip: str = "") -> PlainText:
    pane = _Pane(readOnly=True, tabChangesFocus=True)
    return named(pane, name, spoken, tip, font=theme.font(Size.NORMAL))


def _next(outcome: EvaluationOutcome) -> Pair | None:
    now = next_blind(outcome)
    if now is None:
        return None
    texts = {it.key.arm: it.text for it in outcome.answers if it.key.row == now.row and not it.key.repeat}
    left, right = (now.second, now.first) if now.turned else (now.first, now.second)
    return now, texts[left], texts[right]


EMPTY = tr("Press Start. The rates of the variants appear here with their confidence intervals.")
FIRST_ANSWERS = tr("The rates appear here after the first answers.")
MOST_ROWS = 12
RIGHT, WRONG, UNKNOWN = "✓", "✗", "–"
SIDES = (tr("The variant on the left"), tr("The variant on the right"))
TEXTS = (tr("Answer on the left"), tr("Answer on the right"))
PARTS_PX, TEXTS_PX = (210, 260), (160, 100)
Answers = Sequence[EvaluationAnswer]
"""The repeats of one row and variant."""


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """An outcome, complete or not, and what follows from it."""

    outcome: EvaluationOutcome
    verdict: EvaluationVerdict
    order: tuple[int, ...]
    """Row numbers, beginning with the rows in which the variants differ most."""
    answers: dict[tuple[int, int], tuple[EvaluationAnswer, ...]]
    """By variant and row."""
    predictions: tuple[Mapping[int, RowPrediction], ...] = ()
    """By variant; empty in interim results."""


def summarize(outcome: EvaluationOutcome, is_over: bool) -> EvaluationResult:
    """Compute the result. Runs on a worker thread. Calibration takes the longest, so interim results leave it out."""
    answers: defaultdict[tuple[int, int], tuple[EvaluationAnswer, ...]] = defaultdict(tuple)
    for each in outcome.answers:
        answers[each.key.arm, each.key.row] += (each,)
    different = [each.row for each in disagreements(outcome)]
    known = {row for _, row in answers}
    order = (*different, *sorted(known.difference(different)))
    predicted = predictions(outcome) if is_over else ()
    return EvaluationResult(outcome, verdict(outcome, predicted), order, dict(answers), predicted)


class ResultsPage(QWidget):
    """The conclusion above three pages."""

    def __init__(self, theme: Theme, blind: BlindPage) -> None:
        super().__init__()
        font = theme.font(Size.PROSE, bold=True)
        self._sentence = plain_label("sets_verdict", font=font, wraps=True, selectable=True)
        self._rest = SmallPrint(theme, "sets_verdict_rest", "text")
        self._announcer = Announcer(self._sentence)
        self._dots = DotPlot(theme, "sets_dots", 1.0)
        self._rates = WordTable(theme, "sets_rates", tr("Rates of the variants"), most_rows=MOST_ROWS)
        self._pairs = WordTable(theme, "sets_pairs", tr("Pairs of variants"), most_rows=MOST_ROWS)
        self.answers, self.blind = AnswersPage(theme), blind
        self.calibration = CalibrationPage(theme)
        self._tabs = named(QTabWidget(), "sets_result_tabs", tr("Results"))
        self._empty = EmptyPage(theme, "sets_results_empty", EMPTY, draw_dots)
        self._pages = result_pages(self._empty, self._tabs)
        self._lay_out()
        self.begin(by_hand=False)

    def begin(self, by_hand: bool, *, is_running: bool = False) -> None:
        """Prepare for another evaluation; `by_hand`: it is judged by blind A/B."""
        self._empty.say(FIRST_ANSWERS if is_running else EMPTY)
        self._sentence.setText("")
        self._sentence.hide()
        self._rest.say("")
        self.answers.clear()
        self._tabs.setCurrentIndex(2 if by_hand else 0)
        self._pages.setCurrentIndex(0)

    def show_result(self, result: EvaluationResult, is_over: bool) -> None:
        found, study = result.verdict, result.outcome.study
        first, *rest = (*found.sentences, "")
        interim = tr("Interim: {sentence}").format(sentence=first)
        self._sentence.setText(first if is_over or not first else interim)
        self._sentence.setVisible(bool(first) and (is_over or bool(found.rates)))
        self._rest.say("\n".join(each for each in rest if each))
        names = [each.name for each in study.arms]
        self._dots.setVisible(bool(found.rates))
        self._dots.show_rows(tr("Rate"), _dots(found, names), lambda share: percent(share, 1))
        for table, each in zip_longest((self._rates, self._pairs), tuple(tables(found, names))):
            table.setVisible(each is not None)
            if each is not None:
                table.show_rows(each.head, each.rows, [of_name(title) for title in each.head])
        self.answers.show_result(result, is_over)
        self._tabs.setTabVisible(self._tabs.indexOf(self.blind), len(study.arms) > 1)
        has_scores = any(each.by_likelihood or each.request.observe for each in study.arms)
        self._tabs.setTabVisible(self._tabs.indexOf(self.calibration), has_scores and is_over)
        if has_scores and is_over:
            self.calibration.show_result(found, names, result.predictions)
        self._pages.setCurrentIndex(1 if is_over or result.outcome.answers else 0)
        if is_over:
            self._announcer.say(first)

    def _lay_out(self) -> None:
        described = tr("A point for the rate of each variant, a line for its 95 % confidence interval")
        parts = in_column(self._dots, self._rates, self._pairs, self._rest, ..., gap=GAP_PX)
        figures = scrolling("sets_figures", tr("Rates of the variants"), layout_widget(parts), description=described)
        titles = tr("Rates"), tr("Answers"), tr("Blind A/B"), tr("Calibration")
        for title, page in zip(titles, (figures, self.answers, self.blind, self.calibration), strict=True):
            self._tabs.addTab(page, title)
        self._tabs.setDocumentMode(True)
        in_column(self._sentence, (self._pages, 1), on=self, gap=GRID_PX, margins=(0, GAP_PX, 0, 0))


class AnswersPage(QWidget):
    """Rows with the answers of all variants; two answers of the chosen row side by side, and their diff."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._result: EvaluationResult | None = None
        self._is_picked = False
        """The user has chosen the variants that are side by side."""
        tip = tr("Rows in which the variants differ come first; choose one to read its answers")
        self._table = RowsTable(theme, "sets_answers", tr("Answers"), tip)
        self._table.chosen.connect(lambda: self._show())
        self._boxes = [ChoiceBox(f"sets_side_{at}", SIDES[at], SIDES[at], narrow=True) for at in range(2)]
        self._texts = [reading_pane(theme, f"sets_text_{at}", TEXTS[at]) for at in range(2)]
        self._notes = [SmallPrint(theme, f"sets_why_{at}") for at in range(2)]
        self._row = SmallPrint(theme, "sets_asked", "text")
        self.diff = DiffPane(theme, "sets_diff")
        for box in self._boxes:
            box.activated.connect(lambda: self._pick())
        sides = [
            (in_column(box, (text, 1), note, gap=GRID_PX), 1)
            for box, text, note in zip(self._boxes, self._texts, self._notes, strict=True)
        ]
        above = in_column(self._row, (in_row(*sides), 1), gap=GRID_PX, margins=(0, GRID_PX, 0, GRID_PX))
        below = split(Qt.Orientation.Vertical, layout_widget(above), self.diff, TEXTS_PX)
        in_column(split(Qt.Orientation.Vertical, self._table, below, PARTS_PX), on=self, margins=(0, GAP_PX, 0, 0))

    @property
    def run(self) -> RunId | None:
        """The first recorded answer of the chosen row."""
        row, result = self._table.row, self._result
        if row is None or result is None:
            return None
        variants = range(len(result.outcome.study.arms))
        of_row = (each for variant in variants for each in result.answers.get((variant, row), ()))
        return next((each.run for each in of_row if each.run), None)

    def clear(self) -> None:
        self._result, self._is_picked = None, False
        self._table.show_rows((), ())
        for box in self._boxes:
            box.clear()
        for text in self._texts:
            text.clear()
        self.diff.wait()

    def show_result(self, result: EvaluationResult, is_over: bool) -> None:
        """Show the answers; the chosen row stays chosen."""
        self._result = result
        names = [each.name for each in result.outcome.study.arms]
        for at, box in enumerate(self._boxes):
            if box.count() != len(names):
                box.show_entries(dict(enumerate(names)))
                box.show_value(min(at, len(names) - 1))
        columns = [number_column(), *(self._column(at, name) for at, name in enumerate(names))]
        answers = result.answers

        def is_wrong(row: int, name: str) -> bool:
            key = name.removeprefix("arm_")
            return key.isdigit() and mark(answers.get((int(key), row), ())) == WRONG

        self._table.show_rows(result.order, columns, is_wrong, choose=is_over)
        if is_over and not self._is_picked and self._table.row is not None:
            self._choose_right(self._table.row)
        self._show()

    def _choose_right(self, row: int) -> None:
        """Show on the right the first variant whose answer is judged differently from the first variant's."""
        assert self._result is not None
        variants = range(len(self._result.outcome.study.arms))
        marks = [mark(self._result.answers.get((variant, row), ())) for variant in variants]
        other = next((each for each in variants if marks[each] and marks[each] != marks[0]), min(1, len(marks) - 1))
        self._boxes[1].show_value(other)

    def _pick(self) -> None:
        self._is_picked = True
        self._show()

    def _column(self, variant: int, name: str) -> Column[int]:
        def cell(row: int) -> str:
            answers = self._result.answers.get((variant, row), ()) if self._result is not None else ()
            return f"{mark(answers)}  {answers[0].text}" if answers else ""

        return text_column(f"arm_{variant}", short(name), cell)

    def _show(self) -> None:
        result, row = self._result, self._table.row
        if result is None or row is None:
            return
        both = [result.answers.get((box.currentIndex(), row), ()) for box in self._boxes]
        for text, note, answers in zip(self._texts, self._notes, both, strict=True):
            text.show_text(whole(answers))
            note.say(_judgments(answers))
        values = result.outcome.study.prompts.rows[row]
        self._row.say(tr("Row {row}: {values}").format(row=row + 1, values=" · ".join(map(short, values[:3]))))
        if all(both):
            self.diff.compare(*map(whole, both))
        else:
            self.diff.wait()


def mark(answers: Answers) -> str:
    """Return ✓, ✗, or the number of right repeats."""
    known = [each.right for each in answers if each.right is not None]
    if not known:
        return UNKNOWN if answers else ""
    return (RIGHT if known[0] else WRONG) if len(known) == 1 else f"{sum(known)}/{len(known)}"


def whole(answers: Answers) -> str:
    """Return the text of all repeats, or the scores of the choices."""
    if len(answers) == 1:
        return _scores(answers[0]) or answers[0].text
    return "\n\n".join(f"— {each.key.repeat + 1} —\n{each.text}" for each in answers)


def _scores(answer: EvaluationAnswer) -> str:
    """Return the choices, the likeliest first, with probability and log-likelihood; empty without finite scores."""
    if not answer.scores or not all(isfinite(each.logprob) for each in answer.scores):
        return ""
    rows = sorted(zip(answer.scores, probabilities(answer.scores), strict=True), key=lambda row: -row[1])
    line = tr("{share}  {choice}  ({nats} nats)")
    return "\n".join(
        line.format(share=percent(chance, 1), choice=each.text, nats=minus(f"{each.logprob:.3f}"))
        for each, chance in rows
    )


def _judgments(answers: Answers) -> str:
    """Describe the finish reason of each answer, and why it is wrong."""
    lines = []
    for each in answers[:5]:
        sure = tr("confidence {share}").format(share=percent(each.confidence, 1)) if each.confidence is not None else ""
        parts = (mark((each,)), each.reason.plain_words, tr("%n tokens", "%n token", each.tokens), sure, each.why)
        lines.append(" · ".join(part for part in parts if part))
    return "\n".join(lines)


def _dots(found: EvaluationVerdict, names: Sequence[str]) -> list[DotRow]:
    dots = []
    for each in found.rates:
        words = f"{PERCENT.format(number=percentage_points(each.rate))} ({span(each.low, each.high)})"
        dots.append(DotRow(names[each.arm], (each.low, each.high), each.rate, words))
    return dots
