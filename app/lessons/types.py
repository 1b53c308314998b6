"""A lesson as values: its steps, and a student's progress in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Generic, TypeVar

from app.controls import AT_FIRST, Controls, Mode
from app.engine.types import LATER, Limits, Model, RawPrompt, Request, Sampling
from app.experiments.requests import chat, with_setting
from app.experiments.types import Axis, BaseConfig, Experiment, Plain

Value = float | str
"""A measured figure; a text for instance for a finish reason."""
Measured = TypeVar("Measured")


@dataclass(frozen=True, slots=True)
class LessonFigure(Generic[Measured]):
    """A figure of a measurement. The unit `text` is a text, empty a count.

    `of` gets the place after “@”, or the number of the variant, or 0.
    """

    label: str
    unit: str
    of: Callable[[Measured, int], Value | None]
    needs_place: bool = False


class LessonStepKind(StrEnum):
    TEXT = "text"
    PREDICT = "predict"
    RUN = "run"
    EXPERIMENT = "experiment"
    COMPARISON = "comparison"
    """The open model and a quantized copy of it, on a text."""


class InsideView(StrEnum):
    """A view of the tab Inside."""

    LENS = "lens"
    ATTENTION = "attention"
    ATTRIBUTION = "attribution"


class AnswerKind(StrEnum):
    CHOICE = "choice"
    NUMBER = "number"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Option:
    """A choice. `key` is the figure's text that makes it right, or a range such as `0.95..1.05`."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A figure, or the ratio of two figures, with an optional label."""

    expression: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A step. Fields after `point` belong to some kinds of steps only."""

    id: str
    kind: LessonStepKind
    title: str
    body: str
    line: int
    """Line of its heading in the file, from 1."""
    point: str = ""
    """Object name of the control that it points at."""
    answer: AnswerKind = AnswerKind.WORDS
    options: tuple[Option, ...] = ()
    compare: str = ""
    """The figure that the prediction is about; empty: it is only shown again."""
    conditions: tuple[tuple[str, str], ...] = ()
    """Figures and their ranges: outside of them the measurement was disturbed, and the prediction isn't judged."""
    prompt: str = ""
    """For a comparison: the text, until the student types another one."""
    mode: Mode = Mode.CHAT
    follows: bool = False
    """Whether the prompt is the next turn of the conversation instead of a new one."""
    settings: tuple[tuple[str, Plain], ...] = ()
    """Settings by dotted name; all others have their defaults."""
    stop_strings: tuple[str, ...] = ()
    seed: int | None = None
    experiment: str = ""
    rounds: int = 0
    """Rounds of the experiment; 0: as many as a significant result needs."""
    view: InsideView | None = None
    """What is computed inside the model after the run, at the answer's token in which the text `token` begins."""
    token: str = ""
    bits: int = 4
    """Bits of the quantized copy."""
    axes: tuple[Axis, ...] = ()
    show: tuple[ShownFigure, ...] = ()

    @property
    def measures(self) -> bool:
        return self.kind not in (LessonStepKind.TEXT, LessonStepKind.PREDICT)

    def controls(self) -> Controls:
        """Return the controls of the run, without a draft model unless the step sets it."""
        limits = replace(AT_FIRST.limits, stop_strings=self.stop_strings)
        controls = replace(AT_FIRST, mode=self.mode, limits=limits, seed=self.seed, draft_tokens=0)
        for name, value in self.settings:
            controls = with_setting(controls, name, value)
        return controls

    def basis(self, experiment: Experiment, model: Model, draft: str) -> BaseConfig:
        """Return the input of the experiment's plan. A model without a chat template gets the prompt as raw text."""
        raw = self.mode is Mode.RAW or not model.can.chat
        prompt = RawPrompt(self.prompt) if raw else chat(self.prompt)
        limits = Limits(experiment.max_tokens, stop_strings=self.stop_strings)
        request = Request(prompt, Sampling(temperature=experiment.temperature), limits)
        for name, value in self.settings:
            request = with_setting(request, name, value)
        axes = self.axes or experiment.axes
        return BaseConfig(request, model, self.rounds, draft=draft, axes=axes)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson in one language. `name` is the name of its folder."""

    name: str
    title: str
    summary: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class LessonPrediction:
    """A student's answer, with its question and the figure that it is about, so that a sheet needs no lesson."""

    step: str
    """Id of the step."""
    question: str
    answer: str
    compare: str = ""
    words: str = field(default="", metadata=LATER)
    """The answer in words, and the result: only in a file for a teacher."""
    result: str = field(default="", metadata=LATER)


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """A student's progress in a lesson."""

    lesson: str
    title: str = ""
    step: int = 0
    is_done: bool = False
    model: str = ""
    """The model of the last measurement."""
    predictions: tuple[LessonPrediction, ...] = ()
    figures: tuple[tuple[str, Value], ...] = ()
    """The measured figures by name, such as `short.tokens`."""

    @property
    def values(self) -> dict[str, Value]:
        return dict(self.figures)

    @property
    def measured_steps(self) -> frozenset[str]:
        """Ids of the steps that have figures."""
        return frozenset(name.partition(".")[0] for name, _ in self.figures)

    def prediction(self, step: str) -> LessonPrediction | None:
        return next((each for each in self.predictions if each.step == step), None)

    def predict(self, prediction: LessonPrediction) -> LessonProgress:
        others = tuple(each for each in self.predictions if each.step != prediction.step)
        return replace(self, predictions=(*others, prediction))

    def of_model(self, model: str) -> LessonProgress:
        """Return the progress without figures of another model."""
        return self if model == self.model else replace(self, model=model, figures=())

    def measure(self, model: str, figures: Mapping[str, Value]) -> LessonProgress:
        """Set the figures of a step; those of another model are dropped, since the explanations compare figures."""
        known, steps = self.of_model(model), {name.partition(".")[0] for name in figures}
        others = {name: value for name, value in known.values.items() if name.partition(".")[0] not in steps}
        return replace(known, figures=tuple({**others, **figures}.items()))


@dataclass(frozen=True, slots=True)
class StepView:
    """A step as it is displayed."""

    lesson: Lesson
    number: int
    progress: LessonProgress
    is_ready: bool
    """Whether a run can start."""
    is_running: bool
    """Whether this step's run or experiment is in progress."""

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.number]

    @property
    def is_last(self) -> bool:
        return self.number == len(self.lesson.steps) - 1

    @property
    def is_measured(self) -> bool:
        return self.step.id in self.progress.measured_steps
