"""The settings in the window: opens their pages, does at once what is wished there, and knows what is to be kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.clock import FRAME_MS
from app.bridge.model_folders import ModelFolders
from app.bridge.playground import Playground
from app.engine.types import Memory, Saved, Tuning
from app.files.settings import GB, Advanced, NewSessionDefaults, Notify, Settings
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.settings.controller_appearance import SCHEMES, AppearanceController
from app.ui.settings.controller_folders import FoldersController
from app.ui.settings.controller_privacy import PrivacyController
from app.ui.settings.new_sessions_text import saved_words
from app.ui.widgets import LazyWindow, NoticeBar

if TYPE_CHECKING:
    from app.ui.settings.advanced import AdvancedPage
    from app.ui.settings.folders import FoldersPage
    from app.ui.settings.general import GeneralPage
    from app.ui.settings.new_sessions_page import BeginningPage
    from app.ui.settings.window import SettingsWindow

FOLLOWED = (*SCHEMES, "high_contrast", "larger_text", "smaller_text", "usual_text", "enter_sends")
"""Actions of the menus that change what the settings show."""


CACHES = "caches"
"""The folder beside the journal in which caches of sessions are saved."""
OWN = ("language", "native_look", "notify", "beginning", "advanced")
"""The settings that nobody else keeps."""


class SettingsController(Feature):
    """`data`, `logs` and `usual_cache` are folders that it shows."""

    ahead = ("app.ui.settings.window",)

    restart_wanted = Signal()

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        settings: Settings,
        *,
        appearance: AppearanceController,
        folders: ModelFolders,
        notice: NoticeBar,
        data: Path,
        logs: Path,
        usual_cache: Path,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._theme = theme
        self._window = parent
        self._own, self._spoken = settings, settings.language
        self._folders = FoldersController(folders, data, logs, usual_cache, settings, self)
        self.privacy = PrivacyController(playground, notice, logs, settings, self)
        self._appearance = appearance
        self._limit = 0
        self._saved = Saved()
        self._caches = data / CACHES
        self._before: Settings | None = None
        """The settings from before a reset, until another one is changed."""
        self._pages = LazyWindow(self._make)
        self._folders.changed.connect(self._keep)
        self.privacy.changed.connect(self._keep)
        playground.measured.connect(self._on_measured)
        if settings.advanced != Advanced():
            self._tune()

    def actions(self) -> dict[str, Intent]:
        return {"settings": self.open}

    def joined(self) -> None:
        for name in FOLLOWED:
            self._actions[name].triggered.connect(self._keep)

    def kept(self, settings: Settings) -> Settings:
        """The settings with these as they stand."""
        settings = replace(settings, **{name: getattr(self._own, name) for name in OWN})
        return self.privacy.kept(self._folders.kept(settings))

    @property
    def notify(self) -> Notify:
        return self._own.notify

    @Slot()
    def open(self) -> None:
        pages = self._pages.window
        self._show()
        self._folders.measure()
        self.privacy.measure()
        pages.bring_up()

    def close(self) -> None:
        self._pages.close()

    def _make(self) -> SettingsWindow:
        from app.ui.settings.window import SettingsWindow

        pages = SettingsWindow(self._theme, FRAME_MS, self._window)
        self._take_general(pages.general)
        self._take_beginning(pages.beginning)
        self._take_advanced(pages.advanced)
        self._take_folders(pages.folders)
        self.privacy.show_in(pages.privacy)
        return pages

    def _take_general(self, page: GeneralPage) -> None:
        page.appearance_wanted.connect(self._wear)
        page.text_size_wanted.connect(self._resize)
        page.edited.connect(self._set)
        page.switched.connect(self._switch)
        page.restart_wanted.connect(self.restart_wanted)
        self._show_general(page)

    def _take_beginning(self, page: BeginningPage) -> None:
        page.use_wanted.connect(lambda used: self._set("beginning", replace(self._own.beginning, used=used)))
        page.save_wanted.connect(self._save_controls)
        page.reset_wanted.connect(self._reset)
        page.undo_wanted.connect(self._undo)
        self._show_beginning(page)

    def _take_advanced(self, page: AdvancedPage) -> None:
        page.edited.connect(self._advance)
        self._show_advanced(page)

    def _take_folders(self, page: FoldersPage) -> None:
        page.restart_wanted.connect(self.restart_wanted)
        self._folders.show_in(page)

    def _show(self) -> None:
        """Everything as it stands, where there is a window."""
        if (pages := self._pages.made) is None:
            return
        self._show_general(pages.general)
        self._show_beginning(pages.beginning)
        self._show_advanced(pages.advanced)
        self._folders.show()
        self.privacy.show()

    def _show_general(self, page: GeneralPage) -> None:
        page.show_values(self._now(), self._own.language != self._spoken)

    def _show_beginning(self, page: BeginningPage) -> None:
        page.show_values(self._own.beginning.used, saved_words(self._own.beginning.saved))
        page.offer_undo(self._before is not None)

    def _show_advanced(self, page: AdvancedPage) -> None:
        page.show_values(self._own.advanced, self._limit, self._saved)

    def _now(self) -> Settings:
        """Everything that can be changed here, as it stands."""
        enter_sends = self._actions["enter_sends"].isChecked()
        return self.kept(replace(self._appearance.kept(Settings()), enter_sends=enter_sends))

    @Slot()
    def _keep(self) -> None:
        """Something was changed, here or in a menu: it is kept at once, and what was before a reset is past."""
        self._before = None
        self._show()
        self.changed.emit()

    @Slot(str)
    def _wear(self, appearance: str) -> None:
        next(self._actions[name] for name, (known, _) in SCHEMES.items() if known == appearance).trigger()

    def _switch(self, name: str, wanted: bool) -> None:
        if self._actions[name].isChecked() is not wanted:
            self._actions[name].trigger()

    @Slot(int)
    def _resize(self, percent: int) -> None:
        self._appearance.resize(percent)
        self._keep()

    def _set(self, name: str, value: object) -> None:
        self._own = replace(self._own, **{name: value})  # type: ignore[arg-type]
        self._keep()

    @Slot()
    def _save_controls(self) -> None:
        """Whoever saves something wants it used."""
        self._set("beginning", NewSessionDefaults(True, self._playground.state.controls))

    @Slot()
    def begin_session(self) -> None:
        """A new session begins; the mode stays, since each has a session of its own."""
        if self._own.beginning.used:
            controls = self._playground.state.controls
            self._playground.set_controls(replace(self._own.beginning.saved, mode=controls.mode))

    def _advance(self, name: str, value: Any) -> None:  # noqa: ANN401
        self._own = replace(self._own, advanced=replace(self._own.advanced, **{name: value}))
        self._tune()
        self._keep()

    def _tune(self) -> None:
        had = self._own.advanced
        kept, saved = round(had.kept_gb * GB), round(had.saved_gb * GB)
        self._playground.tune(Tuning(round(had.memory_gb * GB), had.prefill_chunk, kept, saved, str(self._caches)))
        self._playground.set_pace(had.frame_ms or FRAME_MS)

    @Slot(object)
    def _on_measured(self, memory: Memory) -> None:
        saved = memory.saved or self._saved
        if (memory.limit, saved) != (self._limit, self._saved):
            self._limit, self._saved = memory.limit, saved
            self._show()

    @Slot()
    def _reset(self) -> None:
        before = self._now()
        self._take(Settings())
        self._before = before
        self._show()

    @Slot()
    def _undo(self) -> None:
        if self._before is not None:
            self._take(self._before)

    def _take(self, settings: Settings) -> None:
        """All of these, at once."""
        self._own = settings
        self._folders.take(settings)
        self.privacy.take(settings)
        self._wear(settings.appearance)
        self._switch("high_contrast", settings.high_contrast)
        self._switch("enter_sends", settings.enter_sends)
        self._resize(settings.text_percent)
        self._tune()
