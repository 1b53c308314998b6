"""How the program looks and speaks, and what Enter does."""

import sys
from functools import partial

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from app.actions.keys import WITH_ENTER
from app.files.settings import Notify, Settings
from app.i18n import LANGUAGES, tr
from app.ui.look import PERCENTS, Theme
from app.ui.settings.page import Choice, Page, SettingsRow, check_box, side_by_side
from app.ui.widgets import SegmentedChoice, push_button

SYSTEM = "system"
"""Stands for the empty word in names of objects."""


class GeneralPage(Page):
    """Everything here takes effect at once, but for the language. `edited` with the name of a setting and its value,
    `switched` with that of an action of the menus.
    """

    edited = Signal(str, object)
    switched = Signal(str, bool)
    appearance_wanted = Signal(str)
    text_size_wanted = Signal(int)
    restart_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "settings_general", parent)
        words = {SYSTEM: tr("System"), "light": tr("Light"), "dark": tr("Dark")}
        tips = {
            SYSTEM: tr("Be light or dark as the system is."),
            "light": tr("Be light, whatever the system is."),
            "dark": tr("Be dark, whatever the system is."),
        }
        self._appearance = SegmentedChoice("settings_appearance", tr("Light or dark"), words, tips)
        self._appearance.chosen.connect(lambda chosen: self.appearance_wanted.emit("" if chosen == SYSTEM else chosen))
        tip = tr("Write and draw in stronger colours, even where the system doesn't ask for them.")
        self._contrast = check_box("settings_contrast", tr("High contrast"), tip)
        self._contrast.toggled.connect(partial(self.switched.emit, "high_contrast"))
        self._native = self._native_box() if sys.platform == "darwin" else None
        sizes = {percent: tr("{number} %").format(number=percent) for percent in PERCENTS}
        tip = tr("How large all text is")
        self._size = Choice("settings_text_size", tr("Text size"), tip, sizes, self.text_size_wanted.emit)
        languages = {"": tr("System"), **LANGUAGES}
        tip = tr("The language of the program")
        tell = partial(self.edited.emit, "language")
        self._language = Choice("settings_language", tr("Language"), tip, languages, tell)
        tip = tr("Quit, and start again as it is now. Nothing is lost; a run that goes on is stopped.")
        self._restart = push_button("settings_restart_language", tr("Restart Sluice"), tip, press=self.restart_wanted)
        keys = {"enter": tr("Enter"), "with_enter": WITH_ENTER}
        tips = {
            "enter": tr("Enter sends; Shift+Enter makes a new line."),
            "with_enter": tr("Enter makes a new line; {keys} sends.").format(keys=WITH_ENTER),
        }
        self._send = SegmentedChoice("settings_send", tr("Send with"), keys, tips)
        self._send.chosen.connect(lambda chosen: self.switched.emit("enter_sends", chosen == "enter"))
        whens = {"off": tr("Never"), "long": tr("Long tasks only"), "always": tr("Always")}
        tip = tr("When the system shows a notification while another program is in front")
        tell = partial(self.edited.emit, "notify")
        self._notify = Choice("settings_notify", tr("Notifications"), tip, whens, lambda when: tell(Notify(when)))
        self._lay_out()

    def show_values(self, values: Settings, restarts: bool) -> None:
        """`restarts`: another language is spoken until the next start."""
        self._appearance.show_choice(values.appearance or SYSTEM)
        with QSignalBlocker(self._contrast):
            self._contrast.setChecked(values.high_contrast)
        if self._native is not None:
            with QSignalBlocker(self._native):
                self._native.setChecked(values.native_look)
        self._size.show_value(values.text_percent)
        self._language.show_value(values.language)
        self._restart.setVisible(restarts)
        self._notify.show_value(values.notify.value)
        self._send.show_choice("enter" if values.enter_sends else "with_enter")
        self._send_row.explain(
            tr("Shift+Enter makes a new line.") if values.enter_sends else tr("Enter makes a new line.")
        )

    def _native_box(self) -> QCheckBox:
        tip = tr("Have macOS draw buttons, fields and lists, where it has its own")
        box = check_box("settings_native_look", tr("The Mac's own controls"), tip)
        box.toggled.connect(partial(self.edited.emit, "native_look"))
        return box

    def _lay_out(self) -> None:
        theme = self._theme
        next_time = tr("Takes effect when Sluice is started next.")
        self.add_group(
            tr("Appearance"),
            SettingsRow(theme, self._appearance),
            SettingsRow(theme, self._contrast, tr("Stronger colours, even where the system doesn't ask for them.")),
            SettingsRow(theme, self._size, tr("Applies to the whole program: answers, controls and graphs.")),
            *([SettingsRow(theme, self._native, next_time)] if self._native else ()),
        )
        language = SettingsRow(theme, self._language, next_time, below=side_by_side(self._restart, at_end=True))
        self._send_row = SettingsRow(theme, self._send)
        said = tr("For finished runs, downloads and experiments. Long: at least 30 seconds.")
        notify = SettingsRow(theme, self._notify, said)
        self.add_group(tr("Language and keyboard"), language, self._send_row)
        self.add_group(tr("While another program is in front"), notify)
