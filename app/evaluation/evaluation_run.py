"""Evaluation of every row of a prompt set with every variant on an engine, on the caller's thread.

Rows are batched where tests prove that a batch doesn't change the answers: see `may_batch`. Other rows are answered one
by one, and the engine finds their common prefix in its KV cache.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from operator import attrgetter
from typing import Protocol, TypeAlias

from app.engine.errors import unexpected_failure
from app.engine.jobs import Choice, ScoreChoices, ScoredChoices
from app.engine.protocol import BatchEngine, Engine, StopFlag, failed_run
from app.engine.ranges import LARGEST_SEED
from app.engine.types import (
    Channel,
    ChatPrompt,
    Event,
    Failure,
    Finish,
    Loading,
    Model,
    PromptEvent,
    RawPrompt,
    Reason,
    Request,
    Role,
    Times,
    VisibleText,
)
from app.evaluation.checks import judge
from app.evaluation.likelihood import as_text, choices_to_score, confidence_of, from_text, judge_scores, likeliest
from app.evaluation.templates import choices_of, expected_of
from app.evaluation.types import (
    AnswerKey,
    CheckKind,
    Evaluation,
    EvaluationAnswer,
    EvaluationOutcome,
    Progress,
    Scoring,
)
from app.evaluation.wordings import last_question, prompt_in, rows_with
from app.experiments.requests import bounded
from app.experiments.run import Conductor, EventSink, RunCollector, RunFlag
from app.files.json_values import clean
from app.i18n import tr
from app.records.types import RunId

WINDOW = 8
"""Number of batches whose rows are sorted by length together, so that each batch has little padding."""
TELL_S = 0.25
ALIKE = frozenset({"observe", "interval", "draft_tokens", "lookup_tokens", "session", "kv.reuse", "prefill_step"})
"""Settings that all variants share."""

CONFIDENCE = 1
"""`Request.observe` of variants whose answers have a confidence, which needs the probabilities of the tokens."""

Note: TypeAlias = EvaluationOutcome | EvaluationAnswer | Progress | Loading
Tell: TypeAlias = Callable[[Note], None]
Row: TypeAlias = tuple[AnswerKey, Request]


class AnswerRecorder(Protocol):
    """Records answers: makes the function that gets the events of each."""

    def ready(self, request: Request, model: Model) -> None:
        """Do slow preparations, before the answer's time is measured."""

    def __call__(self, key: AnswerKey, request: Request, model: Model, sent: float, /) -> EventSink:
        """Return the sink of an answer. `sent`: when its prompt was sent, or the prompts of its batch."""


def run_evaluation(
    engine: Engine,
    study: Evaluation,
    model: Model,
    stop: StopFlag,
    tell: Tell = lambda note: None,
    keep: AnswerRecorder | None = None,
    done: Sequence[EvaluationAnswer] = (),
    pause: StopFlag | None = None,
) -> EvaluationOutcome:
    """Answer all rows except the `done` ones; end early when `stop` is asked. `model` is the open one.

    `pause` ends it after the current rows. `tell` gets each answer when it ends, in any order; the outcome has them
    sorted by variant, row and repeat.
    """
    return _EvaluationConductor(engine, study, model, stop, tell, keep, done, pause or StopFlag()).conduct()


def may_batch(model: Model, request: Request) -> bool:
    """Return whether each row gets the same tokens in a batch as alone.

    This is proven for float32 weights that aren't packed (tests/evaluation/test_batches.py). With half precision, TF32
    or packed weights, a batch rounds differently than a single row, which can change a token.
    """
    kv = request.kv
    plain = kv.enabled and kv.bits is None and kv.max_size is None and not request.speculates
    packed = model.bits is not None and not model.format.unpacked
    return plain and model.can.batch and model.precision == "float32" and not packed and not model.tf32


def checked(
    study: Evaluation, key: AnswerKey, text: str, reason: Reason, tokens: int, seconds: float, run: RunId | None
) -> EvaluationAnswer:
    """Return a checked answer. `text`: without reasoning; of a variant `by_likelihood`, the scores of its choices."""
    values = study.prompts.values(key.row)
    expected = expected_of(study.template, values)
    if not study.arms[key.arm].by_likelihood or reason is Reason.ERROR:
        right, why = judge(study.check, text, expected, tokens, reason, choices_of(values))
        return EvaluationAnswer(key, text, reason, tokens, seconds, right, why, run)
    scores = from_text(text)
    right, why = judge_scores(scores, study.scoring, values, expected)
    chosen = likeliest(scores, study.scoring, values)
    tokens, text = sum(each.tokens for each in scores), chosen.text if chosen is not None else ""
    return EvaluationAnswer(key, text, reason, tokens, seconds, right, why, run, scores)


