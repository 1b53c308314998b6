"""Files that are none, or not what they are called: whichever way they come, a sentence is all that happens."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit

from app.records.session_file import LARGEST_BYTES
from app.state import Phase
from app.ui.prompt.editor import AttachmentsRow
from app.ui.shell.main_window import MainWindow
from tests.odd_files import ODD
from tests.ui.desk import Desk, named
from tests.ui.dropping import drop, offered


def link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def paste(window: MainWindow, path: Path) -> None:
    QGuiApplication.clipboard().setMimeData(offered(path))
    named(window, QPlainTextEdit, "prompt").paste()


KINDS: dict[str, Callable[[Path], object]] = {
    **{kind: make for kind, make in ODD.items() if kind != "a folder"},
    "a link to itself": link_to_itself,
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
def test_what_is_no_file_is_refused_in_a_sentence(desk: Desk, tmp_path: Path, way: str) -> None:
    window = desk.ready()
    for number, (make, suffix) in enumerate(product(KINDS.values(), (".txt", ".sluice"))):
        path = tmp_path / f"odd{number}{suffix}"
        make(path)
        WAYS[way](window, path)
        assert path.name in refusal(desk, window)
    assert window.playground.state.phase is Phase.READY
    assert named(window, AttachmentsRow, "attachments").files == ()
    assert named(window, QPlainTextEdit, "prompt").toPlainText() == ""


@pytest.mark.parametrize(
    "content",
    [
        None,
        *(
            pytest.param(content, marks=pytest.mark.slow)
            for content in (b"\x7fELF\0\0", '{"format": "sluice session"}'.encode("utf-16"), b"\xef\xbb\xbf{}\r\n", b"")
        ),
    ],
)
def test_what_is_no_session_is_refused_in_a_sentence(desk: Desk, tmp_path: Path, content: bytes | None) -> None:
    """The first is larger than any."""
    window, path = desk.ready(), tmp_path / "odd.sluice"
    with path.open("wb") as file:
        file.write(content or b"")
        file.truncate(LARGEST_BYTES + 1 if content is None else len(content))
    window.open_path(str(path))
    assert "odd.sluice" in refusal(desk, window)
    assert window.playground.state.session == 0
