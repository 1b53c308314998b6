"""The finish of the displayed run: the line below its answer, and the details."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QButtonGroup, QLabel, QWidget

from app.bridge.playground import Playground
from app.controls import Mode
from app.definitions import meanings, of_name
from app.i18n import tr
from app.number_format import UNBROKEN
from app.records.types import TurnId
from app.roofline.roofline import Roofline
from app.state import DisplayedRun, Run
from app.ui.conversation.finish_explanation import NextStep
from app.ui.conversation.finish_text import describe_finish, with_model
from app.ui.conversation.transcript import Transcript
from app.ui.conversation.turn_buttons import SettingsLabel, action_button, menu_button
from app.ui.document.turns import TurnAction
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, Theme, tint
from app.ui.widgets import clear_layout, in_column, in_grid, in_row, keep_focus, plain_label, push_button

Detail = tuple[str, str]
ROOM = (3, 2)
"""Width ratio of the pairs in a row, since the first values are longer."""
PAIRS_IN_A_ROW = len(ROOM)
SEPARATOR = " · "
CODE_TIP = tr("Python script or command that repeats this run")
RECEIPT_TIP = tr("All inputs of this run: copy them, or rerun and compare")
TOKENS_TIP = tr("Export the tokens with their times, probabilities and alternatives as JSON or CSV")
TRY_TIP = tr("Start an experiment with this prompt and these settings, and change one of them")
RECORD_TIP = tr("Record the most probable alternatives of each token from the next run on")


class RunDetails(QWidget):
    """The details of a run. Each button has a signal."""

    code_wanted = Signal()
    receipt_wanted = Signal()
    tokens_wanted = Signal()
    experiment_wanted = Signal()
    recording_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("run_details")
        small = partial(push_button, kind="small")
        code, receipt = tr("Code of the run"), tr("Receipt of the run")
        self._record = small("record_from_now", tr("Record alternatives"), RECORD_TIP, press=self._ask_recording)
        self._last_run_buttons = (
            small("code_of_run", tr("View Code…"), CODE_TIP, code, press=self.code_wanted),
            small("try_run_with", tr("Try this with…"), TRY_TIP, press=self.experiment_wanted),
            small("export_last_tokens", tr("Export tokens…"), TOKENS_TIP, press=self.tokens_wanted),
            small("receipt_of_run", tr("Receipt…"), RECEIPT_TIP, receipt, press=self.receipt_wanted),
        )
        self._buttons = QWidget(self)
        in_column(self._record, *self._last_run_buttons, ..., on=self._buttons, gap=GRID_PX)
        wide = {2 * pair + 1: room for pair, room in enumerate(ROOM)}
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        self._rows = in_grid(on=self, gap=(MARGIN_PX, GRID_PX), wide=wide, margins=margins)
        self.hide()

    def show_details(
        self, explanation: Sequence[Detail], metrics: Sequence[Detail], can_record: bool = False, last: bool = True
    ) -> None:
        """Show an explanation and figures. The buttons are for the `last` run of the page only."""
        self._rows.removeWidget(self._buttons)
        clear_layout(self._rows)
        for row, (name, words) in enumerate(explanation):
            self._pair(name, words, row, 0, span=2 * PAIRS_IN_A_ROW)
        for number, (name, value) in enumerate(metrics):
            row, pair = divmod(number, PAIRS_IN_A_ROW)
            label = self._pair(name, value, len(explanation) + row, 2 * pair)
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        below = max(1, -(-len(metrics) // PAIRS_IN_A_ROW))
        self._rows.addWidget(self._buttons, len(explanation), 2 * PAIRS_IN_A_ROW, below, 1)
        for button in self._last_run_buttons:
            button.setVisible(last)
        self._record.setVisible(can_record)
        self._record.setEnabled(True)

    def clear(self) -> None:
        self.hide()
        self.show_details((), ())

    def _pair(self, name: str, value: str, row: int, column: int, span: int = 1) -> QLabel:
        font = self._theme.font(Size.SMALL)
        heading = plain_label("", name, font=font, muted=True, selectable=True)
        tip = of_name(name) or meanings("end", "id")
        words, spoken = _unbroken(value), f"{name}: {value}"
        label = plain_label("", words, spoken=spoken, tip=tip, font=font, wraps=True, selectable=True)
        self._rows.addWidget(heading, row, column, Qt.AlignmentFlag.AlignTop)
        self._rows.addWidget(label, row, column + 1, 1, span)
        return label

    def _ask_recording(self) -> None:
        self._record.setEnabled(False)
        self.recording_wanted.emit()


class FinishLine(QWidget):
    """The line below an answer or a raw page: the finish reason of the displayed run, and buttons."""

    stepped = Signal(object)
    """The NextStep of the pressed button."""
    moved = Signal(object)
    """Index of the turn whose finish is shown; None for none, or for a rerun."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAutoFillBackground(True)
        tip = meanings("finish", "decode_time", "speed_mean")
        self._words = plain_label("finish_reason", tip=tip, font=theme.font(Size.NORMAL), wraps=True, selectable=True)
        self._failed = False
        self._roofline: Roofline | None = None
        self._index = 0
        """Index of the turn whose finish is shown."""
        self.reason = ""
        """Accessible text of the finish reason."""
        self._offered: tuple[NextStep, ...] = ()
        self._copy = action_button(theme, TurnAction.COPY, "copy_last")
        self._retry = action_button(theme, TurnAction.REGENERATE, "retry_last")
        self._edit = action_button(theme, TurnAction.EDIT, "edit_last")
        self.more = action_button(theme, TurnAction.DETAILS, "more_about_run")
        self.more.setCheckable(True)
        self._menu = menu_button(theme, "menu_last")
        self._settings = SettingsLabel(theme, "last_settings", self._menu)
        self._settings_of: Callable[[int], str] = lambda _: ""
        self._icon_buttons = (self._copy, self._retry, self._edit, self.more, self._menu)
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

    def follow(self, playground: Playground, transcript: Transcript, details: RunDetails) -> None:
        """Show the finish of the displayed run from now on, and again once its tokens are loaded."""
        self._playground, self._transcript, self._details = playground, transcript, details
        self.more.toggled.connect(self._show_details)
        actions = {self._copy: TurnAction.COPY, self._retry: TurnAction.REGENERATE, self._edit: TurnAction.EDIT}
        for button, action in actions.items():
            button.clicked.connect(lambda _, action=action: transcript.apply(action, self._index))
        self._menu.clicked.connect(self._open_menu)
        playground.shown.changed.connect(self._on_changed)
        playground.traces.changed.connect(self._on_trace_loaded)
        transcript.verticalScrollBar().valueChanged.connect(self._place)
        # Queued: in the midst of an edit the positions of the page aren't valid yet.
        layout = transcript.document().documentLayout()
        layout.documentSizeChanged.connect(self._place, Qt.ConnectionType.QueuedConnection)
        for part in (transcript.viewport(), self):
            part.installEventFilter(self)

    def show_settings_by(self, settings_of: Callable[[int], str]) -> None:
        """Show the text that `settings_of` returns for the index of a turn at the pointer or the focus."""
        self._settings_of = settings_of

    def show_ceiling(self, roofline: Roofline | None) -> None:
        """Set the bandwidth limit of the open model, and update the details."""
        known, self._roofline = self._roofline, roofline
        shown = self._playground.shown.now
        if shown.run is not None and roofline != known:
            self._show_run(shown, shown.run)

    def show_finish(
        self,
        words: str,
        reason: str,
        steps: Sequence[NextStep],
        last: bool = True,
        chat: bool = True,
        failed: bool = False,
        has_turn: bool = True,
    ) -> None:
        """Show a finish line. Only the `last` run of the page has next steps. A raw page is edited in place.

        `has_turn`: the run belongs to an answer of the page.
        """
        self._failed = failed
        self._apply_theme()
        self._set_words(words, reason)
        self._set_steps(steps if last else ())
        self._copy.setVisible(has_turn)
        self._edit.setVisible(has_turn and chat and not failed)
        # A prompt that didn't fit doesn't fit the second time either.
        self._retry.setVisible(has_turn and not (last and {NextStep.RETRY, NextStep.EDIT} & set(steps)))
        self._menu.setVisible(has_turn)
        self._arrange()
        self.show()

    def come_after(self, part: QWidget) -> None:
        self.setTabOrder(part, self._words)
        self._order()

    def clear(self) -> None:
        self.hide()
        self.moved.emit(None)
        self._set_words("", "")
        self._set_steps(())
        with QSignalBlocker(self.more):
            self.more.setChecked(False)

    def _on_changed(self, old: DisplayedRun, new: DisplayedRun) -> None:
        if new == old:
            return
        if new.run is None:
            self.clear()
            self._details.clear()
            if new.live:  # reserves the place of the line while the answer streams
                self._transcript.keep_room(self.sizeHint().height() + GAP_PX)
            return
        self._show_run(new, new.run)
        if not new.replay and new.run.request.observe:
            self._playground.traces.want(self._playground.state.turns[new.index])

    def _on_trace_loaded(self, turn: TurnId) -> None:
        shown = self._playground.shown.now
        if shown.turn == turn and shown.run is not None:
            self._show_run(shown, shown.run)

    def _show_details(self, shown: bool) -> None:
        if not shown:
            keep_focus(self._details, self.more)
        self._details.setVisible(shown)

    def _show_run(self, shown: DisplayedRun, run: Run) -> None:
        state = self._playground.state
        last = not shown.replay and not shown.earlier
        newest = not shown.replay and shown.number == len(state.turns[shown.index].runs) - 1
        trace = self._playground.traces.of(shown.turn) if newest else None
        is_open = state.model is not None and state.model.name == shown.model
        chat = state.model is None or state.model.can.chat
        text = describe_finish(run, chat, trace, self._roofline if is_open else None)
        can_record = last and text.lacks_logprobs and not state.is_recording
        is_failed = not shown.replay and state.turns[shown.index].is_failed
        earlier = () if shown.replay else state.turns[shown.index].runs[: shown.number]
        reason, line = text.reason, with_model((*earlier, run), text.line, is_failed)
        if shown.replay:
            reason, line = tr("replay: {reason}").format(reason=reason), tr("Replay: {reason}").format(reason=line)
        self._details.show_details(text.explanation, text.details, can_record, last)
        failed = run.finish.failure is not None
        self.show_finish(line, reason, text.steps, last, run.mode is Mode.CHAT, failed, not shown.replay)
        self._index = shown.index
        self.moved.emit(None if shown.replay else shown.index)
        self._transcript.keep_room(0)
        self._place()

    def _open_menu(self) -> None:
        self._transcript.open_menu(self._index, self._menu.mapToGlobal(self._menu.rect().bottomLeft()))

    def _place(self) -> None:
        """Move the line to its place on the page. A raw page has it below."""
        if self.isHidden() or self.parent() is not self._transcript.viewport():
            return
        width = self._transcript.ending_rect(self._index).width()
        self.resize(width, self.height())
        wanted = max(self.heightForWidth(width), self.minimumSizeHint().height())
        self.setGeometry(self._transcript.ending_rect(self._index, wanted))

    def _hand_back(self, old: QWidget | None, now: QWidget | None) -> None:
        if now is self and old is not None:
            old.setFocus()
        self.update_settings()

    def update_settings(self) -> None:
        """Show the settings of the run while the pointer or the focus is here."""
        here = self.underMouse() or self.isAncestorOf(QApplication.focusWidget() or self.window())
        has_run = here and not self._menu.isHidden()
        self._settings.show_settings(self._settings_of(self._index) if has_run else "")

    def _apply_theme(self) -> None:
        tint(self._words, self._theme, Color.ERROR if self._failed else Color.MUTED)

    def _set_words(self, words: str, reason: str) -> None:
        self.reason = reason
        self._words.setText(words)
        self._words.setAccessibleName(tr("Finish reason: {reason}").format(reason=reason or tr("none yet")))

    def _lay_out(self) -> None:
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(GAP_PX)
        self._step_row, self._icons = in_row(gap=GRID_PX), in_row(*self._icon_buttons, (self._settings, 1), gap=0)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(GRID_PX)
        self._buttons.addLayout(self._step_row)
        self._buttons.addLayout(self._icons, 1)
        self._buttons.setAlignment(self._step_row, Qt.AlignmentFlag.AlignLeft)
        self._line.addWidget(self._words)
        self._line.addLayout(self._buttons, 1)

    def _set_steps(self, steps: Sequence[NextStep]) -> None:
        """Update the buttons. Unchanged ones stay, since one of them may have the focus."""
        if tuple(steps) == self._offered:
            return
        self._offered = tuple(steps)
        for button in self._steps.buttons():
            self._steps.removeButton(button)
        clear_layout(self._step_row)
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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == (QEvent.Type.LayoutRequest if watched is self else QEvent.Type.Resize):
            self._place()
        return False

    def event(self, event: QEvent) -> bool:
        """Arrange the buttons after Qt has polished them, when they have their final size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        elif event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.update_settings()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


def _unbroken(words: str) -> str:
    """Return a text whose lines break between values, but not between a value and its unit."""
    words = words.replace("< ", f"<{UNBROKEN}").replace("> ", f">{UNBROKEN}")
    parts = words.split(SEPARATOR)
    return words if len(parts) == 1 else SEPARATOR.join(part.replace(" ", UNBROKEN) for part in parts)
