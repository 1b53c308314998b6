"""Export and import of sessions."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.errors import printable_name
from app.engine.types import Failure
from app.i18n import tr
from app.records.export import as_markdown, as_plain_text
from app.records.html_export import as_html
from app.records.journal import Journal
from app.records.session_file import LARGEST_BYTES, SUFFIX, read_session, session_text
from app.records.types import SessionId
from app.ui.feature import Feature
from app.ui.widgets import NoticeBar, files

FORMS = {SUFFIX: session_text, ".json": session_text, ".md": as_markdown, ".html": as_html, ".txt": as_plain_text}
KINDS = {
    SUFFIX: tr("Sluice session"),
    ".json": "JSON",
    ".md": "Markdown",
    ".html": tr("Web page"),
    ".txt": tr("Plain text"),
}
OPENED = tr("Sessions (*{suffix} *.json);;All files (*)").format(suffix=SUFFIX)
TOO_LARGE = tr("The session was written, but its file is larger than Sluice reads: it can't be imported again.")
MAX_SHOWN = 3
"""Failures shown at once."""
KEPT = tr("The session was imported: it is in the list of sessions.")
NOTHING = Failure(tr("There is no session to export yet."), tr("Send a prompt first."), kind="not saved")


class SessionFilesController(Feature):
    """Shows failures in the window's notice."""

    def __init__(self, playground: Playground, notice: NoticeBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._notice = notice
        self._window = parent
        self._tasks = Tasks(self)
        self._waiting: list[Path] = []
        playground.book.keep_open_for(self._tasks)
        playground.book.ready.connect(self._import)

    def actions(self) -> dict[str, Intent]:
        return {"export_session": self.export, "import_session": self.ask, "copy_markdown": self.copy}

    def export(self) -> None:
        if session := self._playground.state.session:
            self.export_these((session,))
        else:
            self._notice.show_failure(NOTHING)

    def export_these(self, sessions: tuple[SessionId, ...]) -> None:
        """Ask for a file, or for several sessions a folder, in which they have their titles as names."""
        title = self._playground.book.title(sessions[0])
        if len(sessions) == 1:
            files.ask_save(
                self._window, tr("Export the Session"), title, KINDS, lambda path: self._write(sessions, lambda: [path])
            )
        else:
            files.ask_folder(self._window, tr("Export the Sessions"), partial(self._export_into, sessions))

    def _export_into(self, sessions: tuple[SessionId, ...], folder: Path) -> None:
        names = [files.file_name(self._playground.book.title(session)) for session in sessions]
        self._write(sessions, partial(_unused_paths, folder, names))

    def copy(self) -> None:
        session, journal = self._playground.state.session, self._playground.book.journal
        if not session or journal is None:
            self._notice.show_failure(NOTHING)
        else:
            self._tasks.start(self._copy(journal, session))

    async def _copy(self, journal: Journal, session: SessionId) -> None:
        text = await self._tasks.in_thread(_text, journal, session, ".md")
        QGuiApplication.clipboard().setText(text or "")

    def ask(self) -> None:
        files.ask_files(self._window, tr("Import Sessions"), OPENED, self.take)

    def take(self, paths: Sequence[Path]) -> None:
        """Import sessions and open the last, once the session database is open."""
        self._waiting += paths
        self._import()

    def save(self, session: SessionId, path: Path) -> None:
        self._write((session,), lambda: [path])

    def _write(self, sessions: tuple[SessionId, ...], paths: Callable[[], list[Path]]) -> None:
        if (journal := self._playground.book.journal) is not None:
            self._tasks.start(self._save(journal, sessions, paths))

    async def _save(self, journal: Journal, sessions: tuple[SessionId, ...], paths: Callable[[], list[Path]]) -> None:
        """Write the files, even if the window is closed meanwhile."""
        outcome = await self._tasks.complete(partial(_write_files, journal, sessions, paths))
        if isinstance(outcome, Failure):
            self._notice.show_failure(outcome)
        else:
            self._notice.show_remark(outcome)

    def _import(self) -> None:
        if self._waiting and (journal := self._playground.book.journal) is not None:
            paths, self._waiting = self._waiting, []
            self._tasks.start(self._import_files(journal, paths))

    async def _import_files(self, journal: Journal, paths: list[Path]) -> None:
        """Import files and show one sentence about all of them."""
        outcomes = [await self._tasks.in_thread(_read_file, journal, path) for path in paths]
        refused = [each for each in outcomes if isinstance(each, Failure)]
        taken = [each for each in outcomes if not isinstance(each, Failure)]
        shown = bool(taken) and self._playground.open_session(taken[-1])
        said = tr("Imported %n sessions.", "Imported %n session.", len(taken)) if len(paths) > 1 and taken else ""
        if refused:
            what = " ".join(filter(None, (said, *(each.what for each in refused[:MAX_SHOWN]))))
            self._notice.show_failure(replace(refused[0], what=what))
        elif said or not shown:
            self._notice.show_remark(said or KEPT)


def _unused_paths(folder: Path, names: list[str]) -> list[Path]:
    """Return unused file names, in a thread: a folder may be on a network."""
    free: list[Path] = []
    for name in names:
        paths = (folder / (f"{name} {number}{SUFFIX}" if number > 1 else name + SUFFIX) for number in count(1))
        free.append(next(path for path in paths if path not in free and not os.path.lexists(path)))
    return free


def _write_files(journal: Journal, sessions: Sequence[SessionId], paths: Callable[[], list[Path]]) -> Failure | str:
    failure, remark, written = None, "", paths()
    for session, path in zip(sessions, written, strict=True):
        texts = {suffix: partial(_text, journal, session, suffix) for suffix in FORMS}
        failure = files.save(path, texts) or failure
        remark = TOO_LARGE if _is_too_large(path) else remark
    words = tr("%n sessions saved in {folder}.", "", len(written)).format(folder=files.home_as_tilde(written[0].parent))
    return failure or remark or (words if len(written) > 1 else files.saved(written[0]))


def _text(journal: Journal, session: SessionId, suffix: str) -> str | None:
    journal.flush()
    whole = journal.sessions.whole(session)
    return FORMS[suffix](whole) if whole is not None else None


def _is_too_large(path: Path) -> bool:
    with suppress(OSError):
        return path.suffix in (SUFFIX, ".json") and path.stat().st_size > LARGEST_BYTES
    return False


def _read_file(journal: Journal, path: Path) -> SessionId | Failure:
    whole = files.read(path, LARGEST_BYTES, partial(read_session, name=f"“{printable_name(path.name)}”"))
    return whole if isinstance(whole, Failure) else journal.sessions.add(whole)
