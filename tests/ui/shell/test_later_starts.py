"""A second start: the window that is there comes forward and opens what was asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from app import instance
from app.ui.shell.later_starts import LaterStarts, come_forward
from tests.ui.desk import Desk, named


def test_a_second_start_brings_the_window_forward_with_its_file(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    window.showMinimized()
    claim = instance.claim(tmp_path)
    assert claim is not None
    assert claim.listening is not None
    callers = LaterStarts(claim, claim.listening, window)
    (tmp_path / "a.sluice").write_text("no session", "utf-8")
    second = subprocess.Popen(
        [sys.executable, "-m", "app", "--data-dir", str(tmp_path), str(tmp_path / "a.sluice")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    notice = named(window, QLabel, "notice_what")
    desk.qtbot.waitUntil(lambda: "“a.sluice” can't be opened" in notice.text(), timeout=20_000)
    assert second.communicate() == (b"", b"")
    assert second.returncode == 0
    assert not window.isMinimized()
    callers.close()


def test_what_makes_no_sense_moves_nothing(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window = desk.ready()
    claim = instance.claim(tmp_path)
    assert claim is not None
    assert claim.listening is not None
    callers = LaterStarts(claim, claim.listening, window)
    monkeypatch.setattr(instance, "hear", lambda _listening: None)
    monkeypatch.setattr("app.ui.shell.later_starts.come_forward", pytest.fail)
    callers._hear()
    callers.close()


def test_a_window_that_is_there_stays_as_it_is(desk: Desk) -> None:
    window = desk.ready()
    come_forward(window)
    assert window.isVisible()
    assert not window.isMinimized()
