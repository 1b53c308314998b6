"""The feature Sessions: opens and deletes them, and saves drafts."""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.actions import Intent
from app.bridge.playground import Playground
from app.controls import Controls, Mode
from app.files.settings import Settings
from app.i18n import tr
from app.records.journal import Journal
from app.records.types import Session, SessionId, TurnId
from app.state import SETTLED, ConversationSnapshot, State
from app.ui.feature import Feature, TypedText
from app.ui.sessions.column import SessionsColumn
from app.ui.widgets import NoticeBar, is_typing
from app.ui.widgets.menus import Entry, RecentMenu

TYPING_MS = 400
"""Drafts and controls are saved after a pause of this length."""
UNSENT = tr(
    "The branch wasn't changed, because the prompt has unsent text. Send or remove it to show the match on the "
    "other branch."
)
NOTHING = (0, 0, "")
MOST_RECENT = 10
RECENT_OF = 100
"""Number of sessions read for the Recent menu: pinned ones come first, and may be old."""


class SessionsController(Feature):
    """`settings` names the session that was open last."""

    begun = Signal()
    came = Signal()
    """Another session was opened."""
    found = Signal(str, int)
    """Text to find in a turn of the open session."""

    def __init__(
        self,
        playground: Playground,
        settings: Settings,
        *,
        column: SessionsColumn,
        prompt: TypedText,
        notice: NoticeBar,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._column = column
        self._prompt = prompt
        self._notice = notice
        self._settings = settings
        self._saved_controls = settings.controls
        """The controls in the settings file, which are those of a session that isn't saved yet."""
        self._before = playground.state
        self._prompt_before = ""
        """The prompt's text when another session was requested."""
        self._instructed: set[SessionId] = set()
        """Sessions with a system prompt or other instructions; 0: the one that isn't saved yet."""
        self._target: tuple[SessionId, TurnId, str] = NOTHING
        """The turn to scroll to once its session is open and no model is loading."""
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._typing.timeout.connect(self.keep_draft)
        column.follow(playground)
        book = playground.book
        book.ready.connect(self._on_ready)
        book.session_read.connect(self._on_session_read)
        playground.changed.connect(self._on_changed)
        column.opened.connect(self.open)
        column.found_opened.connect(self.open_found)
        column.deleted.connect(self.delete)
        column.restored.connect(self._restore)

    def actions(self) -> dict[str, Intent]:
        return {"new_session": self.begin, "recent_sessions": self._choose}

    def connect_actions(self) -> None:
        self._recent = RecentMenu(self._column, "recent_sessions", self._entries, lambda: self._state.can_leave)
        self._actions["recent_sessions"].setMenu(self._recent)
        self._enable_actions(self._state)

    def updated_settings(self, settings: Settings) -> Settings:
        if self._playground.book.is_unsaved:  # the old time, so that the next start finds later changes
            return settings
        return replace(settings, session=self._state.session, closed=time.time())

    def begin(self) -> None:
        """Start a new session; the draft stays with the previous one."""
        self._save_before_leaving()
        if self._playground.new_session():
            self._forget_if_empty()
            self._prompt.set_text("")
            self.begun.emit()
        self._prompt.setFocus()

    def _choose(self) -> None:
        """Show the Recent menu in the middle of the window, for windows without a menu bar."""
        window = self._column.window()
        self._recent.popup(window.mapToGlobal(window.rect().center()))

    def _entries(self) -> Iterator[Entry]:
        found = self._journal.sessions.chats(0, RECENT_OF) if self._journal is not None else ()
        others = [each for each in found if each.id != self._state.session]
        for each in sorted(others, key=lambda each: -each.changed)[:MOST_RECENT]:
            yield each.title, each.title, partial(self.open, each.id)

    def open(self, session: SessionId) -> None:
        self._target = NOTHING
        self._playground.open_session(session)

    def open_found(self, session: SessionId, turn: TurnId, words: str) -> None:
        """Open a session at the branch of a turn, and show the text that was found."""
        self.open(session)
        self._target = (session, turn, words)
        self._show_found()

    def note_typing(self) -> None:
        self._typing.start()

    def note_instruction(self) -> None:
        """Keep the session even without a turn, since it has instructions."""
        self._instructed.add(self._state.session)

    def forget_all(self) -> None:
        self._instructed.clear()
        self._prompt.forget()
        self._column.undo.forget()

    def keep_draft(self) -> None:
        self._typing.stop()
        if not self._state.opening:
            self._store_draft()

    def close(self) -> None:
        self.keep_draft()
        self._typing.stop()

    @property
    def _journal(self) -> Journal | None:
        return self._playground.book.journal

    @property
    def _state(self) -> State:
        return self._playground.state

    def _save_before_leaving(self) -> None:
        """Save the draft and end the edit of a turn, before another session opens."""
        self._prompt.end_editing()
        self._store_draft()
        self._before = self._state
        self._prompt_before = self._prompt.text()

    def _store_draft(self) -> None:
        self._playground.keep_draft(self._draft())
        instructed = 0 in self._instructed and self._journal is not None
        self._playground.keep_controls(begin=instructed and _instructs(self._state.controls))
        if instructed:
            self._instructed = (self._instructed | {self._state.session}) - {0}
        if not self._state.session and self._state.controls != self._saved_controls:
            self._saved_controls = self._state.controls
            self.changed.emit()

    def _draft(self) -> str:
        """Return the unsent text. In Raw mode, an unchanged page of sent text or of a conversation is no draft."""
        prompt, turns = self._prompt, self._state.turns
        is_answering = bool(turns) and turns[-1].open
        if self._state.controls.mode is Mode.RAW and (is_answering or not prompt.page_is_touched):
            return ""
        return prompt.unsent

    def _forget_if_empty(self) -> None:
        """Delete the previous session if it has no turn, no draft and no instructions."""
        left = self._before
        instructed = left.session in self._instructed and _instructs(left.controls)
        queued = any(each.session == left.session for each in self._state.queue)
        said = left.turns or left.others or self._prompt_before.strip() or queued
        if self._journal is not None and left.session and not (said or instructed):
            self._journal.sessions.delete(left.session)

    def _on_ready(self) -> None:
        last = self._last(self._journal) if self._journal is not None else 0
        typed = self._prompt.text().strip() or 0 in self._instructed
        # A session that the user began meanwhile stays open; the last one is in the list.
        if self._state.session or self._state.opening or self._state.turns or typed:
            self._typing.start()
        elif last:
            self.open(last)

    def _last(self, journal: Journal) -> SessionId:
        """Return the session that was open last; after a crash the one that was changed last."""
        latest = journal.sessions.latest()
        if latest is not None and latest.changed > self._settings.closed:
            return latest.id
        return self._settings.session

    def _on_session_read(self, session: Session | None, past: ConversationSnapshot) -> None:
        """Show the session's draft, followed by what was typed while it loaded."""
        if session is None:
            return
        self._forget_if_empty()
        draft = self._playground.queue.typed(session.info.id, session.draft)
        if not (past.turns or past.others or session.draft.strip()):
            self._instructed.add(session.info.id)  # or it would have been deleted
        prompt, mode = self._prompt, self._state.controls.mode
        same = mode is self._before.controls.mode
        typed = prompt.text().removeprefix(self._prompt_before) if same and mode is Mode.CHAT else ""
        if mode is Mode.CHAT or draft:
            prompt.set_text(draft + typed)
        self._typing.stop()
        if typed:
            self._typing.start()
        self.came.emit()
        self._show_found()
        if not is_typing():
            prompt.setFocus()

    def _on_changed(self, old: State, new: State) -> None:
        self._enable_actions(new)
        if new.controls is not old.controls:
            self._typing.start()
        if new.opening and not old.opening:
            self._save_before_leaving()
        elif old.opening and not new.opening:
            self._typing.start()  # nothing was opened: the typed text belongs to this session
        if new.session != old.session and new.session != self._target[0]:
            self._target = NOTHING
        if new.controls.mode is Mode.RAW and new.turns is not old.turns and new.turns and new.turns[-1].open:
            self.keep_draft()  # the draft was sent: after a crash it must not replace the answer
        if new.phase is not old.phase:
            self._show_found()

    def _enable_actions(self, state: State) -> None:
        self._actions["new_session"].setEnabled(state.can_leave and bool(state.session or state.turns))

    def _show_found(self) -> None:
        """Show the turn that was found, unless that would replace unsent text in Raw mode."""
        state, (session, turn, words) = self._state, self._target
        is_displayed = any(each.id == turn for each in state.turns)
        if not turn or session != state.session or state.opening or not (is_displayed or state.phase in SETTLED):
            return
        self._target = NOTHING
        if state.controls.mode is Mode.CHAT or not self._prompt.page_is_touched:
            self._playground.switch(turn)
        elif not is_displayed:
            self._notice.show_remark(UNSENT)
            return
        self.found.emit(words, turn)

    def delete(self, session: SessionId) -> None:
        """Delete a session, unless it is running; if it is open, start a new one."""
        if session == self._state.running_session:
            return
        if session == self._state.session:
            self.begin()
        self._playground.forget(session)
        if self._journal is not None:
            self._journal.sessions.delete(session)

    def _restore(self, session: SessionId) -> None:
        if self._journal is not None:
            self._journal.sessions.restore(session)
            self.open(session)


def _instructs(controls: Controls) -> bool:
    """Whether the controls contain text written by the user."""
    return any(map(str.strip, (controls.system, controls.reply_start, controls.form.text, controls.tools)))
