"""The texts of a step with the student's own figures and answers in them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from app.experiments.export import escaped
from app.i18n import tr
from app.lessons.figures import (
    FORMATS,
    LessonFigures,
    evaluate,
    matches,
    named_figures,
    names_in,
    right_option,
    rounds_of,
)
from app.lessons.types import AnswerKind, Lesson, LessonProgress, LessonStepKind, ShownFigure, Step, StepView
from app.number_format import DASH

PLACE = re.compile(r"\{([a-z][^{}\n]*\.[^{}\n]*)\}")
"""A figure, or the answer to a prediction, in a text."""
ANSWER = re.compile(r"answer\.([a-z][a-z0-9_]*)")
CONDITION = re.compile(r"^\[([^\]\n]*?) = ([^\]\n]*)\] ", re.MULTILINE)
"""At the beginning of a paragraph: it is shown only if the figure has this value, or is in this range."""


class LessonTexts:
    """The texts of a lesson for one student. Inserted figures and answers are escaped: they are never markup."""

    def __init__(self, lesson: Lesson, progress: LessonProgress) -> None:
        self._steps = {step.id: step for step in lesson.steps}
        self._figures = LessonFigures(lesson)
        self._progress, self._values = progress, progress.values

    def body(self, step: Step) -> tuple[str, ...]:
        """Return the paragraphs as Markdown, without those whose condition doesn't hold, or that lack an answer.

        A first paragraph names the steps that have to be run before, if there are any.
        """
        kept = []
        for paragraph in paragraphs(step.body):
            condition = CONDITION.match(paragraph)
            if condition is not None and not matches(evaluate(condition[1], self._values), condition[2]):
                continue
            text = paragraph[condition.end() :] if condition is not None else paragraph
            places = PLACE.findall(text)
            has_answers = all(self._progress.prediction(found[1]) for found in map(ANSWER.fullmatch, places) if found)
            if has_answers and not any(self._unmeasured(places)):
                kept.append(PLACE.sub(lambda found: escaped(self._insert(found[1])), text))
        named = (*PLACE.findall(step.body), *(found[1] for found in CONDITION.finditer(step.body)))
        numbers = sorted(set(self._unmeasured(named)))
        words = tr("This step needs figures of step {numbers}. Run it first, or wait until it has ended.")
        return (*([words.format(numbers=", ".join(map(str, numbers)))] if numbers else ()), *kept)

    def _unmeasured(self, expressions: Iterable[str]) -> Iterator[int]:
        """Yield the numbers of the steps that measure these figures, and that weren't run."""
        measured, order = self._progress.measured_steps, list(self._steps)
        for name in (name for each in expressions for name in names_in(each)):
            step = name.partition(".")[0]
            if step in self._steps and step not in measured:
                yield order.index(step) + 1

    def figure(self, expression: str) -> str:
        return self._figures.text(expression, self._values)

    def row(self, shown: ShownFigure) -> tuple[str, str]:
        """Return label and value of a figure."""
        return shown.label or self._figures.describe(shown.expression).label, self.figure(shown.expression)

    def answer(self, step: str) -> str:
        """Return the student's answer in words; a dash without one."""
        prediction, asked = self._progress.prediction(step), self._steps.get(step)
        if prediction is None or asked is None:
            return DASH
        return next((each.text for each in asked.options if each.key == prediction.answer), prediction.answer)

    def measured(self, step: Step) -> str:
        """Return the measurement that a prediction is about: a figure, and the right option."""
        value = evaluate(step.compare, self._values)
        right = right_option(value, step.options)
        if right is None:
            return self.figure(step.compare)
        return right.text if isinstance(value, str) else f"{right.text} ({self.figure(step.compare)})"

    def results_about(self, step: Step) -> Iterator[tuple[Step, list[tuple[str, str]]]]:
        """Yield each step with a prediction about this one, with labels and texts: prediction, measurement, result."""
        for each in self.predictions_about(step):
            rows = [(tr("Your prediction"), self.answer(each.id)), (tr("Measured"), self.measured(each))]
            if (factor := self._factor(each)) is not None:
                rows.append((tr("Measured ÷ predicted"), FORMATS["ratio"](factor)))
            if words := self.verdict(each):
                rows.append((tr("Result"), words))
            yield each, rows

    def verdict(self, step: Step) -> str:
        """Return whether the prediction is right, in words; empty for an answer that is neither right nor wrong."""
        is_right = self.is_right(step)
        if is_right is None:
            is_disturbed = evaluate(step.compare, self._values) is not None and not self._is_undisturbed(step)
            return tr("Not judged: the measurement was disturbed. Run it again, or continue.") if is_disturbed else ""
        return tr("Correct") if is_right else tr("Different from your prediction")

    def progress_with_results(self) -> LessonProgress:
        """Return the progress with the predictions and results in words, for a teacher."""
        predictions = (
            replace(each, words=self.answer(each.step), result=self.verdict(self._steps[each.step]))
            for each in self._progress.predictions
            if each.step in self._steps
        )
        return replace(self._progress, predictions=tuple(predictions))

    def predictions_about(self, step: Step) -> tuple[Step, ...]:
        """Return the predicting steps with an answer whose figure is measured, in this step among others."""
        return tuple(
            each
            for each in self._steps.values()
            if step.id in {name.partition(".")[0] for name in names_in(each.compare)}
            and self._progress.prediction(each.id) is not None
            and evaluate(each.compare, self._values) is not None
        )

    def is_right(self, step: Step) -> bool | None:
        """Return whether a choice is right; None before its measurement or if it was disturbed, and for other kinds."""
        prediction, value = self._progress.prediction(step.id), evaluate(step.compare, self._values)
        if prediction is None or value is None or step.answer is not AnswerKind.CHOICE:
            return None
        if not self._is_undisturbed(step):
            return None
        right = right_option(value, step.options)
        return right is not None and right.key == prediction.answer

    def _is_undisturbed(self, step: Step) -> bool:
        """Return whether all conditions hold, and whether all rounds of an experiment have the same right option."""
        found = {right_option(value, step.options) for value in rounds_of(step.compare, self._values)}
        return len(found) < 2 and all(matches(evaluate(each, self._values), bounds) for each, bounds in step.conditions)

    def _factor(self, step: Step) -> float | None:
        """Return how many times as large as the predicted number the measured one is; None for other answers."""
        prediction, value = self._progress.prediction(step.id), evaluate(step.compare, self._values)
        if step.answer is not AnswerKind.NUMBER or prediction is None or not isinstance(value, float | int):
            return None
        try:
            return value / float(prediction.answer)
        except (ValueError, ZeroDivisionError):  # the answer may be of an earlier version of the lesson
            return None

    def _insert(self, name: str) -> str:
        answer = ANSWER.fullmatch(name)
        if answer is not None:
            return self.answer(answer[1])
        is_text = isinstance(evaluate(name, self._values), str)
        return self.figure(name) if is_text else self.figure(name).replace(" ", "\u00a0").replace("/", "/\u2060")


