"""A search field with a named Clear button; Qt's own has no accessible name."""

from PySide6.QtWidgets import QLineEdit, QToolButton

from app.i18n import tr
from app.ui.widgets.naming import named


class SearchField(QLineEdit):
    """A search field. `spoken` is its accessible name, `hint` its placeholder."""

    def __init__(self, name: str, spoken: str, hint: str, tip: str) -> None:
        super().__init__(placeholderText=hint, clearButtonEnabled=True)
        named(self, name, spoken, tip)
        for button in self.findChildren(QToolButton):
            named(button, f"{name}_clear", tr("Clear: {field}").format(field=spoken), tr("Clear"))
