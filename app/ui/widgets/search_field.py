"""A field in which something is looked for: what it says, and the button that empties it, which Qt leaves nameless."""

from PySide6.QtWidgets import QLineEdit, QToolButton

from app.i18n import tr
from app.ui.widgets.naming import named


class SearchField(QLineEdit):
    """`spoken` is its name to a screen reader, `hint` stands in it while it is empty."""

    def __init__(self, name: str, spoken: str, hint: str, tip: str) -> None:
        super().__init__(placeholderText=hint, clearButtonEnabled=True)
        named(self, name, spoken, tip)
        for button in self.findChildren(QToolButton):
            named(button, f"{name}_clear", tr("Clear: {field}").format(field=spoken), tr("Clear"))
