"""Files chosen, dropped on the window or pasted into the prompt: texts are attached, sessions and models opened."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

from PySide6.QtCore import QObject, Signal

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.errors import printable_name
from app.engine.types import ExactPrompt, Failure, RawPrompt
from app.i18n import tr
from app.records.attachments import Attachment
from app.records.session_file import SUFFIX
from app.ui.prompt.editor import PromptEditor
from app.ui.widgets import files

MAX_BYTES = 1_000_000
"""Maximum size in bytes of all files of a prompt together."""
MAX_FILES = 12
MAX_REASONS = 3
COUNTING = "attachments"
PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"\0\0\0")
"""Magic bytes of picture files; the last ones are those of HEIC."""
MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
"""Byte order marks and their encodings."""
TOO_LARGE = tr("“{name}” is larger than 1 MB.")
TOO_MUCH = tr("A prompt can have at most {most} files with 1 MB in total.").format(most=MAX_FILES)
PICTURE = tr("“{name}” is a picture. Sluice runs text models only.")
PASTED_PICTURE = tr("That is a picture. Sluice runs text models only.")
NO_TEXT = tr("“{name}” isn't text in UTF-8 or UTF-16.")
EMPTY = tr("“{name}” is empty.")
OTHER = tr("Attach a text file.")
Found = Attachment | Failure


class AttachmentsController(QObject):
    """Controller of attached files, which are read on a worker thread."""

    open_wanted = Signal(object)
    """A model folder or session files, as tuple[Path, ...]."""

    def __init__(self, playground: Playground, prompt: PromptEditor, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._prompt = prompt
        self._tasks = Tasks(self)
        prompt.attach_wanted.connect(self.choose)
        prompt.field.files_offered.connect(self.take)
        prompt.field.picture_offered.connect(self._refuse_picture)
        prompt.attached.changed.connect(self._count)
        playground.follow(("model",), self._count)

    def choose(self) -> None:
        """Ask for files to attach."""
        title, kinds = tr("Attach Files"), tr("All files (*)")
        files.ask_files(self._prompt.window(), title, kinds, lambda paths: self.take(tuple(paths)))

    def take(self, paths: tuple[Path, ...]) -> None:
        self._tasks.start(self._take(paths))

    async def _take(self, paths: tuple[Path, ...]) -> None:
        found = await self._tasks.in_thread(_found, paths)
        if found is None:
            self.open_wanted.emit(paths)
            return
        read = [each for each in found if isinstance(each, Attachment)]
        refused = [each for each in found if isinstance(each, Failure)]
        there = self._prompt.attached.files
        if len(there) + len(read) > MAX_FILES or sum(len(each.text) for each in (*there, *read)) > MAX_BYTES:
            refused.append(Failure(TOO_MUCH, OTHER, kind="file"))
        else:
            self._prompt.attach(tuple(read))
        if refused:
            what = " ".join(dict.fromkeys(each.what for each in refused[:MAX_REASONS]))
            self._playground.show_failure(Failure(what, refused[0].todo, refused[0].details, "file"))

    def _refuse_picture(self) -> None:
        self._playground.show_failure(Failure(PASTED_PICTURE, OTHER, kind="file"))

    def _count(self) -> None:
        files, tasks = self._prompt.attached.files, self._playground.tasks
        tasks.cancel(COUNTING)
        if files and self._playground.state.model is not None:
            tasks.start(self._show_counts(files), COUNTING)

    async def _show_counts(self, files: tuple[Attachment, ...]) -> None:
        for file in files:
            answer = await self._playground.tokenize(RawPrompt(file.block))
            if isinstance(answer, ExactPrompt) and answer.ids:
                before = len(answer.text) - len(file.block)  # added by the tokenizer
                self._prompt.attached.show_count(file, sum(start >= before for start, _ in answer.offsets))


# Runs on a worker thread.


def _found(paths: Sequence[Path]) -> list[Found] | None:
    """Return the contents of the files; None if they should be opened instead."""
    if all(path.suffix == SUFFIX and path.is_file() for path in paths) or (len(paths) == 1 and paths[0].is_dir()):
        return None
    return [_read(path) for path in paths[: MAX_FILES + 1]]


def _read(path: Path) -> Found:
    name = printable_name(path.name).replace("`", "'")
    return files.read(path, MAX_BYTES, partial(_attachment, name), TOO_LARGE)


def _attachment(name: str, file: BinaryIO) -> Found:
    content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        return _failure(TOO_LARGE, name)
    if content.startswith(PICTURES) or (content[:4] == b"RIFF" and content[8:12] == b"WEBP"):
        return _failure(PICTURE, name)
    mark = next((mark for mark in MARKS if content.startswith(mark)), b"")
    try:
        text = content.decode(MARKS.get(mark, "utf-8")).removeprefix("\ufeff")
    except UnicodeDecodeError:
        return _failure(NO_TEXT, name)
    if "\0" in text:
        return _failure(NO_TEXT, name)
    text = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    return Attachment(name, text) if text.strip() else _failure(EMPTY, name)


def _failure(what: str, name: str) -> Failure:
    return Failure(what.format(name=name), OTHER, kind="file")
