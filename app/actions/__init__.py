"""Actions of the program: their table, shortcuts and texts."""

from app.actions.fixed import FIXED, Fixed
from app.actions.keys import KeyMap, shown
from app.actions.qt_actions import Intent, create, fill
from app.actions.sentences import NEEDS, TIPS
from app.actions.table import ACTIONS, BY_NAME, Action, plain