def card_words(lesson: Lesson, progress: LessonProgress) -> tuple[str, str]:
    """Return the words of the button that begins a lesson, and the student's progress."""
    if progress.step:
        words = tr("Step {number} of {count}").format(number=progress.step + 1, count=len(lesson.steps))
        return tr("Continue"), words
    if not progress.is_done:
        return tr("Start"), ""
    runs = [step.id for step in lesson.steps if named_figures(lesson, step)]
    done, count = len(progress.measured_steps.intersection(runs)), len(runs)
    state = tr("Done") if done == count else tr("{done} of {count} runs").format(done=done, count=count)
    return tr("Again"), state


def run_words(view: StepView) -> str:
    """Return the words of the button that runs a step."""
    again = tr("Run Again")
    first, next_one = {
        LessonStepKind.RUN: (tr("Run"), again),
        LessonStepKind.EXPERIMENT: (tr("Run Experiment"), again),
        LessonStepKind.COMPARISON: (tr("Compare"), tr("Compare Again")),
    }[view.step.kind]
    return next_one if view.is_measured else first


def paragraphs(body: str) -> Iterator[str]:
    """Split a text at blank lines, but not in code blocks."""
    part: list[str] = []
    is_code = False
    for line in (*body.splitlines(), ""):
        is_code ^= line.startswith("```")
        if line.strip() or is_code:
            part.append(line)
        elif part:
            yield "\n".join(part)
            part = []
    if part:
        yield "\n".join(part)
