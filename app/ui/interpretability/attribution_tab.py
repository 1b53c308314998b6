"""Attribution by ablation: a table of the prompt's parts, their effects under the text, and a shorter prompt to try."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import QWidget

from app.definitions import meaning
from app.engine.prompt_parts import MOST, by_effect, text_of
from app.engine.types import AblationResult, AblationUnit, AnswerLogprob, ExactPrompt, of_answer, of_token, rather_than
from app.i18n import tr
from app.number_format import duration, minus
from app.records.export import as_csv
from app.state import Run
from app.ui.look import Color, Theme, scaled
from app.ui.tokens.chips import TokenChips
from app.ui.tokens.colors import LEVELS, PLAIN, ground
from app.ui.tokens.scale import TokenScale
from app.ui.tokens.text import NOWHERE
from app.ui.tokens.words import legible
from app.ui.widgets import ChoiceBox, SmallPrint, caption, in_column, in_row, layout_widget, push_button
from app.ui.widgets.word_table import WordTable

TITLES = tr("Nats"), tr("Removed")
TIPS = (meaning("attribution"), tr("The removed part of the prompt; all other tokens stay"))
TRY_TIP = tr("Generate the answer again with the shorter prompt. The conversation doesn't change")
FOR, AGAINST = tr("{nats} nats more likely"), tr("{nats} nats less likely")
UNIT_TIP = tr("Smaller parts need more passes. Select tokens in the text below to remove only those")
OF_TIP = tr("The whole answer, the selected token, or the choice between that token and another")
MAX_ROWS, PART_PX, TEXT_PX = 8, 160, 140
UNITS = {AblationUnit.SENTENCE: tr("Sentences"), AblationUnit.TURN: tr("Turns"), AblationUnit.TOKEN: tr("Tokens")}
COARSER = {
    AblationUnit.SENTENCE: tr("More than {most} tokens: sentences are removed instead."),
    AblationUnit.TURN: tr("More than {most} sentences: whole turns are removed instead."),
    AblationUnit.STRETCH: tr("More than {most} turns: several are removed together."),
}
SUMS = tr(
    "Sum of the single effects: {sum} nats; effect of removing all parts: {all}. The two can differ: redundant "
    "parts have small single effects, and parts that depend on each other are counted several times."
)
PROOF = tr("Check: largest difference of the answer's log-probability between two ways to prefill: {difference}.")
MIN_SAVED_S = 0.0005
MAX_CHARACTERS, MAX_CELL_CHARACTERS = 80, 200


class AttributionTab(QWidget):
    """The attribution tab. The parts are chosen before the ablation, the target of the effects after it."""

    parts_changed = Signal()
    """The selection of parts to remove has changed."""
    try_wanted = Signal()

    def __init__(self, theme: Theme, name: str = "inside") -> None:
        """Object names begin with `name`."""
        super().__init__()
        self._theme = theme
        self.prompt: ExactPrompt | None = None
        self.found: AblationResult | None = None
        self._ablated_place, self._selected_place = NOWHERE, NOWHERE
        """Places of the ablation's token and of the selected one."""
        self._parts: list[range] = []
        """The parts in the order of the table."""
        units = {str(unit): words for unit, words in UNITS.items()} | {"": tr("Selected tokens")}
        self._unit = ChoiceBox(f"{name}_unit", tr("Parts to remove"), UNIT_TIP, units, narrow=True)
        self.chooser = layout_widget(in_row(caption(theme, tr("Remove"), self._unit), (self._unit, 1)))
        """The choice of the parts, shown above the button of the panel."""
        self._target = ChoiceBox(f"{name}_of", tr("Target of the effects"), OF_TIP, narrow=True)
        self._removable = SmallPrint(theme, f"{name}_spare", "text")
        self._try = push_button(
            f"{name}_try", tr("Try without them"), TRY_TIP, kind="small", press=self.try_wanted.emit
        )
        self._table = WordTable(
            theme, f"{name}_parts", tr("Parts of the prompt"), most_rows=MAX_ROWS, widest_px=PART_PX
        )
        self._text = TokenChips(theme, f"{name}_prompt", tr("Prompt, colored by effect"), selects=True)
        self._for, self._against = TokenScale(theme), TokenScale(theme)
        self._effect, self._sums = SmallPrint(theme, f"{name}_effect", "text"), SmallPrint(theme, f"{name}_sums")
        self._results = self._lay_out()
        self._unit.currentIndexChanged.connect(self.parts_changed)
        self._target.currentIndexChanged.connect(self._show)
        self._table.selectionModel().currentRowChanged.connect(self._step)
        self._text.pointed.connect(self._effect.say)
        self._text.selected.connect(self._select)
        self.show_found(None, None, None, NOWHERE)

    @property
    def part(self) -> AblationUnit | range | None:
        """The parts to remove; None for an empty selection. The first token can't be removed."""
        unit, chosen = self._unit.currentData(), self._text.selection
        if unit:
            return AblationUnit(unit)
        return range(max(1, chosen.start), chosen.stop) if chosen is not None and chosen.stop > 1 else None

    def show_found(
        self, prompt: ExactPrompt | None, unit: AblationUnit | None, found: AblationResult | None, position: int
    ) -> None:
        """Show the ablation for the answer's token at `position`, or nothing."""
        self.prompt, self.found, self._ablated_place = prompt, found, position
        self._text.show_prompt(prompt)
        self._results.setVisible(found is not None)
        is_coarser = isinstance(self.part, AblationUnit) and unit not in (None, self.part)
        coarse = COARSER[unit].format(most=MOST) if is_coarser and unit is not None else ""
        self._removable.say(" ".join(filter(None, (coarse, describe_removable(found) if found is not None else ""))))
        self._try.setVisible(found is not None and bool(found.spare))
        self._fill()
        self._show()

    def show_place(self, position: int) -> None:
        """Select another token of the answer, to which only effects on the whole answer apply."""
        self._selected_place = position
        if self._fill():
            self._show()

    def show_tried(self, answer: tuple[int, ...], run: Run) -> None:
        """Show the result of the shorter prompt."""
        self._removable.say(describe_try(answer, run))

    def set_can_try(self, can_try: bool) -> None:
        self._try.setEnabled(can_try)

    def summary(self) -> str:
        """Return the strongest part, and the parts that can be removed."""
        effect, part = (self._table.model().index(0, column).data() for column in range(2))
        return " ".join(filter(None, (f"{part}: {FOR.format(nats=effect)}.", self._removable.text())))

    def proof(self) -> str:
        difference = self.found.max_difference if self.found is not None else 0
        return PROOF.format(difference=f"{difference:.0e}" if difference else "0")

    def as_csv(self) -> str:
        """Return a row for each part, with its effect on each target."""
        prompt, found = self.prompt, self.found
        if prompt is None or found is None:
            return ""
        tokens = (f"not_{each.id}" for each in found.candidates[1:])
        columns = [[f"{each:.6g}" for each in found.effects(logprob)] for _, logprob in targets(found)]
        lines = zip(found.parts, *columns, strict=True)
        rows = ((part.start, len(part), text_of(prompt, part), *effects) for part, *effects in lines)
        return as_csv(("position", "tokens", "text", "on_answer", "on_token", *tokens), rows)

    def picture(self) -> QPixmap:
        return self._results.grab()

    def _lay_out(self) -> QWidget:
        scaled(self._theme, self._text, QWidget.setMinimumHeight, TEXT_PX)
        results = QWidget()
        target = in_row(caption(self._theme, tr("Effect on"), self._target), (self._target, 1))
        scales = self._for, self._against, self._effect, self._sums
        in_column(self._removable, in_row(self._try, ...), target, self._table, self._text, *scales, on=results)
        in_column(results, on=self)
        return results

    def _fill(self) -> bool:
        """Fill the list of targets. Return whether it changed."""
        words = [words for words, _ in targets(self.found)] if self.found is not None else []
        words = words if self._selected_place in (self._ablated_place, NOWHERE) else words[:1]
        if words == [self._target.itemText(row) for row in range(self._target.count())]:
            return False
        with QSignalBlocker(self._target):
            self._target.clear()
            self._target.addItems(words)
        return True

    def _show(self) -> None:
        """Show the effects. Violet parts raised the target's probability, green ones lowered it; darker is more."""
        prompt, found = self.prompt, self.found
        if prompt is None or found is None:
            return
        logprob = targets(found)[max(0, self._target.currentIndex())][1]
        effects = found.effects(logprob)
        lines = ordered(prompt, found, effects)
        self._parts = [part for part, _ in lines]
        self._table.show_rows(TITLES, [line for _, line in lines], TIPS)
        most = max(map(abs, effects)) or 1.0
        at = {position: effect for part, effect in zip(found.parts, effects, strict=True) for position in part}
        self._text.show_grounds(
            lambda position: self._ground(at.get(position), most), lambda position: _describe_effect(at.get(position))
        )
        self._for.show_ends("0", FOR.format(nats=nats(most)), Color.LIKELY)
        self._against.show_ends("0", AGAINST.format(nats=nats(most)), Color.TOKEN)
        self._against.setVisible(min(effects) < -most / LEVELS)
        self._sums.say(describe_sums(found, logprob))

    def _ground(self, effect: float | None, most: float) -> QColor:
        if effect is None:
            return ground(PLAIN, self._theme)
        strong = Color.LIKELY if effect > -most / LEVELS else Color.TOKEN
        return ground(min(LEVELS - 1, int(abs(effect) / most * LEVELS)), self._theme, strong)

    def _step(self) -> None:
        """Scroll to the part in the text."""
        row = self._table.currentIndex().row()
        if 0 <= row < len(self._parts):
            self._text.reveal(self._parts[row].start)

    def _select(self, chosen: range | None) -> None:
        if chosen is not None:
            self._unit.setCurrentIndex(self._unit.count() - 1)
        self.parts_changed.emit()


