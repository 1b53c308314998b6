"""Writing of settings on a thread, in order; of several pending ones only the last is written."""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from app.files.settings import Settings
from app.platform.shutdown import left


class SettingsWriter:
    """Writer of settings. `save` writes them; `tell` gets the first error of a series, on the thread."""

    def __init__(self, save: Callable[[Settings], None], tell: Callable[[Exception], None]) -> None:
        self._save = save
        self._tell = tell
        self._changed = threading.Condition()
        self._next: Settings | None = None
        self._busy = False
        self._failed = False

    def keep(self, settings: Settings) -> None:
        """Queue settings to be written after the current ones."""
        with self._changed:
            self._next = settings
            if self._busy:
                return
            self._busy = True
        threading.Thread(target=self._run, name="settings", daemon=True).start()

    def wait(self, until: float) -> bool:
        """Wait until all settings are written, or until the time `until`; return whether they are."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._busy, left(until)) and not self._failed

    def _run(self) -> None:
        while (settings := self._take_next()) is not None:
            try:
                self._save(settings)
                self._failed = False
            except Exception as error:
                was_failing, self._failed = self._failed, True
                with suppress(OSError):  # the terminal may be gone
                    sys.stderr.write(f"sluice: The settings could not be kept ({error}).\n")
                if not was_failing:
                    self._tell(error)

    def _take_next(self) -> Settings | None:
        with self._changed:
            settings, self._next = self._next, None
            if settings is None:
                self._busy = False
                self._changed.notify_all()
            return settings
