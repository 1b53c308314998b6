"""Sessions into files and out of files again."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.refusal import named
from app.engine.types import Failure
from app.records.export import as_markdown, as_plain_text
from app.records.journal import Journal
from app.records.session_file import LARGEST_BYTES, SUFFIX, read_session, session_text
from app.records.types import SessionId
from app.ui.feature import Feature
from app.ui.widgets import file_opening, file_saving, files
from app.ui.widgets.notice_bar import NoticeBar
from app.words import tr

FORMS = {SUFFIX: session_text, ".json": session_text, ".md": as_markdown, ".txt": as_plain_text}
KINDS = {SUFFIX: tr("Sluice session"), ".json": "JSON", ".md": "Markdown", ".txt": tr("Plain text")}
OPENED = tr("Sessions (*{suffix} *.json);;All files (*)").format(suffix=SUFFIX)
TOO_LARGE = tr("The session was written, but its file is larger than Sluice reads: it can't be imported again.")
KEPT = tr("The session was imported: it is in the list of sessions.")
NOTHING = Failure(tr("There is no session to export yet."), tr("Send a prompt first."), kind="not saved")


class SessionFilesController(Feature):
    """Whatever a file holds, the worst that happens is a sentence in the window's notice."""

    def __init__(self, playground: Playground, notice: NoticeBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._notice = notice
        self._window = parent
        self._tasks = Tasks(self)
        self._ready = False
        self._waiting: list[Path] = []
        playground.book.ready.connect(self._begin)

    def actions(self) -> dict[str, Intent]:
        return {"export_session": self.export, "import_session": self.ask}

    @Slot()
    def export(self) -> None:
        """Ask where to, and in which form."""
        session, book = self._playground.state.session, self._playground.book
        if not session:
            self._notice.show_failure(NOTHING)
            return
        file_saving.ask(self._window, tr("Export the Session"), book.title(session), KINDS, partial(self.save, session))

    @Slot(object)
    def export_these(self, sessions: tuple[SessionId, ...]) -> None:
        """One under a name of the user's; several in a folder, each called as it is in the list."""
        title, book = tr("Export the Sessions"), self._playground.book
        if len(sessions) == 1:
            file_saving.ask(self._window, title, book.title(sessions[0]), KINDS, partial(self.save, sessions[0]))
        else:
            file_opening.ask_folder(self._window, title, partial(self._export_into, sessions))

    def _export_into(self, sessions: tuple[SessionId, ...], folder: str) -> None:
        taken: set[Path] = set()
        for session in sessions:
            name = file_saving.file_name(self._playground.book.title(session))
            paths = (Path(folder, f"{name} {number}{SUFFIX}" if number > 1 else name + SUFFIX) for number in count(1))
            path = next(path for path in paths if path not in taken and not path.exists())
            taken.add(path)
            self.save(session, path)

    @Slot()
    def ask(self) -> None:
        """Ask which file to import."""
        file_opening.ask_file(self._window, tr("Import a Session"), OPENED, self.open)

    @Slot(str)
    def open(self, path: str) -> None:
        """Import a session and show it; one that comes before the journal is open waits for it."""
        if self._ready:
            self._import(Path(path))
        else:
            self._waiting.append(Path(path))

    def save(self, session: SessionId, path: Path) -> None:
        """The whole session, in the form that the suffix says."""
        journal = self._playground.book.journal
        if journal is not None:
            texts = {suffix: partial(_text, journal, session, suffix) for suffix in FORMS}
            self._tasks.start(self._save(path, texts))

    async def _save(self, path: Path, texts: file_saving.Texts) -> None:
        failure = await self._tasks.in_thread(file_saving.save, path, texts)
        if failure is not None:
            self._notice.show_failure(failure)
        elif await self._tasks.in_thread(_is_too_large, path):
            self._notice.show_remark(TOO_LARGE)

    def close(self) -> None:
        """The window goes."""
        self._tasks.close()

    def wait(self, until: float) -> bool:
        return self._tasks.wait(until)

    @Slot()
    def _begin(self) -> None:
        self._ready = True
        waiting, self._waiting = self._waiting, []
        for path in waiting:
            self._import(path)

    def _import(self, path: Path) -> None:
        journal = self._playground.book.journal
        if journal is not None:
            self._tasks.start(self._take_in(journal, path))

    async def _take_in(self, journal: Journal, path: Path) -> None:
        outcome = await self._tasks.in_thread(_taken_in, journal, path)
        if isinstance(outcome, Failure):
            self._notice.show_failure(outcome)
        elif not self._playground.open_session(outcome):
            self._notice.show_remark(KEPT)


# On a thread.


def _text(journal: Journal, session: SessionId, suffix: str) -> str | None:
    journal.flush()
    whole = journal.sessions.whole(session)
    return FORMS[suffix](whole) if whole is not None else None


def _is_too_large(path: Path) -> bool:
    """Whether what was just written is of the kind that is imported, and too large for that."""
    with suppress(OSError):
        return path.suffix in (SUFFIX, ".json") and path.stat().st_size > LARGEST_BYTES
    return False


def _taken_in(journal: Journal, path: Path) -> SessionId | Failure:
    whole = files.read(path, LARGEST_BYTES, partial(read_session, name=f"“{named(path.name)}”"))
    return whole if isinstance(whole, Failure) else journal.sessions.add(whole).session
