"""A plugin for pytest: the system draws its own controls, as on a Mac where that is wanted, without a sheet."""

from app.ui.look.theme import Theme

defaults = Theme.__init__.__kwdefaults__
assert defaults is not None
defaults["native"] = True
