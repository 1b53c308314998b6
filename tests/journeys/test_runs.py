from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QWidget

from app.records.session_file import session_text
from app.records.types import SessionId
from app.ui.runs.table import RunsTable
from tests.journeys.journey import Journey
from tests.ui.file_dialogs import answer

pytestmark = pytest.mark.slow


def table_of(demo: Journey) -> RunsTable:
    return demo.find(RunsTable, "runs")


def replayed(demo: Journey, run: int) -> str:
    """Select a run, press Replay, and read what it found."""
    table_of(demo).pick((run,))
    outcome = demo.find(QLabel, "replay_outcome")
    demo.until(lambda: demo.find(QPushButton, "replay_run").isVisible())
    demo.press("replay_run")
    demo.until(lambda: outcome.isVisible() and outcome.text().endswith("tokens."))
    return outcome.text()


def exported(demo: Journey, session: SessionId, path: Path) -> str:
    """The session's file, as the user saves it."""
    demo.act("export_session")
    answer(demo.window, path)
    demo.until(path.exists)
    whole = demo.journal.sessions.whole(session)
    assert whole is not None
    text = path.read_text("utf-8")
    assert text == session_text(whole)
    return text


def test_runs_are_compared_replayed_and_exported(demo: Journey, tmp_path: Path) -> None:
    demo.seed(7)
    controls = demo.state.controls
    demo.window.playground.set_controls(replace(controls, sampling=replace(controls.sampling, temperature=1.0)))
    warm = demo.send("Count 1 to 5")
    demo.cold()
    cold = demo.send("Count 1 to 7")
    demo.limit(5)
    short = demo.send("Count 1 to 9")
    turns = demo.state.turns

    demo.press("runs_button")
    table = table_of(demo)
    demo.until(lambda: len(table.rows) == 3)
    assert [row.id for row in table.rows] == [short.id, cold.id, warm.id], "the latest on top"
    table.sort_by("tokens", Qt.SortOrder.AscendingOrder)
    assert table.rows[0].id == short.id

    table.pick((warm.id, cold.id))
    diff = demo.find(QPlainTextEdit, "runs_diff")
    demo.until(lambda: "in both" in diff.accessibleDescription())
    demo.until(lambda: "mean" in demo.find(QWidget, "runs_overlay").accessibleDescription())

    for run in (cold, warm):
        count = len(run.ids)
        assert replayed(demo, run.id) == f"Identical, {count} of {count} tokens."
    assert demo.state.turns is turns, "a replay is no part of the conversation"
    assert len(table.rows) == 3

    session = demo.state.session
    text = exported(demo, session, tmp_path / "one.sluice")
    demo.window.open_path(str(tmp_path / "one.sluice"))
    demo.until(lambda: demo.state.session not in (0, session))
    assert [turn.text for turn in demo.state.turns] == [turn.text for turn in turns]
    assert exported(demo, demo.state.session, tmp_path / "two.sluice") == text
