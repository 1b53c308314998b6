"""The candidates of one token under their heading, in either of the two distributions."""

from PySide6.QtCore import QPoint, QRect, Signal
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.number_format import chance, precision_words
from app.ui.inspector.alternatives_table import CandidatesTable
from app.ui.inspector.rows import BEFORE, BEFORE_FORM, AlternativeRow, Distribution, rows_after, rows_before
from app.ui.inspector.subject import InspectedToken
from app.ui.look import Theme
from app.ui.widgets import SegmentedChoice, SmallPrint, heading, in_column, in_row

WORDS = {Distribution.BEFORE.value: tr("Before"), Distribution.AFTER.value: tr("After")}
TIPS = {
    Distribution.BEFORE.value: tr("The alternatives as the model had them, after penalties and bias"),
    Distribution.AFTER.value: tr("What temperature, top-k, top-p, min-p and XTC left over of them"),
}
Key = tuple[int, int]


class CandidatesPart(QWidget):
    """`stepped_to` tells which candidate the user is at, `taken` which one is to be gone on with."""

    stepped_to = Signal(object)
    """The Row, or None."""
    taken = Signal(int)
    """The token's id."""
    sight_wanted = Signal(QRect)
    """The user is at this part of it, which is to be seen."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._subject: InspectedToken | None = None
        self._left_at: tuple[Key, int | None] | None = None
        """The candidate that the user was at, and of which token."""
        self._which = SegmentedChoice("distribution", tr("Which distribution"), WORDS, TIPS)
        self._said = SmallPrint(theme, "distribution_said")
        self.table = CandidatesTable(theme)
        in_column(in_row(heading(theme, tr("Alternatives")), ..., self._which), self._said, self.table, on=self)
        self._which.chosen.connect(self._show)
        self.table.stepped_to.connect(self._note)
        self.table.taken.connect(self.taken)

    def show_subject(self, subject: InspectedToken | None) -> None:
        """The candidates of this token; where none are recorded there is nothing to be seen."""
        self._subject = subject
        self.setVisible(subject is not None and subject.token.observed is not None)
        self._which.allow(Distribution.AFTER.value, subject is not None and subject.sampling is not None)
        self._show()

    def _show(self) -> None:
        subject = self._subject
        observed = subject.token.observed if subject is not None else None
        if subject is None or observed is None:
            self.stepped_to.emit(None)
            return
        if self._which.choice == Distribution.AFTER and subject.sampling is not None:
            rows, words = rows_after(observed, subject.sampling, subject.ends)
            distribution = Distribution.AFTER
        else:
            rows, words, distribution = rows_before(observed), BEFORE, Distribution.BEFORE
            if observed.formed is not None:
                words = BEFORE_FORM.format(share=chance(observed.formed.removed))
        self._said.say(" ".join(filter(None, (words, precision_words(subject.precision)))))
        left = self._left_at
        at = left[1] if left is not None and left[0] == subject.key else None
        self.table.show_rows(rows, distribution, at, subject.form.expected if subject.form is not None else "")

    def _note(self, row: AlternativeRow | None) -> None:
        """The candidate that the user is at stays so when another token was only pointed at."""
        if self._subject is not None and row is not None:
            self._left_at = (self._subject.key, row.id)
        if self.table.hasFocus():
            place = self.table.visualRect(self.table.currentIndex())
            self.sight_wanted.emit(place.translated(self.table.viewport().mapTo(self, QPoint())))
        self.stepped_to.emit(row)
