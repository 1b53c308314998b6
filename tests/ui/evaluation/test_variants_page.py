"""The page of the variants and the check on the echo engine."""

import shlex
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPlainTextEdit, QSpinBox

from app.bridge import conversation
from app.cli.evaluation import parse
from app.controls import Mode
from app.engine.types import KV, ChatPrompt, FormatKind, Limits, OutputFormat, Role
from app.evaluation.evaluation_run import request_of
from app.evaluation.types import AnswerKey, Check, CheckKind
from app.experiments.requests import chat
from app.state import Turn
from app.ui.evaluation.variants_page import ARGUMENT, MOST
from tests.patience import WAIT_S
from tests.ui.desk import act, named
from tests.ui.evaluation.room import Room


@pytest.fixture
def room(room: Room, tmp_path: Path) -> Room:
    """A set of two sums is open."""
    room.take(tmp_path / "sums.csv", "prompt,expected\n3 + 4 =,7\n12 + 8 =,20\n")
    return room


def test_first_variant_sends_what_the_conversation_sends(room: Room) -> None:
    room.set_controls(system="Answer in Latin.", reply_start="Well, ")
    controls = room.playground.state.controls
    room.add("sampling.temperature", "1.5")
    model, study = room.playground.state.model, room.run().study
    assert model is not None
    for at in range(2):
        asked = request_of(study, AnswerKey(at, 0), model)
        assert asked is not None and isinstance(asked.prompt, ChatPrompt)
        assert asked.prompt == conversation.prompt_of((Turn(Role.USER, "3 + 4 ="),), controls, model)
        assert [each.text for each in asked.prompt.messages] == ["Answer in Latin.", "3 + 4 ="]


def test_first_variant_in_raw_mode_has_no_system_prompt(room: Room) -> None:
    room.set_controls(system="Answer in Latin.", mode=Mode.RAW)
    model, study = room.playground.state.model, room.run().study
    assert model is not None
    asked = request_of(study, AnswerKey(0, 0), model)
    assert asked is not None and asked.prompt == chat("3 + 4 =")


def test_command_has_no_switch_for_a_system_prompt_and_always_uses_the_cache(room: Room) -> None:
    before = room.playground.state.controls
    room.set_controls(system="Answer in Latin.")
    room.button("sets_command").click()
    assert "reply prefix of the controls has no command-line switch" in room.label("sets_trouble")
    room.set_controls(system=before.system, kv=KV(reuse=False))
    room.button("sets_command").click()
    switches = shlex.split(QGuiApplication.clipboard().text())[4:]
    (arm,) = parse(["sums", *switches], ("echo",), Path("resources")).study.arms
    assert arm.request.kv.reuse, "as every row is asked"


def test_variants_are_unique_and_limited(room: Room) -> None:
    kinds = named(room.view, QComboBox, "sets_arm_what")
    assert kinds.findData("kv.bits") >= 0 and kinds.findData("kv.reuse") < 0, "variants can't differ in that"
    remove = room.button("sets_arm_remove")
    assert not remove.isEnabled()
    for value, reason in (("warm", "warm"), ("0.5, 70", "Temperature must be")):
        room.add("sampling.temperature", value)
        assert reason in room.label("sets_trouble") and len(room.variants) == 1
    room.add("sampling.temperature", "0, 1.5")
    assert [row[2] for row in room.variants] == ["temperature 0, max tokens 256", "temperature 1.5"]
    room.add("sampling.temperature", "1.5")
    assert len(room.variants) == 2 and "already" in room.label("sets_trouble")
    room.add("sampling.top_p", "0.5, 0.50")
    assert [row[2] for row in room.variants][2:] == ["top-p 0.5"], "written twice at once"
    room.add("sampling.top_k", ", ".join(map(str, range(1, MOST + 5))))
    assert len(room.variants) == MOST and str(MOST) in room.label("sets_trouble")
    table = room.view.variants._table
    for left in reversed(range(1, MOST)):
        table.setCurrentIndex(table.model().index(left, 0))
        remove.click()
        assert len(room.variants) == left
    assert not remove.isEnabled()


