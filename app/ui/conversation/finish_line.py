"""The line under an answer that says how it ended, with what is done next with it beside the words."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QButtonGroup, QWidget

from app.definitions import meanings
from app.i18n import tr
from app.ui.conversation.next_step import Step
from app.ui.look import GAP_PX, GRID_PX, Colour, Size, Theme, tint
from app.ui.widgets import emptied, icon_button, in_row, plain_label, push_button


class EndingLine(QWidget):
    """Takes words, gives `stepped` with the Step that was pressed."""

    stepped = Signal(object)
    copy_wanted = Signal()
    edit_wanted = Signal()
    """Of what was asked."""
    told = Signal()
    """Other words stand there, or none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAutoFillBackground(True)
        tip = meanings("finish", "token_count", "decode_time", "elapsed", "speed_mean", "stop_latency")
        self._words = plain_label("finish_reason", tip=tip, font=theme.font(Size.NORMAL), wraps=True, selectable=True)
        self._failed = False
        self.reason = ""
        """Why the run has ended, as a screen reader has it."""
        self._offered: tuple[Step, ...] = ()
        self.more = icon_button(theme, "more_about_run", "more", tr("Details, code and more of this run"))
        self.more.setCheckable(True)
        self._copy = icon_button(theme, "copy_last", "copy", tr("Copy the answer"), press=self.copy_wanted)
        again = partial(self.stepped.emit, Step.RETRY)
        self._retry = icon_button(theme, "retry_last", "retry", tr("Answer again"), press=again)
        self._edit = icon_button(theme, "edit_last", "edit", tr("Edit what was asked"), press=self.edit_wanted)
        self._drawn = (self._copy, self._retry, self._edit, self.more)
        self._steps = QButtonGroup(self)
        self._steps.idClicked.connect(lambda number: self.stepped.emit(self._offered[number]))
        self._lay_out()
        self.clear()
        theme.changed.connect(self._wear)
        theme.changed.connect(self._arrange)
        # What a button does not take of a click its parents are given: else the conversation would have the keyboard.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        system = QApplication.instance()
        assert isinstance(system, QApplication)
        system.focusChanged.connect(self._hand_back)

    def show_ending(
        self,
        words: str,
        reason: str,
        steps: Sequence[Step],
        last: bool = True,
        chat: bool = True,
        failed: bool = False,
    ) -> None:
        """What can be done next is about the `last` run of the page; beside another one it is away.

        Outside a chat the page itself is what was asked, and is edited where it stands.
        """
        self._failed = failed
        self._wear()
        self._say(words, reason)
        self._set_steps(steps if last else ())
        self._copy.setVisible(last)
        self._edit.setVisible(last and chat and Step.EDIT not in steps)
        # What there was no room for has no more of it a second time.
        self._retry.setVisible(last and Step.RETRY not in steps and Step.EDIT not in steps)
        self._arrange()
        self.show()
        self.told.emit()

    def come_after(self, part: QWidget) -> None:
        """On the way of the Tab key."""
        self.setTabOrder(part, self._words)
        self._order()

    def clear(self) -> None:
        """There is no run to explain."""
        self.hide()
        self._say("", "")
        self._set_steps(())
        with QSignalBlocker(self.more):
            self.more.setChecked(False)
        self.told.emit()

    def _hand_back(self, old: QWidget | None, now: QWidget | None) -> None:
        if now is self and old is not None:
            old.setFocus()

    def _wear(self) -> None:
        """Red is for what went wrong, and for nothing else."""
        tint(self._words, self._theme, Colour.ERROR if self._failed else Colour.MUTED)

    def _say(self, words: str, reason: str) -> None:
        self.reason = reason
        self._words.setText(words)
        self._words.setAccessibleName(tr("Finish reason: {reason}").format(reason=reason or tr("none yet")))

    def _lay_out(self) -> None:
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(GAP_PX)
        self._chosen, self._icons = in_row(gap=GRID_PX), in_row(*self._drawn, ..., gap=0)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(GRID_PX)
        self._buttons.addLayout(self._chosen)
        self._buttons.addLayout(self._icons, 1)
        self._buttons.setAlignment(self._chosen, Qt.AlignmentFlag.AlignLeft)
        self._line.addWidget(self._words)
        self._line.addLayout(self._buttons, 1)

    def _set_steps(self, steps: Sequence[Step]) -> None:
        """The same stay as they are, with the keyboard on one of them."""
        if tuple(steps) == self._offered:
            return
        self._offered = tuple(steps)
        for button in self._steps.buttons():
            self._steps.removeButton(button)
        emptied(self._chosen)
        for number, step in enumerate(steps):
            made = push_button(f"step_{step.value.lower().replace(' ', '_')}", step.words, kind="link")
            self._steps.addButton(made, number)
            self._chosen.addWidget(made)
            made.show()
        self._order()

    def _order(self) -> None:
        for earlier, later in pairwise((self._words, *self._steps.buttons(), *self._drawn)):
            self.setTabOrder(earlier, later)

    def _arrange(self) -> None:
        """What can be done stands behind the words, or below them where they would have to be broken for it.

        Where even that is too long for a line, it takes two.
        """
        words = self._words.fontMetrics().horizontalAdvance(self._words.text())
        buttons = self._chosen.sizeHint().width() + GRID_PX + self._icons.sizeHint().width()
        across = words + GAP_PX + buttons <= self.width()
        if self._words.wordWrap() != (words > self.width()):
            self._words.setWordWrap(words > self.width())
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._line.setDirection(beside if across else below)
        self._buttons.setDirection(beside if buttons <= self.width() else below)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the longer line of buttons."""
        least = super().minimumSizeHint()
        widest = max(self._chosen.minimumSize().width(), self._icons.minimumSize().width())
        return QSize(min(least.width(), widest), least.height())

    def event(self, event: QEvent) -> bool:
        """Buttons know how large they are only when they have been dressed."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
