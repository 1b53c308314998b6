"""The sessions between the journal, the column and the prompt: listed, opened, changed, and what is typed kept."""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.actions import Intent
from app.bridge.playground import Playground
from app.controls import Controls, Mode
from app.files.settings import Settings
from app.i18n import tr
from app.records.journal import Journal
from app.records.sessions import Sessions
from app.records.types import JournalChange, Session, SessionId, TurnId
from app.state import LOADABLE, SETTLED, ConversationSnapshot, State
from app.ui.feature import Feature
from app.ui.sessions.column import SessionsColumn
from app.ui.widgets import NoticeBar, is_typing
from app.ui.widgets.recent_menu import Entry, RecentMenu
from app.ui.widgets.typed_text import TypedText

TYPING_MS = 400
"""What is typed and set is kept whenever that pauses for so long."""
UNSENT = tr(
    "The page was left as it is, since there are words on it that were not sent: send them or take them out, "
    "and what was found on the other branch can be shown in their place."
)
NOTHING = (0, 0, "")
MOST_RECENT = 10
RECENT_OF = 100
"""So many of the list are looked at: the pinned ones stand first in it, however old."""


class SessionsController(Feature):
    """Follows the playground's book. `settings` tell which session was open last."""

    begun = Signal()
    """An empty page was begun."""
    came = Signal()
    """Another session is on the page."""
    found = Signal(str, int)
    """These words in this turn are to be shown, which is on the page."""

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
        self._noted = settings.controls
        """What the settings file has of what is set on a page that is no session yet."""
        self._before = playground.state
        self._left = ""
        """What stood in the prompt when another session was asked for."""
        self._instructed: set[SessionId] = set()
        """Those whose instructions were written there, or came with them; 0 is the page that is no session yet."""
        self._sought: tuple[SessionId, TurnId, str] = NOTHING
        """The turn that is to be in sight as soon as that session is there, and no model is being opened."""
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._typing.timeout.connect(self.keep_draft)
        book = playground.book
        book.ready.connect(self._on_ready)
        book.journal_changed.connect(self._on_told)
        book.session_read.connect(self._on_came)
        playground.changed.connect(self._on_changed)
        column.opened.connect(self.open)
        column.found_opened.connect(self.open_found)
        column.renamed.connect(lambda session, title: self._kept.rename(session, title))
        column.pinned.connect(lambda session, pinned: self._kept.pin(session, pinned))
        column.reordered.connect(lambda sessions: self._kept.reorder(sessions))
        column.duplicated.connect(lambda session: self._kept.duplicate(session))
        column.deleted.connect(self.delete)
        column.restored.connect(self._restore)

    def actions(self) -> dict[str, Intent]:
        return {"new_session": self.begin, "recent_sessions": self._choose}

    def joined(self) -> None:
        self._recent = RecentMenu(self._column, "recent_sessions", self._entries, lambda: self._state.phase in LOADABLE)
        self._actions["recent_sessions"].setMenu(self._recent)
        self._allow(self._state)

    def kept(self, settings: Settings) -> Settings:
        if self._playground.book.is_unsaved:  # the next start finds what was changed since the journal was open last
            return settings
        return replace(settings, session=self._state.session, closed=time.time())

    @Slot()
    def begin(self) -> None:
        """An empty page; what was typed stays with the session it was typed in."""
        self._leave()
        if self._playground.new_session():
            self._forget_if_empty()
            self._prompt.set_text("")
            self.begun.emit()
        self._prompt.setFocus()

    @Slot()
    def _choose(self) -> None:
        """Without the menu bar: in the middle of the window."""
        window = self._column.window()
        self._recent.popup(window.mapToGlobal(window.rect().center()))

    def _entries(self) -> Iterator[Entry]:
        """Those that were changed last, pinned or not, without the one that is open."""
        found = self._journal.sessions.rows(0, RECENT_OF) if self._journal is not None else ()
        others = [each for each in found if each.id != self._state.session]
        for each in sorted(others, key=lambda each: -each.changed)[:MOST_RECENT]:
            yield each.title, each.title, partial(self.open, each.id)

    @Slot(int)
    def open(self, session: SessionId) -> None:
        self._sought = NOTHING
        self._playground.open_session(session)

    @Slot(int, int, str)
    def open_found(self, session: SessionId, turn: TurnId, words: str) -> None:
        """Open a session, and in it the branch that this turn is on, with what was found there."""
        self.open(session)
        self._sought = (session, turn, words)
        self._bring()

    @Slot()
    def note_typing(self) -> None:
        """What is typed is kept soon."""
        self._typing.start()

    @Slot()
    def note_instruction(self) -> None:
        """What is written for the model is worth a session, as a draft is."""
        self._instructed.add(self._state.session)

    def forget_all(self) -> None:
        """What was typed goes with them."""
        self._instructed.clear()
        self._prompt.forget()
        self._column.undo.forget()

    @Slot()
    def keep_draft(self) -> None:
        """What is typed and not sent, and what is set."""
        self._typing.stop()
        if not self._state.opening:
            self._store_draft()

    def close(self) -> None:
        """The window goes."""
        self.keep_draft()
        self._typing.stop()

    @property
    def _journal(self) -> Journal | None:
        return self._playground.book.journal

    @property
    def _kept(self) -> Sessions:
        assert self._journal is not None
        return self._journal.sessions

    @property
    def _state(self) -> State:
        return self._playground.state

    def _leave(self) -> None:
        """Before another page: nothing that was typed is lost, and no edit goes on into the next one."""
        self._prompt.end_editing()
        self._store_draft()
        self._before = self._state
        self._left = self._prompt.text()

    def _store_draft(self) -> None:
        self._playground.keep_draft(self._draft())
        instructed = 0 in self._instructed and self._journal is not None
        self._playground.keep_controls(begin=instructed and _instructs(self._state.controls))
        if instructed:
            self._instructed = (self._instructed | {self._state.session}) - {0}
        if not self._state.session and self._state.controls != self._noted:
            self._noted = self._state.controls
            self.changed.emit()

    def _draft(self) -> str:
        """A page that stands as it was sent is no draft, nor is one on which the model is writing."""
        prompt, turns = self._prompt, self._state.turns
        if self._state.controls.mode is Mode.RAW and turns and (turns[-1].open or not prompt.page_is_touched):
            return ""
        return prompt.unsent

    def _forget_if_empty(self) -> None:
        """A session without a turn, on whichever branch, a draft or an instruction is nothing to come back to."""
        left = self._before
        instructed = left.session in self._instructed and _instructs(left.controls)
        said = left.turns or left.others or self._left.strip()
        if self._journal is not None and left.session and not (said or instructed):
            self._journal.sessions.delete(left.session)

    @Slot()
    def _on_ready(self) -> None:
        self._list()
        last = self._last(self._journal) if self._journal is not None else 0
        typed = self._prompt.text().strip() or 0 in self._instructed
        # Nobody is led away from what was begun meanwhile; the session of last time is in the list.
        if self._state.session or self._state.opening or self._state.turns or typed:
            self._typing.start()
        elif last:
            self.open(last)

    def _list(self) -> None:
        if self._journal is not None:
            self._column.show_present(self._state.session)
            self._column.set_source(self._kept.rows, self._kept.search)

    def _last(self, journal: Journal) -> SessionId:
        """The session that was open; after a crash, of which the settings know nothing, the one that was changed."""
        latest = journal.sessions.latest()
        if latest is not None and latest.changed > self._settings.closed:
            return latest.id
        return self._settings.session

    @Slot(object)
    def _on_told(self, change: JournalChange) -> None:
        if change is JournalChange.SESSIONS:
            self._column.refresh()

    @Slot(object, object)
    def _on_came(self, session: Session | None, past: ConversationSnapshot) -> None:
        """Its draft comes before what has been typed while it was read."""
        if session is None:
            return
        self._forget_if_empty()
        if not (past.turns or past.others or session.draft.strip()):
            self._instructed.add(session.info.id)  # what else was it kept for
        prompt, mode = self._prompt, self._state.controls.mode
        same = mode is self._before.controls.mode
        typed = prompt.text().removeprefix(self._left) if same and mode is Mode.CHAT else ""
        if mode is Mode.CHAT or session.draft:
            prompt.set_text(session.draft + typed)
        self._typing.stop()
        if typed:
            self._typing.start()
        self.came.emit()
        self._bring()
        if not is_typing():
            prompt.setFocus()

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        column = self._column
        self._allow(new)
        if new.controls is not old.controls:
            self._typing.start()
        if new.opening and not old.opening:
            self._leave()
        elif old.opening and not new.opening:
            self._typing.start()  # nothing came: what was typed meanwhile is this page's
        if new.session != old.session:
            column.show_present(new.session)
            if new.session != self._sought[0]:
                self._sought = NOTHING
        if new.controls.mode is Mode.RAW and new.turns is not old.turns and new.turns and new.turns[-1].open:
            self.keep_draft()  # it was sent: after a crash it must not stand in the place of the answer
        if new.phase is not old.phase:
            column.set_settled(new.phase in LOADABLE)
            self._bring()

    def _allow(self, state: State) -> None:
        """A page that is empty is new."""
        self._actions["new_session"].setEnabled(state.phase in LOADABLE and bool(state.session or state.turns))

    def _bring(self) -> None:
        """The turn that was found into sight, though never in place of words on a page that were not sent."""
        state, (session, turn, words) = self._state, self._sought
        if not turn or session != state.session or state.opening or state.phase not in SETTLED:
            return
        self._sought = NOTHING
        if state.controls.mode is Mode.CHAT or not self._prompt.page_is_touched:
            self._playground.switch(turn)
        elif all(each.id != turn for each in state.turns):
            self._notice.show_remark(UNSENT)
            return
        self.found.emit(words, turn)

    @Slot(int)
    def delete(self, session: SessionId) -> None:
        """Take it off the list, and off the page if it is there."""
        if session == self._state.session:
            self.begin()
        self._playground.forget(session)
        if self._journal is not None:
            self._journal.sessions.delete(session)

    @Slot(object)
    def _restore(self, session: SessionId) -> None:
        self._kept.restore(session)
        self.open(session)


def _instructs(controls: Controls) -> bool:
    """Whether there are words in it that took somebody time."""
    return any(map(str.strip, (controls.system, controls.reply_start, controls.form.text, controls.tools)))
