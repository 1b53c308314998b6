"""The commands on offer, as Qt's list wants them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.ui.commands.ranking import Hit

HIT = Qt.ItemDataRole.UserRole


class Hits(QAbstractListModel):
    """A row for each; one that can't be used can still be gone to, and says why."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: tuple[Hit, ...] = ()

    def show_hits(self, hits: Sequence[Hit]) -> None:
        self.beginResetModel()
        self._hits = tuple(hits)
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._hits)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        hit = self._hits[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.command.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return hit.command.told
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return hit.command.tip
        return hit if role == HIT else None
