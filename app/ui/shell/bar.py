"""The bar along the top, which is the title too: sessions at its left, the model, what the page is, the inspector."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.ui.look import GRID_PX, MARGIN_PX, Size, Theme
from app.ui.widgets import OneLine, SegmentedChoice, icon_button, in_row, named, tool_button
from app.words import tr

TITLE_SHARE = 1_000
"""Of the room that is left; in a tight window, which has no title there, nobody has it."""
MODES = {"chat": tr("Chat"), "raw": tr("Raw")}
MODE_TIPS = {
    "chat": tr("A conversation: the model's template is put around what you say"),
    "raw": tr("One page that goes to the model as it stands, and on which it goes on writing"),
}


class Bar(QWidget):
    """What opens a window or begins a page is an icon; what shows and hides a part is one that stays pressed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("bar")
        tip = tr("Show or hide the sessions")
        self.sessions = icon_button(theme, "sessions_button", "sidebar", tip, tr("Sessions"))
        self.compose = icon_button(theme, "new_session", "compose", tr("Begin a new session"), tr("New session"))
        self.model = tool_button("model_button", "", tr("Open a model"), tr("Model"))
        self.title = named(OneLine(), "page_title", font=theme.font(Size.NORMAL, bold=True))
        self.title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.mode = SegmentedChoice("mode", tr("Mode"), MODES, MODE_TIPS)
        tip = tr("All runs as a table: compare them, replay one, export")
        self.runs = icon_button(theme, "runs_button", "runs", tip, tr("Runs"))
        self.code = icon_button(theme, "code_button", "code", tr("The last run as code"), tr("Code"))
        tip = tr("Show or hide the controls, what is known of each token, and what goes to the model")
        self.inspector = icon_button(theme, "inspector_button", "inspector", tip, tr("Inspector"))
        for switch in (self.sessions, self.inspector):
            switch.setCheckable(True)
        first, last = (self.sessions, self.compose, GRID_PX, self.model), (self.mode, self.runs, self.code)
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        in_row(*first, (self.title, TITLE_SHARE), ..., *last, self.inspector, on=self, gap=GRID_PX, margins=margins)

    def make_room(self, tight: bool) -> None:
        """In a tight window what the menu has too goes, and the title is the window's alone."""
        for part in (self.title, self.runs, self.code):
            part.setVisible(not tight)
