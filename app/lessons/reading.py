"""Reads a lesson folder: Markdown with a header for each step. An error has the file and the line."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.controls import Mode, clamped
from app.engine.types import Failure
from app.experiments.questions import EXPERIMENTS
from app.experiments.requests import read_axis
from app.files import regular_files
from app.i18n import LANGUAGES, tr
from app.lessons.figures import EXPRESSION, RANGE, LessonFigures
from app.lessons.texts import ANSWER, CONDITION, PLACE
from app.lessons.types import AnswerKind, InsideView, Lesson, LessonStepKind, Option, ShownFigure, Step
from app.quantization.choice import BITS

FIRST = "en"
LARGEST_BYTES = 200_000
MOST_STEPS, MOST_VALUES, MOST_ROUNDS = 60, 12, 20
LONGEST_LINE, LONGEST_BODY, LONGEST_PROMPT = 2_000, 8_000, 20_000
ID = re.compile(r"[a-z][a-z0-9_]{0,30}")
HEADER = re.compile(r"([a-z_-]+): *(.*)")
MARKUP = (
    (re.compile(r"<[A-Za-z/!?]"), tr("HTML isn't allowed")),
    (re.compile(r"!\["), tr("pictures aren't allowed")),
    (re.compile(r"\]\s*\(|^\s*\[[^\]]+\]:"), tr("links aren't allowed")),
    (re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]"), tr("control characters aren't allowed")),
)


class LessonError(ValueError):
    """An error in a lesson file; `line` counts from 1."""

    def __init__(self, line: int, words: str) -> None:
        super().__init__(words)
        self.line = line


def read_lesson(folder: Path, language: str = FIRST) -> Lesson | Failure:
    """Read a lesson in a language, or else in English. All of its languages are checked."""
    todo = tr("Correct the file, and open the folder again.")
    found: dict[str, Lesson] = {}
    for code in dict.fromkeys((FIRST, *LANGUAGES)):
        name = f"{code}.md"
        try:
            if code != FIRST and not (folder / name).exists():
                continue
            text = regular_files.read(folder / name, LARGEST_BYTES).decode("utf-8-sig")
            found[code] = parse_lesson(text, folder.name)
            _compare(found[FIRST], found[code])
        except LessonError as error:
            where = tr("{file}, line {line}: {problem}.").format(file=name, line=error.line, problem=error)
            return Failure(where, todo, kind="lesson")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            words = tr("{file} can't be read ({reason}).").format(file=name, reason=reason)
            return Failure(words, tr("A lesson is a folder with the file en.md."), kind="lesson")
    return found.get(language, found[FIRST])


def parse_lesson(text: str, name: str) -> Lesson:
    """Parse a lesson file; raise LessonError."""
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        _check_line(number, line)
    if not lines or not lines[0].startswith("# "):
        raise LessonError(1, tr("the file must begin with “# ” and a title"))
    chunks = list(_split(lines))
    summary = " ".join(line for line in chunks[0].lines if line)
    if len(chunks) == 1:
        raise LessonError(1, tr("the lesson has no step"))
    if len(chunks) - 1 > MOST_STEPS:
        raise LessonError(chunks[MOST_STEPS + 1].line, tr("there are more than {most} steps").format(most=MOST_STEPS))
    steps = tuple(_StepParser(chunk, number).parse() for number, chunk in enumerate(chunks[1:], start=1))
    lesson = Lesson(name, chunks[0].title, summary, steps)
    _check_references(lesson)
    return lesson


def _check_line(number: int, line: str) -> None:
    if len(line) > LONGEST_LINE:
        raise LessonError(number, tr("the line is longer than {most} characters").format(most=LONGEST_LINE))
    for pattern, words in MARKUP:
        if pattern.search(line):
            raise LessonError(number, words)


@dataclass(slots=True)
class _Chunk:
    """A heading with the lines below it."""

    title: str
    line: int
    lines: list[str] = field(default_factory=list)


def _split(lines: list[str]) -> Iterator[_Chunk]:
    """Split at headings of the second level, but not in code blocks."""
    chunk, is_code = _Chunk(lines[0][2:].strip(), 1), False
    for number, line in enumerate(lines[1:], start=2):
        is_code ^= line.startswith("```")
        if line.startswith("## ") and not is_code:
            yield chunk
            chunk = _Chunk(line[3:].strip(), number)
        else:
            chunk.lines.append(line)
    yield chunk


class _StepParser:
    """Parses the header and the text of one step."""

    def __init__(self, chunk: _Chunk, number: int) -> None:
        self._chunk = chunk
        self._step = Step(f"step{number}", LessonStepKind.TEXT, chunk.title, "", chunk.line)
        self._line = chunk.line

    def parse(self) -> Step:
        header = 0
        for line in self._chunk.lines:
            found = HEADER.fullmatch(line)
            if found is None:
                break
            header += 1
            self._line = self._chunk.line + header
            if header == 1 and found[1] != "step":
                raise self._error(tr("the first line of a step must be “step:” and its kind"))
            self._read(found[1], found[2].strip())
        if not header:
            raise LessonError(self._chunk.line, tr("a step must begin with “step:” and its kind"))
        body = "\n".join(self._chunk.lines[header:]).strip()
        if len(body) > LONGEST_BODY:
            raise self._error(tr("the text is longer than {most} characters").format(most=LONGEST_BODY))
        self._change(body=body)
        self._check()
        return self._step

    def _read(self, key: str, value: str) -> None:
        kind = self._step.kind
        readers: dict[str, Callable[[str], None]] = {"step": self._read_kind, "id": self._read_id}
        readers["point"] = lambda name: self._change(point=self._matching(ID, name))
        if kind is LessonStepKind.PREDICT:
            readers |= {"answer": self._read_answer, "option": self._read_option, "compare": self._read_compare}
            readers["judge"] = self._read_condition
        sends = kind in (LessonStepKind.RUN, LessonStepKind.EXPERIMENT)
        if self._step.measures:
            readers |= {"prompt": self._read_prompt, "show": self._read_show}
        if sends:
            readers |= {"mode": self._read_mode, "stop": self._read_stop}
        if kind is LessonStepKind.RUN:
            readers |= {"turn": self._read_turn, "seed": self._read_seed, "inside": self._read_view}
            readers["token"] = lambda text: self._change(token=text)
        if kind is LessonStepKind.COMPARISON:
            readers["bits"] = lambda bits: self._change(bits=int(self._one_of(list(map(str, BITS)), bits)))
        if kind is LessonStepKind.EXPERIMENT:
            readers |= {"experiment": self._read_experiment, "rounds": self._read_rounds, "vary": self._read_axis}
        reader = readers.get(key)
        if not value:
            raise self._error(tr("“{key}” has no value").format(key=key))
        if reader is not None:
            reader(value)
        elif sends:
            self._read_setting(key, value)
        else:
            raise self._error(tr("“{key}” isn't known in this kind of step").format(key=key))

    def _read_kind(self, value: str) -> None:
        self._change(kind=LessonStepKind(self._one_of(tuple(LessonStepKind), value)))

    def _read_id(self, value: str) -> None:
        self._change(id=self._matching(ID, value))

    def _read_answer(self, value: str) -> None:
        self._change(answer=AnswerKind(self._one_of(tuple(AnswerKind), value)))

    def _read_option(self, value: str) -> None:
        key, bar, words = (part.strip() for part in value.partition("|"))
        if not (key and bar and words) or len(self._step.options) == MOST_VALUES:
            raise self._error(tr("an option is “VALUE | TEXT”, and there are at most {most}").format(most=MOST_VALUES))
        self._change(options=(*self._step.options, Option(key, words)))

    def _read_compare(self, value: str) -> None:
        self._change(compare=self._matching(EXPRESSION, value))

    def _read_condition(self, value: str) -> None:
        expression, _, bounds = (part.strip() for part in value.partition(" = "))
        if not RANGE.fullmatch(bounds) or len(self._step.conditions) == MOST_VALUES:
            raise self._error(tr("“judge” is “FIGURE = RANGE”, and there are at most {most}").format(most=MOST_VALUES))
        self._change(conditions=(*self._step.conditions, (self._matching(EXPRESSION, expression), bounds)))

    def _read_prompt(self, value: str) -> None:
        self._change(prompt=value)

    def _read_mode(self, value: str) -> None:
        self._change(mode=Mode(self._one_of(tuple(Mode), value)))

    def _read_turn(self, value: str) -> None:
        self._change(follows=self._one_of(("first", "next"), value) == "next")

    def _read_stop(self, value: str) -> None:
        self._change(stop_strings=(*self._step.stop_strings, value)[:MOST_VALUES])

    def _read_view(self, value: str) -> None:
        self._change(view=InsideView(self._one_of(tuple(InsideView), value)))

    def _read_seed(self, value: str) -> None:
        self._change(seed=self._number(value, 2**31))

    def _read_rounds(self, value: str) -> None:
        self._change(rounds=self._number(value, MOST_ROUNDS))

    def _read_experiment(self, value: str) -> None:
        self._change(experiment=self._one_of([each.name for each in EXPERIMENTS], value))

    def _read_show(self, value: str) -> None:
        expression, _, label = (part.strip() for part in value.partition("|"))
        if len(self._step.show) == MOST_VALUES:
            raise self._error(tr("there are more than {most} figures").format(most=MOST_VALUES))
        self._change(show=(*self._step.show, ShownFigure(self._matching(EXPRESSION, expression), label)))

    def _read_axis(self, value: str) -> None:
        axis = read_axis(value)
        if isinstance(axis, Failure):
            raise self._error(axis.what.rstrip("."))
        self._change(axes=(*self._step.axes, axis))

    def _read_setting(self, key: str, value: str) -> None:
        axis = read_axis(f"{key}={value}")
        if isinstance(axis, Failure) or len(axis.values) != 1:
            raise self._error(axis.what.rstrip(".") if isinstance(axis, Failure) else tr("a setting has one value"))
        self._change(settings=(*self._step.settings, (axis.name, axis.values[0])))

    def _check(self) -> None:
        step = self._step
        if step.answer is AnswerKind.CHOICE and len(step.options) < 2:
            raise self._error(tr("a choice needs two options"))
        if step.options and step.answer is not AnswerKind.CHOICE:
            raise self._error(tr("options need “answer: choice”"))
        if step.answer is AnswerKind.NUMBER and not step.compare:
            raise self._error(tr("a number needs “compare:” and a figure"))
        if step.kind is LessonStepKind.RUN and not step.prompt:
            raise self._error(tr("a run needs a prompt"))
        if step.kind is LessonStepKind.COMPARISON and not step.prompt:
            raise self._error(tr("a comparison needs a text as “prompt:”"))
        if step.token and step.view is None:
            raise self._error(tr("“token” needs “inside:”"))
        if step.kind is LessonStepKind.EXPERIMENT and not (step.experiment and step.prompt):
            raise self._error(tr("an experiment needs “experiment:” and a prompt"))
        if step.measures and clamped(step.controls()) != step.controls():
            raise self._error(tr("a setting is out of range"))

    def _number(self, value: str, most: int) -> int:
        if not value.isascii() or not value.isdigit() or len(value) > 12 or int(value) > most:
            raise self._error(tr("“{text}” isn't a whole number up to {most}").format(text=value, most=most))
        return int(value)

    def _one_of(self, known: "tuple[str, ...] | list[str]", value: str) -> str:
        if value not in known:
            words = tr("“{text}” is not one of: {known}").format(text=value, known=", ".join(map(str, known)))
            raise self._error(words)
        return value

    def _matching(self, pattern: re.Pattern[str], value: str) -> str:
        if not pattern.fullmatch(value):
            raise self._error(tr("“{text}” isn't a valid name").format(text=value))
        return value

    def _change(self, **changes: object) -> None:
        self._step = replace(self._step, **changes)  # type: ignore[arg-type]

    def _error(self, words: str) -> LessonError:
        return LessonError(self._line, words)


def _check_references(lesson: Lesson) -> None:
    """Check that ids are unique, and that all named figures and answers exist."""
    seen: set[str] = set()
    figures = LessonFigures(lesson)
    predicted = {step.id for step in lesson.steps if step.kind is LessonStepKind.PREDICT}
    for step in lesson.steps:
        if step.id in seen:
            raise LessonError(step.line, tr("the id “{id}” occurs twice").format(id=step.id))
        seen.add(step.id)
        named = [step.compare, *(each.expression for each in step.show)]
        named += [found[1] for found in CONDITION.finditer(step.body)]
        named += [expression for expression, _ in step.conditions]
        for place in PLACE.finditer(step.body):
            answer = ANSWER.fullmatch(place[1])
            if answer is None:
                named.append(place[1])
            elif answer[1] not in predicted:
                raise LessonError(step.line, tr("there is no prediction “{id}”").format(id=answer[1]))
        for expression in filter(None, named):
            if figures.step_of(expression) is None:
                raise LessonError(step.line, tr("there is no figure “{name}”").format(name=expression))


def _compare(first: Lesson, other: Lesson) -> None:
    """Check that a translation has the same steps: everything but its texts."""
    for number, (one, another) in enumerate(zip(first.steps, other.steps, strict=False), start=1):
        if _without_texts(one) != _without_texts(another):
            raise LessonError(another.line, tr("step {number} differs from the English file").format(number=number))
    if len(first.steps) != len(other.steps):
        raise LessonError(1, tr("the number of steps differs from the English file"))


def _without_texts(step: Step) -> Step:
    options = tuple(replace(each, text="") for each in step.options)
    show = tuple(replace(each, label="") for each in step.show)
    conditions = "\n".join(sorted(found[0] for found in CONDITION.finditer(step.body)))
    return replace(step, title="", body=conditions, line=0, options=options, show=show)