def _describe_effect(effect: float | None) -> str:
    return tr("not removed") if effect is None else tr("effect {nats} nats").format(nats=nats(effect))


def targets(found: AblationResult) -> list[tuple[str, Callable[[AnswerLogprob], float]]]:
    """Return the targets of the effects: the whole answer, the selected token, or that token rather than another."""
    sampled, *others = (f"“{legible(each.text)}”" for each in found.candidates)
    contrasts = [
        (tr("{token} rather than {other}").format(token=sampled, other=other), rather_than(number))
        for number, other in enumerate(others, 1)
    ]
    return [(tr("The whole answer"), of_answer), (sampled, of_token), *contrasts]


def nats(effect: float) -> str:
    return minus(f"{effect:.2f}")


def ordered(
    prompt: ExactPrompt, found: AblationResult, effects: Sequence[float]
) -> list[tuple[range, tuple[str, str]]]:
    """Return the parts with their table rows: the largest effects first, the template's parts last."""
    ranked = by_effect(prompt, found.parts, effects)
    return [(part, (nats(effect), _shorten(prompt, part, own))) for own, part, effect in ranked]


def _shorten(prompt: ExactPrompt, part: range, own: bool) -> str:
    """Shorten the text of a part, with visible whitespace for single tokens."""
    text = text_of(prompt, part)
    shown = (" ".join(map(legible, text.split())) if len(part) > 1 else "") or legible(text)
    shown = shown if len(shown) <= MAX_CELL_CHARACTERS else f"{shown[: MAX_CELL_CHARACTERS - 1]}…"
    return tr("Template: {text}").format(text=shown) if own else shown


