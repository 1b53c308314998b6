"""The receipt of one run, below the table of runs."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Size, Theme
from app.ui.widgets import (
    Cell,
    ScrollColumn,
    SmallPrint,
    in_column,
    in_grid,
    in_row,
    layout_widget,
    plain_label,
    push_button,
)

COPY, COPIED = tr("Copy"), tr("Copied")
HINT = tr("Run the same request again, and compare it token by token")
TOKENS_HINT = tr("Export the tokens of this run, each with its time, probability and alternatives, as JSON or CSV")
DRAFT_HINT = tr("Predict whether prompt lookup or the draft model would have made this run faster")
Line = tuple[str, str]


class ReceiptPage(QWidget):
    """The settings and numbers of a run, the outcome of a rerun, and buttons."""

    def __init__(
        self,
        theme: Theme,
        replay: Callable[[], object],
        stop: Callable[[], object],
        export: Callable[[], object],
        export_tokens: Callable[[], object],
        check_drafts: Callable[[], object],
    ) -> None:
        super().__init__()
        self._theme, self._start, self._stop = theme, replay, stop
        self._lines: Sequence[Line] = ()
        self._is_running = False
        self._body = ScrollColumn("run_receipt", tr("Receipt"), tr("All settings of the chosen run"))
        self._body.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # its content can't have the focus
        self._body.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)  # hashes aren't wrapped
        self._outcome = SmallPrint(theme, "replay_outcome", "text")
        self._outcome.setFont(theme.font(Size.NORMAL, bold=True))
        self._outcome.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._replay = push_button("replay_run", tr("Rerun"), HINT, press=self._replay_or_stop)
        self._copy = push_button("copy_receipt", COPY, tr("Copy the receipt"), press=self._copy_lines)
        tip = tr("Save this run with all its tokens as JSON or CSV")
        self._export = push_button("export_run", tr("Export…"), tip, press=export)
        self._tokens = push_button("export_tokens", tr("Export tokens…"), TOKENS_HINT, press=export_tokens)
        self._drafts = push_button("check_drafts", tr("Predict draft gain…"), DRAFT_HINT, press=check_drafts)
        in_row(
            (in_column(self._outcome, (self._body, 1), gap=GRID_PX), 1),
            in_column(self._replay, self._drafts, self._copy, self._export, self._tokens, ...),
            on=self,
            gap=MARGIN_PX,
        )

    def show_lines(self, lines: Sequence[Line]) -> None:
        self._copy.setText(COPY)
        if lines != self._lines:
            self._lines = lines
            self._body.setWidget(self._form(lines))

    def show_outcome(self, words: str, kind: str = "text") -> None:
        """Show the outcome of a rerun; empty: none."""
        self._outcome.say(words, kind)

    def show_running(self, is_running: bool) -> None:
        """Turn the button into Stop during a rerun."""
        self._is_running = is_running
        self._replay.setText(tr("Stop") if is_running else tr("Rerun"))
        self._replay.setAccessibleName(tr("Stop the rerun") if is_running else tr("Rerun"))
        self._replay.setToolTip(tr("Stop the rerun") if is_running else HINT)

    def _form(self, lines: Sequence[Line]) -> QWidget:
        pairs = [self._pair(heading, words) for heading, words in lines]
        margins = (0, GRID_PX, GAP_PX, GRID_PX)
        return layout_widget(in_grid(*pairs, gap=(MARGIN_PX, GRID_PX), margins=margins, wide={1: 1}, tall=len(lines)))

    def _pair(self, heading: str, words: str) -> list[Cell]:
        font = self._theme.font(Size.NORMAL)
        name = plain_label("", heading, font=font, muted=True)
        value = plain_label("", words, spoken=f"{heading}: {words}", font=font, wraps=True, selectable=True)
        return [(name, Qt.AlignmentFlag.AlignTop), value]

    def _replay_or_stop(self) -> None:
        (self._stop if self._is_running else self._start)()

    def _copy_lines(self) -> None:
        """Copy the receipt with the outcome of the rerun."""
        lines = [*self._lines, *([(tr("Rerun"), self._outcome.text())] if self._outcome.text() else [])]
        QGuiApplication.clipboard().setText("".join(f"{heading}: {words}\n" for heading, words in lines))
        self._copy.setText(COPIED)
