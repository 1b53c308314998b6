"""The form of an answer beside its tokens: what it expected here, and the tree that fills as it is written."""

from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.inspector.form_state import FormState
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets import SmallPrint, heading, in_column

EXPECTED = tr("Expected here: {what}.")


class FormPart(QWidget):
    """Away where the answer has no form."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._expected = SmallPrint(theme, "form_expected", "text")
        self._tree = SmallPrint(theme, "form_tree")
        self._tree.setFont(theme.font(Size.SMALL, mono=True))
        in_column(heading(theme, tr("Output format")), self._expected, self._tree, on=self, gap=GRID_PX)

    def show_state(self, state: FormState | None) -> None:
        self.setVisible(state is not None)
        if state is not None:
            self._expected.say(EXPECTED.format(what=state.expected) if state.expected else "")
            self._tree.say(state.tree)
