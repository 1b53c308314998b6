"""The line that explains how the last run ended, with its details a click away and the next step beside it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.widgets.theme import GAP_PX, GRID_PX, MARGIN_PX, Size, Theme

Detail = tuple[str, str]
PAIRS_IN_A_ROW = 2


class EndingBar(QWidget):
    """Takes words, gives `stepped` with the words of the button that was pressed, `code_wanted` for the run as code."""

    stepped = Signal(str)
    code_wanted = Signal()
    receipt_wanted = Signal()
    """The whole receipt of the run, where it can also be replayed."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._reason = QLabel()
        self._reason.setObjectName("finish_reason")
        self._reason.setWordWrap(True)
        self._reason.setFont(theme.font(Size.NORMAL))
        self._reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._more = self._details_button()
        self._code = self._code_button()
        self._receipt = self._receipt_button()
        self._steps = QHBoxLayout()
        self._buttons = QButtonGroup(self)
        self._buttons.buttonClicked.connect(self._tell_step)
        self._details = QWidget()
        self._details.setObjectName("run_details")
        self._rows = QGridLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setHorizontalSpacing(MARGIN_PX)
        self._rows.setVerticalSpacing(GRID_PX)
        for pair in range(PAIRS_IN_A_ROW):
            self._rows.setColumnStretch(2 * pair + 1, 1)
        self._lay_out()
        self.clear()

    def show_ending(self, reason: str, details: Sequence[Detail], steps: Sequence[str]) -> None:
        """Explain the end of a run."""
        self._reason.setText(reason)
        self._reason.setAccessibleName(f"Finish reason: {reason}")
        self._set_steps(steps)
        self._set_details(details)
        self.show()

    def clear(self) -> None:
        """There is no run to explain."""
        self.hide()
        self._reason.clear()
        self._reason.setAccessibleName("Finish reason: none yet")
        self._set_steps(())
        with QSignalBlocker(self._more):
            self._more.setChecked(False)
        self._details.hide()

    def _details_button(self) -> QToolButton:
        button = QToolButton()
        button.setObjectName("more_about_run")
        button.setAccessibleName("Details of the run")
        button.setToolTip("Details of the run")
        button.setText("Details")
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.toggled.connect(self._show_details)
        return button

    def _code_button(self) -> QToolButton:
        button = QToolButton()
        button.setObjectName("code_of_run")
        button.setAccessibleName("Code of the run")
        button.setToolTip("The Python script or the command that does this run again")
        button.setText("{ }")
        button.setAutoRaise(True)
        button.clicked.connect(self.code_wanted)
        return button

    def _receipt_button(self) -> QPushButton:
        button = QPushButton("Receipt…")
        button.setObjectName("receipt_of_run")
        button.setAccessibleName("Receipt of the run")
        button.setToolTip("Everything that decided this run, to be copied; there it can be replayed, too")
        button.setProperty("kind", "small")
        button.setAutoDefault(False)
        button.clicked.connect(self.receipt_wanted)
        return button

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(GAP_PX)
        line.addWidget(self._reason, 1)
        line.addWidget(self._more)
        line.addWidget(self._code)
        line.addLayout(self._steps)
        more = QHBoxLayout(self._details)
        more.setContentsMargins(0, 0, 0, 0)
        more.setSpacing(MARGIN_PX)
        more.addLayout(self._rows, 1)
        more.addWidget(self._receipt, alignment=Qt.AlignmentFlag.AlignBottom)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        whole.setSpacing(GRID_PX)
        whole.addLayout(line)
        whole.addWidget(self._details)

    def _set_steps(self, steps: Sequence[str]) -> None:
        for button in self._buttons.buttons():
            self._buttons.removeButton(button)
            self._steps.removeWidget(button)
            button.hide()
            button.deleteLater()
        for step in steps:
            made = QPushButton(step)
            made.setObjectName(f"step_{step.lower().replace(' ', '_')}")
            made.setAccessibleName(step)
            made.setAutoDefault(False)
            self._buttons.addButton(made)
            self._steps.addWidget(made)

    def _set_details(self, details: Sequence[Detail]) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for number, (name, value) in enumerate(details):
            row, pair = divmod(number, PAIRS_IN_A_ROW)
            for column, text in enumerate((name, value)):
                label = QLabel(text)
                label.setFont(self._theme.font(Size.SMALL))
                label.setProperty("quiet", column == 0)
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                self._rows.addWidget(label, row, 2 * pair + column)
            label.setAccessibleName(f"{name}: {value}")

    @Slot(bool)
    def _show_details(self, wanted: bool) -> None:
        self._details.setVisible(wanted)

    @Slot(object)
    def _tell_step(self, button: QPushButton) -> None:
        self.stepped.emit(button.text())
