"""The feature Settings: opens its window, applies each change at once, and owns the settings of no other feature."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.clock import FRAME_MS
from app.bridge.model_sources import ModelFolders
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import DiskCacheStats, Memory, Tuning
from app.files.settings import GB, Advanced, NewSessionDefaults, Notify, Settings
from app.i18n import tr
from app.records.purge import ExpiredSessions
from app.records.types import Outcome
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.settings.appearance import SCHEMES, AppearanceController
from app.ui.widgets import LazyWindow, NoticeBar

if TYPE_CHECKING:
    from app.ui.settings.window import SettingsWindow

MENU_ACTIONS = (*SCHEMES, "high_contrast", "larger_text", "smaller_text", "usual_text", "enter_sends")
"""Actions of the menus that change a setting."""
CACHES = "caches"
"""The folder for KV caches of sessions, beside the session database."""
OWN = ("language", "native_look", "notify", "beginning", "advanced", "cache", "keep_days", "told_before")
"""The settings that no other feature owns."""
DAY_S = 24 * 3600.0


class SettingsController(Feature):
    """`data`, `logs` and `default_cache` are the folders that the window shows."""

    ahead = ("app.ui.settings.window",)

    restart_wanted = Signal()
    erased = Signal()
    """All sessions and runs were deleted."""

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
        default_cache: Path,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.playground, self.folders, self.tasks = playground, folders, Tasks(self)
        self.data, self.logs, self.default_cache = data, logs, default_cache
        self.memory_limit = 0
        """Bytes; 0: not known yet."""
        self.saved_caches = DiskCacheStats()
        self._theme, self._notice, self._parent = theme, notice, parent
        self._appearance = appearance
        self._own, self._language = settings, settings.language
        self._last_session = settings.session
        self._before_reset: Settings | None = None
        self._window = LazyWindow(self._make)
        folders.changed.connect(self._on_edited)
        playground.measured.connect(self._on_measured)
        playground.book.ready.connect(self._warn_of_expired)
        if settings.advanced != Advanced():
            self._tune()

    def actions(self) -> dict[str, Intent]:
        return {"settings": self.open}

    def connect_actions(self) -> None:
        for name in MENU_ACTIONS:
            self._actions[name].triggered.connect(self._on_edited)

    def updated_settings(self, settings: Settings) -> Settings:
        own = {name: getattr(self._own, name) for name in OWN}
        return replace(settings, folders=self.folders.names, **own)

    def open(self) -> None:
        self._window.window.bring_up()

    def close(self) -> None:
        self._window.close()

    @property
    def notify(self) -> Notify:
        return self._own.notify

    @property
    def values(self) -> Settings:
        """The current value of every setting that can be changed in the window."""
        enter_sends = self._actions["enter_sends"].isChecked()
        return self.updated_settings(replace(self._appearance.updated_settings(Settings()), enter_sends=enter_sends))

    @property
    def needs_restart(self) -> bool:
        """Whether another language was chosen since the start."""
        return self._own.language != self._language

    @property
    def can_undo(self) -> bool:
        """Whether the last change was a reset."""
        return self._before_reset is not None

    @property
    def expired_sessions(self) -> int:
        """How many sessions the next start deletes."""
        return self._count_unchanged_since(self._own.told_before)

    def edit(self, path: str, value: Any) -> None:  # noqa: ANN401
        """Set one field of `Settings` (see `form.Field.path`) and apply it."""
        if path == "appearance":
            next(self._actions[name] for name, (scheme, _) in SCHEMES.items() if scheme == value).trigger()
        elif path in ("high_contrast", "enter_sends"):
            if self._actions[path].isChecked() is not value:
                self._actions[path].trigger()
        elif path == "text_percent":
            self._appearance.resize(value)
            self._on_edited()
        else:
            self._own = with_value(self._own, path, value)
            if path == "keep_days":  # the page says how many sessions that deletes, so no warning is needed later
                self._own = replace(self._own, told_before=time.time() - value * DAY_S if value else 0.0)
            if path.startswith("advanced."):
                self._tune()
            self._on_edited()

    def save_controls(self) -> None:
        """Save the current controls for new sessions, and use them."""
        self.edit("beginning", NewSessionDefaults(True, self.playground.state.controls))

    def begin_session(self) -> None:
        """Apply the saved controls to a new session, except for the mode, which is part of the session."""
        if self._own.beginning.used:
            mode = self.playground.state.controls.mode
            self.playground.set_controls(replace(self._own.beginning.saved, mode=mode))

    def reset(self) -> None:
        before = self.values
        self._apply_all(Settings())
        self._before_reset = before
        self._refresh()

    def undo_reset(self) -> None:
        if self._before_reset is not None:
            self._apply_all(self._before_reset)

    def erase(self, done: Callable[[Outcome], None]) -> None:
        """Delete all sessions and runs for good; `done` is called with the outcome."""
        if self.playground.erase(done):
            self.erased.emit()
            self._last_session = 0

    def _make(self) -> SettingsWindow:
        from app.ui.settings.window import SettingsWindow

        return SettingsWindow(self, self._theme, self._parent)

    def _refresh(self) -> None:
        if self._window.made is not None:
            self._window.made.refresh()

    def _on_edited(self) -> None:
        """Save a setting that was changed here or in a menu. An earlier reset can't be undone after that."""
        self._before_reset = None
        self._refresh()
        self.changed.emit()

    def _apply_all(self, settings: Settings) -> None:
        self._own = settings
        self.folders.set_folders(settings.folders)
        self._tune()
        for path in ("appearance", "high_contrast", "enter_sends", "text_percent"):
            self.edit(path, getattr(settings, path))

    def _tune(self) -> None:
        advanced = self._own.advanced
        in_memory, on_disk = round(advanced.kept_gb * GB), round(advanced.saved_gb * GB)
        limit, caches = round(advanced.memory_gb * GB), str(self.data / CACHES)
        packed = advanced.keeps_packed
        self.playground.tune(Tuning(limit, advanced.prefill_chunk, in_memory, on_disk, caches, packed))
        self.playground.set_pace(advanced.frame_ms or FRAME_MS)

    def _on_measured(self, memory: Memory) -> None:
        saved = memory.saved or self.saved_caches
        if (memory.limit, saved) != (self.memory_limit, self.saved_caches):
            self.memory_limit, self.saved_caches = memory.limit, saved
            self._refresh()

    def _count_unchanged_since(self, moment: float) -> int:
        journal = self.playground.book.journal
        if journal is None or not moment:
            return 0
        return journal.sessions.expired(ExpiredSessions(moment, self.playground.state.session or self._last_session))

    def _warn_of_expired(self) -> None:
        """Announce the sessions that the next start will delete, once the session database is open."""
        days = self._own.keep_days
        moment = time.time() - days * DAY_S
        if not days or not (count := self._count_unchanged_since(moment)):
            return
        self._own = replace(self._own, told_before=moment)
        words = tr(
            "%n sessions weren't changed for {days} days and will be deleted at the next start. Pin sessions to "
            "keep them, or change the time in Settings.",
            "%n session wasn't changed for {days} days and will be deleted at the next start. Pin it to keep it, "
            "or change the time in Settings.",
            count,
        )
        self._notice.show_remark(words.format(days=days))
        self.changed.emit()


def with_value(settings: Any, path: str, value: Any) -> Any:  # noqa: ANN401
    """Return the settings with another value of the field at `path`."""
    name, _, inner = path.partition(".")
    current = getattr(settings, name)
    if inner:
        value = with_value(current, inner, value)
    elif isinstance(current, Notify):  # of which Qt keeps only the string
        value = Notify(value)
    return replace(settings, **{name: value})
