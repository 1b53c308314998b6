from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QDoubleSpinBox, QLabel, QPlainTextEdit, QPushButton, QRadioButton, QWidget

from app.bridge.comparison_runner import CANCELLED
from app.lessons.texts import CONDITION, paragraphs
from app.lessons.types import AnswerKind, LessonStepKind, Step
from app.number_format import DASH
from app.state import Phase
from app.ui.guide.controller_lessons import LessonPlayer
from tests.journeys.journey import Journey

pytestmark = [pytest.mark.slow, pytest.mark.in_korean]

Values = dict[str, Any]


def play(user: Journey, name: str, rounds: int = 0) -> Values:
    """Play a lesson, if wanted with another number of rounds; return its figures.

    Of each explanation, the paragraph for one of its cases is shown, with all figures.
    """
    user.act("lessons")
    user.until(lambda: user.window.findChild(QPushButton, f"lesson_begin_{name}") is not None)
    user.press(f"lesson_begin_{name}")
    player = user.window._features.guide._player
    user.until(lambda: player._lesson is not None)
    lesson = player._lesson
    assert lesson is not None
    if rounds:
        player._lesson = lesson = replace(lesson, steps=tuple(replace(step, rounds=rounds) for step in lesson.steps))
    for step in lesson.steps:
        assert user.find(QLabel, "lesson_step").text() == step.title
        if step.kind is LessonStepKind.PREDICT:
            predict(user, step)
        elif step.measures:
            run(user, player, step)
        if step.body:
            shown = [label.text() for label in user.find(QWidget, "lesson_text").findChildren(QLabel)]
            assert shown and not any(f" {DASH} " in text or "{" in text for text in shown if "```" not in text)
            cases = Counter(expression for expression, _ in CONDITION.findall(step.body))
            plain = len([*paragraphs(step.body)]) - cases.total()
            assert len(shown) >= plain + sum(count > 1 for count in cases.values()), "one for each expression"
        if step.point:
            assert user.window.findChild(QWidget, step.point) is not None, step.point
        user.press("lesson_next")
    user.until(lambda: user.window.findChild(QPushButton, f"lesson_begin_{name}") is not None)
    assert player._progress.is_done and len(player._progress.predictions) > 1
    user.press("lesson_close")
    user.until(lambda: not player._is_leaving)
    assert not user.state.turns
    return dict(player._progress.figures)


def predict(user: Journey, step: Step) -> None:
    if step.answer is AnswerKind.CHOICE:
        user.window.findChildren(QRadioButton)[0].setChecked(True)
    elif step.answer is AnswerKind.NUMBER:
        user.find(QDoubleSpinBox, "lesson_number").setValue(5)
    else:
        user.find(QPlainTextEdit, "lesson_words").setPlainText("No idea")


def run(user: Journey, player: LessonPlayer, step: Step) -> None:
    user.until(lambda: user.button("lesson_run").isEnabled())  # an experiment may have to open the model again
    user.press("lesson_run")
    if step.id == "broken":
        user.until(lambda: user.state.phase is Phase.GENERATING and len(player._tokens) > 5)
        user.act("stop")
    user.qtbot.waitUntil(
        lambda: any(name.startswith(f"{step.id}.") for name, _ in player._progress.figures), timeout=300_000
    )
    shown = user.find(QWidget, "lesson_figures").findChildren(QLabel)
    assert len(shown) == 2 * len(step.show)
    assert DASH not in [label.text() for label in shown]


def test_lesson_on_streaming_holds(demo: Journey) -> None:
    found = play(demo, "01-streaming")
    reasons = [found[f"{each}.reason"] for each in ("count", "short", "broken", "raw")]
    assert reasons == ["stop", "length", "stopped by you", "length"]
    assert found["short.tokens"] == 20
    assert found["long.generation_tps@20"] / found["long.speed_to@20"] == pytest.approx(20 / 19)
    assert found["long.generation_tps@200"] / found["long.speed_to@200"] == pytest.approx(200 / 199)


def test_lesson_on_sampling_holds(demo: Journey) -> None:
    found = play(demo, "02-sampling")
    assert found["greedy.likeliest"] == found["topk.likeliest"] == 1
    assert found["hot.likeliest"] < 0.9 < found["topp.likeliest"]
    assert found["penalty.text"] != "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"
    assert 0.8 < found["turn2.reused"] / found["turn2.prompt_tokens"] < 1
    assert found["turn2.reused"] + found["turn2.new"] == found["turn2.prompt_tokens"]


