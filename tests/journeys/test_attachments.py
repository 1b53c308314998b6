from pathlib import Path

import pytest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.ui.prompt.editor import AttachmentsRow
from app.ui.prompt.exact_prompt import ExactPromptPane
from tests.journeys.journey import Journey, started
from tests.ui.dropping import counted, drop, offered

pytestmark = [pytest.mark.in_korean, pytest.mark.slow]


def files(user: Journey) -> list[str]:
    return [each.name for each in user.find(AttachmentsRow, "attachments").files]


def test_attachment_after_a_restart_is_sent(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_bytes(b"\xef\xbb\xbfThe fox is red.\r\n")
    data = tmp_path / "data"
    with started(qtbot, data) as user:
        assert drop(user.find(QPlainTextEdit, "prompt").viewport(), offered(note))
        user.until(lambda: files(user) == ["note.txt"])
        user.find(QPlainTextEdit, "prompt").setPlainText("What is the fox?")
    note.unlink()
    with started(qtbot, data) as user:
        assert files(user) == ["note.txt"]
        assert user.find(QPlainTextEdit, "prompt").toPlainText() == "What is the fox?"
        user.until(lambda: counted(user.find(AttachmentsRow, "attachments")))
        user.limit(5)
        user.press("send")
        run = user.last()
        assert run.prompt is not None
        assert "`note.txt`:\n```\nThe fox is red.\n```\n\nWhat is the fox?" in run.prompt.text
        shown = user.find(ExactPromptPane, "exact_prompt")._reading.prompt
        assert shown is not None
        assert "The fox is red." in shown.text
        assert files(user) == []
