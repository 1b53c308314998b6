"""The figures that a lesson names: of a run, an experiment, a comparison or a look inside, and their ratios."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count, pairwise
from math import log
from typing import Any

from app.definitions import DEFINITIONS
from app.engine.meter.speeds import acceptance, mean_speed, rate, stop_latency, tokens_per_step
from app.engine.types import ExactPrompt, Reason, Token
from app.experiments.metrics import COLUMNS, batch_throughput, single_runs, single_throughput, spread
from app.experiments.questions import find_experiment
from app.experiments.types import ExperimentOutcome, MetricColumn
from app.i18n import tr
from app.lessons import inspection
from app.lessons.comparison import MODEL_FIGURES, PAIR_FIGURES, QuantizedComparison
from app.lessons.types import Lesson, LessonFigure, LessonStepKind, Option, Step, Value
from app.number_format import DASH, chance, duration, three_digits, two_digits, two_percent
from app.number_format import size as bytes_text
from app.state import Run

NAME = r"[a-z][a-z0-9_]*\.(?:\d{1,2}\.)?[a-z][a-z0-9_]*(?:@\d{1,5})?"
EXPRESSION = re.compile(rf"({NAME})(?: / ({NAME})(?: : ({NAME}) / ({NAME}))?)?")
"""A figure, the ratio of two figures, or the ratio of two ratios."""
PARTS = re.compile(r"([a-z][a-z0-9_]*)\.(?:(\d{1,2})\.)?([a-z][a-z0-9_]*)(?:@(\d{1,5}))?")
RANGE = re.compile(r"(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?")
RISE_BLOCK = 20
"""Tokens of a block in the largest rise of the speed."""
LONGEST_TEXT = 200
"""Characters of an answer that a lesson shows again."""
CONCLUSION, BATCH_GAIN = "conclusion", "batch_gain"
FORMATS: dict[str, Callable[[float], str]] = {
    "": lambda value: f"{value:,.0f}" if value == round(value) else three_digits(value),
    "s": duration,
    "tok/s": lambda value: tr("{number} tok/s").format(number=three_digits(value)),
    "share": two_percent,
    "ratio": lambda value: tr("{number} ×").format(number=three_digits(value)),
    "bytes": bytes_text,
    "number": three_digits,
    "chance": chance,
    "nats": lambda value: tr("{number} nats").format(number=two_digits(value)),
}
NATS_PER_BIT = log(2)


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """A finished run with its tokens."""

    run: Run
    tokens: Sequence[Token]


@dataclass(frozen=True, slots=True)
class InspectedRun:
    """A finished run, and the outcome of a look inside the model at its answer."""

    measured: MeasuredRun
    outcome: object


LessonOutcome = MeasuredRun | InspectedRun | ExperimentOutcome | QuantizedComparison


def _generation_tps(measured: MeasuredRun, count: int) -> float | None:
    """Return mlx-lm's `generation_tps` at a token: tokens ÷ time since the first one, which counts, too."""
    tokens = measured.tokens
    return rate(count, tokens[count - 1].at - tokens[0].at) if 1 < count <= len(tokens) else None


def _mean_at(measured: MeasuredRun, count: int) -> float | None:
    tokens = measured.tokens
    return mean_speed(count, tokens[0].at, tokens[count - 1].at) if 1 < count <= len(tokens) else None


def _largest_rise(measured: MeasuredRun, _: int) -> float | None:
    """Return the largest factor between the speeds of two blocks of tokens, the later ÷ the earlier.

    Steps don't become cheaper during a run, so a factor far above 1 comes from other programs.
    """
    times = [token.at for token in measured.tokens]
    ends = times[::RISE_BLOCK]
    speeds = [rate(RISE_BLOCK, end - start) for start, end in pairwise(ends)]
    known = [speed for speed in speeds if speed is not None]
    return max((later / earlier for earlier, later in combinations(known, 2)), default=None)


def _text(measured: MeasuredRun, _: int) -> str:
    text = measured.run.text
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def _decode_time(measured: MeasuredRun, _: int) -> float | None:
    return measured.tokens[-1].at - measured.tokens[0].at if measured.tokens else None