def test_estimate_is_a_maximum_where_rows_lack_a_wording(room: Room, tmp_path: Path) -> None:
    room.take(tmp_path / "half.csv", "prompt,expected\n3 + 4 =,7\nWhat is 12 + 8?,20\n")
    assert room.label("sets_foreseen").startswith("2 answers of at most")
    room.button("sets_wordings").click()
    room.until(lambda: len(room.variants) == 4)
    assert room.label("sets_foreseen").startswith("At most 8 answers")
    assert len(room.run().answers) == 6, "sums have no letters"


def test_check_shows_its_argument_and_does_not_start_when_wrong(room: Room) -> None:
    box, argument = named(room.view, QComboBox, "sets_check"), named(room.view, QLineEdit, "sets_check_argument")
    for kind in CheckKind:
        box.setCurrentIndex(box.findData(kind))
        assert argument.isHidden() is (kind not in ARGUMENT)
        assert room.view.variants.setup().check.kind is kind
    box.setCurrentIndex(box.findData(CheckKind.REGEX))
    argument.setText("(")
    room.button("sets_start").click()
    room.until(lambda: bool(room.label("sets_trouble")))
    assert not room.view.foot.is_running
    box.setCurrentIndex(box.findData(CheckKind.EQUAL))
    named(room.view, QLineEdit, "sets_expected").clear()
    room.button("sets_start").click()
    assert "expected" in room.label("sets_trouble") and not room.view.foot.is_running


