"""Arms are run in turn, warmed up apart, kept when the rest is cancelled, and recorded as ordinary runs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.echo.engine import EchoEngine
from app.engine.meter.meter import Frame
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Cancellation, Failure, Finish, Limits, LoadRequest, Model, Reason, Request, Role
from app.experiments.journal_entries import JournalRecorder
from app.experiments.questions import sweep
from app.experiments.run import WARM_UP_TOKENS, Note, joined, remaining_plan, run_experiment, steps
from app.experiments.types import (
    WARM_UP,
    Axis,
    Batch,
    Experiment,
    ExperimentOutcome,
    ExperimentStep,
    Plan,
    RunContext,
    RunResult,
    Variant,
)
from app.records.journal import Journal, open_journal
from tests.experiments.builders import MODEL, QUICK, REQUEST, basis, carried_out, opened

LONG = replace(REQUEST, limits=Limits(40))
SHORT = replace(REQUEST, limits=Limits(4))


def plan(*arms: Variant, repeats: int = 2) -> Plan:
    return Plan("trial", "A trial", "What is it?", arms, repeats)


def outcome_of(
    asked: Plan,
    engine: EchoEngine | None = None,
    tell: Callable[[Note], None] = lambda note: None,
    stop: StopFlag | None = None,
) -> ExperimentOutcome:
    engine = engine or EchoEngine(QUICK)
    return run_experiment(engine, asked, opened(engine), stop or StopFlag(), tell)


def test_steps_of_several_rounds_alternate_the_order() -> None:
    order = steps(plan(Variant("a", LONG), Variant("b", LONG), Variant("c", LONG), repeats=6))
    assert "".join(step.name for step in order) == "abc" + "cbacba" + "abcabc" + "cba"
    assert [step.number for step in order] == list(range(1, 19))
    assert {step.total for step in order} == {18}


def test_experiment_continued_after_a_stop_measures_what_is_missing() -> None:
    engine, two = EchoEngine(QUICK), plan(Variant("a", SHORT), Variant("b", SHORT), repeats=1)
    model = opened(engine)
    first = run_experiment(engine, two, model, StopFlag())
    broken = replace(first, results=first.results[:1], stopped=True)
    rest = remaining_plan(broken, 3)
    following = steps(rest)[0]
    assert (following.arm, following.round, following.number, following.total) == (1, 1, 2, 6)
    whole = joined(broken, run_experiment(engine, rest, model, StopFlag()))
    assert sorted((run.round, run.arm) for run in whole.results) == [(at, arm) for at in (1, 2, 3) for arm in (0, 1)]
    assert not whole.stopped and whole.plan.repeats == 3 and not steps(remaining_plan(whole, 3))


def test_experiment_of_two_variants_runs_each_after_a_warm_up() -> None:
    notes = list[Note]()
    done = outcome_of(plan(Variant("long", LONG), Variant("short", SHORT)), tell=notes.append)
    assert [(run.arm, run.round) for run in done.results] == [(0, 1), (1, 1), (1, 2), (0, 2)]
    assert [(run.arm, run.round) for run in done.warm_ups] == [(0, WARM_UP), (1, WARM_UP)]
    assert [len(run.tokens) for run in done.results] == [40, 4, 4, 40]
    assert [len(run.tokens) for run in done.warm_ups] == [WARM_UP_TOKENS, 4]
    assert not done.stopped and done.failure is None
    told = [note for note in notes if isinstance(note, ExperimentStep)]
    assert [(step.arm, step.round) for step in told] == [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (0, 2)]
    assert [note for note in notes if isinstance(note, RunResult)] == list(done.results)


def test_run_result_of_an_experiment_has_text_prompt_and_metrics() -> None:
    notes = list[Note]()
    done = outcome_of(plan(Variant("long", LONG), repeats=1), tell=notes.append)
    (run,) = done.results
    shown = [piece.text for note in notes if isinstance(note, Frame) for piece in note.shown]
    assert run.text == "".join(shown) == "".join(token.text for token in run.tokens)
    assert run.prompt is not None and run.prompt.text.startswith("<|user|>")
    assert len(run.ids) == len(run.arrivals) == run.finish.tokens == run.summary.figures.tokens == 40
    assert run.arrivals[0] == pytest.approx(run.summary.figures.first_token)
    assert run.memory is not None and run.memory.kv > 0


def test_experiment_stopped_keeps_the_finished_runs() -> None:
    stop, results = StopFlag(), list[RunResult]()

    def tell(note: Note) -> None:
        if isinstance(note, RunResult):
            results.append(note)
        if len(results) == 2 and isinstance(note, ExperimentStep):
            stop.ask()

    done = outcome_of(plan(Variant("a", LONG), Variant("b", SHORT)), tell=tell, stop=stop)
    assert done.stopped
    assert list(done.results) == results
    assert [run.finish.reason for run in results] == [Reason.LENGTH, Reason.LENGTH]


TWO_MODELS = plan(Variant("one", SHORT, LoadRequest("one")), Variant("two", SHORT, LoadRequest("two")))


def test_experiment_of_two_models_warms_up_after_each_load() -> None:
    done = outcome_of(TWO_MODELS)
    assert [(run.arm, str(run.model.folder)) for run in done.results] == [
        (0, "one"),
        (1, "two"),
        (1, "two"),
        (0, "one"),
    ]
    assert [run.arm for run in done.warm_ups] == [0, 1, 0]
    assert str(done.model.folder) == "one"


def test_experiment_with_a_failed_load_ends_and_keeps_its_runs() -> None:
    class Picky(EchoEngine):
        def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
            refused = Failure("No.", "Choose another.")
            return refused if request.model == "two" else super().load(request, emit, stop)

    done = outcome_of(TWO_MODELS, Picky(QUICK))
    assert done.failure == Failure("No.", "Choose another.")
    assert [run.arm for run in done.results] == [0]


class Breaking(EchoEngine):
    """It breaks at SHORT requests, and at batches."""

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        if request.limits.max_tokens == 4:
            raise ValueError("broken")
        return super().generate(request, emit, stop)

    def generate_together(
        self, requests: Sequence[Request], emits: Sequence[Emit], stop: StopFlag
    ) -> tuple[Finish, ...]:
        raise ValueError("broken")


def test_experiment_that_skips_an_unopened_model_runs_the_others() -> None:
    refused = Failure("No room.", "Close something.", kind="memory")

    class Full(EchoEngine):
        loads: list[str] = []  # noqa: RUF012

        def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
            self.loads.append(request.dtype)
            return refused if request.dtype == "float32" else super().load(request, emit, stop)

    engine = Full(QUICK)
    model = opened(engine)
    loads = (model.opened_by, *(replace(model.opened_by, dtype=dtype) for dtype in ("float32", "float16")))
    arms = tuple(Variant(f"{name} {load.dtype}", SHORT, load) for load in loads for name in "ab")
    made = run_experiment(engine, replace(plan(*arms, repeats=1), skips_unopened=True), model, StopFlag())
    assert engine.loads == ["", "float32", "float16"] and made.failure is None
    assert [(run.arm, run.finish.failure) for run in made.results] == [
        (0, None), (1, None), (2, refused), (3, refused), (4, None), (5, None)
    ]  # fmt: skip
    assert {run.model.precision for run in made.results if run.finish.failure} == {"float32"} != {model.precision}


def test_steps_of_several_models_group_their_variants() -> None:
    one, two = LoadRequest("one"), LoadRequest("two")
    mixed = replace(plan(Variant("a", SHORT, one), Variant("b", SHORT, two), repeats=1), batches=((0, 0), (1, 1)))
    assert [step.arms for step in steps(mixed)] == [(0,), (0, 0), (1,), (1, 1)]


def test_experiment_with_a_failed_preparation_fails_that_variant() -> None:
    done = outcome_of(plan(Variant("on", LONG, before=SHORT), Variant("off", LONG)), Breaking(QUICK))
    assert done.measured() == (1,)
    failed = [run for run in done.results if run.arm == 0]
    assert [run.round for run in failed] == [1, 2] and all(run.finish.failure for run in failed)


def test_experiment_with_a_failing_variant_measures_the_others() -> None:
    done = outcome_of(plan(Variant("long", LONG), Variant("short", SHORT)), Breaking(QUICK))
    assert [len(done.of(arm)) for arm in (0, 1)] == [2, 0]
    assert done.measured() == (0,)
    failure = done.results[1].finish.failure
    assert failure is not None and "broken" in failure.details


def test_variant_request_after_a_preparation_receives_its_text() -> None:
    seen: list[RunContext] = []

    def ask(given: RunContext) -> Request:
        seen.append(given)
        return SHORT

    engine = EchoEngine(replace(QUICK, replies=("one two three", "four")))
    done = outcome_of(plan(Variant("b", ask, before=LONG)), engine)
    assert [given.round for given in seen] == [WARM_UP, 1, 2]
    assert {given.before.text for given in seen if given.before} == {"one two three"}
    assert len(done.results) == 2, "the preparation is no measured run"


def in_batches(*arms: Variant) -> Plan:
    return replace(plan(*arms), batches=(tuple(range(len(arms))),))


def test_experiment_with_a_batch_runs_it_once_per_round() -> None:
    notes = list[Note]()
    done = outcome_of(in_batches(Variant("long", LONG), Variant("short", SHORT)), tell=notes.append)
    assert [(batch.arms, batch.round) for batch in done.batches] == [((0, 1), 1), ((0, 1), 2)]
    assert [note for note in notes if isinstance(note, Batch)] == list(done.batches)
    for batch in done.batches:
        assert [len(run.tokens) for run in batch.runs] == [40, 4]
        assert len({run.finish.times.sent for run in batch.runs}) == 1, "one Send for all of them"
    assert [(run.arm, run.round) for run in done.results] == [(0, 1), (1, 1), (1, 2), (0, 2)]
    assert len(done.warm_ups) == 4
    steps_told = [note for note in notes if isinstance(note, ExperimentStep) and note.round != WARM_UP]
    assert [step.together for step in steps_told] == [(), (), (0, 1), (0, 1), (), ()]
    assert [step.number for step in steps_told] == [1, 2, 3, 4, 5, 6]


def test_experiment_stopped_in_a_batch_drops_the_batch() -> None:
    engine, stop = EchoEngine(replace(QUICK, tokens_per_second=2_000)), StopFlag()

    def tell(note: Note) -> None:
        if isinstance(note, ExperimentStep) and note.together and note.round != WARM_UP:
            stop.ask()

    done = outcome_of(in_batches(Variant("long", LONG), Variant("short", SHORT)), engine, tell, stop)
    assert done.stopped
    assert (len(done.results), done.batches) == (2, ())


def test_experiment_with_a_failing_batch_measures_the_variants() -> None:
    done = outcome_of(in_batches(Variant("long", LONG), Variant("longer", LONG)), Breaking(QUICK))
    assert len(done.results) == 4
    failures = [run.finish.failure for batch in done.batches for run in batch.runs]
    assert len(failures) == 4 and all(failure and "broken" in failure.details for failure in failures)


AXES = (Axis("limits.max_tokens", (4, 8)),)
SWEPT = Experiment("sweep", "A sweep", "What?", sweep.plan, sweep.conclude, axes=AXES)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = open_journal(tmp_path)
    yield opened
    opened.close()


def kept(journal: Journal) -> ExperimentOutcome:
    plan = SWEPT.plan(basis(MODEL, axes=AXES))
    assert isinstance(plan, Plan)
    made = carried_out(SWEPT, keep=JournalRecorder(journal, plan.title))
    assert journal.flush()
    return made


def test_recorded_experiment_runs_have_the_same_metrics_in_the_database(journal: Journal) -> None:
    made = kept(journal)
    assert len(made.results) == 4
    for run in made.results:
        assert run.run is not None
        record = journal.runs.get(run.run)
        assert record is not None and record.finish is not None and record.summary is not None
        assert (record.ids, record.text, record.request) == (run.ids, run.text, run.request)
        ours, theirs = run.summary.figures, record.summary.figures
        assert theirs.speed_mean == pytest.approx(ours.speed_mean)
        assert (theirs.tokens, theirs.visible) == (ours.tokens, ours.visible)
        assert theirs.first_token == pytest.approx(ours.first_token)


def test_recorded_experiment_runs_are_answers_of_one_session(journal: Journal) -> None:
    made = kept(journal)
    (session,) = journal.sessions.rows()
    assert session.title == "Experiment: Which temperature or other setting?"
    turns = journal.sessions.turns(session.id)
    assert [turn.role for turn in turns] == [Role.USER, Role.ASSISTANT] * 4
    assert [turn.runs for turn in turns[1::2]] == [(run.run,) for run in made.results]
    assert [turn.text for turn in turns[1::2]] == [run.text for run in made.results]
    assert {turn.text for turn in turns[::2]} == {"Tell me."}
