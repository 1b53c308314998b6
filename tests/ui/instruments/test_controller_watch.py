"""Watching a run again, in a window whose journal opens meanwhile."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel

from app.engine.types import Limits
from app.shown import Pace
from app.state import Phase
from tests.ui.program import ENDLESS_TEXT, Program, opened_late

pytestmark = pytest.mark.slow


def test_it_goes_on_where_the_journal_opens(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the page gets other numbers, and is neither written anew nor drawn from its beginning."""
    program.start()
    program.send("Long ago")
    program.quit()
    may_open = opened_late(monkeypatch)
    window = program.show(ENDLESS_TEXT)
    playground = window.playground
    program.until(lambda: program.state.phase is Phase.READY)
    playground.set_controls(replace(program.state.controls, limits=Limits(100)))
    program.send("Early")
    whole, key = program.page, playground.shown.now.key
    assert playground.watch(Pace.VERY_SLOW)
    count = program.find(QLabel, "token_count")
    program.until(lambda: int(count.text()) > 1)
    pages: list[str] = []
    playground.changed.connect(lambda old, new: pages.append(program.page))
    may_open.set()
    program.until(lambda: not playground.book.is_early)
    assert pages and all(len(page) < len(whole) / 2 for page in pages)
    assert playground.shown.now.slowed == 100 and playground.shown.now.key != key
    assert int(count.text()) > 1
    program.act("stop")
    assert program.page == whole
