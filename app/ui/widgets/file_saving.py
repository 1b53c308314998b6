"""Asks where to save something, and saves it."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.engine.types import Failure
from app.i18n import tr
from app.ui.widgets import files

Texts = Mapping[str, Callable[[], str | None]]
"""By suffix: what makes the file's text, on a thread; None where there is nothing any more."""
GONE = Failure(tr("It is not there any more."), tr("Choose another one."), kind="not saved")


def ask(parent: QWidget, title: str, name: str, kinds: Mapping[str, str], save: Callable[[Path], object]) -> None:
    """`kinds` are suffixes and what files with them are called; the first is the usual one."""
    dialog = QFileDialog(parent, title)
    dialog.setObjectName("save_dialog")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    filters = {f"{words} (*{suffix})": suffix for suffix, words in kinds.items()}
    dialog.setNameFilters(list(filters))
    dialog.setDefaultSuffix(next(iter(kinds)))
    dialog.filterSelected.connect(lambda chosen: _follow(dialog, filters[chosen]))
    dialog.selectFile(file_name(name) + next(iter(kinds)))
    dialog.fileSelected.connect(lambda path: save(Path(path)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def save(path: Path, texts: Texts) -> Failure | None:
    """On a thread. In the form that the suffix says; an unknown one is the first."""
    make = texts.get(path.suffix.lower()) or next(iter(texts.values()))
    text = make()
    return GONE if text is None else files.write(path, text)


def _follow(dialog: QFileDialog, suffix: str) -> None:
    """Another kind of file was chosen: the suffix decides what is saved, so the name takes that one."""
    dialog.setDefaultSuffix(suffix)
    for name in dialog.selectedFiles():
        dialog.selectFile(Path(name).stem + suffix)


def file_name(title: str) -> str:
    """Return the title without characters that file names can't have."""
    plain = "".join(letter if letter.isalnum() or letter in " -_()," else " " for letter in title)
    return " ".join(plain.split())[:60].rstrip() or tr("Session")
