"""Choice columns and known tests of the hub in the window."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QListWidget

from app.evaluation.types import CheckKind
from app.platform.resources import resources_folder
from app.ui.evaluation.columns_dialog import ColumnsDialog
from app.ui.evaluation.hub_dialog import HubDialog
from app.ui.evaluation.set_opener import SAMPLE_ROWS
from tests.hub import Hub, Shelf
from tests.ui.desk import named
from tests.ui.evaluation.room import Room

TABLE = "ask,one,two,key\nWho barks?,cat,dog,B\nWho purrs?,cat,dog,A\n"
FILE = "ARC-Challenge/test-00000-of-00001.jsonl"
ROW = b'{"question": "Who barks?", "choices": {"text": ["cat", "dog"], "label": ["1", "2"]}, "answerKey": "2"}\n'


def test_choice_columns_are_previewed_and_convert_the_set(room: Room, tmp_path: Path) -> None:
    room.take(tmp_path / "quiz.csv", TABLE)
    room.button("sets_columns").click()
    room.until(lambda: room.view.findChild(ColumnsDialog) is not None)
    dialog = named(room.view, ColumnsDialog, "choice_columns")
    room.until(dialog.isVisible)
    use = room.button("columns_use")
    assert not use.isEnabled() and "at least two choices" in room.label("columns_wrong")
    choices = named(dialog, QListWidget, "columns_choices")
    for at in (1, 2):
        choices.item(at).setCheckState(Qt.CheckState.Checked)
    boxes = [named(dialog, QComboBox, f"columns_{name}").currentData() for name in ("prompt", "answer", "form")]
    assert boxes == ["ask", "key", "letter"], "they are suggested for these choices"
    assert use.isEnabled() and "Who barks?\n   A. cat\n✓ B. dog" in room.text("columns_preview")
    use.click()
    room.until(lambda: room.text("sets_prompt") == "{prompt}")
    assert not dialog.isVisible() and room.view.prompts is not None
    assert room.view.prompts.rows[0][:3] == ("Who barks?", '["cat", "dog"]', "dog")
    assert named(room.view, QComboBox, "sets_check").currentData() == CheckKind.LIKELIHOOD
    assert "--choice-column=two" in room.view.opener.source.switches


def test_known_test_is_listed_downloaded_and_opened(room: Room, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {FILE: ROW * 3, "ARC-Easy/train-00000-of-00001.jsonl": ROW, "b.parquet": b"x"}
    hub.models["datasets/allenai/ai2_arc"] = Shelf(files)
    room.button("sets_hub").click()
    dialog = named(room.view, HubDialog, "hub_tests")
    listed = named(dialog, QListWidget, "hub_files")
    assert named(dialog, QLineEdit, "hub_dataset").text() == "allenai/ai2_arc" and not hub.asked
    assert not room.button("hub_examples").isEnabled(), "no set is open"
    room.button("hub_list").click()
    room.until(lambda: listed.count() == 3)
    assert listed.currentItem().text().startswith(FILE)
    room.button("hub_open").click()
    room.until(lambda: room.label("sets_title") == "ai2_arc: ARC-Challenge/test · 3 rows")
    assert not dialog.isVisible() and "ARC" in room.label("sets_notes")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    room.button("sets_hub").click()
    room.button("hub_list").click()
    room.until(lambda: "HF_HUB_OFFLINE" in room.label("hub_message"))


def test_sample_evaluates_the_first_rows_of_an_included_set(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room.view.opener, "_resources", resources_folder())
    room.button("sets_empty_sample").click()
    room.until(lambda: bool(room.outcomes) and bool(room.label("sets_verdict")))
    assert room.view.prompts is not None and len(room.view.prompts.rows) == SAMPLE_ROWS
    assert room.label("sets_title") == f"Sums, sample · {SAMPLE_ROWS} rows"
