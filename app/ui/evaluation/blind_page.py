"""Two answers to one row without their names: which is better is said with the keys ← = →."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.evaluation.types import Preference
from app.i18n import tr
from app.ui.evaluation.rows import seen
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.look.sizes import show_lines
from app.ui.widgets import PlainText, SmallPrint, ThinBar, held, in_column, in_row, named, plain_label, push_button

KEYS = {
    Qt.Key.Key_Left: Preference.LEFT,
    Qt.Key.Key_Equal: Preference.SAME,
    Qt.Key.Key_Down: Preference.SAME,
    Qt.Key.Key_Right: Preference.RIGHT,
}
BUTTONS = {
    Preference.LEFT: (tr("← The left is better"), tr("The key ←")),
    Preference.SAME: (tr("= Alike"), tr("The key = or ↓")),
    Preference.RIGHT: (tr("The right is better →"), tr("The key →")),
}
PANES = (tr("Answer on the left, nobody knows whose"), tr("Answer on the right, nobody knows whose"))
ASKED_LINES = 4
NAMES_HIDDEN = tr("Whose they are is told at the end.")


class BlindPage(QWidget):
    """`voted` with a Preference of sides; `reveal_wanted` when the names are to be told."""

    voted = Signal(object)
    reveal_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "sets_blind", tr("Blind A/B"), told=tr("The arrow keys choose the better answer, = says alike"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._none = plain_label("sets_blind_none", wraps=True)
        self._asked = _pane(theme, "sets_blind_asked", tr("What both were asked"), tr("Both answers are to this"))
        show_lines(theme, self._asked, ASKED_LINES)
        self._texts = [_pane(theme, f"sets_blind_text_{at}", PANES[at], NAMES_HIDDEN) for at in range(2)]
        self._buttons = {
            key: push_button(f"sets_blind_{key.value}", words, tip, press=lambda _=False, key=key: self.voted.emit(key))
            for key, (words, tip) in BUTTONS.items()
        }
        self._words = SmallPrint(theme, "sets_blind_progress", "text")
        self._bar = ThinBar(theme, "sets_blind_bar")
        tip = tr("Whose answers they were, and what was liked better")
        self._reveal = push_button("sets_blind_reveal", tr("Reveal"), tip, press=self.reveal_wanted)
        self._result = plain_label("sets_blind_result", font=theme.font(Size.PROSE, bold=True), wraps=True)
        sides = in_row(*((text, 1) for text in self._texts))
        self._choice = held(in_row(..., *self._buttons.values(), ...))
        foot = in_row((in_column(self._words, self._bar, gap=GRID_PX), 1), self._reveal)
        in_column(
            self._result,
            self._none,
            self._asked,
            (sides, 1),
            self._choice,
            foot,
            on=self,
            margins=(0, GAP_PX, 0, 0),
        )
        self.show_pair("", None)
        self.show_progress("", 0, 0, may_reveal=False)
        self.show_result("")

    def show_pair(self, asked: str, texts: tuple[str, str] | None) -> None:
        """The next one; None: there is none, as `asked` says."""
        self._none.setText(asked if texts is None else "")
        self._none.setVisible(texts is None)
        shown = (seen(asked), *texts) if texts is not None else ("", "", "")
        for pane, text in zip((self._asked, *self._texts), shown, strict=True):
            pane.setPlainText(text)
            pane.setVisible(texts is not None)
        self._choice.setVisible(texts is not None)

    def show_progress(self, words: str, done: int, total: int, *, may_reveal: bool) -> None:
        """How far the votes are from being enough."""
        self._words.say(words)
        self._bar.setVisible(bool(total))
        self._bar.show_share(min(done, total), total, words)
        self._reveal.setVisible(may_reveal)

    def show_result(self, sentence: str) -> None:
        """At the end; empty: nobody knows yet."""
        self._result.setText(sentence)
        self._result.setVisible(bool(sentence))

    @Slot()
    def _vote(self, preference: Preference) -> None:
        if self._choice.isVisible():
            self.voted.emit(preference)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        preference = KEYS.get(Qt.Key(event.key()))
        if preference is None:
            super().keyPressEvent(event)
        else:
            self._vote(preference)


class _Pane(PlainText):
    """Text to be selected by the pointer; the arrow keys belong to the page."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in KEYS and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)


def _pane(theme: Theme, name: str, spoken: str, tip: str = "") -> PlainText:
    pane = _Pane(readOnly=True, tabChangesFocus=True)
    return named(pane, name, spoken, tip, font=theme.font(Size.NORMAL))
