"""What goes on the chosen model: none, or one of the adapters that were found for it."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from app.engine.catalogue import SETTINGS
from app.i18n import tr
from app.library.types import FolderChoice
from app.ui.look import Theme
from app.ui.widgets import ChoiceBox, FieldRow, SmallPrint, add_entry, as_tip, in_column
from app.ui.widgets.wheel_guard import WheelGuard


class AdapterBox(QWidget):
    """`browse_wanted` when it shall be one that is not in the list."""

    browse_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.folder: Path | None = None
        """Of the chosen one; None: none."""
        setting = SETTINGS["adapter"]
        self._choice = ChoiceBox("adapter", setting.words, "", narrow=True)
        self._choice.activated.connect(self._pick)
        self._why_not = SmallPrint(theme, "adapter_refusal", "warning")
        in_column(FieldRow(theme, setting.words, setting.text, self._choice, below=True), self._why_not, on=self)
        WheelGuard(self).watch(self)

    def show_choices(self, choices: Sequence[FolderChoice], wanted: Path | None) -> None:
        """What there is to choose from; where the wanted one does not fit, that is said, and none is chosen."""
        self._choice.clear()
        self._choice.addItem(tr("None"), None)
        for each in choices:
            add_entry(self._choice, each.name, each.folder, as_tip(each.why_not or str(each.folder)), not each.why_not)
        self._choice.insertSeparator(self._choice.count())
        self._choice.addItem(tr("Another folder…"), self.browse_wanted)
        found = next((each for each in choices if each.folder == wanted), None)
        self._why_not.say(f"{found.name}: {found.why_not}" if found is not None and found.why_not else "")
        self.folder = found.folder if found is not None and not found.why_not else None
        self._choice.show_value(self.folder)

    @Slot()
    def _pick(self) -> None:
        folder = self._choice.currentData()
        if folder is None or isinstance(folder, Path):
            self.folder = folder
            return
        self._choice.show_value(self.folder)
        self.browse_wanted.emit()
