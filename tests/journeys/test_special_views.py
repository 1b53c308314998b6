from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from app.engine.types import LoadRequest
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from tests.journeys.journey import Journey

pytestmark = pytest.mark.slow


def test_rejected_drafts_are_ghost_text(demo: Journey, demo_model: Path, demo_draft: Path) -> None:
    demo.window.playground.load(LoadRequest(str(demo_model), str(demo_draft)))
    demo.until(lambda: demo.state.phase is Phase.READY and demo.state.model is not None and demo.state.model.can.draft)
    demo.cold()
    demo.limit(40)
    demo.window.playground.set_controls(replace(demo.state.controls, draft_tokens=4))
    demo.act("view_tokens")
    demo.act("toggle_inspector")
    run = demo.send("Tell me a story about a fox.")
    drafted, trace = run.finish.drafted, demo.window.playground.traces.of(demo.state.turns[-1].id)
    assert drafted is not None
    assert drafted.rejected
    assert trace is not None
    position = drafted.rejected[0].index
    assert trace.rejected(position) == "".join(drafted.rejected[0].texts)
    demo.find(Transcript, "transcript").token_picked.emit(1, position)
    demo.until(lambda: demo.find(QLabel, "inspector_rejected").isVisible())
    assert demo.find(QLabel, "inspector_rejected").text().startswith("Proposed as draft tokens and rejected: “")
    demo.picture("rejected_drafts")
