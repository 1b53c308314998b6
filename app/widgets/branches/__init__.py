"""The branches of a conversation: its tree, and what two of them say differently."""

from app.widgets.branches.dialog import BranchesDialog
from app.widgets.branches.values import BranchRow

__all__ = ["BranchRow", "BranchesDialog"]