def test_check_pattern_is_tried_on_a_thread(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    tried, let = list[tuple[str, threading.Thread]](), threading.Event()

    def slowly(check: Check) -> str:
        tried.append((check.argument, threading.current_thread()))
        assert let.wait(WAIT_S)
        return "It is no pattern." if check.argument == "a(" else ""

    monkeypatch.setattr("app.ui.evaluation.window.complaint", slowly)
    box, field = named(room.view, QComboBox, "sets_check"), named(room.view, QLineEdit, "sets_check_argument")
    box.setCurrentIndex(box.findData(CheckKind.REGEX))
    QTest.keyClicks(field, "a(")
    room.until(lambda: bool(tried))
    assert room.label("sets_check_wrong") == ""
    let.set()
    room.until(lambda: bool(room.label("sets_check_wrong")))
    QTest.keyClicks(field, "b)")
    room.until(lambda: tried[-1][0] == "a(b)")
    room.until(lambda: not room.label("sets_check_wrong"))
    assert [argument for argument, _ in tried] == ["a(", "a(b)"], "not each key"
    assert threading.main_thread() not in [thread for _, thread in tried]
    assert room.run().study.check.argument == "a(b)"


@pytest.fixture
def any_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each form is taken without the child process that compiles it."""
    monkeypatch.setattr("app.ui.evaluation.variants_page.why_not", lambda form: "")


@pytest.mark.slow
def test_invalid_form_adds_no_variant(room: Room) -> None:
    room.add("form.regex", "(")
    room.until(lambda: "No answer can match this output format" in room.label("sets_trouble"))
    assert len(room.variants) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("any_form")
def test_command_has_the_forms_of_the_variants(room: Room) -> None:
    room.set_controls(limits=Limits(120))
    room.add("form.regex", "[0-9]{1,2}")
    room.until(lambda: len(room.variants) == 2)
    room.add("form.choices", "red, blue")
    room.until(lambda: len(room.variants) == 3)
    room.button("sets_command").click()
    _, _, _, model, *switches = shlex.split(QGuiApplication.clipboard().text())
    assert model == "--model=echo"
    given = parse(["sums", *switches], ("echo",), Path("resources"))
    forms = [arm.request.form for arm in given.study.arms]
    assert forms == [
        OutputFormat(),
        OutputFormat().put(FormatKind.REGEX, "[0-9]{1,2}"),
        OutputFormat().put(FormatKind.CHOICES, "red\nblue"),
    ]
    room.add("form.schema", '{"type": "integer"}')
    room.until(lambda: len(room.variants) == 4)
    room.button("sets_command").click()
    assert "no command-line switch" in room.label("sets_trouble"), "there it is a file"


def test_estimate_has_a_duration_after_a_run(room: Room) -> None:
    room.until(lambda: all(row[1] for row in room.cells("sets_rows")))
    assert "Takes up to" not in room.label("sets_foreseen")
    assert room.playground.send("Tell me a story.")
    room.until(lambda: "Takes up to" in room.label("sets_foreseen"))
    before = room.label("sets_foreseen")
    room.add("sampling.temperature", "1.5")
    assert "Takes up to" in room.label("sets_foreseen") != before
    template = named(room.view, QPlainTextEdit, "sets_prompt")
    template.setPlainText("{absent}")
    assert "Takes up to" not in room.label("sets_foreseen")


def test_form_variant_has_the_settings_at_its_completion(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    began, let = threading.Event(), threading.Event()

    def slowly(form: OutputFormat) -> str:
        began.set()
        assert let.wait(WAIT_S)
        return ""

    monkeypatch.setattr("app.ui.evaluation.variants_page.why_not", slowly)
    room.add("form.regex", "[0-9]+")
    room.until(began.is_set)
    field, sampling = named(room.view, QLineEdit, "sets_arm_value"), room.playground.state.controls.sampling
    room.set_controls(system="Answer in Latin.", sampling=replace(sampling, temperature=1.5))
    field.setText("next")
    let.set()
    room.until(lambda: len(room.variants) == 2)
    assert field.text() == "next"
    first, second = room.run().study.arms
    assert first.request.sampling.temperature == 1.5
    assert second.request == replace(first.request, form=OutputFormat().put(FormatKind.REGEX, "[0-9]+"))


@pytest.mark.usefixtures("any_form")
def test_variants_have_unique_names_after_a_removal(room: Room) -> None:
    def add(end: str, count: int) -> None:
        room.add("form.regex", "a" * 60 + end)
        room.until(lambda: len(room.variants) == count)

    for count, end in enumerate("bcd", 2):
        add(end, count)
    table = room.view.variants._table
    table.setCurrentIndex(table.model().index(2, 0))
    room.button("sets_arm_remove").click()
    add("e", 4)
    assert len({row[0] for row in room.variants}) == 4


def test_variants_follow_the_controls_while_visible_until_start_and_say_what_they_are(room: Room) -> None:
    assert [row[0] for row in room.variants] == [room.variants[0][1]], "one variant is named by its model"
    before = room.variants
    room.view.close()
    room.set_controls(limits=Limits(24))
    assert room.variants == before, "a closed window does not follow"
    act(room.window, "prompt_sets").trigger()
    assert room.variants[0][2] == "temperature 0, max tokens 24", "a check begins at temperature 0"
    assert room.label("sets_foreseen").startswith("2 answers of at most 24")
    room.add("sampling.temperature", "1.5")
    room.set_controls(limits=Limits(12))
    assert room.variants[0][2] == "temperature 0, max tokens 12", "a visible window follows at once"
    assert "of at most 12" in room.label("sets_foreseen")
    assert [row[0] for row in room.variants] == ["temperature 0", "temperature 1.5"]
    outcome = room.run()
    sent = [
        (each.name, each.request.sampling.temperature, each.request.limits.max_tokens) for each in outcome.study.arms
    ]
    assert sent == [("temperature 0", 0, 12), ("temperature 1.5", 1.5, 12)]
    room.set_controls(limits=Limits(50))
    assert room.variants[0][2] == "temperature 0, max tokens 12" and "fixed" in room.label("sets_arms_follow")
    room.button("sets_current").click()
    assert [row[2] for row in room.variants] == ["temperature 0, max tokens 50"]


def test_variants_take_a_temperature_that_the_user_sets(room: Room) -> None:
    room.set_controls(sampling=replace(room.playground.state.controls.sampling, temperature=0.3))
    assert room.variants[0][2].startswith("temperature 0.3")


def test_repeats_ignore_the_wheel_without_focus(room: Room) -> None:
    field = named(room.view, QSpinBox, "sets_together")
    room.view.tabs.setCurrentIndex(1)
    room.button("sets_start").setFocus()
    center = QPointF(field.rect().center())
    up, none = QPoint(0, 120), Qt.KeyboardModifier.NoModifier
    phase = Qt.ScrollPhase.NoScrollPhase
    wheel = QWheelEvent(center, center, QPoint(), up, Qt.MouseButton.NoButton, none, phase, False)
    before = field.value()
    QApplication.sendEvent(field, wheel)
    assert field.value() == before
