"""The settings in the window: opens their pages, does at once what is wished there, and knows what is to be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.bridge.clock import FRAME_MS
from app.bridge.playground import Playground
from app.engine.types import Memory, Tuning
from app.settings import FRAMES_MS, GB, MEMORY_GB, Advanced, Beginning, Settings
from app.ui.look.theme import Theme
from app.ui.picker.controller import PickerController
from app.ui.sessions.controller import SessionsController
from app.ui.settings.beginning_words import saved_words
from app.ui.settings.controller_folders import FoldersController
from app.ui.settings.controller_privacy import PrivacyController
from app.ui.settings.values import AdvancedValues, BeginningValues, GeneralValues
from app.ui.shell.appearance import SCHEMES, Appearance
from app.ui.shell.intents import Intents
from app.ui.shell.layout import Layout
from app.ui.shell.places import Places

if TYPE_CHECKING:
    from app.ui.settings.advanced import AdvancedPage
    from app.ui.settings.beginning import BeginningPage
    from app.ui.settings.folders import FoldersPage
    from app.ui.settings.general import GeneralPage
    from app.ui.settings.window import SettingsWindow

FOLLOWED = (*SCHEMES, "high_contrast", "larger_text", "smaller_text", "usual_text", "enter_sends")
"""Actions of the menus that change what the settings show."""


class SettingsController(QObject):
    """`join` gives it the parts of the window whose settings these are."""

    changed = Signal()
    """There is something to keep."""
    restart_wanted = Signal()

    def __init__(
        self,
        playground: Playground,
        parts: Layout,
        theme: Theme,
        settings: Settings,
        places: Places,
        picking: PickerController,
        wishes: Intents,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._theme = theme
        self._window = parent
        self._spoken = self._language = settings.language
        self._beginning, self._advanced = settings.beginning, settings.advanced
        self._folders = FoldersController(picking, places, settings, self)
        self._privacy = PrivacyController(playground, parts, wishes, places, settings, self)
        self._acts: Mapping[str, QAction] = {}
        self._appearance: Appearance | None = None
        self._limit = 0
        self._before: Settings | None = None
        """The settings from before a reset, until another one is changed."""
        self._pages: SettingsWindow | None = None
        self._folders.changed.connect(self._keep)
        self._privacy.changed.connect(self._keep)
        playground.measured.connect(self._on_measured)
        if settings.advanced != Advanced():
            self._tune()

    def join(self, acts: Mapping[str, QAction], appearance: Appearance, sessions: SessionsController) -> None:
        self._acts, self._appearance = acts, appearance
        for name in FOLLOWED:
            acts[name].triggered.connect(self._keep)
        sessions.begun.connect(self._begin)

    def kept(self, settings: Settings) -> Settings:
        """The settings with these as they stand."""
        own = replace(settings, language=self._language, beginning=self._beginning, advanced=self._advanced)
        return self._privacy.kept(self._folders.kept(own))

    @Slot()
    def open(self) -> None:
        if self._pages is None:
            from app.ui.settings.window import SettingsWindow

            self._pages = SettingsWindow(self._theme, MEMORY_GB, FRAMES_MS, FRAME_MS, self._window)
            self._listen(self._pages)
        self._show()
        self._folders.measure()
        self._privacy.measure()
        self._pages.bring_up()

    def close(self) -> None:
        """The window goes."""
        self._folders.close()
        self._privacy.close()
        if self._pages is not None:
            self._pages.close()

    def _listen(self, pages: SettingsWindow) -> None:
        """Each page is listened to, and filled, as soon as it is made."""
        pages.general.then(self._take_general)
        pages.beginning.then(self._take_beginning)
        pages.advanced.then(self._take_advanced)
        pages.folders.then(self._take_folders)
        pages.privacy.then(self._privacy.show_in)

    def _take_general(self, page: GeneralPage) -> None:
        page.appearance_wanted.connect(self._wear)
        page.contrast_wanted.connect(self._contrast)
        page.text_size_wanted.connect(self._resize)
        page.language_wanted.connect(self._speak)
        page.enter_sends_wanted.connect(self._set_enter_sends)
        page.restart_wanted.connect(self.restart_wanted)
        self._show_general(page)

    def _take_beginning(self, page: BeginningPage) -> None:
        page.use_wanted.connect(self._use_saved)
        page.save_wanted.connect(self._save_controls)
        page.reset_wanted.connect(self._reset)
        page.undo_wanted.connect(self._undo)
        self._show_beginning(page)

    def _take_advanced(self, page: AdvancedPage) -> None:
        page.memory_wanted.connect(self._limit_memory)
        page.chunk_wanted.connect(self._step)
        page.frame_wanted.connect(self._pace)
        self._show_advanced(page)

    def _take_folders(self, page: FoldersPage) -> None:
        page.restart_wanted.connect(self.restart_wanted)
        self._folders.show_in(page)

    def _show(self) -> None:
        """Everything as it stands, on the pages that there are."""
        if (pages := self._pages) is None:
            return
        if (general := pages.general.made) is not None:
            self._show_general(general)
        if (beginning := pages.beginning.made) is not None:
            self._show_beginning(beginning)
        if (advanced := pages.advanced.made) is not None:
            self._show_advanced(advanced)
        self._folders.show()
        self._privacy.show()

    def _show_general(self, page: GeneralPage) -> None:
        if self._appearance is None:
            return
        worn = self._appearance.kept(Settings())
        page.show_values(
            GeneralValues(
                appearance=worn.appearance,
                high_contrast=worn.high_contrast,
                text_percent=worn.text_percent,
                language=self._language,
                restarts=self._language != self._spoken,
                enter_sends=self._acts["enter_sends"].isChecked(),
            )
        )

    def _show_beginning(self, page: BeginningPage) -> None:
        page.show_values(BeginningValues(self._beginning.used, saved_words(self._beginning.saved)))
        page.offer_undo(self._before is not None)

    def _show_advanced(self, page: AdvancedPage) -> None:
        had = self._advanced
        page.show_values(AdvancedValues(had.memory_gb, self._limit, had.prefill_chunk, had.frame_ms))

    @Slot()
    def _keep(self) -> None:
        """Something was changed, here or in a menu: it is kept at once, and what was before a reset is past."""
        self._before = None
        self._show()
        self.changed.emit()

    @Slot(str)
    def _wear(self, appearance: str) -> None:
        next(self._acts[name] for name, (known, _) in SCHEMES.items() if known == appearance).trigger()

    @Slot(bool)
    def _contrast(self, wanted: bool) -> None:
        self._switch("high_contrast", wanted)

    @Slot(bool)
    def _set_enter_sends(self, wanted: bool) -> None:
        self._switch("enter_sends", wanted)

    def _switch(self, name: str, wanted: bool) -> None:
        if self._acts[name].isChecked() is not wanted:
            self._acts[name].trigger()

    @Slot(int)
    def _resize(self, percent: int) -> None:
        if self._appearance is not None:
            self._appearance.resize(percent)
        self._keep()

    @Slot(str)
    def _speak(self, language: str) -> None:
        self._language = language
        self._keep()

    @Slot(bool)
    def _use_saved(self, used: bool) -> None:
        self._beginning = replace(self._beginning, used=used)
        self._keep()

    @Slot()
    def _save_controls(self) -> None:
        """Whoever saves something wants it used."""
        self._beginning = Beginning(True, self._playground.state.controls)
        self._keep()

    @Slot()
    def _begin(self) -> None:
        """A new session begins; the mode stays, since each has a session of its own."""
        if self._beginning.used:
            controls = self._playground.state.controls
            self._playground.set_controls(replace(self._beginning.saved, mode=controls.mode))

    @Slot(float)
    def _limit_memory(self, memory_gb: float) -> None:
        self._advance(replace(self._advanced, memory_gb=memory_gb))

    @Slot(int)
    def _step(self, chunk: int) -> None:
        self._advance(replace(self._advanced, prefill_chunk=chunk))

    @Slot(int)
    def _pace(self, frame_ms: int) -> None:
        self._advance(replace(self._advanced, frame_ms=frame_ms))

    def _advance(self, advanced: Advanced) -> None:
        self._advanced = advanced
        self._tune()
        self._keep()

    def _tune(self) -> None:
        had = self._advanced
        self._playground.tune(Tuning(round(had.memory_gb * GB), had.prefill_chunk))
        self._playground.set_pace(had.frame_ms or FRAME_MS)

    @Slot(object)
    def _on_measured(self, memory: Memory) -> None:
        if memory.limit != self._limit:
            self._limit = memory.limit
            self._show()

    @Slot()
    def _reset(self) -> None:
        if self._appearance is None:
            return
        before = replace(self._appearance.kept(Settings()), enter_sends=self._acts["enter_sends"].isChecked())
        before = self.kept(before)
        self._take(Settings())
        self._before = before
        self._show()

    @Slot()
    def _undo(self) -> None:
        if self._before is not None:
            self._take(self._before)

    def _take(self, settings: Settings) -> None:
        """All of these, at once."""
        self._language, self._beginning = settings.language, settings.beginning
        self._folders.take(settings)
        self._privacy.take(settings)
        self._wear(settings.appearance)
        self._contrast(settings.high_contrast)
        self._set_enter_sends(settings.enter_sends)
        self._resize(settings.text_percent)
        self._advance(settings.advanced)
