"""What the draft model proposed in vain, and how a stop string came about, seen through the window."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QTableView

from app.engine.types import LoadRequest
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.stop_steps.dialog import StopStepsDialog
from tests.journeys.journey import Journey


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
    place = drafted.rejected[0].index
    assert trace.rejected(place) == "".join(drafted.rejected[0].texts)
    demo.find(Transcript, "transcript").token_picked.emit(1, place)
    demo.until(lambda: demo.find(QLabel, "inspector_rejected").isVisible())
    assert demo.find(QLabel, "inspector_rejected").text().startswith("Proposed by the draft model and rejected: “")
    demo.picture("rejected_drafts")


def test_a_stop_string_is_gone_through_step_by_step(demo: Journey) -> None:
    demo.cold()
    demo.limit(64)
    controls = demo.state.controls
    limits = replace(controls.limits, stop_strings=("! 😊",))
    demo.window.playground.set_controls(replace(controls, limits=limits))
    run = demo.send("Say hello in Korean with emoji.")
    assert demo.reason.startswith("stop string, ")
    demo.press("step_step_by_step")
    dialog = demo.find(StopStepsDialog, "stop_steps")
    words, where = demo.find(QLabel, "steps_words"), demo.find(QLabel, "steps_where")
    assert dialog.isVisible()
    assert demo.find(QPlainTextEdit, "steps_strings").toPlainText() == "! 😊"
    cells = demo.find(QTableView, "steps_table").model()
    demo.until(lambda: bool(cells.index(0, 2).data()))
    assert "is held back: “!␣😊” may have begun" in words.text()
    while demo.find(QAbstractButton, "steps_next").isEnabled():
        demo.find(QAbstractButton, "steps_next").click()
    assert where.text() == f"Step {len(run.ids)} of {len(run.ids)}"
    assert words.text().endswith("The stop string “!␣😊” is complete: the answer ends before it.")
    demo.find(QPlainTextEdit, "steps_strings").setPlainText("never")
    assert "stop string" not in words.text()
    demo.find(QAbstractButton, "steps_source_text").click()
    demo.find(QPlainTextEdit, "steps_text").setPlainText("Hi 😊 ne")
    demo.until(lambda: where.text().startswith("Step"))
    while demo.find(QAbstractButton, "steps_next").isEnabled():
        demo.find(QAbstractButton, "steps_next").click()
    assert "“ne” began nothing after all" in words.text()
    dialog.close()
