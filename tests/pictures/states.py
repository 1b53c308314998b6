"""What the window can be found in, each to be looked at in two schemes, three sizes and three sizes of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QPlainTextEdit, QWidget

from app.controls import Mode
from app.engine.echo.engine import EchoOptions
from app.state import Phase
from tests.pictures import scenes
from tests.pictures.looks import Look

if TYPE_CHECKING:
    from tests.pictures.studio import Studio

SCHEMES = ("light", "dark")
SIZES = ((1000, 700), (1280, 800), (1600, 1000))
PERCENTS = (100, 150, 200)
GONE = "/Volumes/Models/Llama-3.2-3B-Instruct-4bit"
WEIGHED = "Once upon a time there was a fox who lived by the sea and counted 1, 2, 3 waves. " * 12
LONG = "Once upon a time there was a fox who lived in a town with many towers. " * 40
SLOW = EchoOptions(tokens_per_second=40, prefill_per_second=64, load_seconds=0, replies=(LONG,))
"""Slow enough to be looked at while it goes on."""


@dataclass(frozen=True, slots=True)
class State:
    """How the window comes to be in it."""

    act: Callable[[Studio], QWidget | None]
    knobs: EchoOptions | None = None
    """Of the scripted engine, where the real one would be through before it is looked at."""
    model: str = ""
    """The model that was open the last time."""


def empty(_studio: Studio) -> None:
    """The first thing that anybody sees."""


def reading(studio: Studio) -> None:
    """A long prompt is being read."""
    studio.ask(LONG)
    studio.until(lambda: studio.playground.state.phase is Phase.PREFILLING)


def streaming(studio: Studio) -> None:
    studio.ask("Tell me a story.")
    studio.until_tokens(30)


def done(studio: Studio) -> None:
    """Two answers that ended by themselves."""
    studio.answer("Count 1 to 5")
    studio.answer("Tell me about the moon.")


def short(studio: Studio) -> None:
    """A run that is over before anybody has seen it."""
    studio.answer("Count 1 to 5", max_tokens=5)


def error(studio: Studio) -> None:
    "The prompt is longer than the model's context window."
    studio.answer("Count 1 to 5")
    studio.answer("The cat sat on the mat. " * 1_000)


def raw(studio: Studio) -> None:
    studio.set(mode=Mode.RAW)
    studio.answer("Once upon a time there was a fox", max_tokens=60)


def prompt(studio: Studio) -> None:
    """What the model will read."""
    studio.answer("Count 1 to 5")
    studio.part(QPlainTextEdit, "prompt").setPlainText("And down to 1 again?")
    studio.act("toggle_exact_prompt")


def runs(studio: Studio) -> QWidget:
    """Every run that was kept."""
    for text in ("Count 1 to 5", "Tell me about the moon.", "What is 3 + 4?"):
        studio.answer(text)
    studio.act("show_runs")
    return studio.part(QWidget, "runs_window")


def weighed(studio: Studio, against: str = "") -> QWidget:
    """A text with a ground for each token; with a second model, how far the two are apart."""
    studio.act("weigh_text")
    models = studio.part(QComboBox, "weigh_against")
    studio.until(lambda: models.findText("demo-draft") > 0)
    models.setCurrentIndex(max(0, models.findText(against)))
    studio.part(QPlainTextEdit, "weigh_typed").setPlainText(WEIGHED)
    said = studio.part(QLabel, "weigh_sentence")
    studio.part(QAbstractButton, "weigh_start").click()
    studio.until(lambda: bool(said.text()))
    return said.window()


STATES = {
    "empty": State(empty),
    "no model": State(empty, model=GONE),
    "reading": State(reading, SLOW),
    "streaming": State(streaming, SLOW),
    "done": State(done),
    "short run": State(short),
    "stopped": State(scenes.stopped),
    "cut": State(scenes.length),
    "error": State(error),
    "raw": State(raw),
    "inspector": State(scenes.inspector),
    "prompt": State(prompt),
    "experiment": State(partial(scenes.experiment, max_tokens=8)),
    "picker": State(scenes.picker),
    "runs": State(runs),
    "weighed": State(weighed),
    "compared": State(partial(weighed, against="demo-draft")),
    "prompt set": State(partial(scenes.prompt_set, max_tokens=4)),
    "attention": State(partial(scenes.inside, kind="attention")),
    "words": State(partial(scenes.inside, kind="words")),
}


def looks(state: str) -> Iterator[Look]:
    """All of them."""
    for (width, height), percent, scheme in product(SIZES, PERCENTS, SCHEMES):
        yield Look(state, width, height, appearance=scheme, text_percent=percent)


def chosen(state: str) -> Iterator[Look]:
    """So few of them that, over all states, each two values of different kinds are found together."""
    row = list(STATES).index(state)
    for column, (width, height) in enumerate(SIZES):
        scheme, percent = SCHEMES[(row + column) % 2], PERCENTS[(row + column) % 3]
        yield Look(state, width, height, appearance=scheme, text_percent=percent)
