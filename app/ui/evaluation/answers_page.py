"""Rows with what the arms made of them, those first in which they differ; two answers side by side, and their diff."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from app.evaluation.types import EvaluationAnswer
from app.i18n import tr
from app.records.types import RunId
from app.ui.evaluation.rows import RowsTable, number_column, short, text_column
from app.ui.evaluation.values import EvaluationResult
from app.ui.evaluation.words import WRONG, mark
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.widgets import ChoiceBox, Column, PlainText, SmallPrint, held, in_column, in_row, named, split
from app.ui.widgets.diff_view import DiffPane

SIDES = (tr("The variant on the left"), tr("The variant on the right"))
TEXTS = (tr("Answer on the left"), tr("Answer on the right"))
PARTS_PX, TEXTS_PX = (210, 260), (160, 100)


class AnswersPage(QWidget):
    """`diff` wants two texts told apart."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._found: EvaluationResult | None = None
        self._picked = False
        """Whose answers stand beside each other."""
        tip = tr("Rows in which the variants differ come first; choose one to read its answers")
        self._table = RowsTable(theme, "sets_answers", tr("Answers"), tip)
        self._table.chosen.connect(self._show)
        self._boxes = [ChoiceBox(f"sets_side_{at}", SIDES[at], SIDES[at], narrow=True) for at in range(2)]
        self._texts = [_pane(theme, at) for at in range(2)]
        self._why = [SmallPrint(theme, f"sets_why_{at}") for at in range(2)]
        self._asked = SmallPrint(theme, "sets_asked", "text")
        self.diff = DiffPane(theme, "sets_diff")
        for box in self._boxes:
            box.activated.connect(self._pick)
        sides = [
            (in_column(box, (text, 1), why, gap=GRID_PX), 1)
            for box, text, why in zip(self._boxes, self._texts, self._why, strict=True)
        ]
        above = in_column(self._asked, (in_row(*sides), 1), gap=GRID_PX, margins=(0, GRID_PX, 0, GRID_PX))
        read = split(Qt.Orientation.Vertical, held(above), self.diff, TEXTS_PX)
        rows = split(Qt.Orientation.Vertical, self._table, read, PARTS_PX)
        in_column(rows, on=self, margins=(0, GAP_PX, 0, 0))

    @property
    def run(self) -> RunId | None:
        """Of the first answer to the chosen row that is recorded."""
        row, found = self._table.row, self._found
        if row is None or found is None:
            return None
        of_row = (each for arm in range(len(found.outcome.study.arms)) for each in found.answers.get((arm, row), ()))
        return next((each.run for each in of_row if each.run), None)

    def clear(self) -> None:
        """Another study."""
        self._found, self._picked = None, False
        self._table.show_rows((), ())
        for box in self._boxes:
            box.clear()
        for text in self._texts:
            text.clear()
        self.diff.wait()

    def show_found(self, found: EvaluationResult, over: bool) -> None:
        """The answers so far; what is chosen stays chosen."""
        self._found = found
        names = [each.name for each in found.outcome.study.arms]
        for at, box in enumerate(self._boxes):
            if box.count() != len(names):
                box.show_entries(dict(enumerate(names)))
                box.show_value(min(at, len(names) - 1))
        columns = [number_column(), *(self._column(at, name) for at, name in enumerate(names))]
        answers = found.answers

        def marked(row: int, name: str) -> bool:
            place = name.removeprefix("arm_")
            return place.isdigit() and mark(answers.get((int(place), row), ())) == WRONG

        self._table.show_rows(found.order, columns, marked, choose=over)
        if over and not self._picked and self._table.row is not None:
            self._hold_apart(self._table.row)
        self._show()

    def _hold_apart(self, row: int) -> None:
        """Beside the first arm the one whose answer is judged otherwise, as long as nobody has picked another."""
        assert self._found is not None
        arms = range(len(self._found.outcome.study.arms))
        marks = [mark(self._found.answers.get((arm, row), ())) for arm in arms]
        other = next((arm for arm in arms if marks[arm] and marks[arm] != marks[0]), min(1, len(marks) - 1))
        self._boxes[1].show_value(other)

    @Slot()
    def _pick(self) -> None:
        self._picked = True
        self._show()

    def _column(self, arm: int, name: str) -> Column[int]:
        return text_column(f"arm_{arm}", short(name), self._cell(arm))

    def _cell(self, arm: int) -> Callable[[int], str]:
        def told(row: int) -> str:
            answers = self._found.answers.get((arm, row), ()) if self._found is not None else ()
            return f"{mark(answers)}  {answers[0].text}" if answers else ""

        return told

    @Slot()
    def _show(self) -> None:
        found, row = self._found, self._table.row
        if found is None or row is None:
            return
        arms = [box.currentIndex() for box in self._boxes]
        both = [found.answers.get((arm, row), ()) for arm in arms]
        for text, why, answers in zip(self._texts, self._why, both, strict=True):
            text.show_text(whole(answers))
            why.say(_judged(answers))
        values = found.outcome.study.prompts.rows[row]
        self._asked.say(tr("Row {row}: {values}").format(row=row + 1, values=" · ".join(map(short, values[:3]))))
        if all(both):
            self.diff.compare(*map(whole, both))
        else:
            self.diff.wait()


def whole(answers: Sequence[EvaluationAnswer]) -> str:
    """All repeats below each other."""
    if len(answers) == 1:
        return answers[0].text
    return "\n\n".join(f"— {each.place.repeat + 1} —\n{each.text}" for each in answers)


def _judged(answers: Sequence[EvaluationAnswer]) -> str:
    """Of one row of an arm, with how each answer ended and why it is not right."""
    told = []
    for each in answers[:5]:
        parts = (mark((each,)), each.reason.plain_words, tr("%n tokens", "%n token", each.tokens), each.why)
        told.append(" · ".join(part for part in parts if part))
    return "\n".join(told)


def _pane(theme: Theme, at: int) -> PlainText:
    pane = PlainText(readOnly=True, tabChangesFocus=True)
    return named(pane, f"sets_text_{at}", TEXTS[at], TEXTS[at], font=theme.font(Size.NORMAL))
