"""What the heads of a table's columns say, and on which side words and figures stand."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt

Role = Qt.ItemDataRole
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class Headed(Protocol):
    """A column with a name, what is meant by it, and whether figures stand in it."""

    @property
    def title(self) -> str: ...

    @property
    def tip(self) -> str: ...

    @property
    def number(self) -> bool: ...


def side_of(column: Headed) -> int:
    """Figures stand below each other by their last digit."""
    return RIGHT if column.number else LEFT


def head_of(column: Headed, role: int) -> object:
    """What its head says in this role."""
    if role == Role.TextAlignmentRole:
        return side_of(column)
    if role == Role.DisplayRole:
        return column.title
    return column.tip if role in (Role.ToolTipRole, Role.WhatsThisRole) else None