def _likeliest_share(measured: MeasuredRun, _: int) -> float | None:
    """Return the share of tokens that were the most likely ones."""
    ranks = [token.observed.rank for token in measured.tokens if token.observed is not None]
    return ranks.count(1) / len(ranks) if ranks else None


def _entropy(measured: MeasuredRun, _: int) -> float | None:
    found = [token.observed.entropy for token in measured.tokens if token.observed is not None]
    return sum(found) / len(found) / NATS_PER_BIT if found else None


def _tokens_without_text(measured: MeasuredRun, _: int) -> int:
    """Return the number of tokens that displayed no text when they arrived, without the EOS token."""
    silent = sum(not token.shown for token in measured.tokens)
    return silent - (measured.run.finish.stop_id is not None)


def _name(key: str) -> str:
    return DEFINITIONS[key].name


RUN_FIGURES: dict[str, LessonFigure[MeasuredRun]] = {
    "tokens": LessonFigure(_name("token_count"), "", lambda m, _: m.run.finish.tokens),
    "prompt_tokens": LessonFigure(_name("prompt_tokens"), "", lambda m, _: m.run.finish.prompt_known),
    "reused": LessonFigure(_name("reused"), "", lambda m, _: m.run.finish.reused_known),
    "new": LessonFigure(_name("new"), "", lambda m, _: m.run.finish.new),
    "reason": LessonFigure(_name("finish"), "text", lambda m, _: m.run.finish.reason.value),
    "text": LessonFigure(tr("Answer"), "text", _text),
    "stop_text": LessonFigure(tr("Stop string"), "text", lambda m, _: m.run.finish.stop_text or None),
    "hidden": LessonFigure(tr("Generated but not displayed"), "text", lambda m, _: m.run.finish.hidden or None),
    "held": LessonFigure(tr("Tokens without text of their own"), "", _tokens_without_text),
    "first_token": LessonFigure(_name("first_token"), "s", lambda m, _: m.run.summary.figures.first_token),
    "prefill": LessonFigure(tr("Prefill time"), "s", lambda m, _: m.run.summary.prefill_seconds),
    "rise": LessonFigure(tr("Largest rise of the speed"), "ratio", _largest_rise),
    "decode": LessonFigure(_name("decode_time"), "s", _decode_time),
    "elapsed": LessonFigure(_name("elapsed"), "s", lambda m, _: m.run.summary.figures.elapsed),
    "prompt_speed": LessonFigure(_name("prompt_speed"), "tok/s", lambda m, _: m.run.summary.figures.prompt_speed),
    "speed_mean": LessonFigure(_name("speed_mean"), "tok/s", lambda m, _: m.run.summary.figures.speed_mean),
    "speed_to": LessonFigure(tr("Mean speed up to token {place}"), "tok/s", _mean_at, needs_place=True),
    "generation_tps": LessonFigure(tr("generation_tps at token {place}"), "tok/s", _generation_tps, needs_place=True),
    "stop_latency": LessonFigure(_name("stop_latency"), "s", lambda m, _: stop_latency(m.run.finish.times)),
    "likeliest": LessonFigure(tr("Share of most likely tokens"), "share", _likeliest_share),
    "entropy": LessonFigure(tr("Mean entropy (bits)"), "", _entropy),
    "acceptance": LessonFigure(
        _name("acceptance"), "share", lambda m, _: acceptance(m.run.finish.drafted) if m.run.finish.drafted else None
    ),
    "tokens_per_step": LessonFigure(
        _name("tokens_per_step"),
        "",
        lambda m, _: tokens_per_step(m.run.finish.tokens, m.run.finish.drafted) if m.run.finish.drafted else None,
    ),
}


def names_in(expression: str) -> tuple[str, ...]:
    """Return the names of an expression; empty if it isn't one."""
    found = EXPRESSION.fullmatch(expression)
    return tuple(name for name in found.groups() if name) if found else ()


def evaluate(expression: str, values: Mapping[str, Value]) -> Value | None:
    """Return the value of an expression; None if a figure is missing, or for a division by 0 or of texts."""
    found = [values.get(name) for name in names_in(expression)]
    if len(found) == 1:
        return found[0]
    ratios = [_ratio(*pair) for pair in zip(found[::2], found[1::2], strict=True)]
    return _ratio(*ratios) if len(ratios) == 2 else ratios[0] if ratios else None


