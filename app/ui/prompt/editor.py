"""The prompt editor: the field, its token count, Send and Stop, attached files, and the rows above it."""

from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.actions import TIPS
from app.actions.keys import WITH_ENTER
from app.definitions import meaning
from app.engine.prompt_warnings import PromptWarning, QuickFix
from app.i18n import tr
from app.records.attachments import Attachment, join_attachments, split
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, TextSizeFollower, Theme, scaled, tint
from app.ui.look.icons import ICON_PX, icon
from app.ui.prompt.field import PromptField
from app.ui.widgets import (
    OneLine,
    RoundedFrame,
    SmallPrint,
    as_tip,
    caption,
    clear_layout,
    come_after,
    forward_focus,
    icon_button,
    in_column,
    in_grid,
    in_row,
    keep_focus,
    layout_widget,
    named,
    plain_label,
    push_button,
    tool_button,
)
from app.ui.widgets.plain_text import keep_byte_order_mark

COLUMNS = 2
STRETCHES = dict.fromkeys(range(COLUMNS), 1)
EXCERPT = 300
"""Number of characters of a file in its tooltip."""
ACROSS, DOWN = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
RIGHT = Qt.AlignmentFlag.AlignRight
BUTTON_PX = 8 * GRID_PX
COUNT_PX = 12 * GRID_PX
"""Width of the token count, so that the field keeps its width while typing."""
BELOW_PX = 140
"""Minimum height of a page with buttons below."""


