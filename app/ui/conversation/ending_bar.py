"""The line that explains how the last run ended, with its details a click away and the next step beside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from app.definitions import meanings, of_name
from app.ui.look.theme import GAP_PX, GRID_PX, MARGIN_PX, Size, Theme
from app.ui.widgets.buttons import push_button, tool_button
from app.ui.widgets.labels import plain_label
from app.ui.widgets.naming import named
from app.ui.widgets.rows import in_column, in_grid
from app.words import tr

Detail = tuple[str, str]
Step = tuple[str, str]
"""What may be done next: its name, and the words of its button."""
ROOM = (3, 2)
"""What the pairs of a row have of it: the first ones are longer."""
PAIRS_IN_A_ROW = len(ROOM)
UNBROKEN = "\u00a0"
"""A blank at which no line ends."""
SEPARATOR = " · "
STEP = "step"
"""Property of a button: the name of what it does."""
RECEIPT_TIP = tr("Everything that decided this run, to be copied; there it can be replayed, too")
TOKENS_TIP = tr("The tokens of this run, each with its time, probability and candidates, as JSON or CSV")
TRY_TIP = tr("Measure what changes if this run has another setting: its prompt and settings begin an experiment")
RECORD_TIP = tr("Keep the likeliest candidates of each token of the next runs, so that their ends tell more")


class EndingBar(QWidget):
    """Takes words, gives `stepped` with the name of the step that was pressed, `code_wanted` for the run as code."""

    stepped = Signal(str)
    code_wanted = Signal()
    receipt_wanted = Signal()
    """The whole receipt of the run, where it can also be replayed."""
    tokens_wanted = Signal()
    """The run's tokens in a file."""
    trying_wanted = Signal()
    """An experiment is to begin from the run."""
    recording_wanted = Signal()
    """Candidates are wanted from the next run on."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        tip = meanings("finish", "stop_latency")
        self._reason = plain_label("finish_reason", tip=tip, font=theme.font(Size.NORMAL), wraps=True, selectable=True)
        self._code = self._code_button()
        small = partial(push_button, kind="small")
        spoken = tr("Receipt of the run")
        self._receipt = small("receipt_of_run", tr("Receipt…"), RECEIPT_TIP, spoken, press=self.receipt_wanted)
        self._tokens = small("export_last_tokens", tr("Export tokens…"), TOKENS_TIP, press=self.tokens_wanted)
        self._try = small("try_run_with", tr("Try this with…"), TRY_TIP, press=self.trying_wanted)
        self._record = small("record_from_now", tr("Record candidates"), RECORD_TIP, press=self._ask_recording)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._next = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._looks, self._steps = QHBoxLayout(), QHBoxLayout()
        self._buttons = QButtonGroup(self)
        self._buttons.buttonClicked.connect(self._tell_step)
        self._details = named(QWidget(), "run_details")
        self._more = self._details_button()
        self._beside = QWidget(self._details)
        wide = {2 * pair + 1: room for pair, room in enumerate(ROOM)}
        self._rows = in_grid(on=self._details, gap=(MARGIN_PX, GRID_PX), wide=wide)
        self._lay_out()
        self.clear()
        theme.changed.connect(self._arrange)

    @property
    def reason(self) -> str:
        """Why the run has ended, as it stands there."""
        return self._reason.text()

    def show_ending(
        self,
        reason: str,
        details: Sequence[Detail],
        steps: Sequence[Step],
        story: Sequence[Detail] = (),
        unrecorded: bool = False,
        last: bool = True,
    ) -> None:
        """Explain the end of a run: figures in pairs, below the story, which is told in sentences.

        The buttons are about the `last` run of the page; beside another one they are away.
        """
        self._reason.setText(reason)
        self._reason.setAccessibleName(tr("Finish reason: {reason}").format(reason=reason))
        self._set_steps(steps)
        self._set_details(story, details)
        for button in (self._code, self._receipt, self._tokens, self._try):
            button.setVisible(last)
        self._record.setVisible(unrecorded)
        self._record.setEnabled(True)
        self._arrange()
        self.show()

    def clear(self) -> None:
        """There is no run to explain."""
        self.hide()
        self._reason.clear()
        self._reason.setAccessibleName(tr("Finish reason: none yet"))
        self._set_steps(())
        with QSignalBlocker(self._more):
            self._more.setChecked(False)
        self._details.hide()

    def _details_button(self) -> QToolButton:
        button = tool_button("more_about_run", tr("Details"), tr("Details of the run"), tr("Details of the run"))
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.toggled.connect(self._details.setVisible)
        return button

    def _code_button(self) -> QToolButton:
        tip = tr("The Python script or the command that does this run again")
        button = tool_button("code_of_run", "{ }", tip, tr("Code of the run"), press=self.code_wanted)
        button.setAutoRaise(True)
        return button

    def _lay_out(self) -> None:
        self._line.setSpacing(GAP_PX)
        self._line.addWidget(self._reason, 1)
        self._line.addLayout(self._next)
        self._next.setSpacing(GAP_PX)
        self._next.addLayout(self._looks, 1)
        self._next.addLayout(self._steps)
        for row in (self._looks, self._steps):
            row.setSpacing(GAP_PX)
            row.addStretch(1)
        self._looks.addWidget(self._more)
        self._looks.addWidget(self._code)
        in_column(..., self._record, self._try, self._tokens, self._receipt, on=self._beside, gap=GRID_PX)
        in_column(self._line, self._details, on=self, gap=GRID_PX, margins=(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX))

    def _set_steps(self, steps: Sequence[Step]) -> None:
        for button in self._buttons.buttons():
            self._buttons.removeButton(button)
            self._steps.removeWidget(button)
            button.hide()
            button.deleteLater()
        last: QWidget = self._code
        for name, words in steps:
            made = push_button(f"step_{name.lower().replace(' ', '_')}", words)
            made.setProperty(STEP, name)
            self._buttons.addButton(made)
            self._steps.addWidget(made)
            made.show()
            self.setTabOrder(last, made)
            last = made

    def _set_details(self, story: Sequence[Detail], details: Sequence[Detail]) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None and widget is not self._beside:
                widget.hide()
                widget.deleteLater()
        for row, (name, words) in enumerate(story):
            self._pair(name, words, row, 0, span=2 * PAIRS_IN_A_ROW)
        for number, (name, value) in enumerate(details):
            row, pair = divmod(number, PAIRS_IN_A_ROW)
            told = self._pair(name, value, len(story) + row, 2 * pair)
            told.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        figures = -(-len(details) // PAIRS_IN_A_ROW)
        self._rows.addWidget(self._beside, len(story), 2 * PAIRS_IN_A_ROW, max(1, figures), 1)

    def _pair(self, name: str, value: str, row: int, column: int, span: int = 1) -> QLabel:
        font = self._theme.font(Size.SMALL)
        heading = plain_label("", name, font=font, selectable=True)
        heading.setProperty("quiet", True)
        tip = of_name(name) or meanings("end", "id")
        words, spoken = _unbroken(value), f"{name}: {value}"
        label = plain_label("", words, spoken=spoken, tip=tip, font=font, wraps=True, selectable=True)
        self._rows.addWidget(heading, row, column, Qt.AlignmentFlag.AlignTop)
        self._rows.addWidget(label, row, column + 1, 1, span)
        return label

    @Slot()
    def _arrange(self) -> None:
        """What can be done stands beside the reason, or below it where the reason would have to be broken for it.

        Where even that is too long for a line, it takes two.
        """
        words = self._reason.fontMetrics().horizontalAdvance(self._reason.text())
        buttons = self._looks.sizeHint().width() + GAP_PX + self._steps.sizeHint().width()
        room = self.width() - 2 * MARGIN_PX
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._next.setDirection(across if buttons <= room else down)
        self._line.setDirection(across if words + GAP_PX + buttons <= room else down)

    @Slot()
    def _ask_recording(self) -> None:
        self._record.setEnabled(False)
        self.recording_wanted.emit()

    @Slot(object)
    def _tell_step(self, button: QPushButton) -> None:
        self.stepped.emit(button.property(STEP))

    def minimumSizeHint(self) -> QSize:
        """As narrow as the longer line of buttons."""
        least = super().minimumSizeHint()
        lines = [line.minimumSize().width() for line in (self._looks, self._steps)]
        whole = [part.minimumSizeHint().width() for part in (self._reason, self._details) if not part.isHidden()]
        return QSize(min(least.width(), max(*lines, *whole) + 2 * MARGIN_PX), least.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


def _unbroken(words: str) -> str:
    """Lines end between figures, not between a figure and its unit."""
    whole = words.replace(" %", f"{UNBROKEN}%").replace("< ", f"<{UNBROKEN}").replace("> ", f">{UNBROKEN}")
    if SEPARATOR not in words:
        return whole
    return SEPARATOR.join(part.replace(" ", UNBROKEN) for part in whole.split(SEPARATOR))
