"""The model folders that the user added. They are stored in the settings; the picker and experiments list them."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal


class ModelFolders(QObject):
    """The list of model folders. Emits `changed` when it changes. Never deletes files."""

    changed = Signal()

    def __init__(self, kept: tuple[str, ...], parent: QObject) -> None:
        super().__init__(parent)
        self.kept = kept

    def add(self, folder: Path) -> None:
        name = str(folder.absolute())
        if name not in self.kept:
            self.take((*self.kept, name))

    def remove(self, *folders: str) -> None:
        self.take(tuple(name for name in self.kept if name not in folders))

    def take(self, folders: tuple[str, ...]) -> None:
        """Replace the list."""
        if folders != self.kept:
            self.kept = folders
            self.changed.emit()
