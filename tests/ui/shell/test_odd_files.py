from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit

from app.state import Phase
from app.ui.prompt.editor import AttachmentsRow
from app.ui.shell.main_window import MainWindow
from tests.odd_files import ODD
from tests.ui.desk import Desk, named
from tests.ui.dropping import drop, offered


def paste(window: MainWindow, path: Path) -> None:
    QGuiApplication.clipboard().setMimeData(offered(path))
    named(window, QPlainTextEdit, "prompt").paste()


KINDS: dict[str, Callable[[Path], object]] = {
    **{kind: make for kind, make in ODD.items() if kind != "a folder"},
    "a link to itself": lambda path: path.symlink_to(path),
    "nothing": lambda path: None,
}


def on_prompt(window: MainWindow, path: Path) -> None:
    drop(named(window, QPlainTextEdit, "prompt").viewport(), offered(path))


WAYS: dict[str, Callable[[MainWindow, Path], object]] = {
    "dropped on the prompt": on_prompt,
    "dropped on the window": lambda window, path: drop(window, offered(path)),
    "pasted": paste,
    "opened": lambda window, path: window.open_path(str(path)),
}


def refusal(desk: Desk, window: MainWindow) -> str:
    label = named(window, QLabel, "notice_what")
    desk.qtbot.waitUntil(label.isVisible)
    said = label.text()
    named(window, QAbstractButton, "dismiss").click()
    desk.qtbot.waitUntil(lambda: not label.isVisible())
    return said


@pytest.mark.in_korean
@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_special_file_is_refused(desk: Desk, tmp_path: Path, way: str) -> None:
    window = desk.ready()
    for number, (make, suffix) in enumerate(product(KINDS.values(), (".txt", ".sluice"))):
        path = tmp_path / f"odd{number}{suffix}"
        make(path)
        WAYS[way](window, path)
        assert path.name in refusal(desk, window)
    assert window.playground.state.phase is Phase.READY
    assert named(window, AttachmentsRow, "attachments").files == ()
    assert named(window, QPlainTextEdit, "prompt").toPlainText() == ""
