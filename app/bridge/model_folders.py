"""The model folders that the user added. They are stored in the settings; the picker and experiments list them."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal


class ModelFolders(QObject):
    """The list of model folders. Emits `changed` when it changes. Never deletes files."""

    changed = Signal()

    def __init__(self, names: tuple[str, ...], parent: QObject) -> None:
        super().__init__(parent)
        self.names = names

    def add(self, folder: Path) -> None:
        name = str(folder.absolute())
        if name not in self.names:
            self.take((*self.names, name))

    def remove(self, *folders: str) -> None:
        self.take(tuple(name for name in self.names if name not in folders))

    def take(self, folders: tuple[str, ...]) -> None:
        """Replace the list."""
        if folders != self.names:
            self.names = folders
            self.changed.emit()
