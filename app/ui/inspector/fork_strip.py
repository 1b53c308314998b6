"""The fork controls: continue from a token with an alternative or with the user's own text."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from app.i18n import tr
from app.ui.inspector.rows import AlternativeRow
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets import SmallPrint, in_column, in_row, named, push_button
from app.ui.widgets.plain_text import to_the_letter

MAX_CHARACTERS = 16
PICK = tr("Pick an alternative in the table first.")
TIP = tr("Keep the answer up to here and continue with this token in place of the sampled one")
TEXT_TIP = tr(
    "Keep the answer up to this token and continue with your text. The text is tokenized separately, "
    "so it never merges with the token before it"
)


class ForkStrip(QWidget):
    """The fork controls. The typed text is cleared when a run begins with it."""

    fork_wanted = Signal(int)
    """The token id."""
    text_fork_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._alternative: AlternativeRow | None = None
        self._why = ""
        self._sent = False
        self.go = push_button("fork_candidate", "")
        self.go.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._text = named(QLineEdit(), "fork_text", tr("Continue with your own text"))
        self._text.setPlaceholderText(tr("…or with your own text"))
        self._theme = theme
        self.take_font()
        self._go_text = push_button("fork_with_text", tr("Fork"), "", tr("Fork here with your own text"))
        self._reason = SmallPrint(theme, "fork_reason")
        in_column(self.go, in_row((self._text, 1), self._go_text), self._reason, on=self, gap=GRID_PX)
        self.go.clicked.connect(self._ask_fork)
        self._text.returnPressed.connect(self._ask_text_fork)
        self._text.textChanged.connect(self._enable)
        self._go_text.clicked.connect(self._ask_text_fork)
        self._enable()

    @property
    def is_forkable(self) -> bool:
        return not self._why

    def set_forkable(self, forkable: bool, why: str) -> None:
        """Set whether forking is possible now, and if not, why."""
        self._why = "" if forkable else why
        if not forkable and self._sent:
            self._text.clear()
        self._sent = False
        self._enable()

    def take_font(self) -> None:
        self._text.setFont(self._theme.font(Size.NORMAL))

    def show_alternative(self, alternative: AlternativeRow | None) -> None:
        """Offer the current row of the table."""
        self._alternative = alternative if alternative is not None and alternative.id is not None else None
        self._enable()

    def _enable(self) -> None:
        alternative = self._alternative
        name = "…" if alternative is None else f"“{_shorten(alternative.name)}”"
        self.go.setText(tr("Fork here with {token}").format(token=name))
        self.go.setAccessibleName(self.go.text())
        self.go.setEnabled(self.is_forkable and alternative is not None)
        self.go.setToolTip(self._why or (TIP if alternative is not None else PICK))
        self._text.setEnabled(self.is_forkable)
        self._text.setToolTip(self._why or TEXT_TIP)
        self._go_text.setEnabled(self.is_forkable and bool(self._text.text()))
        self._go_text.setToolTip(self._why or TEXT_TIP)
        self._reason.say(self._why)

    def _ask_fork(self) -> None:
        if self.is_forkable and self._alternative is not None and self._alternative.id is not None:
            self.fork_wanted.emit(self._alternative.id)

    def _ask_text_fork(self) -> None:
        if self.is_forkable and self._text.text():
            self._sent = True
            self.text_fork_wanted.emit(to_the_letter(self._text.text()))


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_CHARACTERS else f"{name[: MAX_CHARACTERS - 1]}…"
