"""What is done in the window before its picture is taken; a scene gives back what is to be seen, None: the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QSpinBox, QWidget

from app.engine.types import LoadRequest
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.picker.dialog import ModelPicker
from app.ui.picker.models_table import ModelTable
from tests.bench.window_stage import live

if TYPE_CHECKING:
    from tests.pictures.studio import Studio

STORY = "Tell me a story about a fox."
STEP_S = 0.1
SETTLED_S = 0.6
"""For layouts, curves and what is looked up aside."""


def first_start(_studio: Studio) -> None:
    """The first thing that anybody sees."""


def streaming(studio: Studio) -> None:
    """An earlier answer above, another one half-way."""
    studio.answer("Count 1 to 5")
    studio.set(observe=10, seed=7)
    studio.answer("Tell me about the moon.", 0.7)
    studio.ask(STORY, 0.7, 400)
    studio.until_tokens(150)


def moving(studio: Studio) -> Iterator[int]:
    """An answer streams at its real speed; then its tokens, and the alternatives of some of them."""
    studio.answer("Count 1 to 5")
    studio.set(observe=10, seed=7)
    studio.ask(STORY, 0.7, 400)
    while studio.playground.state.phase is not Phase.READY:
        live(STEP_S)
        yield round(STEP_S * 1000)
    yield 1500
    studio.act("view_tokens")
    studio.act("toggle_inspector")
    live(SETTLED_S)
    yield 1000
    transcript = studio.part(Transcript, "transcript")
    transcript.setFocus()
    for _ in range(12):
        QTest.keyClick(transcript, Qt.Key.Key_Left)
        live(STEP_S)
        yield 350
    yield 2000


def length(studio: Studio) -> None:
    """An answer cut at max tokens."""
    studio.answer(STORY, max_tokens=60)


def stopped(studio: Studio) -> None:
    """An answer stopped by hand."""
    studio.ask(STORY, max_tokens=400)
    studio.until_tokens(70)
    studio.part(QAbstractButton, "stop").click()
    studio.until_ready()


def error(studio: Studio) -> None:
    """A model that isn't there any more, beside what was said before."""
    studio.answer("Count 1 to 5")
    studio.playground.load(LoadRequest("/Volumes/Models/Llama-3.2-3B-Instruct-4bit"))
    studio.until(lambda: studio.playground.state.failure is not None)
    studio.until_ready()


def inspector(studio: Studio) -> None:
    """The colored tokens of an answer, and what the model thought of one of them."""
    studio.set(observe=10, seed=3)
    studio.answer(STORY, 0.8, 120)
    studio.act("view_tokens")
    studio.act("toggle_inspector")
    transcript = studio.part(Transcript, "transcript")
    transcript.setFocus()
    for _ in range(30):
        QTest.keyClick(transcript, Qt.Key.Key_Right)


def experiment(studio: Studio, max_tokens: int = 220) -> QWidget:
    """What the KV cache buys, measured."""
    studio.act("experiment_cache")
    studio.part(QSpinBox, "experiment_max_tokens").setValue(max_tokens)
    conclusion = studio.part(QLabel, "experiment_conclusion")
    studio.part(QAbstractButton, "experiment_start").click()
    studio.until(lambda: bool(conclusion.text()))
    return conclusion.window()


def prompt_set(studio: Studio, max_tokens: int = 16) -> QWidget:
    """The sums that came with the program, asked of two temperatures."""
    controls = studio.controls
    cold, short = replace(controls.sampling, temperature=0.0), replace(controls.limits, max_tokens=max_tokens)
    studio.set(sampling=cold, limits=short)
    studio.act("prompt_sets")
    studio.part(QAbstractButton, "sets_shipped_sums").click()
    start = studio.part(QAbstractButton, "sets_start")
    studio.until(lambda: start.isEnabled() and bool(studio.part(QLineEdit, "sets_expected").text()))
    studio.part(QLineEdit, "sets_arm_value").setText("1.5")
    studio.part(QAbstractButton, "sets_arm_add").click()
    start.click()
    said = studio.part(QLabel, "sets_verdict")
    studio.until(lambda: bool(said.text()))
    studio.until_ready()
    return said.window()


def inside(studio: Studio, kind: str = "ladder") -> None:
    """What was looked at in the token where a name begins."""
    studio.answer("My name is Tolin. I live in a small house. What is my name?", max_tokens=24)
    studio.act("toggle_inside")
    studio.part(Transcript, "transcript").token_picked.emit(1, 3)
    studio.part(QAbstractButton, f"inside_kind_{kind}").click()
    studio.part(QAbstractButton, "inside_look").click()
    studio.until(studio.part(QAbstractButton, "inside_csv").isVisible)
    studio.until_ready()


def picker(studio: Studio) -> QWidget:
    """The models of this machine."""
    studio.act("open_model")
    shown = studio.part(ModelPicker, "model_picker")
    models = studio.part(ModelTable, "local_models").model()
    studio.until(lambda: models.rowCount() > 1)
    return shown


def korean(studio: Studio) -> None:
    """The interface in another language, and characters made of several tokens."""
    studio.answer("Count 1 to 5")
    studio.answer("Say hello in Korean with emoji.")
