"""Asks for files and folders, reads them up to a size limit, and writes them atomically."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO, TypeVar

from PySide6.QtCore import QMimeData, QStandardPaths, SignalInstance
from PySide6.QtWidgets import QFileDialog, QWidget

from app.engine.errors import printable_name
from app.engine.types import Failure
from app.files import regular_files
from app.i18n import tr

Made = TypeVar("Made")
OTHER = tr("Open another one.")
TOO_LARGE = tr("“{name}” is too large to be a session.")
GONE = Failure(tr("It no longer exists."), tr("Choose another one."), kind="not saved")
_used: dict[str, Path] = {}
"""The path chosen last, by the title of the dialog: a dialog reopens there, with that file type."""
Texts = Mapping[str, Callable[[], str | bytes | None]]
"""By suffix: a function that returns the file's content, called on a thread; None: the content no longer exists."""


def write(path: Path, text: str | bytes) -> Failure | None:
    """Write a file atomically: if that fails, the previous file is unchanged."""
    try:
        regular_files.write_atomically(path, text.encode() if isinstance(text, str) else text)
        path.chmod(0o666 & ~_umask())
    except OSError as error:
        what = tr("“{name}” could not be saved in {folder}: {why}.")
        what = what.format(name=printable_name(path.name), folder=path.parent, why=error.strerror or error)
        return Failure(what, tr("Choose another folder."), str(error), "not saved")
    return None


def read(path: Path, largest: int, make: Callable[[BinaryIO], Made], too_large: str = TOO_LARGE) -> Made | Failure:
    """Read a regular file up to this size and convert it; return a failure for larger ones."""
    try:
        if not path.is_file():
            return Failure(
                tr("“{name}” is not a file.").format(name=printable_name(path.name)), OTHER, str(path), "file"
            )
        if path.stat().st_size > largest:
            return Failure(too_large.format(name=printable_name(path.name)), OTHER, str(path), "file")
        with regular_files.open_regular(path, largest) as file:
            return make(file)
    except OSError as error:
        what = tr("“{name}” could not be read: {why}.").format(
            name=printable_name(path.name), why=error.strerror or error
        )
        return Failure(what, OTHER, str(error), "file")


def _umask() -> int:
    """Return the user's umask: temporary files are private, saved ones have the usual permissions."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def ask_file(parent: QWidget | None, title: str, kinds: str, take: Callable[[Path], object]) -> None:
    """Ask for a file. `kinds` has Qt's format: “Sessions (*.sluice *.json);;All files (*)”."""
    dialog = QFileDialog(parent, title, str(_folder(title)), kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    _open(dialog, dialog.fileSelected, lambda name: take(Path(name)))


def ask_files(parent: QWidget | None, title: str, kinds: str, take: Callable[[list[Path]], object]) -> None:
    """Ask for several files."""
    dialog = QFileDialog(parent, title, str(_folder(title)), kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    _open(dialog, dialog.filesSelected, lambda names: take([Path(name) for name in names]))


def ask_folder(parent: QWidget | None, title: str, take: Callable[[Path], object]) -> None:
    dialog = QFileDialog(parent, title, str(_folder(title)))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    _open(dialog, dialog.fileSelected, lambda name: take(Path(name)))


def _open(dialog: QFileDialog, chosen: SignalInstance, take: Callable[..., object]) -> None:
    dialog.setObjectName("open_dialog")
    dialog.fileSelected.connect(lambda name: _used.update({dialog.windowTitle(): Path(name)}))
    chosen.connect(take)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def ask_save(parent: QWidget, title: str, name: str, kinds: Mapping[str, str], save: Callable[[Path], object]) -> None:
    """Ask for a path. `kinds` are suffixes with their descriptions; the first is the default."""
    dialog = QFileDialog(parent, title, str(_folder(title)))
    dialog.setObjectName("save_dialog")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    filters = {f"{words} (*{suffix})": suffix for suffix, words in kinds.items()}
    dialog.setNameFilters(list(filters))
    used = _used[title].suffix if title in _used else ""
    suffix = used if used in kinds else next(iter(kinds))
    dialog.selectNameFilter(next(each for each in filters if filters[each] == suffix))
    dialog.setDefaultSuffix(suffix)
    dialog.filterSelected.connect(lambda chosen: _follow(dialog, filters[chosen]))
    dialog.selectFile(file_name(name) + suffix)
    dialog.fileSelected.connect(lambda path: _used.update({title: Path(path)}))
    dialog.fileSelected.connect(lambda path: save(Path(path)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def _folder(title: str) -> Path:
    """Return the folder used last in a dialog with this title, else the user's documents."""
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    used = _used[title].parent if title in _used else documents
    return used if used.is_dir() else Path.home()


def saved(path: Path) -> str:
    """Return a sentence that says where a file was saved."""
    return tr("Saved as {path}.").format(path=home_as_tilde(path))


def home_as_tilde(path: Path) -> str:
    home = Path.home()
    return printable_name(str(Path("~") / path.relative_to(home) if path.is_relative_to(home) else path))


def save(path: Path, texts: Texts) -> Failure | None:
    """Write a file on a thread, in the format of its suffix; an unknown suffix means the first format."""
    make = texts.get(path.suffix.lower()) or next(iter(texts.values()))
    text = make()
    return GONE if text is None else write(path, text)


def _follow(dialog: QFileDialog, suffix: str) -> None:
    """Change the name's suffix to that of the chosen file type."""
    dialog.setDefaultSuffix(suffix)
    for name in dialog.selectedFiles():
        dialog.selectFile(Path(name).stem + suffix)


def file_name(title: str) -> str:
    """Return the title without characters that file names can't have."""
    plain = "".join(letter if letter.isalnum() or letter in " -_()," else " " for letter in title)
    return " ".join(plain.split())[:60].rstrip() or tr("Session")


def paths_of(offered: QMimeData) -> tuple[Path, ...]:
    """Return the local paths in order; empty if the data contains anything else."""
    urls = offered.urls()
    return tuple(Path(url.toLocalFile()) for url in urls) if all(url.isLocalFile() for url in urls) else ()
