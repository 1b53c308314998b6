"""The window that compares several runs or variants."""

from PySide6.QtWidgets import QDialog, QWidget

from app.bridge.tasks import Tasks
from app.i18n import tr
from app.ui.comparison.view import ComparisonView
from app.ui.look import MARGIN_PX, Theme
from app.ui.widgets import begin_window, in_column

FIRST_PX, MIN_PX = (1120, 720), (640, 400)


class ComparisonWindow(QDialog):
    """Shows the last comparison that was opened. `tasks` belong to the feature, which closes them."""

    def __init__(self, theme: Theme, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        begin_window(theme, self, "comparison_window", tr("Comparison"), FIRST_PX, MIN_PX, is_dialog=False)
        self.view = ComparisonView(theme, tasks, "comparison", has_window=True)
        in_column((self.view, 1), on=self, margins=MARGIN_PX)
