"""Who answers, and how an answer is judged."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QStackedWidget, QWidget

from app.engine.ranges import Range
from app.evaluation.types import Check, CheckKind
from app.i18n import tr
from app.library.types import LocalModel
from app.ui.evaluation.values import ArmLine, Setup
from app.ui.look import GAP_PX, GRID_PX, Theme
from app.ui.look.sizes import scaled
from app.ui.widgets import (
    ChoiceBox,
    FieldRow,
    SmallPrint,
    WholeField,
    add_entry,
    as_tip,
    caption,
    field_label,
    heading,
    held,
    in_column,
    in_row,
    named,
    plain_label,
    push_button,
)
from app.ui.widgets.rows import scrolling
from app.ui.widgets.word_table import WordTable

CHECKS = {
    CheckKind.EQUAL: (tr("Equal to what is expected"), tr("Blanks around it don't count, small and large letters do.")),
    CheckKind.CONTAINS: (tr("Contains what is expected"), tr("Anywhere in the answer.")),
    CheckKind.NUMBER: (tr("The number that is expected"), tr("The last number of the answer; how far off it may be:")),
    CheckKind.REGEX: (tr("Fits a pattern"), tr("A regular expression; empty: the expected value is one.")),
    CheckKind.SCHEMA: (tr("Fits a JSON schema"), tr("The schema; empty: the expected value is one.")),
    CheckKind.CHOICE: (tr("The choice that is expected"), tr("One of the row's choices, and the expected one.")),
    CheckKind.SHORTER: (tr("Shorter than"), tr("So many tokens:")),
    CheckKind.ENDED: (tr("Ended by itself"), tr("Not cut at the limit of tokens.")),
    CheckKind.BY_HAND: (tr("I judge it: blind A/B"), tr("Two answers side by side, without knowing whose they are.")),
}
ARGUMENT = frozenset({CheckKind.NUMBER, CheckKind.REGEX, CheckKind.SCHEMA, CheckKind.SHORTER})
MODEL, ADAPTER = "model", "adapter"
READY = {"wordings": tr("Other Wordings"), "thinking": tr("What Is Thinking Worth?")}
READY_TIPS = {
    "wordings": tr("The same rows with a trailing space, in small letters: how much of the verdict is the wording"),
    "thinking": tr("The same model with other budgets of thoughts"),
}
REPEATS, TOGETHER = Range(1, 100, 1, whole=True), Range(1, 64, 16, whole=True)
WHOLE_TIPS = (
    tr("How often each row is asked, each time with a seed of its own"),
    tr("Rows answered at once, where this gives the same answers"),
)
ARGUMENT_TIP = tr("What the check needs besides the answer: its pattern, its schema, its number")
ROOM_TOLD = tr("The model, its settings, and how an answer is judged")
CHECK_PX = 250


class ArmsPage(QWidget):
    """`add_wanted` with what is another, a setting or a kind of form, and its value; `ready_wanted` by name."""

    add_wanted = Signal(str, str)
    ready_wanted = Signal(str)
    remove_wanted = Signal(int)
    edited = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._table = WordTable(theme, "sets_arms", tr("Variants"))
        self._table.setSelectionBehavior(WordTable.SelectionBehavior.SelectRows)
        tip = tr("In what another variant differs from the first")
        self._what = ChoiceBox("sets_arm_what", tr("Difference of the variant"), tip, narrow=True)
        self._value = named(QLineEdit(), "sets_arm_value", tr("Its value"), tr("One value, or several: 0, 0.7, 1"))
        self._value.setPlaceholderText("0, 0.7, 1")
        self._model = ChoiceBox("sets_arm_model", tr("Another model"), tr("Models of this machine"), narrow=True)
        self._values = QStackedWidget()
        tip = tr("Add a variant that differs in this")
        self._add = push_button("sets_arm_add", tr("Add Variant"), tip, press=self._ask)
        self._remove = push_button(
            "sets_arm_remove", tr("Remove"), tr("Take the chosen variant away"), press=self._drop
        )
        kinds = {kind: words for kind, (words, _) in CHECKS.items()}
        self._kind = ChoiceBox("sets_check", tr("Check"), tr("How an answer is judged"), kinds, narrow=True)
        self._argument = named(QLineEdit(), "sets_check_argument", tr("Argument of the check"), ARGUMENT_TIP)
        self._told = plain_label("sets_check_told", muted=True, wraps=True)
        self._wrong = SmallPrint(theme, "sets_check_wrong", "error")
        self._repeats, self._together = WholeField("sets_repeats", REPEATS), WholeField("sets_together", TOGETHER)
        self._ready = {key: push_button(f"sets_{key}", words, READY_TIPS[key]) for key, words in READY.items()}
        self.power = plain_label("sets_power", wraps=True)
        self.foreseen = SmallPrint(theme, "sets_foreseen")
        self._lay_out()
        self._listen()

    def setup(self) -> Setup:
        """As it stands."""
        kind = CheckKind(self._kind.currentData())  # Qt hands out its text
        argument = self._argument.text().strip() if kind in ARGUMENT else ""
        return Setup(Check(kind, argument), self._repeats.value(), self._together.value())

    def show_setup(self, setup: Setup) -> None:
        """Set it, telling nobody."""
        self._kind.show_value(setup.check.kind)
        self._argument.setText(setup.check.argument)
        self._repeats.show_value(setup.repeats)
        self._together.show_value(setup.together)
        self._fit()

    def show_wrong(self, words: str) -> None:
        """Why nothing can be judged by the check; empty: it can."""
        self._wrong.say(words)

    def show_arms(self, arms: Sequence[ArmLine], thinks: bool) -> None:
        """All there are; the first can't be taken away while it is alone."""
        head = (tr("Variant"), tr("Model"), tr("Settings"))
        self._table.show_rows(head, [(each.name, each.model, each.differs) for each in arms])
        self._remove.setEnabled(len(arms) > 1)
        self._ready["thinking"].setVisible(thinks)

    def offer(self, settings: Sequence[tuple[str, str]]) -> None:
        """What an arm may differ in: the name of each, and what people call it."""
        self._what.show_entries(dict(settings))
        self._fit()

    def show_models(self, others: Sequence[LocalModel]) -> None:
        """Those that can be opened in place of the one that is open."""
        chosen = self._model.currentData()
        self._model.clear()
        for each in others:
            tip = as_tip(each.why_not or str(each.folder))
            add_entry(self._model, each.name, str(each.folder), tip, not each.why_not)
        self._model.show_value(chosen)

    def clear_value(self, typed: str) -> None:
        """That is an arm now; what was typed since stays."""
        if self._value.text() == typed:
            self._value.clear()

    @Slot()
    def _fit(self) -> None:
        what, kind = self._what.currentData(), self._kind.currentData()
        self._values.setCurrentIndex(1 if what == MODEL else 0)
        self._value.setEnabled(what != ADAPTER)
        self._add.setText(tr("Choose…") if what == ADAPTER else tr("Add Variant"))
        self._argument.setVisible(kind in ARGUMENT)
        self._told.setText(CHECKS[kind][1])

    @Slot()
    def _ask(self) -> None:
        what = self._what.currentData()
        value = self._model.currentData() if what == MODEL else self._value.text()
        if value or what == ADAPTER:
            self.add_wanted.emit(what, value or "")

    @Slot()
    def _drop(self) -> None:
        index = self._table.currentIndex()
        if index.isValid():
            self.remove_wanted.emit(index.row())

    def _listen(self) -> None:
        for box in (self._what, self._kind):
            box.currentIndexChanged.connect(self._fit)
        self._kind.activated.connect(self.edited)
        self._argument.textEdited.connect(self.edited)
        self._value.returnPressed.connect(self._ask)
        for key, button in self._ready.items():
            button.clicked.connect(lambda _=False, key=key: self.ready_wanted.emit(key))
        for field in (self._repeats, self._together):
            field.chosen.connect(self.edited)
        self._fit()

    def _lay_out(self) -> None:
        theme = self._theme
        for part in (self._value, self._model):
            self._values.addWidget(part)
        self._values.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        left = in_column(
            heading(theme, tr("Variants")),
            (self._table, 1),
            in_row((self._what, 1), (self._values, 1), gap=GRID_PX),
            in_row(self._add, self._remove, ..., gap=GRID_PX),
            caption(theme, tr("Ready-made:")),
            in_row(self._ready["wordings"], ..., gap=GRID_PX),
            in_row(self._ready["thinking"], ..., gap=GRID_PX),
            gap=GAP_PX,
        )
        rows = []
        names = (tr("Times each row is asked"), tr("Rows at once"))
        for field, name, tip in zip((self._repeats, self._together), names, WHOLE_TIPS, strict=True):
            row = FieldRow(theme, name, tip, field, below=True)
            field.refused.connect(row.refuse)
            rows.append(row)
        self._together.show_value(int(TOGETHER.neutral))
        right = held(
            in_column(
                heading(theme, tr("Check")),
                field_label(theme, tr("How an answer is judged"), self._kind),
                self._kind,
                self._told,
                self._argument,
                self._wrong,
                *rows,
                self.power,
                self.foreseen,
                ...,
                gap=GAP_PX,
            )
        )
        scaled(theme, right, QWidget.setFixedWidth, CHECK_PX)
        within = held(in_row((left, 1), right, gap=2 * GAP_PX, margins=(0, GAP_PX, 0, 0)))
        room = scrolling("sets_arms_room", tr("Variants and check"), within, told=ROOM_TOLD)
        room.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # all that is in it has the keyboard by itself
        in_column((room, 1), on=self)
