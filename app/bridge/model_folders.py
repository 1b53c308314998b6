"""The model folders that the user added: stored in the settings, listed in the picker, used by experiments."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal


class ModelFolders(QObject):
    """Emits `changed` when the list changes. Deletes no files."""

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