def request_of(study: Evaluation, key: AnswerKey, model: Model) -> Request | None:
    """Return the request for one answer; None if the row has no such wording. Each repeat has the next seed."""
    arm = study.arms[key.arm]
    prompt = prompt_in(arm.wording, study.template, study.prompts.values(key.row))
    if prompt is None:
        return None
    request = settled(arm.request)
    seed = (request.sampling.seed + key.repeat) % (LARGEST_SEED + 1)
    sampling = replace(request.sampling, seed=seed)
    return replace(request, prompt=as_taken(request, model, prompt), sampling=sampling)


def settled(request: Request) -> Request:
    """Return the request with a token limit and reuse of the KV cache. Logprobs are recorded for confidence only."""
    request = bounded(request)
    return replace(request, kv=replace(request.kv, reuse=True), observe=min(request.observe, CONFIDENCE))


def size(study: Evaluation) -> int:
    """Return the number of answers. A row without a variant's wording has no answer of that variant."""
    rows = (rows_with(arm.wording, study.template, study.prompts) for arm in study.arms)
    return study.repeats * sum(1 for each in rows for _ in each)


def as_taken(asked: Request, model: Model, prompt: ChatPrompt | RawPrompt) -> ChatPrompt | RawPrompt:
    """Return a row's prompt with the variant's system prompt, template arguments and reply prefix.

    Without a chat template it is only the row's text.
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


class _EvaluationConductor(Conductor):
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
        super().__init__(engine, model, model.opened_by, stop, tell)
        self._study, self._pause, self._tell, self._keep = study, pause, tell, keep
        self._first = model.opened_by
        self._answers = {each.key: each for each in done}
        self._total = 0
        self._began, self._before, self._told_at = time.monotonic(), len(self._answers), 0.0

    def conduct(self) -> EvaluationOutcome:
        try:
            self._total = size(self._study)
            self._tell_progress(0.0)
            self._answer_all()
        except Exception as error:
            self.failure = unexpected_failure(tr("An error ended the evaluation."), tr("Try again."), error)
        self._tell_progress(0.0)
        answers = tuple(self._answers[key] for key in sorted(self._answers, key=attrgetter("arm", "row", "repeat")))
        stopped = self._is_over() and self._total > len(answers)
        why = self.failure.sentence if self.failure is not None else ""
        return EvaluationOutcome(self._study, answers, stopped=stopped, why=why, model=self.model, opened=self._first)

    def _answer_all(self) -> None:
        for number in self._order():
            if self._is_over() or not self.open_model(self._study.arms[number].load):
                return
            if self._study.arms[number].by_likelihood:
                self._score(number)
            else:
                self._generate(number)
            if self._is_over() or self.failure is not None:
                return

    def _generate(self, number: int) -> None:
        for rows in self._batches(number):
            self._answer(rows)
            if self._is_over():
                return

    def _score(self, number: int) -> None:
        """Score the choices of a variant's rows, in one job: what rows have in common is prefilled once."""
        begun: deque[tuple[AnswerKey, RunCollector]] = deque()

        def rows() -> Iterator[tuple[Choice, ...]]:
            for key, request in self._left(number):
                collector = self._collector(key, request)
                choices = choices_to_score(request.prompt, self._study.prompts.values(key.row))
                if not choices:
                    self._take(key, collector, _scored(collector))
                    continue
                begun.append((key, collector))
                yield choices
                if self._pause.asked:
                    return

        def keep(found: ScoredChoices | Failure) -> None:
            key, collector = begun.popleft()
            if isinstance(found, Failure):
                self._take(key, collector, failed_run(collector.flag, found))
                return
            shown = (VisibleText(Channel.NORMAL, as_text(found.scores)),)
            collector.take(PromptEvent(found.prompt, 0, len(found.prompt.ids), shown=shown))
            self._take(key, collector, _scored(collector))

        unconditional = self._study.scoring is Scoring.UNCONDITIONAL
        strength = self._study.arms[number].request.sampling.adapter_strength
        job = ScoreChoices(rows(), keep, unconditional, strength)
        outcome = self.engine.run_job(job, lambda event: None, RunFlag(self.stop))
        for _, collector in begun:  # a row that Stop or a failure interrupted
            collector.finish(failed_run(collector.flag, None, Reason.STOPPED))
        if isinstance(outcome, Failure):
            self.failure = outcome

    def _is_over(self) -> bool:
        return self.stop.asked or self._pause.asked

    def _order(self) -> list[int]:
        """Group the variants by model, with the open one first, so that each is loaded once."""
        loads = [self._first, *(arm.load for arm in self._study.arms if arm.load is not None)]
        first = {load: at for at, load in reversed(list(enumerate(loads)))}
        return sorted(range(len(self._study.arms)), key=lambda arm: first[self._study.arms[arm].load or self._first])

    def _batches(self, arm: int) -> Iterator[list[Row]]:
        """Yield batches of a variant's unanswered rows; prompts are built for one WINDOW at a time."""
        batched = isinstance(self.engine, BatchEngine) and may_batch(self.model, self._study.arms[arm].request)
        count = self._study.together if batched else 1
        left = self._left(arm)
        while window := list(islice(left, count * WINDOW)):
            if count > 1:
                window.sort(key=lambda row: len(last_question(row[1].prompt)))
            yield from (window[at : at + count] for at in range(0, len(window), count))

    def _left(self, arm: int) -> Iterator[Row]:
        study = self._study
        for row, repeat in product(range(len(study.prompts.rows)), range(study.repeats)):
            key = AnswerKey(arm, row, repeat)
            if key in self._answers:
                continue
            request = request_of(study, key, self.model)
            if request is not None:
                yield key, request

    def _answer(self, rows: list[Row]) -> None:
        """Answer rows as a batch. If it fails, answer them one by one, so that one bad row doesn't fail the others."""
        if len(rows) > 1 and self._answer_batch(rows):
            return
        for key, request in rows:
            if self.stop.asked:
                return
            collector = self._collector(key, request)
            self._take(key, collector, self.generate(request, collector.take, collector.flag))

    def _collector(self, key: AnswerKey, request: Request, flag: StopFlag | None = None) -> RunCollector:
        """Return a collector of one answer. `flag`: the stop flag of a batch, whose time of Send has passed."""
        if self._keep is not None:
            self._keep.ready(request, self.model)
        flag = flag or RunFlag(self.stop)
        sink = self._keep(key, request, self.model, flag.made_at) if self._keep is not None else None
        return RunCollector(request, self.model, flag, sink)

    def _answer_batch(self, rows: list[Row]) -> bool:
        """Return whether the batch gave answers. Recording row by row is faster in the session database."""
        events: list[list[Event]] = [[] for _ in rows]
        flag = RunFlag(self.stop)
        finishes = self.generate_together([request for _, request in rows], [each.append for each in events], flag)
        if all(each.failure is not None and not each.tokens for each in finishes):
            return False
        for (key, request), happened, finish in zip(rows, events, finishes, strict=True):
            collector = self._collector(key, request, flag)
            for event in happened:
                collector.take(event)
            self._take(key, collector, finish)
        self._tell_progress(0)
        return True

    def _take(self, key: AnswerKey, collector: RunCollector, finish: Finish) -> None:
        """Store an answer. A stopped one doesn't count: a resumed evaluation asks it again."""
        collector.finish(finish)
        if finish.reason is Reason.STOPPED:
            return
        text, seconds = clean(collector.meter.text), finish.times.ended - collector.flag.made_at
        answer = checked(self._study, key, text, finish.reason, finish.tokens, seconds, collector.run)
        if (request := self._study.arms[key.arm].request).observe:
            confidence = confidence_of(collector.tokens, collector.meter.text, request.limits.stop_strings)
            answer = replace(answer, confidence=confidence)
        if finish.failure is not None:
            right = None if self._study.check.kind is CheckKind.BY_HAND else False
            answer = replace(answer, right=right, why=finish.failure.sentence)
        self._answers[key] = answer
        self._tell(answer)
        self._tell_progress(TELL_S)

    def _tell_progress(self, interval: float) -> None:
        now = time.monotonic()
        if now - self._told_at < interval:
            return
        self._told_at = now
        total, done = self._total, len(self._answers)
        pace = (now - self._began) / (done - self._before) if done > self._before else None
        self._tell(Progress(done, total, pace * (total - done) if pace is not None else None))


def _scored(collector: RunCollector) -> Finish:
    return Finish(Reason.STOP, times=Times(collector.flag.made_at, ended=time.monotonic()))
