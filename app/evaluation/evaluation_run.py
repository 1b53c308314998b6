"""Asks every row of every arm on an engine, on the caller's thread, and tells how it goes.

Rows are asked together where that is proven to change no answer: see `may_batch`. Else one by one, where the engine
finds what the rows begin with in its cache.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from operator import attrgetter
from typing import Protocol, TypeAlias

from app.engine.errors import unexpected_failure
from app.engine.meter.meter import Meter
from app.engine.protocol import BatchEngine, Engine, StopFlag
from app.engine.ranges import LARGEST_SEED
from app.engine.types import (
    ChatPrompt,
    Event,
    Failure,
    Finish,
    Loading,
    Model,
    RawPrompt,
    Reason,
    Request,
    Role,
)
from app.evaluation.checks import judge
from app.evaluation.conclusion_text import rows_with, said, worded
from app.evaluation.templates import choices_of, expected_of
from app.evaluation.types import (
    AnswerKey,
    CheckKind,
    Evaluation,
    EvaluationAnswer,
    EvaluationVariant,
    Outcome,
    Progress,
)
from app.experiments.requests import bounded
from app.experiments.run import Sink, generate, load
from app.experiments.run_record import RunFlag
from app.files.json_values import clean
from app.i18n import tr

WINDOW = 8
"""Rows of so many batches are sorted by their lengths, so that none is filled up much."""
TELL_S = 0.25
ALIKE = frozenset({"observe", "interval", "draft_tokens", "session", "kv.reuse"})
"""Settings in which no arm differs: every answer of a study has them alike."""

Note: TypeAlias = Outcome | EvaluationAnswer | Progress | Loading
Tell: TypeAlias = Callable[[Note], None]


class AnswerRecorder(Protocol):
    """Called when an answer is begun; its moment is the last argument."""

    def ready(self, request: Request, model: Model) -> None:
        """Called before that moment: what is written once, or waited for, is no part of an answer's time."""

    def __call__(self, place: AnswerKey, request: Request, model: Model, sent: float, /) -> Sink: ...


def run_evaluation(
    engine: Engine,
    study: Evaluation,
    model: Model,
    stop: StopFlag,
    tell: Tell = lambda note: None,
    keep: AnswerRecorder | None = None,
    done: Sequence[EvaluationAnswer] = (),
    pause: StopFlag | None = None,
) -> Outcome:
    """All of it but what is `done`, or what had ended when `stop` was asked; `model` is the one that is open.

    `pause` ends it too, when the rows in hand are answered. Each answer is told when it ends, in no certain order; the
    outcome has them by arm, row and repeat.
    """
    return _Conducted(engine, study, model, stop, tell, keep, done, pause or StopFlag()).go()


def may_batch(model: Model, request: Request) -> bool:
    """Whether a batch writes the very tokens that each of its rows writes alone.

    That is proven of whole weights in float32 (tests/evaluation/test_batches.py). In half precision, and with quantised
    weights, a batch's sums are rounded elsewhere than a single row's, which now and then tips a choice.
    """
    kv = request.kv
    plain = kv.enabled and kv.bits is None and kv.max_size is None and not request.draft_tokens
    return plain and model.can.batch and model.precision == "float32" and model.bits is None


def judged(study: Evaluation, place: AnswerKey, text: str, tokens: int, reason: Reason) -> tuple[bool | None, str]:
    """What the study's check says of an answer without its thoughts."""
    values = study.prompts.values(place.row)
    return judge(study.check, text, expected_of(study.template, values), tokens, reason, choices_of(values))


def request_of(study: Evaluation, place: AnswerKey, model: Model) -> Request | None:
    """What is asked there; None: the row has no such wording. Each repeat has the next seed."""
    arm = study.arms[place.arm]
    prompt = worded(arm.wording, study.template, study.prompts.values(place.row))
    if prompt is None:
        return None
    request = settled(arm.request)
    seed = (request.sampling.seed + place.repeat) % (LARGEST_SEED + 1)
    sampling = replace(request.sampling, seed=seed)
    return replace(request, prompt=as_taken(request, model, prompt), sampling=sampling)


