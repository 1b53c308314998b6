"""The dialog for saving a file, and the writing itself."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.engine.types import Failure
from app.i18n import tr
from app.ui.widgets import files

Texts = Mapping[str, Callable[[], str | None]]
"""By suffix: a function that returns the file's text, called on a thread; None: the content no longer exists."""
GONE = Failure(tr("It no longer exists."), tr("Choose another one."), kind="not saved")


def ask(parent: QWidget, title: str, name: str, kinds: Mapping[str, str], save: Callable[[Path], object]) -> None:
    """Ask for a path. `kinds` are suffixes with their descriptions; the first is the default."""
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
    """Write a file on a thread, in the format of its suffix; an unknown suffix means the first format."""
    make = texts.get(path.suffix.lower()) or next(iter(texts.values()))
    text = make()
    return GONE if text is None else files.write(path, text)


def _follow(dialog: QFileDialog, suffix: str) -> None:
    """Change the name's suffix to that of the chosen file type."""
    dialog.setDefaultSuffix(suffix)
    for name in dialog.selectedFiles():
        dialog.selectFile(Path(name).stem + suffix)


def file_name(title: str) -> str:
    """Return the title without characters that file names can't have."""
    plain = "".join(letter if letter.isalnum() or letter in " -_()," else " " for letter in title)
    return " ".join(plain.split())[:60].rstrip() or tr("Session")
