"""A model with fewer bits for each weight: how, what will become of it, and what each number of bits costs."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QDialog, QWidget

from app.engine.types import Failure
from app.i18n import tr
from app.library.types import LocalModel
from app.number_format import size, speed, with_error
from app.quantization.choice import BITS, FIXED, GROUPS, RECIPES, Choice, Mode, Outcome
from app.quantization.cost import Cost
from app.ui.look import GAP_PX, MARGIN_PX, Theme, scaled
from app.ui.picker.facts import Facts
from app.ui.picker.quantization_plot import LadderPlot
from app.ui.widgets import (
    ChoiceBox,
    SmallPrint,
    begin_window,
    field_label,
    file_opening,
    in_column,
    in_grid,
    in_row,
    push_button,
)
from app.ui.widgets.numbers_table import Numbers, NumbersTable

FIRST_PX, SMALLEST_PX, LADDER_PX = (620, 380), (480, 320), (920, 700)
ROWS_PX = 200
NAMED = 6
"""So many of the layers that stay alone are named."""
COLUMNS = (tr("Bits"), tr("Per weight"), tr("Weights"), tr("KL"), tr("Same first"), tr("Tokens/s"), tr("Memory"))


class QuantiseDialog(QDialog):
    """`asked` when something else is to be foreseen, `ladder_wanted` for all at once; accepted, it is to be made."""

    asked = Signal()
    ladder_wanted = Signal()

    def __init__(
        self, theme: Theme, model: LocalModel, place: Path, fits: Callable[[int], str], parent: QWidget
    ) -> None:
        super().__init__(parent)
        begin_window(theme, self, "quantise", tr("Quantize {model}").format(model=model.name), FIRST_PX, SMALLEST_PX)
        self._theme = theme
        self._name, self._place, self._fits = model.name.rpartition("/")[2], place, fits
        self._rungs: list[tuple[Outcome, Cost]] = []
        self._saves = False
        """What is foreseen is smaller than the original."""
        tip = tr("How many bits each weight shall have, and written how")
        self._how = ChoiceBox("quantise_how", tr("Weights"), tip, _ways())
        self._how.show_value(Choice())
        tip = tr("Weights that share a scale: fewer are more exact")
        groups = {0: tr("the largest that divides every width")} | {group: f"{group}" for group in GROUPS}
        self._group = ChoiceBox("quantise_group", tr("Group"), tip, groups)
        for box in (self._how, self._group):
            box.currentIndexChanged.connect(self._ask)
        self._facts, self._told = Facts(theme), SmallPrint(theme, "quantise_told")
        self._table, self._plot = NumbersTable(theme, "quantise_ladder"), LadderPlot(theme)
        self._where = push_button("quantise_place", tr("Elsewhere…"), tr("Choose the folder"), press=self._choose_place)
        tip = tr("Try 8, 6, 5, 4, 3 and 2 bits, and show what each costs; nothing is kept")
        self._try = push_button("quantise_try", tr("Compare all"), tip, press=self.ladder_wanted)
        tip = tr("Make the model, and compare it with the original")
        self._make = push_button("quantise_make", tr("Quantize"), tip, kind="primary", press=self.accept)
        self._lay_out()
        self._ask()

    @property
    def choice(self) -> Choice:
        chosen: Choice = self._how.currentData()
        free = chosen.mode == Mode.AFFINE
        return Choice(chosen.bits, self._group.currentData() if free else chosen.group, chosen.mode, chosen.recipe)

    @property
    def to(self) -> Path:
        """The folder that the new model will have."""
        return self._place / f"{self._name}-{self.choice.name}"

    def show_foreseen(self, outcome: Outcome | Failure | None, free: int = 0) -> None:
        """What will become of it, with so much free on the disk; None: that is being found out."""
        self._try.setEnabled(isinstance(outcome, Outcome))
        self._saves = isinstance(outcome, Outcome) and outcome.bytes < outcome.before
        self._make.setEnabled(self._saves)
        if not isinstance(outcome, Outcome):
            self._told.say(outcome.sentence if outcome else tr("Looking at its layers …"), "warning" if outcome else "")
            return
        stay = ", ".join(outcome.alone[:NAMED]) or tr("no layer")
        if len(outcome.alone) > NAMED:
            stay = tr("{layers} and %n more", "", len(outcome.alone) - NAMED).format(layers=stay)
        smaller = tr("{size} instead of {before}; {free} are free on the disk")
        facts = (
            (tr("Weights"), smaller.format(size=size(outcome.bytes), before=size(outcome.before), free=size(free))),
            (tr("Bits per weight"), tr("{bits}, scales included").format(bits=f"{outcome.bits_per_weight:.2f}")),
            (tr("Group"), f"{outcome.choice.group}"),
            (tr("Stay as they are"), stay),
            (tr("Does it fit?"), self._fits(outcome.bytes)),
            (tr("Folder"), str(self.to)),
        )
        self._facts.show_facts(facts)
        self._told.say(
            "" if outcome.bytes < outcome.before else tr("This group divides no width: nothing would change.")
        )

    def show_rung(self, outcome: Outcome, cost: Cost) -> None:
        """One more number of bits, and what it costs."""
        self._rungs.append((outcome, cost))
        self._table.show_numbers(Numbers(tr("What each costs"), COLUMNS, tuple(_row(*each) for each in self._rungs)))
        points = [(_words(each.choice.bits), each.bits_per_weight, cost.kl_mean) for each, cost in self._rungs]
        self._plot.show_points(points)

    def show_trying(self, told: str = "", ended: bool = False) -> None:
        """All numbers of bits are being compared; in the end `told` why not, if so."""
        if not ended:
            self._rungs.clear()
            self.resize(self.size().expandedTo(QSize(*map(self._theme.scaled, LADDER_PX))))
        self._table.show()
        self._plot.show()
        for each in (self._how, self._where, self._try):
            each.setEnabled(ended)
        self._group.setEnabled(ended and self.choice.mode == Mode.AFFINE)
        self._make.setEnabled(ended and self._saves)
        self._told.say(told or ("" if ended else tr("Comparing with the original, one after the other …")))

    def _lay_out(self) -> None:
        boxes = [(field_label(self._theme, box.accessibleName(), box), box) for box in (self._how, self._group)]
        above = in_grid(*boxes, self._facts, wide={1: 1})
        buttons = in_row(self._where, self._try, ..., self._make)
        below = self._table, (self._plot, 20)
        in_column(above, *below, ..., self._told, buttons, on=self, gap=GAP_PX, margins=MARGIN_PX)
        scaled(self._theme, self._table, QWidget.setMinimumHeight, ROWS_PX)
        self._table.hide()
        self._plot.hide()

    @Slot()
    def _ask(self) -> None:
        self._group.setEnabled(self._how.currentData().mode == Mode.AFFINE)
        self.show_foreseen(None)
        self.asked.emit()

    @Slot()
    def _choose_place(self) -> None:
        file_opening.ask_folder(self, tr("Where the New Model Goes"), self._take_place)

    def _take_place(self, place: Path) -> None:
        self._place = place
        self._ask()


def _ways() -> dict[Choice, str]:
    ways = {Choice(bits): _words(bits) for bits in BITS}
    for mode, (bits, group) in FIXED.items():
        ways[Choice(bits, group, mode)] = tr("{bits} bits, {mode}").format(bits=bits, mode=mode.upper())
    for recipe in RECIPES:
        few, many = recipe.split("_")[1:]
        ways[Choice(recipe=recipe)] = tr("{few} bits, {many} where it counts").format(few=few, many=many)
    return ways


def _words(bits: int) -> str:
    return tr("{bits} bits").format(bits=bits)


def _row(outcome: Outcome, cost: Cost) -> tuple[str, ...]:
    kl = with_error(cost.kl_mean, cost.kl_error) if cost.kl_error is not None else f"{cost.kl_mean:.4f}"
    return (
        *(f"{outcome.choice.bits}", f"{outcome.bits_per_weight:.2f}", size(outcome.bytes), kl),
        *(f"{cost.same_first:.1%}", speed(cost.speed), size(cost.memory)),
    )
