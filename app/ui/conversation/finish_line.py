"""The line below an answer: its finish reason, and buttons for the next steps."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QButtonGroup, QWidget

from app.definitions import meanings
from app.i18n import tr
from app.ui.conversation.finish_explanation import Step
from app.ui.look import GAP_PX, GRID_PX, Colour, Size, Theme, tint
from app.ui.widgets import emptied, icon_button, in_row, plain_label, push_button


class FinishLine(QWidget):
    """The finish line. Emits `stepped` with the Step of the pressed button."""

    stepped = Signal(object)
    copy_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAutoFillBackground(True)
        tip = meanings("finish", "token_count", "decode_time", "elapsed", "speed_mean", "stop_latency")
        self._words = plain_label("finish_reason", tip=tip, font=theme.font(Size.NORMAL), wraps=True, selectable=True)
        self._failed = False
        self.reason = ""
        """Accessible text of the finish reason."""
        self._offered: tuple[Step, ...] = ()
        self.more = icon_button(theme, "more_about_run", "more", tr("Details, code and more of this run"))
        self.more.setCheckable(True)
        self._copy = icon_button(theme, "copy_last", "copy", tr("Copy the answer"), press=self.copy_wanted)
        retry, edit = (partial(self.stepped.emit, step) for step in (Step.RETRY, Step.EDIT))
        self._retry = icon_button(theme, "retry_last", "retry", tr("Regenerate the answer"), press=retry)
        self._edit = icon_button(theme, "edit_last", "edit", tr("Edit the prompt"), press=edit)
        self._icon_buttons = (self._copy, self._retry, self._edit, self.more)
        self._steps = QButtonGroup(self)
        self._steps.idClicked.connect(lambda number: self.stepped.emit(self._offered[number]))
        self._lay_out()
        self.clear()
        theme.changed.connect(self._apply_theme)
        theme.changed.connect(self._arrange)
        # Qt passes a click on a disabled button to its parents. Without this the transcript would take the focus.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        system = QApplication.instance()
        assert isinstance(system, QApplication)
        system.focusChanged.connect(self._hand_back)

    def show_finish(
        self,
        words: str,
        reason: str,
        steps: Sequence[Step],
        last: bool = True,
        chat: bool = True,
        failed: bool = False,
    ) -> None:
        """Show a finish line. Next steps are offered for the `last` run of the page only. A raw page is edited in
        place.
        """
        self._failed = failed
        self._apply_theme()
        self._set_words(words, reason)
        self._set_steps(steps if last else ())
        self._copy.setVisible(last)
        self._edit.setVisible(last and chat and Step.EDIT not in steps)
        # A prompt that didn't fit doesn't fit the second time either.
        self._retry.setVisible(last and Step.RETRY not in steps and Step.EDIT not in steps)
        self._arrange()
        self.show()

    def come_after(self, part: QWidget) -> None:
        """Place the line after `part` in the tab order."""
        self.setTabOrder(part, self._words)
        self._order()

    def clear(self) -> None:
        self.hide()
        self._set_words("", "")
        self._set_steps(())
        with QSignalBlocker(self.more):
            self.more.setChecked(False)

    def _hand_back(self, old: QWidget | None, now: QWidget | None) -> None:
        if now is self and old is not None:
            old.setFocus()

    def _apply_theme(self) -> None:
        tint(self._words, self._theme, Colour.ERROR if self._failed else Colour.MUTED)

    def _set_words(self, words: str, reason: str) -> None:
        self.reason = reason
        self._words.setText(words)
        self._words.setAccessibleName(tr("Finish reason: {reason}").format(reason=reason or tr("none yet")))

    def _lay_out(self) -> None:
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(GAP_PX)
        self._step_row, self._icons = in_row(gap=GRID_PX), in_row(*self._icon_buttons, ..., gap=0)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(GRID_PX)
        self._buttons.addLayout(self._step_row)
        self._buttons.addLayout(self._icons, 1)
        self._buttons.setAlignment(self._step_row, Qt.AlignmentFlag.AlignLeft)
        self._line.addWidget(self._words)
        self._line.addLayout(self._buttons, 1)

    def _set_steps(self, steps: Sequence[Step]) -> None:
        """Update the buttons. Unchanged ones stay, since one of them may have the focus."""
        if tuple(steps) == self._offered:
            return
        self._offered = tuple(steps)
        for button in self._steps.buttons():
            self._steps.removeButton(button)
        emptied(self._step_row)
        for number, step in enumerate(steps):
            button = push_button(f"step_{step.value.lower().replace(' ', '_')}", step.words, kind="link")
            self._steps.addButton(button, number)
            self._step_row.addWidget(button)
            button.show()
        self._order()

    def _order(self) -> None:
        for earlier, later in pairwise((self._words, *self._steps.buttons(), *self._icon_buttons)):
            self.setTabOrder(earlier, later)

    def _arrange(self) -> None:
        """Put the buttons after the words, or below words that would wrap; too many buttons take two lines."""
        words = self._words.fontMetrics().horizontalAdvance(self._words.text())
        buttons = self._step_row.sizeHint().width() + GRID_PX + self._icons.sizeHint().width()
        across = words + GAP_PX + buttons <= self.width()
        if self._words.wordWrap() != (words > self.width()):
            self._words.setWordWrap(words > self.width())
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._line.setDirection(beside if across else below)
        self._buttons.setDirection(beside if buttons <= self.width() else below)

    def minimumSizeHint(self) -> QSize:
        """Return the width of the longer line of buttons."""
        least = super().minimumSizeHint()
        widest = max(self._step_row.minimumSize().width(), self._icons.minimumSize().width())
        return QSize(min(least.width(), widest), least.height())

    def event(self, event: QEvent) -> bool:
        """Arrange the buttons after Qt has polished them, when they have their final size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