class WarningsRow(QWidget):
    fix_wanted = Signal(object)
    """The QuickFix."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("lights")
        self._theme = theme
        self.warnings: tuple[PromptWarning, ...] = ()
        self._column = in_column(on=self, gap=GRID_PX, margins=(MARGIN_PX + GRID_PX, GRID_PX, MARGIN_PX, 0))
        self.setAccessibleName(_spoken(()))
        theme.changed.connect(self._apply_theme)
        self.hide()

    def show_warnings(self, warnings: tuple[PromptWarning, ...]) -> None:
        if warnings == self.warnings:
            return
        has_new = bool(set(warnings) - set(self.warnings))
        self.warnings = warnings
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for warning in warnings:
            self._column.addWidget(self._row(warning))
        self.setAccessibleName(_spoken(warnings))
        self.setVisible(bool(warnings))
        if has_new:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.NameChanged))

    def _apply_theme(self) -> None:
        warnings, self.warnings = self.warnings, ()
        self.show_warnings(warnings)

    def _row(self, warning: PromptWarning) -> QWidget:
        mark = plain_label("", "▲", font=self._theme.font(Size.SMALL))
        tint(mark, self._theme, Color.WARNING)
        words = SmallPrint(self._theme, "light")
        words.say(warning.says)
        fixes = [self._button(warning.way_on)] if warning.way_on is not None else []
        return layout_widget(in_row((mark, 0, Qt.AlignmentFlag.AlignVCenter), (words, 1), *fixes))

    def _button(self, fix: QuickFix) -> QPushButton:
        button = push_button(f"light_{fix.value.lower().replace(' ', '_')}", fix.words, kind="quiet")
        button.setFont(self._theme.font(Size.SMALL))
        button.clicked.connect(lambda: self.fix_wanted.emit(fix))
        return button


def _spoken(warnings: tuple[PromptWarning, ...]) -> str:
    if not warnings:
        return tr("Prompt warnings: none")
    return tr("Prompt warnings: {lights}").format(lights=" ".join(warning.says for warning in warnings))


class AttachmentsRow(QWidget):
    changed = Signal()

    def __init__(self, theme: Theme, below: QWidget) -> None:
        super().__init__()
        named(self, "attachments", tr("Attached files"))
        self._theme = theme
        self._below = below
        """The widget that gets the focus when the last file is removed."""
        self._column = in_column(on=self)
        self._counts: list[QLabel] = []
        self.files: tuple[Attachment, ...] = ()
        self.hide()

    def show_files(self, files: tuple[Attachment, ...]) -> None:
        if files == self.files:
            return
        self.files, self._counts = files, []
        keep_focus(self, self._below)
        clear_layout(self._column)
        if files:
            chips = [self._chip(number, file) for number, file in enumerate(files)]
            lines = [chips[start : start + COLUMNS] for start in range(0, len(chips), COLUMNS)]
            holder = QWidget()
            in_grid(
                *(line if len(files) > 1 else [*line, None] for line in lines), on=holder, gap=GRID_PX, wide=STRETCHES
            )
            self._column.addWidget(holder)
            come_after(self, holder)
        self.setVisible(bool(files))
        self.changed.emit()

    def show_count(self, file: Attachment, tokens: int) -> None:
        for each, label in zip(self.files, self._counts, strict=True):
            if each == file:
                label.setText(tr("%n tok", "%n tok", tokens))

    def _chip(self, number: int, file: Attachment) -> QWidget:
        chip = RoundedFrame(self._theme, Color.RAISED, Color.LINE)
        name = named(OneLine(), "attachment", file.name, as_tip(file.text[:EXCERPT]), font=self._theme.font(Size.SMALL))
        name.setText(file.name)
        name.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._counts.append(caption(self._theme, tr("%n characters", "%n character", len(file.text))))
        words = tr("Remove {name} from the prompt").format(name=file.name)
        remove = tool_button(f"remove_attachment_{number}", "✕", as_tip(words), words, kind="remove")
        remove.clicked.connect(partial(self._remove, number))
        in_row((name, 1), self._counts[-1], remove, on=chip, gap=GRID_PX, margins=(GRID_PX * 2, 2, GRID_PX, 2))
        return chip

    def _remove(self, number: int) -> None:
        self.show_files(self.files[:number] + self.files[number + 1 :])


class EditHint(QWidget):
    cancelled = Signal()
    """The user keeps the earlier turn, or doesn't send the waiting prompt."""
    unsaved_wanted = Signal()
    """The user sends without waiting for the session database."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("edit_hint")
        self._editing, self._is_answer, self._waiting, self._can_send_unsaved = False, False, "", False
        self._words = plain_label("", "", font=theme.font(Size.SMALL), wraps=True)
        tip = tr("Keep the earlier prompt unchanged (Esc)")
        self._cancel_edit = push_button(
            "cancel_edit", tr("Cancel"), tip, tr("Keep the earlier prompt"), press=self.cancelled
        )
        tip = tr("Keep the text in the field")
        self._cancel_wait = push_button("cancel_wait", tr("Don't send"), tip, press=self.cancelled)
        tip = tr("Don't wait for the session database: nothing is saved until Sluice quits")
        self._unsaved = push_button("send_unsaved", tr("Send without saving"), tip, press=self.unsaved_wanted)
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        in_row((self._words, 1), self._cancel_edit, self._unsaved, self._cancel_wait, on=self, margins=margins)
        self._show()

    def show_editing(self, editing: bool, is_answer: bool = False) -> None:
        self._editing, self._is_answer = editing, is_answer
        self._show()

    def show_waiting(self, words: str, unsaved: bool = False) -> None:
        """Show the reason for a waiting prompt; empty for none. `unsaved` offers to send without saving."""
        self._waiting, self._can_send_unsaved = words, unsaved
        self._show()

    def _show(self) -> None:
        editing = tr("Editing an earlier prompt. Sending it makes a branch; ‹ returns to the old one.")
        if self._is_answer:
            editing = tr("Editing an answer. Sending it makes a branch marked “Edited by hand”, without a run.")
        self._words.setText(self._waiting or editing)
        self._cancel_wait.setVisible(bool(self._waiting))
        self._unsaved.setVisible(bool(self._waiting) and self._can_send_unsaved)
        self._cancel_edit.setVisible(not self._waiting)
        self.setVisible(bool(self._waiting) or self._editing)


class PromptEditor(QWidget):
    send = Signal(str)
    """The text to send. It stays in the field until `accept` is called."""
    stop = Signal()
    attach_wanted = Signal()
    edited = Signal()
    editing_changed = Signal(bool)
    """Whether an earlier turn is being edited."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._ready = self._coming = self._paged = self._can_queue = False
        self._enter_sends = True
        self._place = (0, 1)
        """Row and column of the buttons."""
        self.editing: int | None = None
        self.field = PromptField(theme)
        self.attached = AttachmentsRow(theme, self.field)
        self._text_before_edit = self._unedited_turn = ""
        """The text from before the edit, and the unedited turn."""
        self._box = RoundedFrame(theme, Color.SURFACE, Color.OUTLINE)
        self._count = plain_label("prompt_tokens", tip=meaning("prompt_tokens"), font=theme.font(Size.SMALL))
        scaled(theme, self._count, QWidget.setMinimumWidth, COUNT_PX)
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._send = push_button("send", "", tr("Send the prompt"), tr("Send"), kind="primary", press=self._submit)
        self._stop = push_button("stop", "", tr("Stop the run"), tr("Stop"), press=self.stop)
        for button in (self._send, self._stop):
            button.setIcon(icon(theme, button.objectName()))
        self._attach = icon_button(theme, "attach", "attach", TIPS["attach_files"], press=self.attach_wanted)
        self._lay_out()
        self.field.submitted.connect(self._submit)
        self.field.textChanged.connect(self._note_edit)
        self.attached.changed.connect(self._note_edit)
        self.field.focused.connect(lambda has: self._box.mark(Color.ACCENT if has else Color.OUTLINE))
        self.set_enter_sends(True)
        self.set_token_count("")
        self.set_stoppable(False)
        self.last_button = self._stop
        """Last in the tab order."""
        self._update_send()
        forward_focus(self, self.field)

    def text(self) -> str:
        """Return the text to send, with attached files in front."""
        return self.field.text() if self._paged else join_attachments(self.attached.files, self.field.text())

    @property
    def unsent(self) -> str:
        """The next prompt, followed by the edit of an earlier turn."""
        if self.editing is None:
            return self.text()
        changed = "" if self.text() == self._unedited_turn else self.text()
        (files, rest), (more, changed) = split(self._text_before_edit), split(changed)
        return join_attachments(files + more, "\n\n".join(filter(None, (rest, changed))))

    def set_text(self, text: str) -> None:
        """Replace the text. Files in front of it are attached again."""
        files, rest = ((), text) if self._paged else split(text)
        if not self._paged:
            self.attached.show_files(files)
        self.field.replace(rest)

    def attach(self, files: tuple[Attachment, ...]) -> None:
        """Attach files, or insert their text into a raw page."""
        if self._paged:
            self.field.write("\n".join(file.text for file in files))
        else:
            self.attached.show_files(self.attached.files + files)

    def edit(self, index: int, text: str) -> None:
        self._text_before_edit = self.unsent
        self._set_editing(index)
        self.set_text(text)
        self._unedited_turn = self.text()

    def follow_edited(self, index: int | None) -> None:
        """Follow the edited turn to its new index; None if it was deleted."""
        if index is None:
            self.end_editing()
        elif index != self.editing:
            self._set_editing(index)

    def end_editing(self) -> None:
        """Stop editing the earlier turn, and keep the edit as a new prompt."""
        if self.editing is not None:
            unsent = self.unsent
            self._set_editing(None)
            self.set_text(unsent)

    def leave_editing(self) -> None:
        """Stop editing the earlier turn, and drop the edit."""
        if self.editing is not None:
            self.accept()

    def accept(self) -> None:
        """Clear the sent text; Undo restores it. In raw mode the text stays, since it is the page."""
        aside = self._text_before_edit if self.editing is not None else ""
        self._set_editing(None)
        if not self._paged:
            self.set_text(aside)

    def forget(self) -> None:
        self._text_before_edit = ""
        self._set_editing(None)
        self.attached.show_files(())
        self.field.forget()

    def set_paged(self, paged: bool) -> None:
        if paged != self._paged:
            self._paged = paged
            self.field.set_paged(paged)
            self.attached.setVisible(bool(self.attached.files) and not paged)
            self._line.setAlignment(self.field, Qt.AlignmentFlag(0) if paged else Qt.AlignmentFlag.AlignVCenter)
            self._place_buttons()
            self._show_hints()
            self._update_send()

    def _place_buttons(self) -> None:
        """Put the buttons next to a chat prompt, below a high page, or on a low page left of its scroll bar."""
        below = self._paged and self.height() >= self._theme.scaled(BELOW_PX)
        on_it = self._paged and not below
        self._side.setDirection(ACROSS if below else DOWN)
        bar = self.field.verticalScrollBar().sizeHint().width() + GRID_PX
        self._buttons.setContentsMargins(0, 0, bar if on_it else 0, 0)
        position = int(below), int(not self._paged)
        if self._place != position:
            self._place = position
            self._line.addWidget(self._buttons, *position)
        self._line.setAlignment(self._buttons, RIGHT if on_it else Qt.AlignmentFlag(0))
        self.field.leave(self._buttons.sizeHint().width() + GAP_PX if on_it else 0)

    @property
    def page_is_touched(self) -> bool:
        return self.field.page_is_touched

    def set_ready(self, ready: bool, coming: bool = False) -> None:
        """Set whether a prompt can be sent now, or soon (`coming`)."""
        self._ready, self._coming = ready, coming
        self._update_send()

    def set_queueing(self, can_queue: bool) -> None:
        """Set whether Send queues the prompt, because a run is active."""
        self._can_queue = can_queue
        self._update_send()
        self._show_hints()

    def set_stoppable(self, stoppable: bool, session: str = "") -> None:
        """Set whether Stop is shown; `session` is the title of the session that it stops, if another is displayed."""
        had_focus = self._send.hasFocus() or self._stop.hasFocus()
        self._stop.setEnabled(stoppable)
        self._stop.setVisible(stoppable)
        tip = tr("Stop the run in “{title}”").format(title=session) if session else tr("Stop the run")
        self._stop.setToolTip(as_tip(tip))
        self._update_send()
        self._show_hints()
        if had_focus:
            (self._stop if stoppable else self.field).setFocus()

    def set_enter_sends(self, enter_sends: bool) -> None:
        """Enter sends and Shift+Enter adds a line, or Ctrl+Enter (⌘ on a Mac) sends and Enter adds a line."""
        self.field.enter_sends = self._enter_sends = enter_sends
        self._show_hints()

    def set_token_count(self, text: str) -> None:
        self._count.setText(text)
        self._count.setAccessibleName(tr("Prompt tokens: {count}").format(count=text or tr("not counted")))
        self._place_buttons()

    def _set_editing(self, index: int | None) -> None:
        self.editing = index
        self._update_send()
        self.editing_changed.emit(index is not None)

    def _show_hints(self) -> None:
        sends, breaks = ("Enter", "Shift+Enter") if self._enter_sends and not self._paged else (WITH_ENTER, "Enter")
        what = tr("Write a page. The model continues it.") if self._paged else tr("Write a prompt.")
        how = tr("{sends} sends, {breaks} adds a line.").format(sends=sends, breaks=breaks)
        if self._stop.isEnabled() and not self._coming and not self._paged:
            what, how = tr("Write the next prompt."), tr("You can send it after this run.")
            how = tr("{sends} queues it for after this run.").format(sends=sends) if self._queues else how
        self.field.set_hint(what, how)
        self.field.setAccessibleDescription(f"{what} {how}")
        tip = tr("Send the page ({key})") if self._paged else tr("Send the prompt ({key})")
        if self._queues:
            tip = tr("Queue the prompt ({key}). It is sent after this run, with the current settings.")
        self._send.setToolTip(tip.format(key=sends))
        self._send.setAccessibleName(tr("Queue") if self._queues else tr("Send"))

    def _lay_out(self) -> None:
        buttons = in_row(..., self._attach, self._send, self._stop, gap=GRID_PX)
        self._side = in_column(..., (self._count, 0, RIGHT), buttons)
        self._buttons = layout_widget(self._side)
        self._line = in_grid([(self.field, Qt.AlignmentFlag.AlignVCenter), self._buttons], tall=0)
        TextSizeFollower(self._theme, self, PromptEditor._size_buttons)
        in_column(self.attached, (self._line, 1), on=self._box, gap=GRID_PX, margins=GAP_PX)
        in_column(self._box, on=self)

    def _size_buttons(self) -> None:
        drawn, side = self._theme.scaled(ICON_PX), self._theme.scaled(BUTTON_PX)
        for button in (self._send, self._stop):
            button.setIconSize(QSize(drawn, drawn))
            button.setFixedSize(side, side)
        self._place_buttons()

    def _submit(self) -> None:
        can_go = self._send.isEnabled() and (self._queues or not self._stop.isEnabled())
        if can_go or (self._coming and not self._is_empty):
            self.send.emit(keep_byte_order_mark(self.text()))

    def _note_edit(self) -> None:
        self._update_send()
        self.edited.emit()

    def _update_send(self) -> None:
        self._send.setEnabled((self._ready or self._queues) and not self._is_empty)
        self._send.setVisible(not self._stop.isEnabled() or (self._queues and not self._is_empty))

    @property
    def _queues(self) -> bool:
        """Whether Send queues the prompt. An edited turn can't be queued."""
        return self._can_queue and self.editing is None

    @property
    def _is_empty(self) -> bool:
        return self.field.document().isEmpty() and (self._paged or not self.attached.files)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.editing is not None:
            self.leave_editing()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_buttons()