def describe_sums(found: AblationResult, logprob: Callable[[AnswerLogprob], float]) -> str:
    together, every = sum(found.effects(logprob)), logprob(found.whole) - logprob(found.alone)
    return SUMS.format(sum=nats(together), all=nats(every)) if len(found.parts) > 1 else ""


def describe_removable(found: AblationResult) -> str:
    """Describe the parts that the answer doesn't need; empty if none were found."""
    count = sum(len(found.parts[each]) for each in found.spare)
    if not count:
        return ""
    if not found.greedy:
        words = tr(
            "Without %n tokens the top token stays the same throughout the answer",
            "Without %n token the top token stays the same throughout the answer",
            count,
        )
    else:
        words = tr("Without %n tokens the answer stays the same", "Without %n token the answer stays the same", count)
    if found.sooner_s < MIN_SAVED_S:
        return tr("{words}.").format(words=words)
    return tr("{words}; time to first token: {time} less.").format(words=words, time=duration(found.sooner_s))


def describe_try(answer: tuple[int, ...], run: Run) -> str:
    first = run.summary.figures.first_token
    words = tr("Same answer. Time to first token: {time}.")
    if run.ids != answer:
        words = tr("Different answer. Time to first token: {time}. “{text}”")
    return words.format(time=duration(first), text=legible(run.text)[:MAX_CHARACTERS])
