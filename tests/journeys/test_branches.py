from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.engine.types import KV, Limits, Sampling, TokenPrompt
from app.state import Phase, Run
from app.ui.conversation.branches_dialog import BranchesDialog
from app.ui.conversation.transcript import Transcript
from tests.journeys.journey import Journey, started

pytestmark = pytest.mark.slow

PUT = " 7,"


def header(user: Journey) -> str:
    """The page with its buttons."""
    return user.find(Transcript, "transcript").toPlainText()


def fork(user: Journey, position: int, text: str = PUT) -> Run:
    """As the user does it: pick a token, type, press."""
    user.find(Transcript, "transcript").token_picked.emit(1, position)
    user.find(QLineEdit, "fork_text").setText(text)
    user.press("fork_with_text")
    return user.last()


def fresh(user: Journey, run: Run) -> Run:
    """The same ids sent anew, with nothing cached."""
    assert run.prompt is not None
    done: list[Run] = []
    user.window.playground.replayed.connect(done.append)
    request = replace(run.request, prompt=TokenPrompt(run.prompt.ids), kv=KV(reuse=False))
    assert user.window.playground.replay(request)
    user.until(lambda: bool(done))
    return done[0]


def test_fork_at_a_token_keeps_both_answers(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> None:
    with started(qtbot, tmp_path) as user:
        playground = user.window.playground
        user.window.resize(1500, 900)
        controls = replace(user.state.controls, limits=Limits(60), observe=5)
        playground.set_controls(replace(controls, sampling=Sampling(temperature=0)))
        user.act("toggle_inspector")
        first = user.send("Count 1 to 9")
        old = user.state.turns[1]
        position = len(first.ids) // 2
        second = fork(user, position)
        new = user.state.turns[1]
        assert new.text.startswith(first.text[: len(first.text) // 3])
        assert PUT in new.text
        assert second.finish.reused >= position, "the cache is cut at the token"
        assert user.details["Prompt"].startswith(f"{second.finish.reused} reused, ")
        assert "‹ 2/2 ›" in header(user)
        assert fresh(user, second).ids == second.ids, "as if the prefix had been sent anew"
        user.act("previous_branch")
        assert first.text in user.page and "‹ 1/2 ›" in header(user)
        playground.set_controls(replace(controls, sampling=Sampling(temperature=0.8), seed=5))
        assert playground.regenerate()
        warm = user.last()
        texts = {fork_again(user, warm, position).text for _ in range(2)}
        assert len(texts) == 1, "the same seed gives the same text"
        assert len(user.state.turns[1].siblings) == 5
        _tree(user, old.id)
        session = user.state.session
    with started(qtbot, tmp_path) as user:
        user.until(lambda: user.state.session == session and bool(user.state.turns))
        assert user.state.turns[1].id == old.id
        assert "‹ 1/5 ›" in header(user)
        user.act("next_branch")
        user.until(lambda: PUT in user.page)
        assert user.state.turns[1].text == new.text
        assert user.state.phase is Phase.READY


def fork_again(user: Journey, origin: Run, position: int) -> Run:
    """At the same token of the same answer."""
    turn = next(turn for turn in (*user.state.turns, *user.state.others) if origin in turn.runs)
    user.window.playground.switch(turn.id)
    return fork(user, min(position, len(origin.ids) - 2))


def _tree(user: Journey, number: int) -> None:
    user.act("show_branches")
    dialog = user.find(BranchesDialog, "branches_dialog")
    dialog.tree.select(number)
    assert user.find(QPlainTextEdit, "branches_diff").toPlainText()
    user.find(QAbstractButton, "branches_show").click()
    assert user.state.turns[1].id == number
    dialog.close()