def settled(request: Request) -> Request:
    """As an arm is asked: it ends, goes on from what the last row left in the cache, and records no candidates."""
    request = bounded(request)
    return replace(request, kv=replace(request.kv, reuse=True), observe=0)


def size(study: Evaluation) -> int:
    """So many answers it is to have: a row without an arm's wording has none of that arm."""
    rows = (rows_with(arm.wording, study.template, study.prompts) for arm in study.arms)
    return study.repeats * sum(1 for each in rows for _ in each)


def as_taken(asked: Request, model: Model, prompt: ChatPrompt | RawPrompt) -> ChatPrompt | RawPrompt:
    """A row's prompt as the model takes it, with what its arm says before it, and of the template and the reply.

    Without a chat template, or raw, it is what the row says alone.
    """
    if isinstance(prompt, RawPrompt):
        return prompt
    if not model.can.chat:
        return RawPrompt("\n\n".join(message.text for message in prompt.messages))
    if not isinstance(asked.prompt, ChatPrompt):
        return prompt
    own = tuple(each for each in asked.prompt.messages if each.role is Role.SYSTEM)
    system = own if prompt.messages[0].role is not Role.SYSTEM else ()
    return replace(asked.prompt, messages=(*system, *prompt.messages))


class _Row:
    """One answer that is being written."""

    def __init__(self, place: AnswerKey, request: Request, model: Model, flag: StopFlag, sink: Sink | None) -> None:
        self.place, self.flag, self.sink = place, flag, sink
        self.meter = Meter(flag.made_at, request.limits.max_tokens, model.context)

    def take(self, event: Event) -> None:
        self.meter.fold(event)
        if self.sink is not None:
            self.sink.put(event)

    def finish(self, finish: Finish) -> None:
        self.meter.finish(finish)
        self.meter.frame(finish.times.ended)
        if self.sink is not None:
            self.sink.finish(finish)


