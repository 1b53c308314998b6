"""The bar along the top: sessions, model, title, mode, inspector."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import GRID_PX, MARGIN_PX, Size, Theme
from app.ui.widgets import OneLine, SegmentedChoice, icon_button, in_row, named, tool_button

LEAST_TITLE_PX = 64
"""Minimum width of the title; below it, buttons that the menu also has are hidden."""
MODES = {"chat": tr("Chat"), "raw": tr("Raw")}
MODE_TIPS = {
    "chat": tr("A conversation, sent with the model's chat template"),
    "raw": tr("One text, sent without a template, which the model continues"),
}


class Bar(QWidget):
    """Actions are icon buttons; parts that can be hidden have buttons that stay pressed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("bar")
        tip = tr("Show or hide the sessions")
        self.sessions = icon_button(theme, "sessions_button", "sidebar", tip, tr("Sessions"))
        self.compose = icon_button(theme, "new_session", "compose", tr("Begin a new session"), tr("New session"))
        self.model = tool_button("model_button", "", tr("Open a model"), tr("Model"))
        self.title = named(OneLine(), "page_title", font=theme.font(Size.NORMAL, bold=True))
        self.title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.mode = SegmentedChoice("mode", tr("Mode"), MODES, MODE_TIPS)
        tip = tr("All runs as a table: compare, rerun, export")
        self.runs = icon_button(theme, "runs_button", "runs", tip, tr("Runs"))
        self.code = icon_button(theme, "code_button", "code", tr("The last run as a Python script"), tr("Code"))
        tip = tr("Show or hide the inspector: controls, token details and the exact prompt")
        self.inspector = icon_button(theme, "inspector_button", "inspector", tip, tr("Inspector"))
        for switch in (self.sessions, self.inspector):
            switch.setCheckable(True)
        self._firm = self.sessions, self.compose, self.model, self.mode, self.runs, self.code, self.inspector
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        first, last = (self.sessions, self.compose, GRID_PX, self.model), (self.mode, self.runs, self.code)
        in_row(*first, GRID_PX, (self.title, 1), GRID_PX, *last, self.inspector, on=self, gap=GRID_PX, margins=margins)

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            firm = sum(each.sizeHint().width() + GRID_PX for each in self._firm) + 2 * (MARGIN_PX + GRID_PX)
            roomy = self.width() >= firm + self._theme.scaled(LEAST_TITLE_PX)
            for part in (self.runs, self.code):
                part.setVisible(roomy)
        return super().event(event)
