"""Actions of the program: their table, shortcuts and texts."""

from app.actions.keys import FIXED, FixedShortcut, KeyMap, shown
from app.actions.table import ACTIONS, BY_NAME, NEEDS, TIPS, Action, Intent, create, fill, without_mnemonic
