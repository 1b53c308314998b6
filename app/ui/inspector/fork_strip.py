"""The way on from a token: with another candidate, or with words of one's own."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from app.i18n import tr
from app.ui.inspector.rows import AlternativeRow
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets import SmallPrint, in_column, in_row, named, push_button
from app.ui.widgets.plain_text import to_the_letter

MOST_CHARACTERS = 16
PICK = tr("Pick an alternative in the table first.")
TIP = tr("The answer is kept up to here, and goes on with this token in place of the one that was taken")
TEXT_TIP = tr(
    "Keep the answer up to this token and continue with your text. The text is tokenized separately, "
    "so it never merges with the token before it"
)


class ForkStrip(QWidget):
    """`candidate_taken` and `text_taken` say how to go on; what was typed goes when a run begins with it."""

    candidate_taken = Signal(int)
    """The token's id."""
    text_taken = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._candidate: AlternativeRow | None = None
        self._why = ""
        self._offered = False
        self.go = push_button("fork_candidate", "")
        self.go.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._text = named(QLineEdit(), "fork_text", tr("Go on with your own text"))
        self._text.setPlaceholderText(tr("…or with your own text"))
        self._theme = theme
        self.take_font()
        self._go_text = push_button("fork_with_text", tr("Go on"), "", tr("Go on with your own text from here"))
        self._reason = SmallPrint(theme, "fork_reason")
        self._lay_out()
        self.go.clicked.connect(self._take)
        self._text.returnPressed.connect(self._take_text)
        self._text.textChanged.connect(self._enable)
        self._go_text.clicked.connect(self._take_text)
        self._enable()

    @property
    def allowed(self) -> bool:
        return not self._why

    def allow(self, allowed: bool, why: str) -> None:
        """Whether an answer can be gone on with now, and if not, why."""
        self._why = "" if allowed else why
        if not allowed and self._offered:
            self._text.clear()
        self._offered = False
        self._enable()

    def take_font(self) -> None:
        """In the text's present size."""
        self._text.setFont(self._theme.font(Size.NORMAL))

    def show_candidate(self, candidate: AlternativeRow | None) -> None:
        """What the user is at in the table."""
        self._candidate = candidate if candidate is not None and candidate.id is not None else None
        self._enable()

    def _lay_out(self) -> None:
        in_column(self.go, in_row((self._text, 1), self._go_text), self._reason, on=self, gap=GRID_PX)

    def _enable(self) -> None:
        candidate = self._candidate
        name = "…" if candidate is None else f"“{_short(candidate.name)}”"
        self.go.setText(tr("Go on from here with {token}").format(token=name))
        self.go.setAccessibleName(self.go.text())
        self.go.setEnabled(self.allowed and candidate is not None)
        self.go.setToolTip(self._why or (TIP if candidate is not None else PICK))
        self._text.setEnabled(self.allowed)
        self._text.setToolTip(self._why or TEXT_TIP)
        self._go_text.setEnabled(self.allowed and bool(self._text.text()))
        self._go_text.setToolTip(self._why or TEXT_TIP)
        self._reason.say(self._why)

    def _take(self) -> None:
        if self.allowed and self._candidate is not None and self._candidate.id is not None:
            self.candidate_taken.emit(self._candidate.id)

    def _take_text(self) -> None:
        if self.allowed and self._text.text():
            self._offered = True
            self.text_taken.emit(to_the_letter(self._text.text()))


def _short(name: str) -> str:
    return name if len(name) <= MOST_CHARACTERS else f"{name[: MOST_CHARACTERS - 1]}…"
