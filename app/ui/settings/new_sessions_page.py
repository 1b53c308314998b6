"""What new sessions begin with, and the way back to the program's own settings."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import Theme
from app.ui.settings.page import Page, SettingsRow, side_by_side
from app.ui.widgets import SegmentedChoice, push_button

LAST, SAVED = "last", "saved"
RESETS = tr(
    "Resets everything in this window, at once. Sessions, models, presets, keyboard shortcuts and the controls of the "
    "window stay as they are."
)


class BeginningPage(Page):
    """What is saved comes from the controls of the window: there is no second set of them here."""

    use_wanted = Signal(bool)
    """Whether new sessions begin with what was saved."""
    save_wanted = Signal()
    reset_wanted = Signal()
    undo_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "settings_beginning", parent)
        words = {LAST: tr("As last set"), SAVED: tr("As saved")}
        tips = {
            LAST: tr("A new session goes on with the controls as they stand."),
            SAVED: tr("A new session begins with the controls as they were saved here."),
        }
        self._use = SegmentedChoice("settings_begin_with", tr("New sessions begin with"), words, tips)
        self._use.chosen.connect(lambda chosen: self.use_wanted.emit(chosen == SAVED))
        tip = tr("Keep the controls as they are in the window now, for new sessions to begin with.")
        self._save = push_button("settings_save_beginning", tr("Save Current Controls"), tip, press=self.save_wanted)
        tip = tr("Everything in this window as it was at first")
        self._reset = push_button("settings_reset", tr("Reset All Settings"), tip, press=self.reset_wanted)
        tip = tr("Have the settings from before the reset again")
        self._undo = push_button("settings_undo_reset", tr("Undo"), tip, press=self.undo_wanted)
        self._undo.hide()
        self._lay_out()

    def show_values(self, used: bool, saved: str) -> None:
        """Whether what was saved is used, and not what was set last; and what that is, in a sentence."""
        self._use.show_choice(SAVED if used else LAST)
        self._saved.explain(saved)

    def offer_undo(self, offered: bool) -> None:
        """The settings were reset just now; or that is past. The keyboard stays where it was used."""
        self._undo.setVisible(offered)
        if not offered and self._reset.isVisible() and self._undo.hasFocus():
            self._reset.setFocus()

    def _lay_out(self) -> None:
        theme = self._theme
        self._saved = SettingsRow(theme, self._save, name=tr("Saved"))
        told = tr("Applies to new sessions. Existing sessions keep their controls.")
        self.add_group(tr("New sessions"), SettingsRow(theme, self._use, told), self._saved)
        first = SettingsRow(theme, side_by_side(self._undo, self._reset), RESETS, name=tr("Default settings"))
        self.add_group(tr("All settings"), first)