def test_lesson_on_two_phases_holds(demo: Journey) -> None:
    found = play(demo, "03-two-phases")
    assert found["phases.prompt_tokens"] > 100
    assert found["phases.prompt_speed"] > found["phases.speed_mean"]
    assert found["draft.9.acceptance"] < found["draft.2.acceptance"]
    assert found["draft.4.tokens_per_step"] > 1.5
    assert found["grid.batch_gain"] > 0


def test_lesson_on_characters_holds(demo: Journey) -> None:
    found = play(demo, "04-characters")
    assert found["emoji.tokens"] > 2 * len(str(found["emoji.text"]))
    assert 20 < found["emoji.held"] < found["emoji.tokens"]
    assert (found["stop5.reason"], found["stop5.text"], found["stop5.hidden"]) == ("stop string", "1, 2, 3, 4, ", "5")
    assert (found["border.text"], found["border.held"]) == ("1, 2, 3, 4, 5, 6", 13)


def test_lesson_on_the_kv_cache_holds(demo: Journey) -> None:
    found = play(demo, "05-kv-cache", rounds=1)
    assert found["bare.speed_to@120"] < found["bare.speed_to@20"]
    at_100, at_180 = (found[f"kv.2.{place}"] / found[f"kv.1.{place}"] for place in ("speed_at_100", "speed_at_end"))
    assert at_100 > 1 and at_180 > 2, "5 and 12 on a quiet machine"
    assert found["kv.1.speed_at_end"] < found["kv.1.speed_at_100"]
    assert found["kv.2.memory_kv"] > 0


def test_lesson_on_four_bits_holds(demo: Journey) -> None:
    found = play(demo, "06-four-bits")
    sizes = [found["four.1.size"], found["four.2.size"], found["two.2.size"]]
    assert sizes == sorted(sizes, reverse=True) and 3 < sizes[0] / sizes[1] < 4 < found["four.bits_per_weight"] < 5.1
    assert found["four.1.perplexity"] == pytest.approx(found["two.1.perplexity"])
    assert found["two.2.perplexity"] > found["four.2.perplexity"] > found["four.1.perplexity"]
    assert 0 < found["four.kl_mean"] < found["two.kl_mean"]
    assert found["two.same_first"] < found["four.same_first"] < 1
    assert 0.1 < found["four.changed_share"] < 1
    assert found["four.kl_certain"] < found["four.kl_uncertain"]
    assert not list(demo.window._features.guide._player._library.progress_folder.glob(".*")), "the copies are deleted"


def test_lesson_on_the_inside_holds(demo: Journey) -> None:
    found = play(demo, "07-look-inside")
    assert (found["lens.layers"], found["lens.token"], found["copy.heads"]) == (3, "␣T", 15)
    assert found["lens.text"].startswith("Your name is Tolin") and found["lens.path"].endswith("“␣T”")
    assert (found["copy.text"], found["copy.attended"]) == ("apple fox piano lamp oak lemon", "␣lamp")
    assert found["copy.induction_heads"] > 0 and found["copy.head_share"] > 0.4
    assert found["why.part"] == "My name is Tolin." and found["why.effect"] > 5
    assert found["why.removable"] > 0


def test_stopped_comparison_says_so_and_leaves_no_copy(demo: Journey) -> None:
    demo.act("lessons")
    demo.until(lambda: demo.window.findChild(QPushButton, "lesson_begin_06-four-bits") is not None)
    demo.press("lesson_begin_06-four-bits")
    player = demo.window._features.guide._player
    demo.until(lambda: player._lesson is not None)
    while player._step is not None and not player._step.measures:
        demo.press("lesson_next")
    demo.press("lesson_run")
    demo.until(lambda: demo.window.findChild(QPushButton, "lesson_stop") is not None)
    demo.press("lesson_stop")
    demo.until(lambda: bool(demo.find(QLabel, "lesson_failure").text()))
    assert demo.find(QLabel, "lesson_failure").text() == CANCELLED.sentence
    assert demo.button("lesson_run").isEnabled() and not player._progress.figures
    assert not list(player._library.progress_folder.glob(".*"))
