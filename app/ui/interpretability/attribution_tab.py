"""Which words of the prompt mattered: grounds under its text, a table of its parts, and a shorter one to try."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtWidgets import QWidget

from app.definitions import meaning
from app.engine.types import AblationResult, ExactPrompt, Unit
from app.i18n import tr
from app.state import Run
from app.ui.interpretability.effects import UNITS, as_csv, choices, coarser, nats, ordered, proof, spared, sums, tried
from app.ui.look import Colour, Theme, scaled
from app.ui.tokens.chips import TokenChips
from app.ui.tokens.colours import LEVELS, PLAIN, ground
from app.ui.tokens.scale import TokenScale
from app.ui.tokens.text import NOWHERE
from app.ui.widgets import ChoiceBox, SmallPrint, caption, held, in_column, in_row, push_button
from app.ui.widgets.word_table import WordTable

TITLES = tr("Nats"), tr("Left out")
TIPS = (
    meaning("attribution"),
    tr("The part's tokens are taken out, all others stay as they are"),
)
TRY_TIP = tr("Writes the answer once more behind the shorter prompt, beside the conversation, which stays as it is")
FOR, AGAINST = tr("{nats} nats for it"), tr("{nats} against it")
UNIT_TIP = tr("The finer, the more passes it takes. Draw over tokens of the text below to leave out just these")
OF_TIP = tr("All of the answer, the picked token, or why that token and not another one")
MOST_ROWS, PART_PX, TEXT_PX = 8, 160, 140


class WordsPart(QWidget):
    """What is left out is chosen before a look; what the effects are on, after it."""

    asked = Signal()
    """Something else would be left out by now."""
    try_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.prompt: ExactPrompt | None = None
        self.found: AblationResult | None = None
        self._place, self._picked = NOWHERE, NOWHERE
        """Of the token that the candidates are of, and of the one that is picked now."""
        self._parts: list[range] = []
        """As the table has them."""
        units = {str(unit): words for unit, words in UNITS.items()} | {"": tr("What is selected below")}
        self._unit = ChoiceBox("inside_unit", tr("What is left out at a time"), UNIT_TIP, units, narrow=True)
        self.chooser = held(in_row(caption(theme, tr("Leave out"), self._unit), (self._unit, 1)))
        """Stands over the button that asks."""
        self._of = ChoiceBox("inside_of", tr("What it did something for"), OF_TIP, narrow=True)
        self._spare = SmallPrint(theme, "inside_spare", "text")
        self._try = push_button("inside_try", tr("Try it without"), TRY_TIP, kind="small", press=self.try_wanted.emit)
        self._table = WordTable(
            theme, "inside_parts", tr("Parts of the prompt"), most_rows=MOST_ROWS, widest_px=PART_PX
        )
        self._text = TokenChips(theme, "inside_prompt", tr("The prompt, by what its words did"), selects=True)
        self._for, self._against = TokenScale(theme), TokenScale(theme)
        self._told, self._sums = SmallPrint(theme, "inside_effect", "text"), SmallPrint(theme, "inside_sums")
        self._results = self._lay_out()
        self._unit.currentIndexChanged.connect(self.asked)
        self._of.currentIndexChanged.connect(self._show)
        self._table.selectionModel().currentRowChanged.connect(self._step)
        self._text.pointed.connect(self._told.say)
        self._text.selected.connect(self._select)
        self.show_found(None, None, None, NOWHERE)

    @property
    def part(self) -> Unit | range | None:
        """What is to be left out; None: what is selected, which is nothing yet. The first token can't be."""
        unit, chosen = self._unit.currentData(), self._text.selection
        if unit:
            return Unit(unit)
        return range(max(1, chosen.start), chosen.stop) if chosen is not None and chosen.stop > 1 else None

    def show_found(
        self, prompt: ExactPrompt | None, unit: Unit | None, found: AblationResult | None, place: int
    ) -> None:
        """Its candidates are those of the answer's token `place`. None: nothing is known any more."""
        self.prompt, self.found, self._place = prompt, found, place
        self._text.show_prompt(prompt)
        self._results.setVisible(found is not None)
        asked = self.part
        coarse = coarser(asked, unit) if isinstance(asked, Unit) and unit is not None else ""
        self._spare.say(" ".join(filter(None, (coarse, spared(found) if found is not None else ""))))
        self._try.setVisible(found is not None and bool(found.spare))
        self._fill()
        self._show()

    def show_place(self, place: int) -> None:
        """Of another token of the same answer only what is true of all of it is known."""
        self._picked = place
        if self._fill():
            self._show()

    def show_tried(self, answer: tuple[int, ...], run: Run) -> None:
        """This answer, written once more behind the shorter prompt."""
        self._spare.say(tried(answer, run))

    def allow(self, allowed: bool) -> None:
        self._try.setEnabled(allowed)

    def told(self) -> str:
        """The part that comes first, and what could be left out."""
        effect, part = (self._table.model().index(0, column).data() for column in range(2))
        return " ".join(filter(None, (f"{part}: {FOR.format(nats=effect)}.", self._spare.text())))

    def proof(self) -> str:
        return proof(self.found) if self.found is not None else ""

    def as_csv(self) -> str:
        return as_csv(self.prompt, self.found) if self.prompt is not None and self.found is not None else ""

    def picture(self) -> QPixmap:
        return self._results.grab()

    def _lay_out(self) -> QWidget:
        scaled(self._theme, self._text, QWidget.setMinimumHeight, TEXT_PX)
        results = QWidget()
        of = in_row(caption(self._theme, tr("Effect on"), self._of), (self._of, 1))
        scales = self._for, self._against, self._told, self._sums
        in_column(self._spare, in_row(self._try, ...), of, self._table, self._text, *scales, on=results)
        in_column(results, on=self)
        return results

    def _fill(self) -> bool:
        """What there may be an effect on; comes back with whether that is something else now."""
        words = [words for words, _ in choices(self.found)] if self.found is not None else []
        words = words if self._picked in (self._place, NOWHERE) else words[:1]
        if words == [self._of.itemText(row) for row in range(self._of.count())]:
            return False
        with QSignalBlocker(self._of):
            self._of.clear()
            self._of.addItems(words)
        return True

    def _show(self) -> None:
        """Violet is what spoke for it, the darker the more, and green what spoke against it."""
        prompt, found = self.prompt, self.found
        if prompt is None or found is None:
            return
        of = choices(found)[max(0, self._of.currentIndex())][1]
        effects = found.effects(of)
        lines = ordered(prompt, found, effects)
        self._parts = [part for part, _ in lines]
        self._table.show_rows(TITLES, [line for _, line in lines], TIPS)
        most = max(map(abs, effects)) or 1.0
        at = {place: effect for part, effect in zip(found.parts, effects, strict=True) for place in part}
        self._text.show_grounds(lambda place: self._ground(at.get(place), most), lambda place: _told(at.get(place)))
        self._for.show_ends("0", FOR.format(nats=nats(most)), Colour.LIKELY)
        self._against.show_ends("0", AGAINST.format(nats=nats(most)), Colour.TOKEN)
        self._against.setVisible(min(effects) < -most / LEVELS)
        self._sums.say(sums(found, of))

    def _ground(self, effect: float | None, most: float) -> QColor:
        if effect is None:
            return ground(PLAIN, self._theme)
        strong = Colour.LIKELY if effect > -most / LEVELS else Colour.TOKEN
        return ground(min(LEVELS - 1, int(abs(effect) / most * LEVELS)), self._theme, strong)

    def _step(self) -> None:
        """To where it stands in the text."""
        row = self._table.currentIndex().row()
        if 0 <= row < len(self._parts):
            self._text.reveal(self._parts[row].start)

    def _select(self, chosen: range | None) -> None:
        if chosen is not None:
            self._unit.setCurrentIndex(self._unit.count() - 1)
        self.asked.emit()


def _told(effect: float | None) -> str:
    return tr("never left out") if effect is None else tr("effect {nats} nats").format(nats=nats(effect))