def _ratio(above: Value | None, below: Value | None) -> float | None:
    return above / below if isinstance(above, float | int) and isinstance(below, float | int) and below else None


def matches(value: Value | None, key: str) -> bool:
    """Return whether a value is in a range, or equal to a text. The upper bound of a range is not part of it."""
    bounds = RANGE.fullmatch(key)
    if bounds is None or not isinstance(value, float | int):
        return value is not None and str(value) == key
    low, high = bounds.groups()
    return (low is None or value >= float(low)) and (high is None or value < float(high))


def right_option(value: Value | None, options: Sequence[Option]) -> Option | None:
    """Return the option that is right; None if there is none."""
    return next((each for each in options if matches(value, each.key)), None)


@dataclass(frozen=True, slots=True)
class FigureName:
    """A figure's label and unit. The unit `text` is a text, empty a count."""

    label: str
    unit: str


def describe(step: Step, name: str) -> FigureName | None:
    """Return label and unit of a figure of this run or experiment; None if there is no such figure."""
    parts = PARTS.fullmatch(name)
    if parts is None or parts[1] != step.id:
        return None
    _, variant, key, place = parts.groups()
    if step.kind is not LessonStepKind.EXPERIMENT:
        known = _figures(step, variant).get(key)
        if known is None or known.needs_place is not bool(place):
            return None
        return FigureName(known.label.format(place=place), known.unit)
    if key == CONCLUSION and not variant:
        return FigureName(tr("Result"), "text")
    if key == BATCH_GAIN and not variant:
        return FigureName(tr("Batch ÷ one by one"), "ratio")
    column = _columns(step).get(key)
    return FigureName(column.title, column.unit) if column is not None and variant and not place else None


def _figures(step: Step, variant: str | None) -> Mapping[str, LessonFigure[Any]]:
    """Return the figures of a run or a comparison by name; `variant` is the number of a comparison's model."""
    if step.kind is LessonStepKind.COMPARISON:
        return PAIR_FIGURES if variant is None else MODEL_FIGURES if variant in ("1", "2") else {}
    if step.kind is not LessonStepKind.RUN or variant is not None:
        return {}
    return {**RUN_FIGURES, **(inspection.FIGURES[step.view] if step.view is not None else {})}


def _columns(step: Step) -> dict[str, MetricColumn]:
    experiment = find_experiment(step.experiment)
    own = experiment.columns if experiment is not None else ()
    return {column.key: column for column in (*COLUMNS, *own)}


def measure(lesson: Lesson, step: Step, outcome: LessonOutcome) -> dict[str, Value]:
    """Return the figures of a step that the lesson names, and the outcome has; none after a failed inspection."""
    names = named_figures(lesson, step)
    if isinstance(outcome, ExperimentOutcome):
        compared = {name for each in lesson.steps for name in names_in(each.compare)}
        return measure_experiment(step, names, outcome) | measure_rounds(step, compared & set(names), outcome)
    if isinstance(outcome, QuantizedComparison):
        return dict(_measured(names, {**PAIR_FIGURES, **MODEL_FIGURES}, outcome))
    if isinstance(outcome, MeasuredRun):
        return dict(_measured(names, RUN_FIGURES, outcome))
    prompt = outcome.measured.run.prompt
    inside = measure_inspection(names, outcome.outcome, prompt) if prompt is not None else {}
    return dict(_measured(names, RUN_FIGURES, outcome.measured)) | inside if inside else {}


def measure_inspection(names: Iterable[str], outcome: object, prompt: ExactPrompt) -> dict[str, Value]:
    """Return those of the named figures that an inspection has; none after a failure. `prompt`: that of the run."""
    found = inspection.found_in(outcome, prompt)
    return dict(_measured(names, inspection.FIGURES[found[0]], found[1])) if found is not None else {}


def _measured(
    names: Iterable[str], figures: Mapping[str, LessonFigure[Any]], measured: object
) -> Iterator[tuple[str, Value]]:
    """Yield the known figures with their values. `of` gets the place, or else the number of the variant."""
    for name in names:
        parts = PARTS.fullmatch(name)
        figure = figures.get(parts[3]) if parts is not None else None
        if parts is None or figure is None:
            continue
        value = figure.of(measured, int(parts[4] or parts[2] or 0))
        if value is not None:
            yield name, value


