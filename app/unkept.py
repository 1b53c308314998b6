"""What could not be kept when the program was left: noted where something can still be written, said at the next start.

Where not even that is possible, the journal tells of runs that were interrupted.
"""

from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from app import instance
from app.words import tr

JOURNAL, UNOPENED, SETTINGS, FILES, KEYS, ALL = "journal", "unopened", "settings", "files", "keys", "all"
LONGEST = 1_000


class Unkept:
    """One note for each folder of data. The place is found when the program starts: later a disk may hang."""

    def __init__(self, data: Path) -> None:
        self._place: Path | None = None
        with suppress(OSError):
            self._place = instance.path_of(data).with_suffix(".unkept")

    def note(self, what: Collection[str]) -> None:
        """For the next start."""
        if what and self._place is not None:
            with suppress(OSError):
                self._place.write_text(" ".join(sorted(what)), "utf-8")

    def take(self) -> tuple[str, ...]:
        """What could not be kept the last time; it is told once."""
        if self._place is None:
            return ()
        try:
            with self._place.open(encoding="utf-8", errors="replace") as file:
                noted = file.read(LONGEST)
            self._place.unlink()
        except OSError:
            return ()
        return tuple(noted.split())


def sentences(unkept: Collection[str]) -> str:
    """In the user's language, which is known only after the note was read."""
    known = {
        JOURNAL: tr(
            "When Sluice was closed, the disk did not take in time what was written last: some of it may be missing."
        ),
        UNOPENED: tr(
            "When Sluice was closed, the session database was still opening: the text in the prompt was not saved."
        ),
        SETTINGS: tr("When Sluice was closed, the settings could not be written: they are as they were before."),
        FILES: tr("When Sluice was closed, a file was still being written: it may not be whole."),
        KEYS: tr(
            "When Sluice was closed, the keychain had not answered: a token or a key may not be as you left it there."
        ),
        ALL: tr("Sluice had to be ended, since it did not come to an end by itself: what came last may be missing."),
    }
    return " ".join(sentence for what, sentence in known.items() if what in unkept)
