"""Where the user writes and sends: the field, its length in tokens, and Send, which becomes Stop while there is one."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.actions.keys import WITH_ENTER
from app.definitions import meaning
from app.i18n import tr
from app.records.attachments import Attachment, joined, split
from app.ui.look import GAP_PX, GRID_PX, Colour, Measured, Size, Theme, scaled
from app.ui.look.icons import ICON_PX, icon
from app.ui.prompt.attachments_row import AttachmentsRow
from app.ui.prompt.field import PromptField
from app.ui.widgets import RoundedFrame, hand_on, held, in_column, in_grid, plain_label, push_button
from app.ui.widgets.plain_text import to_the_letter

ACROSS, DOWN = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
RIGHT = Qt.AlignmentFlag.AlignRight
BUTTON_PX = 8 * GRID_PX
COUNT_PX = 12 * GRID_PX
"""Of a prompt of some hundred tokens: the field beside it keeps its width while that is typed."""
BELOW_PX = 140
"""From this height on a page has its buttons below it."""


class PromptEditor(QWidget):
    """`send` carries the text, which stays until `accept` is called: a refused prompt is not lost."""

    send = Signal(str)
    stop = Signal()
    edited = Signal()
    editing_changed = Signal(bool)
    """Whether what is typed will replace an earlier turn."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._ready = self._coming = self._paged = False
        self._enter_sends = True
        self._place = (0, 1)
        """Of the buttons in the grid."""
        self.editing: int | None = None
        """The turn that what is being typed will replace."""
        self.field = PromptField(theme)
        self.attached = AttachmentsRow(theme, self.field)
        self._aside = self._earlier = ""
        """What was there before an earlier turn was edited, which comes back; and that turn as it is."""
        self._box = RoundedFrame(theme, Colour.SURFACE, Colour.OUTLINE)
        self._count = plain_label("prompt_tokens", tip=meaning("prompt_tokens"), font=theme.font(Size.SMALL))
        scaled(theme, self._count, QWidget.setMinimumWidth, COUNT_PX)
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._send = push_button("send", "", tr("Send the prompt"), tr("Send"), kind="primary", press=self._submit)
        self._stop = push_button("stop", "", tr("Stop what is going on"), tr("Stop"), press=self.stop)
        for button in (self._send, self._stop):
            button.setIcon(icon(theme, button.objectName()))
        self._lay_out()
        self.field.submitted.connect(self._submit)
        self.field.textChanged.connect(self._note_edit)
        self.attached.changed.connect(self._note_edit)
        self.field.focused.connect(self._show_focus)
        self.set_enter_sends(True)
        self.set_token_count("")
        self.set_stoppable(False)
        self.last_button = self._stop
        """Where the Tab key leaves it."""
        self._update_send()
        hand_on(self, self.field)

    def text(self) -> str:
        """All that is sent, the attached files in front."""
        return self.field.text() if self._paged else joined(self.attached.files, self.field.text())

    @property
    def unsent(self) -> str:
        """All that was typed: the next prompt and, behind it, what an earlier turn was changed into."""
        if self.editing is None:
            return self.text()
        changed = "" if self.text() == self._earlier else self.text()
        (files, said), (more, changed) = split(self._aside), split(changed)
        return joined(files + more, "\n\n".join(filter(None, (said, changed))))

    def set_text(self, text: str) -> None:
        """Put a text in; what was there comes back with Undo. Files in front of it are attached again."""
        files, said = ((), text) if self._paged else split(text)
        if not self._paged:
            self.attached.show_files(files)
        self.field.replace(said)

    def attach(self, files: tuple[Attachment, ...]) -> None:
        """Put these behind the ones that are there; on a page their text is written where the cursor is."""
        if self._paged:
            self.field.write("\n".join(file.text for file in files))
        else:
            self.attached.show_files(self.attached.files + files)

    def edit(self, index: int, text: str) -> None:
        """Put the text of an earlier turn in, which what becomes of it will replace."""
        self._aside = self.unsent
        self._set_editing(index)
        self.set_text(text)
        self._earlier = self.text()

    def follow_edited(self, index: int | None) -> None:
        """The turn stands elsewhere by now, or is gone."""
        if index is None:
            self.end_editing()
        elif index != self.editing:
            self._set_editing(index)

    def end_editing(self) -> None:
        """The earlier turn stays as it is; what it was changed into will be a turn of its own."""
        if self.editing is not None:
            unsent = self.unsent
            self._set_editing(None)
            self.set_text(unsent)

    def leave_editing(self) -> None:
        """The earlier turn stays as it is."""
        if self.editing is not None:
            self.accept()

    def accept(self) -> None:
        """The text was sent: make room for the next one, and Undo brings it back. A page stays."""
        aside = self._aside if self.editing is not None else ""
        self._set_editing(None)
        if not self._paged:
            self.set_text(aside)

    def forget(self) -> None:
        """Nothing is left of what was typed, in either mode, nor to be brought back."""
        self._aside = ""
        self._set_editing(None)
        self.attached.show_files(())
        self.field.forget()

    def set_paged(self, paged: bool) -> None:
        """A whole page on which the model goes on writing, in place of a few lines."""
        if paged != self._paged:
            self._paged = paged
            self.field.set_paged(paged)
            self.attached.setVisible(bool(self.attached.files) and not paged)
            self._line.setAlignment(self.field, Qt.AlignmentFlag(0) if paged else Qt.AlignmentFlag.AlignVCenter)
            self._place_buttons()
            self._tell_keys()
            self._update_send()

    def _place_buttons(self) -> None:
        """A page has the whole width, with the buttons below it, where it has a few lines then.

        Or else they stand on it, left of its scroll bar, which would stand between them and the text.
        """
        below = self._paged and self.height() >= self._theme.scaled(BELOW_PX)
        on_it = self._paged and not below
        self._side.setDirection(ACROSS if below else DOWN)
        bar = self.field.verticalScrollBar().sizeHint().width() + GRID_PX
        self._buttons.setContentsMargins(0, 0, bar if on_it else 0, 0)
        place = int(below), int(not self._paged)
        if self._place != place:
            self._place = place
            self._line.addWidget(self._buttons, *place)
        self._line.setAlignment(self._buttons, RIGHT if on_it else Qt.AlignmentFlag(0))
        self.field.leave(self._buttons.sizeHint().width() + GAP_PX if on_it else 0)

    @property
    def page_is_touched(self) -> bool:
        """Whether the page was edited since the model wrote on it or it was shown."""
        return self.field.page_is_touched

    def set_ready(self, ready: bool, coming: bool = False) -> None:
        """Whether a prompt could be sent now, or soon: the key that sends then says so beforehand."""
        self._ready, self._coming = ready, coming
        self._update_send()

    def set_stoppable(self, stoppable: bool) -> None:
        """Show Stop in Send's place exactly while there is something to stop."""
        had_focus = self._send.hasFocus() or self._stop.hasFocus()
        self._stop.setEnabled(stoppable)
        self._stop.setVisible(stoppable)
        self._send.setVisible(not stoppable)
        self._tell_keys()
        if had_focus:
            (self._stop if stoppable else self.field).setFocus()

    def set_enter_sends(self, enter_sends: bool) -> None:
        """Enter sends and Shift+Enter makes a line; or Enter makes a line and Ctrl+Enter (⌘ on a Mac) sends."""
        self.field.enter_sends = self._enter_sends = enter_sends
        self._tell_keys()

    def set_token_count(self, text: str) -> None:
        """How long the prompt is, in tokens; empty while that is not known."""
        self._count.setText(text)
        self._count.setAccessibleName(tr("Prompt tokens: {count}").format(count=text or tr("not counted")))
        self._place_buttons()

    def _set_editing(self, index: int | None) -> None:
        self.editing = index
        self.editing_changed.emit(index is not None)

    def _tell_keys(self) -> None:
        sends, breaks = ("Enter", "Shift+Enter") if self._enter_sends and not self._paged else (WITH_ENTER, "Enter")
        what = tr("Write a page. The model goes on where it ends.") if self._paged else tr("Write a prompt.")
        how = tr("{sends} sends, {breaks} adds a line.").format(sends=sends, breaks=breaks)
        if self._stop.isEnabled() and not self._coming and not self._paged:
            what, how = tr("Write what comes next."), tr("It can be sent when this has ended.")
        self.field.set_hint(what, how)
        self.field.setAccessibleDescription(f"{what} {how}")
        tip = tr("Send the page ({key})") if self._paged else tr("Send the prompt ({key})")
        self._send.setToolTip(tip.format(key=sends))

    def _lay_out(self) -> None:
        self._side = in_column(..., *((each, 0, RIGHT) for each in (self._count, self._send, self._stop)))
        self._buttons = held(self._side)
        self._line = in_grid([(self.field, Qt.AlignmentFlag.AlignVCenter), self._buttons], tall=0)
        Measured(self._theme, self, PromptEditor._size_buttons)
        in_column(self.attached, (self._line, 1), on=self._box, gap=GRID_PX, margins=GAP_PX)
        in_column(self._box, on=self)

    def _size_buttons(self) -> None:
        """Of one size, since they stand in each other's place."""
        drawn, side = self._theme.scaled(ICON_PX), self._theme.scaled(BUTTON_PX)
        for button in (self._send, self._stop):
            button.setIconSize(QSize(drawn, drawn))
            button.setFixedSize(side, side)
        self._place_buttons()

    def _submit(self) -> None:
        can_go = self._send.isEnabled() and not self._stop.isEnabled()
        if can_go or (self._coming and not self._is_empty):
            self.send.emit(to_the_letter(self.text()))

    def _note_edit(self) -> None:
        self._update_send()
        self.edited.emit()

    def _update_send(self) -> None:
        self._send.setEnabled(self._ready and not self._is_empty)

    @property
    def _is_empty(self) -> bool:
        return self.field.document().isEmpty() and (self._paged or not self.attached.files)

    def _show_focus(self, focused: bool) -> None:
        self._box.mark(Colour.ACCENT if focused else Colour.OUTLINE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The field has no use for Esc, and where something can be stopped it is the key for that."""
        if event.key() == Qt.Key.Key_Escape and self.editing is not None:
            self.leave_editing()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_buttons()
