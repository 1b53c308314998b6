"""A room with the conversation."""

from PySide6.QtWidgets import QLabel, QLineEdit, QStackedWidget

from app.bridge.session_store import Opener
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.files.settings import Settings
from app.ui.conversation.call_card import CallCard
from app.ui.conversation.controller import ConversationController
from app.ui.conversation.finish_line import FinishLine, RunDetails
from app.ui.conversation.progress import ProgressRow
from app.ui.conversation.transcript import Transcript
from app.ui.conversation.welcome import Welcome
from app.ui.tokens.scale import TokenLegend
from app.ui.widgets import FindBar
from tests.ui.room import QUICK, Room, Rooms


class ConversationRoom(Room):
    """A room without a prompt field: `send` asks the playground."""

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
        theme = self.theme
        self.text, self.legend, self.card = Transcript(theme), TokenLegend(theme), CallCard(theme)
        self.bar = FindBar(theme, "conversation", "Find in the conversation")
        self.pages, progress = QStackedWidget(), ProgressRow(theme)
        self.ending, self.details, welcome = FinishLine(theme), RunDetails(theme), Welcome(theme)
        self.pages.addWidget(welcome)
        self.pages.addWidget(self.text)
        self.conversation = ConversationController(
            self.playground,
            theme,
            {},
            transcript=self.text,
            find=self.bar,
            legend=self.legend,
            welcome=welcome,
            pages=self.pages,
            progress=progress,
            ending=self.ending,
            details=self.details,
            card=self.card,
            parent=self,
        )
        self.conversation.tokens_shown.connect(self.legend.setVisible)
        below = (progress, self.card, self.details, self.ending)
        self.furnish((self.bar, self.legend, self.pages, *below), (self.conversation,))

    @property
    def search(self) -> QLineEdit:
        return self.part(QLineEdit, "conversation_search")

    @property
    def found(self) -> str:
        return self.part(QLabel, "conversation_found").text()

    @property
    def reason(self) -> str:
        """The finish reason that a screen reader reads."""
        return self.part(QLabel, "finish_reason").accessibleName().removeprefix("Finish reason: ")
