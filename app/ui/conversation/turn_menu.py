"""What can be done with a turn, as entries of a menu."""

from collections.abc import Mapping

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.i18n import tr
from app.ui.document.turns import Turn, TurnAction

OF_LAST = (TurnAction.REGENERATE, TurnAction.CONTINUE)
"""With the last turn they are what the window's own actions do, keys and all."""


def add_wishes(menu: QMenu, turn: Turn, last: bool, known: Mapping[TurnAction, QAction]) -> None:
    """What the window knows by a name is called so here; the rest is told by its data: the wish, and which turn."""
    for wish in turn.actions:
        act = known.get(wish)
        if act is not None and last and wish in OF_LAST:
            menu.addAction(act)
        else:
            menu.addAction(act.text() if act is not None else wish.words).setData((wish, turn.index))


def add_question(menu: QMenu, question: Turn) -> None:
    """What was asked stands above its answer without a menu of its own that one sees."""
    menu.addSeparator()
    for wish, words in ((TurnAction.EDIT, tr("Edit the Question")), (TurnAction.RESEND, tr("Ask It Again"))):
        if wish in question.actions:
            menu.addAction(words).setData((wish, question.index))
