"""A room with the prompt, the sessions and the notes about saving."""

from dataclasses import replace
from typing import Self

from PySide6.QtWidgets import QPlainTextEdit

from app.bridge.session_store import Opener
from app.controls import Mode
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.files.settings import Settings
from app.i18n import tr
from app.records.types import Session, SessionInfo
from app.ui.conversation.controller_queue import QueueController
from app.ui.conversation.queue_strip import QueueStrip
from app.ui.prompt.controller import PromptController
from app.ui.prompt.editor import EditHint, PromptEditor, WarningsRow
from app.ui.prompt.exact_prompt import ExactPromptPane
from app.ui.sessions import SessionsColumn
from app.ui.sessions.controller import SessionsController
from app.ui.sessions.controller_files import SessionFilesController
from app.ui.sessions.controller_journal import JournalController
from app.ui.shell.layout import MODE_TIPS, MODES
from app.ui.widgets import SegmentedChoice, plain_label
from tests.ui.room import QUICK, Room, Rooms


class ChatRoom(Room):
    """The prompt and the sessions are connected as in the main window."""

    def __init__(
        self,
        rooms: Rooms,
        knobs: EchoOptions = QUICK,
        settings: Settings | None = None,
        *,
        engine: type[EchoEngine] = EchoEngine,
        opener: Opener | None = None,
    ) -> None:
        super().__init__(rooms, knobs, settings, engine=engine, opener=opener)
        theme, playground = self.theme, self.playground
        self.column = SessionsColumn(theme)
        self.editor, self.hint, self.lights = PromptEditor(theme), EditHint(theme), WarningsRow(theme)
        self.mode = SegmentedChoice("mode", tr("Mode"), MODES, MODE_TIPS)
        self.pane = ExactPromptPane(theme)
        self.queue = QueueStrip(theme)
        self.not_kept = plain_label("not_kept")
        self.prompting = PromptController(
            playground,
            prompt=self.editor,
            edit_hint=self.hint,
            mode=self.mode,
            lights=self.lights,
            exact_prompt=self.pane,
            parent=self,
        )
        self.sessions = SessionsController(
            playground, self.settings, column=self.column, prompt=self.editor, notice=self.notice, parent=self
        )
        QueueController(playground, self.queue, self.notice, self)
        self.queue.edit_wanted.connect(self.prompting.edit_queued)
        self.queue.session_wanted.connect(self.sessions.open)
        self.files = SessionFilesController(playground, self.notice, self)
        self.saving = JournalController(playground, self.notice, self.not_kept, self)
        self.editor.edited.connect(self.sessions.note_typing)
        self.prompting.mode_left.connect(self.sessions.keep_draft)
        self.furnish(
            (self.not_kept, self.mode, self.column, self.queue, self.hint, self.lights, self.editor, self.pane),
            (self.prompting, self.sessions, self.files),
        )

    def again(self, knobs: EchoOptions = QUICK, opener: Opener | None = None, *, early: bool = False) -> Self:
        """Close this room, and open another one with its settings."""
        self.close()
        room = type(self)(self.rooms, knobs, self.kept, opener=opener or self.opener)
        room.enter(early=early)
        return room

    @property
    def typed(self) -> str:
        return self.part(QPlainTextEdit, "prompt").toPlainText()

    @property
    def saved(self) -> Session:
        """The session as the journal has it."""
        kept = self.journal.sessions.get(self.state.session)
        assert kept is not None
        return kept

    def type(self, text: str) -> None:
        self.part(QPlainTextEdit, "prompt").setPlainText(text)

    def set_mode(self, mode: Mode) -> None:
        self.mode.chosen.emit(mode.value)

    def instruct(self, system: str) -> None:
        self.playground.set_controls(replace(self.state.controls, system=system))
        self.sessions.note_instruction()

    def listed(self) -> tuple[SessionInfo, ...]:
        return self.journal.sessions.rows()

    def open(self, session: int) -> None:
        self.column.opened.emit(session)
        self.until(lambda: self.state.session == session and not self.state.opening)
