"""Which models on this machine can be the draft model of the one that is open: looked up beside the window's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.library.drafts import drafts_around
from app.ui.controls import DraftOffer

Offers = tuple[DraftOffer, ...]
PATIENCE_S = 2.0
"""How long a window that closes waits for a look at a large cache; the thread holds nothing that would be lost."""


class DraftSearch(QObject):
    """One look at a time; `found` with the folder of the model it was for, and the offers."""

    found = Signal(object, object)
    _done = Signal(object, object)

    def __init__(self, look: Callable[[Path], Offers], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._thread: threading.Thread | None = None
        self._wanted: Path | None = None
        self._done.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def search(self, model: Path) -> None:
        """Look for drafts of this model; a look that is under way comes to its end first."""
        self._wanted = model
        if self._thread is None:
            self._start(model)

    def close(self) -> None:
        """The answer is not wanted any more."""
        self._wanted = None
        if self._thread is not None:
            self._thread.join(PATIENCE_S)

    def _start(self, model: Path) -> None:
        self._thread = threading.Thread(target=self._run, args=(model,), name="drafts", daemon=True)
        self._thread.start()

    def _run(self, model: Path) -> None:
        try:
            offers = self._look(model)
        except Exception:  # files may be in any state; then there is nothing to offer
            offers = ()
        with suppress(RuntimeError):  # the window has gone meanwhile
            self._done.emit(model, offers)

    @Slot(object, object)
    def _tell(self, model: Path, offers: Offers) -> None:
        self._thread = None
        if self._wanted == model:
            self.found.emit(model, offers)
        elif self._wanted is not None:
            self._start(self._wanted)


def look_for(model: Path, bundled: Path | None) -> Offers:
    """What there is to choose from, as the panel shows it."""
    choices = drafts_around(model, bundled)
    return tuple(DraftOffer(choice.model.name, str(choice.model.folder), choice.why_not) for choice in choices)