class _Conducted:
    """The state of one study."""

    def __init__(
        self,
        engine: Engine,
        study: Evaluation,
        model: Model,
        stop: StopFlag,
        tell: Tell,
        keep: AnswerRecorder | None,
        done: Sequence[EvaluationAnswer],
        pause: StopFlag,
    ) -> None:
        self._engine, self._study, self._model, self._keep = engine, study, model, keep
        self._stop, self._pause, self._tell = stop, pause, tell
        self._opened = model.opened_by
        self._answers = {each.place: each for each in done}
        self._total = 0
        self._began, self._before, self._told = time.monotonic(), len(self._answers), 0.0
        self._why = ""

    def go(self) -> Outcome:
        try:
            self._total = size(self._study)
            self._progress(0.0)
            self._ask_all()
        except Exception as error:
            self._why = unexpected_failure(
                tr("The evaluation stopped with an error."), tr("Try again."), error
            ).sentence
        self._progress(0.0)
        answers = tuple(self._answers[place] for place in sorted(self._answers, key=attrgetter("arm", "row", "repeat")))
        return Outcome(
            self._study, answers, stopped=self._over() and self._total > len(answers), why=self._why, model=self._model
        )

    def _ask_all(self) -> None:
        for number in self._order():
            if self._over() or not self._open(self._study.arms[number]):
                return
            for rows in self._batches(number):
                self._answer(rows)
                if self._over():
                    return

    def _over(self) -> bool:
        return self._stop.asked or self._pause.asked

    def _order(self) -> list[int]:
        """Arms of one model follow each other, those of the model that is open first: each is opened once."""
        loads = [self._opened, *(arm.load for arm in self._study.arms if arm.load is not None)]
        first = {load: at for at, load in reversed(list(enumerate(loads)))}
        return sorted(range(len(self._study.arms)), key=lambda arm: first[self._study.arms[arm].load or self._opened])

    def _open(self, arm: EvaluationVariant) -> bool:
        """Whether what the arm needs is open, or could be opened now."""
        if arm.load is None or arm.load == self._opened:
            return True
        opened = load(self._engine, arm.load, self._stop, self._tell)
        if isinstance(opened, Model):
            self._model, self._opened = opened, arm.load
            return True
        self._why = opened.sentence if isinstance(opened, Failure) else ""
        return False

    def _batches(self, arm: int) -> Iterator[list[tuple[AnswerKey, Request]]]:
        """What is still to be asked of an arm; prompts are made a window at a time."""
        together = isinstance(self._engine, BatchEngine) and may_batch(self._model, self._study.arms[arm].request)
        count = self._study.together if together else 1
        left = self._left(arm)
        while window := list(islice(left, count * WINDOW)):
            if count > 1:
                window.sort(key=lambda row: len(said(row[1].prompt)))
            yield from (window[at : at + count] for at in range(0, len(window), count))

    def _left(self, arm: int) -> Iterator[tuple[AnswerKey, Request]]:
        study = self._study
        for row, repeat in product(range(len(study.prompts.rows)), range(study.repeats)):
            place = AnswerKey(arm, row, repeat)
            if place in self._answers:
                continue
            request = request_of(study, place, self._model)
            if request is not None:
                yield place, request

    def _answer(self, batch: list[tuple[AnswerKey, Request]]) -> None:
        """One row that breaks must not take the others along: where a batch is refused, each is asked alone."""
        if len(batch) > 1 and self._together(batch):
            return
        for place, request in batch:
            if self._stop.asked:
                return
            row = self._row(place, request)
            self._take(row, generate(self._engine, request, row.take, row.flag))

    def _row(self, place: AnswerKey, request: Request, sent: StopFlag | None = None) -> _Row:
        """It is sent now, unless it was with others."""
        if self._keep is not None:
            self._keep.ready(request, self._model)
        flag = sent or RunFlag(self._stop)
        sink = self._keep(place, request, self._model, flag.made_at) if self._keep is not None else None
        return _Row(place, request, self._model, flag, sink)

    def _together(self, batch: list[tuple[AnswerKey, Request]]) -> bool:
        """Whether anything came of it. That is handed on row by row, as the journal writes it down best."""
        assert isinstance(self._engine, BatchEngine)
        events: list[list[Event]] = [[] for _ in batch]
        flag = RunFlag(self._stop)
        try:
            emits = [each.append for each in events]
            finishes = self._engine.generate_together([request for _, request in batch], emits, flag)
        except Exception:
            return False
        if all(each.failure is not None and not each.tokens for each in finishes):
            return False
        for (place, request), happened, finish in zip(batch, events, finishes, strict=True):
            row = self._row(place, request, flag)
            for event in happened:
                row.take(event)
            self._take(row, finish)
        return True

    def _take(self, row: _Row, finish: Finish) -> None:
        """What was stopped is no answer: whoever goes on asks it anew."""
        row.finish(finish)
        if finish.reason is Reason.STOPPED:
            return
        text, seconds = clean(row.meter.text), finish.times.ended - row.flag.made_at
        right, why = judged(self._study, row.place, text, finish.tokens, finish.reason)
        if finish.failure is not None:
            right, why = None if self._study.check.kind is CheckKind.BY_HAND else False, finish.failure.sentence
        run = row.sink.run if row.sink is not None else None
        answer = EvaluationAnswer(row.place, text, finish.reason, finish.tokens, seconds, right, why, run)
        self._answers[row.place] = answer
        self._tell(answer)
        self._progress(TELL_S)

    def _progress(self, interval: float) -> None:
        now = time.monotonic()
        if now - self._told < interval:
            return
        self._told = now
        total, done = self._total, len(self._answers)
        pace = (now - self._began) / (done - self._before) if done > self._before else None
        self._tell(Progress(done, total, pace * (total - done) if pace is not None else None))