def measure_experiment(step: Step, names: Iterable[str], outcome: ExperimentOutcome) -> dict[str, Value]:
    """Return those of the named figures that the experiment has: medians over its rounds, and its result."""
    found: dict[str, Value] = {}
    experiment = find_experiment(step.experiment)
    for name in names:
        parts = PARTS.fullmatch(name)
        if parts is None or experiment is None or describe(step, name) is None:
            continue
        if parts[3] == CONCLUSION:
            found[name] = experiment.conclude(outcome).sentence
        elif parts[3] == BATCH_GAIN:
            if (gain := _batch_gain(outcome)) is not None:
                found[name] = gain
        elif (each := spread(map(_columns(step)[parts[3]].of, outcome.of(int(parts[2]) - 1)))) is not None:
            found[name] = each.middle
    return found


def measure_rounds(step: Step, names: Iterable[str], outcome: ExperimentOutcome) -> dict[str, Value]:
    """Return the named figures of each round of an experiment, as `NAME@ROUND`."""
    found: dict[str, Value] = {}
    for name in names:
        parts = PARTS.fullmatch(name)
        if parts is None or parts[2] is None:
            continue
        for each in outcome.of(int(parts[2]) - 1):
            if (value := _columns(step)[parts[3]].of(each)) is not None:
                found[f"{name}@{each.round + 1}"] = value
    return found


def rounds_of(expression: str, values: Mapping[str, Value]) -> Iterator[Value]:
    """Yield the value of an expression in each round of an experiment; nothing for other figures."""
    for number in count(1):
        names = {name: values.get(f"{name}@{number}") for name in names_in(expression)}
        value = evaluate(expression, {name: each for name, each in names.items() if each is not None})
        if value is None:
            return
        yield value


def named_figures(lesson: Lesson, step: Step) -> tuple[str, ...]:
    """Return all figures of a step that the lesson names anywhere."""
    names: dict[str, None] = {}
    for each in lesson.steps:
        conditions = (expression for expression, _ in each.conditions)
        for text in (each.body, each.compare, *conditions, *(shown.expression for shown in each.show)):
            names |= dict.fromkeys(found[0] for found in PARTS.finditer(text))
    return tuple(name for name in names if describe(step, name) is not None)


def _batch_gain(outcome: ExperimentOutcome) -> float | None:
    """Return the tokens per second of all batches ÷ those of the same runs one by one."""
    alone = single_throughput([run for batch in outcome.batches for run in single_runs(outcome, batch)])
    together = batch_throughput(outcome.batches)
    return together / alone if together and alone else None


class LessonFigures:
    """The figures of a lesson's runs and experiments: their names, labels and texts."""

    def __init__(self, lesson: Lesson) -> None:
        self._steps = {step.id: step for step in lesson.steps if step.measures}

    def step_of(self, expression: str) -> Step | None:
        """Return the step that measures an expression; None for an unknown figure, or without one."""
        names = names_in(expression)
        steps = [self._steps.get(name.partition(".")[0]) for name in names]
        known = [step for step, name in zip(steps, names, strict=True) if step and describe(step, name)]
        return known[-1] if known and len(known) == len(names) else None

    def describe(self, expression: str) -> FigureName:
        """Return label and unit of an expression; a ratio has the label of its first figure."""
        step, names = self._steps.get(expression.partition(".")[0]), names_in(expression)
        found = describe(step, names[0]) if step is not None and names else None
        return found or FigureName(expression, "")

    def text(self, expression: str, values: Mapping[str, Value]) -> str:
        """Format the value of an expression with its unit; a dash if it isn't measured."""
        value = evaluate(expression, values)
        if value is None:
            return DASH
        if isinstance(value, str):
            is_reason = PARTS.fullmatch(expression)
            is_named_by_mlx = value in (Reason.STOP, Reason.LENGTH)  # with these names in texts and options
            return Reason(value).words if is_reason and is_reason[3] == "reason" and not is_named_by_mlx else value
        names = names_in(expression)
        if len(names) > 1:
            is_part_of_whole = value <= 1 and not any(self.describe(name).unit for name in names)
            return FORMATS["share" if is_part_of_whole else "ratio"](value)
        return FORMATS.get(self.describe(expression).unit, three_digits)(value)
