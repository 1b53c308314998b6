"""Each experiment on the scripted engine and on the bundled models; stop strings and drafts step by step."""

import gc
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.ranges import LARGEST_SEED
from app.engine.stop_strings import Markers, ReplyReader
from app.engine.text import ByteDetokenizer
from app.engine.types import (
    AUTOMATIC,
    ENDLESS,
    KV,
    Capabilities,
    ChatPrompt,
    DraftModel,
    DraftStats,
    Failure,
    FormatKind,
    KVShape,
    Limits,
    LoadRequest,
    Message,
    Model,
    OutputFormat,
    RejectedTokens,
    Request,
    Role,
    Sampling,
    TokenPrompt,
    WeightFormat,
)
from app.experiments.conclusion_text import UNMEASURED, cautions
from app.experiments.duration import KnownSpeed, expected_seconds, longest_answer
from app.experiments.export import report
from app.experiments.questions import (
    EXPERIMENTS,
    cache,
    draft,
    quantized,
    reuse,
    sampling,
    stops,
    sweep,
)
from app.experiments.questions.draft import DraftedSpan, SpanOrigin, stretches, text_with_rejected
from app.experiments.questions.stops import StopTraceStep, readings
from app.experiments.requests import SENSIBLE_TOKENS, endless, measured
from app.experiments.run import run_experiment, steps
from app.experiments.sample import QUICK_ROUNDS, QUICK_S, TOKENS, quick_look, sample_basis, sample_plan
from app.experiments.types import WARM_UP, Axis, BaseConfig, Experiment, ExperimentOutcome, Plan, RunContext
from tests.experiments.builders import MODEL, QUICK, REQUEST, basis, carried_out, even, experiment_named, result
from tests.experiments.studies import ABLE

PIECES = (b"H", "안".encode()[:1], "안".encode()[1:2], "안".encode()[2:], b"EN", b"D!", b"EN", b"D")


def read(count: int, *strings: str) -> tuple[StopTraceStep, ...]:
    """The pieces as a tokenizer's stream hands them out."""
    stream = ByteDetokenizer(PIECES.__getitem__)
    return readings(((at, stream.add(at)) for at in range(count)), ReplyReader(strings))


def test_stop_trace_of_a_three_token_character_shows_it_at_the_last() -> None:
    steps = read(4)
    assert [(step.text, step.shown, step.unfinished) for step in steps] == [
        ("H", "H", 0),
        ("", "", 1),
        ("", "", 2),
        ("안", "안", 0),
    ]


def test_stop_trace_of_a_partial_stop_string_releases_the_held_text() -> None:
    steps = read(6, "ENDE")
    assert [(step.shown, step.held) for step in steps[4:]] == [("", "EN"), ("END!", "")]
    assert not any(step.stop for step in steps)


def test_stop_trace_of_a_complete_stop_string_ends_with_it() -> None:
    steps = read(8, "!END")
    assert [(step.shown, step.held, step.stop) for step in steps[4:]] == [
        ("EN", "", ""),
        ("D", "!", ""),
        ("", "!EN", ""),
        ("", "", "!END"),
    ]


def test_stop_trace_at_the_end_releases_the_held_text() -> None:
    steps = read(5, "ENDE")
    assert steps[-2:] == (
        StopTraceStep(5, 4, "EN", "", "EN", 0, "", ("ENDE",)),
        StopTraceStep(6, None, "", "EN", "", 0, ""),
    )


def test_stop_trace_of_reasoning_tags_holds_them() -> None:
    reader = ReplyReader((), Markers.reasoning("<t>", "</t>"))
    steps = readings(enumerate(("<", "t", ">", "hm", "</t>", "yes")), reader)
    assert [(step.shown, step.held) for step in steps] == [
        ("", "<"),
        ("", "<t"),
        ("", ""),
        ("hm", ""),
        ("", ""),
        ("yes", ""),
    ]


def test_stop_trace_without_a_stop_shows_the_whole_text() -> None:
    assert "".join(step.shown for step in read(8, "ENDE")) == b"".join(PIECES).decode()


def test_stop_trace_steps_list_the_stop_strings_begun() -> None:
    assert [step.begins for step in read(8, "!END", "D!x", "안녕")[3:]] == [
        ("안녕",),
        (),
        ("!END", "D!x"),
        ("!END",),
        (),
    ]


def test_stop_trace_of_a_partial_character_has_its_bytes() -> None:
    stream = ByteDetokenizer(PIECES.__getitem__)
    steps = readings(((at, stream.add(at)) for at in range(5)), ReplyReader(()), PIECES)
    assert [step.piece for step in steps] == list(PIECES[:5])
    assert [step.waiting.hex() for step in steps] == ["", "ec", "ec95", "", ""]


RUN = result(
    0,
    1,
    even(5, 10),
    texts=("a ", "red ", "fox ", "ran ", "off"),
    from_draft=(True, True, False, False, True),
    drafted=DraftStats(6, 3, 2, (RejectedTokens(2, (7, 8), ("hen ", "sat ")), RejectedTokens(3, (9,), ("sat ",)))),
)


def test_stretches_of_a_drafted_run_are_in_reading_order() -> None:
    assert stretches(RUN) == (
        DraftedSpan(SpanOrigin.DRAFT, "a red "),
        DraftedSpan(SpanOrigin.REJECTED, "hen sat "),
        DraftedSpan(SpanOrigin.MODEL, "fox "),
        DraftedSpan(SpanOrigin.REJECTED, "sat "),
        DraftedSpan(SpanOrigin.MODEL, "ran "),
        DraftedSpan(SpanOrigin.DRAFT, "off"),
    )
    assert "".join(each.text for each in stretches(RUN) if each.whose is not SpanOrigin.REJECTED) == RUN.text
    assert text_with_rejected(RUN) == "a red ⟨hen sat ⟩fox ⟨sat ⟩ran off"
    assert stretches(result(0, 1, even(2, 10), texts=("", "안"))) == (DraftedSpan(SpanOrigin.MODEL, "안"),)


SWEPT = replace(sweep.EXPERIMENT, axes=(Axis("limits.max_tokens", (4, 8)), Axis("interval", (1, 0))))
HOT = Axis("sampling.temperature", (0.7, 1.5))
STORY = replace(REQUEST, prompt=ChatPrompt((Message(Role.USER, "Tell me a long story about a fox."),)))


def ready(experiment: Experiment) -> Experiment:
    """A sweep has nothing of its own to go through."""
    return SWEPT if experiment is sweep.EXPERIMENT else experiment


@pytest.mark.parametrize(
    "experiment", [each for each in EXPERIMENTS if each.name != "form"], ids=lambda experiment: experiment.name
)
def test_experiment_on_the_scripted_engine_measures_all_variants(experiment: Experiment) -> None:
    knobs = replace(QUICK, draft_every=3 if experiment is draft.EXPERIMENT else 0)
    made = carried_out(ready(experiment), knobs)
    assert made.failure is None and not made.stopped
    assert made.measured() == tuple(range(len(made.plan.arms)))
    assert [len(made.of(arm)) for arm in made.measured()] == [2] * len(made.plan.arms)
    told = report(ready(experiment), made)
    assert told.conclusion.sentence != UNMEASURED
    assert [row.runs for row in told.table.rows] == [2] * len(made.plan.arms)


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.name)
def test_sample_of_an_experiment_ends_after_few_tokens(experiment: Experiment) -> None:
    able = replace(ABLE, can=replace(ABLE.can, lookup=True), format=WeightFormat("float16", computed_in="float32"))
    axes = (Axis("sampling.temperature", (0, 0.5, 1)),) if experiment is sweep.EXPERIMENT else experiment.axes
    request = replace(STORY, limits=Limits(experiment.max_tokens, experiment.stop_strings))
    given = sample_basis(BaseConfig(request, able, 0, other="other", axes=axes))
    plan = sample_plan(planned(experiment, given))
    asked = [plan.arms[arm].ask(RunContext(1, able)) for step in steps(plan) for arm in step.arms]
    assert len(plan.arms) > 1 and sum(each.limits.max_tokens for each in asked) <= 24 * TOKENS
    if experiment is draft.EXPERIMENT:
        names = ["off", "8 draft tokens per step", "automatic draft tokens", "prompt lookup"]
        assert [arm.name for arm in plan.arms] == names


def test_quick_look_on_a_slow_model_has_shorter_answers() -> None:
    fast, slow = KnownSpeed(500.0, 5_000.0), KnownSpeed(7.0, 60.0)

    def looked(experiment: Experiment, known: KnownSpeed | None, *axes: Axis) -> Plan:
        found = quick_look(experiment, replace(basis(MODEL, axes=axes), request=long), known)
        assert isinstance(found, Plan)
        return found

    long = replace(STORY, limits=Limits(220))
    assert [looked(cache.EXPERIMENT, known).shortened_to for known in (fast, None)] == [0, 0]
    short = looked(cache.EXPERIMENT, slow)
    assert short.shortened_to == longest_answer(short, MODEL) == 24
    assert expected_seconds(replace(short, repeats=QUICK_ROUNDS), MODEL, slow) <= QUICK_S
    assert "answers of at most 24 tokens" in cautions(ExperimentOutcome(short, MODEL))[0]
    swept = looked(sweep.EXPERIMENT, slow, Axis("limits.max_tokens", (100, 400)))
    assert swept.shortened_to == 0 and longest_answer(swept, MODEL) == 400, "the variants set their own limits"


def refused(experiment: Experiment, given: BaseConfig) -> str:
    plan = experiment.plan(given)
    assert isinstance(plan, Failure) and plan.todo
    return plan.what


def unable(can: Capabilities) -> Model:
    return replace(MODEL, can=can)


def test_plan_of_an_unsupported_experiment_is_refused_with_the_reason() -> None:
    assert "cache" in refused(cache.EXPERIMENT, basis(unable(Capabilities(bare_loop=False))))
    assert "template" in refused(experiment_named("template"), basis(unable(Capabilities(chat=False))))
    assert "template" in refused(reuse.EXPERIMENT, basis(unable(Capabilities(chat=False))))
    assert "quantized" in refused(quantized.EXPERIMENT, basis(unable(Capabilities(kv_bits=False))))
    assert "heads" in refused(quantized.EXPERIMENT, basis(replace(MODEL, kv=KVShape(1, 4, (33,)))))
    assert "constrained" in refused(experiment_named("form"), basis(unable(Capabilities())))
    assert "draft" in refused(draft.EXPERIMENT, basis())
    assert "second" in refused(experiment_named("models"), basis())
    assert "20" in refused(experiment_named("length"), basis(request=replace(REQUEST, limits=Limits(20))))
    assert "token ids" in refused(experiment_named("template"), basis(request=Request(TokenPrompt((1, 2)))))
    assert "two sampling settings" in refused(sampling.EXPERIMENT, basis(axes=(Axis("sampling.top_p", (0.5,)),)))
    assert "No setting" in refused(sweep.EXPERIMENT, basis())
    assert "exceed the limit" in refused(
        sweep.EXPERIMENT, basis(axes=(Axis("limits.max_tokens", tuple(range(2, 400))),))
    )
    assert "Top-p" in refused(sweep.EXPERIMENT, basis(axes=(Axis("sampling.top_p", (0.5, 7.0)),)))


def planned(experiment: Experiment, given: BaseConfig) -> Plan:
    plan = experiment.plan(given)
    assert isinstance(plan, Plan)
    return plan


def test_measured_request_disables_cache_reuse_draft_and_recording() -> None:
    request = measured(replace(REQUEST, kv=KV(enabled=False), observe=10, draft_tokens=3, interval=5))
    assert (request.observe, request.draft_tokens, request.interval) == (0, 0, 1)
    assert request.kv.enabled and not request.kv.reuse
    assert measured(replace(REQUEST, limits=Limits(ENDLESS))).limits.max_tokens == SENSIBLE_TOKENS
    on = endless(replace(request, limits=Limits(9, ("x",), (7,))), MODEL)
    assert on.limits == Limits(9)
    assert dict(on.sampling.logit_bias)[2] == -100


def test_draft_plan_without_a_draft_model_compares_prompt_lookup() -> None:
    able = replace(MODEL, can=replace(MODEL.can, lookup=True))
    plan = planned(draft.EXPERIMENT, basis(able))
    assert [arm.name for arm in plan.arms] == ["off", "prompt lookup"]
    assert [arm.ask(RunContext(1, able)).lookup_tokens for arm in plan.arms] == [0, AUTOMATIC]
    assert planned(draft.EXPERIMENT, replace(basis(able), repeats=0)).repeats == 6
    assert "prompt lookup" in refused(draft.EXPERIMENT, basis(able, replace(REQUEST, kv=KV(max_size=64))))


def test_draft_plan_with_the_draft_model_open_loads_nothing() -> None:
    beside = replace(MODEL, draft=DraftModel("small", Path("/models/small"), 1, 1))
    assert {arm.load for arm in planned(draft.EXPERIMENT, basis(beside)).arms} == {None}
    asked = replace(basis(MODEL), draft="/models/small")
    assert {arm.load for arm in planned(draft.EXPERIMENT, asked).arms} == {
        LoadRequest("/models/paper", "/models/small")
    }


def test_reuse_plan_of_a_conversation_prefills_the_turns_before_the_last() -> None:
    talk = (Message(Role.USER, "One?"), Message(Role.ASSISTANT, "Yes, one."), Message(Role.USER, "Two?"))
    request = replace(REQUEST, prompt=ChatPrompt((Message(Role.SYSTEM, "Be brief."), *talk)))
    off, on = planned(reuse.EXPERIMENT, basis(request=request)).arms
    assert off.before is not None and off.before == on.before
    assert off.before.prompt == ChatPrompt((Message(Role.SYSTEM, "Be brief."), talk[0]), "Yes, one.")
    asked = [arm.ask(RunContext(1, MODEL)) for arm in (off, on)]
    assert [each.kv.reuse for each in asked] == [False, True]
    assert [each.prompt for each in asked] == [request.prompt] * 2


def test_reuse_plan_of_a_conversation_without_an_answer_adds_a_turn() -> None:
    twice = ChatPrompt((Message(Role.USER, "One?"), Message(Role.USER, "Two?")))
    off, _ = planned(reuse.EXPERIMENT, basis(request=replace(REQUEST, prompt=twice))).arms
    assert off.before is not None and off.before.prompt == twice
    asked = off.ask(RunContext(1, MODEL)).prompt
    assert isinstance(asked, ChatPrompt)
    assert [message.role for message in asked.messages] == [Role.USER, Role.USER, Role.ASSISTANT, Role.USER]


def test_sampling_plan_of_a_model_with_batches_has_a_batch_for_each_row() -> None:
    able = replace(MODEL, can=Capabilities(batch=True))
    axes = sampling.EXPERIMENT.axes
    assert planned(sampling.EXPERIMENT, basis(able, axes=axes)).batches == ((0, 1), (2, 3), (4, 5))
    assert planned(sampling.EXPERIMENT, basis(MODEL, axes=axes)).batches == ()
    quantised_too = replace(REQUEST, kv=KV(bits=8))
    assert planned(sampling.EXPERIMENT, basis(able, quantised_too, axes=axes)).batches == ()


def test_sampling_plan_of_several_rounds_has_a_seed_for_each() -> None:
    axes = Axis("sampling.temperature", (0.5, 1.0)), Axis("sampling.top_k", (5,))
    arms = planned(sampling.EXPERIMENT, basis(axes=axes)).arms
    assert [arm.name for arm in arms] == ["temperature 0.5, top-k 5", "temperature 1, top-k 5"]
    seeds = [arms[0].ask(RunContext(at, MODEL)).sampling.seed for at in (WARM_UP, 1, 2, 3)]
    assert seeds == [0, 0, 1, 2]
    asked = replace(REQUEST, sampling=replace(REQUEST.sampling, seed=LARGEST_SEED))
    arms = planned(sampling.EXPERIMENT, basis(request=asked, axes=axes)).arms
    assert [arms[0].ask(RunContext(at, MODEL)).sampling.seed for at in (1, 2)] == [LARGEST_SEED, 0]


@pytest.fixture(scope="module")
def demo(demo_model: Path, demo_draft: Path) -> Iterator[tuple[MlxEngine, Model]]:
    """The demo model with its draft model beside it."""
    engine = MlxEngine()
    model = engine.load(LoadRequest(str(demo_model), str(demo_draft)), lambda event: None, StopFlag())
    assert isinstance(model, Model), model
    yield engine, model
    engine.unload()  # not close(): the streams of pytest's thread serve the next test too
    gc.collect()
    mx.clear_cache()


def on_demo(
    demo: tuple[MlxEngine, Model], experiment: Experiment, request: Request = STORY, repeats: int = 1
) -> ExperimentOutcome:
    engine, model = demo
    plan = planned(experiment, BaseConfig(request, model, repeats, axes=experiment.axes))
    made = run_experiment(engine, plan, model, StopFlag())
    assert all(run.finish.failure is None for run in made.results)
    return made


def identical(made: ExperimentOutcome) -> bool:
    return len({run.ids for run in made.results}) == 1


@pytest.mark.slow
def test_cache_experiment_on_the_demo_model_gives_the_same_tokens(demo: tuple[MlxEngine, Model]) -> None:
    made = on_demo(demo, cache.EXPERIMENT)
    assert identical(made)
    assert [run.memory.kv > 0 for run in made.results if run.memory] == [False, True]
    assert cache.EXPERIMENT.conclude(made).further.startswith("The tokens are the same in 1 round; ")


@pytest.mark.slow
def test_draft_experiment_on_the_demo_model_gives_the_same_tokens(demo: tuple[MlxEngine, Model]) -> None:
    made = on_demo(demo, draft.EXPERIMENT)
    assert identical(made) and len(made.results) == 11
    table = draft.EXPERIMENT.conclude(made).details[0]
    for (_, *shares), run in zip(table.rows, made.results[1:], strict=True):
        assert run.finish.drafted is not None
        if run.finish.drafted.lookup or run.finish.drafted.automatic:
            continue
        accepted = sum(share for share in shares if isinstance(share, float)) * run.finish.drafted.steps
        assert accepted == pytest.approx(run.finish.drafted.accepted)
        assert (
            run.rejected
            and "".join(each.text for each in stretches(run) if each.whose is not SpanOrigin.REJECTED) == run.text
        )


@pytest.mark.slow
def test_reuse_experiment_on_the_demo_model_finds_the_first_turn_cached(demo: tuple[MlxEngine, Model]) -> None:
    made = on_demo(demo, reuse.EXPERIMENT)
    assert identical(made)
    off, on = (made.of(arm)[0].finish for arm in (0, 1))
    assert (off.reused, on.reused + on.new) == (0, off.new)
    assert on.reused > on.new


@pytest.mark.slow
def test_sampling_experiment_repeated_with_one_seed_gives_the_same_texts(demo: tuple[MlxEngine, Model]) -> None:
    grid = replace(sampling.EXPERIMENT, axes=(HOT, Axis("sampling.top_p", (0.8, 1.0))))
    first, again = (on_demo(demo, grid, replace(STORY, limits=Limits(12)), repeats=2) for _ in range(2))
    assert [run.ids for run in first.results] == [run.ids for run in again.results]
    assert len({run.ids for run in first.results}) > 2
    batches = sampling.EXPERIMENT.conclude(first).details[1]
    assert batches.title == "Batches" and len(batches.rows) == 2
    assert all(same for *_, same in batches.rows), "a batch writes what each cell writes alone"


@pytest.mark.slow
def test_stops_experiment_on_the_demo_model_equals_the_engine_steps(demo: tuple[MlxEngine, Model]) -> None:
    prompt = ChatPrompt((Message(Role.USER, stops.EXPERIMENT.prompt),))
    request = replace(REQUEST, prompt=prompt, limits=Limits(64, stops.EXPERIMENT.stop_strings))
    made = on_demo(demo, stops.EXPERIMENT, request)
    for run in made.results:
        steps = stops.readings_of(run)
        assert "".join(step.shown for step in steps) == run.text
        shown = ["".join(piece.text for piece in token.shown) for token in run.tokens]
        assert [step.shown for step in steps if step.id is not None][: len(shown) - 1] == shown[:-1]
    assert any(step.unfinished == 3 for step in stops.readings_of(made.results[0]))
    assert stops.readings_of(made.results[1])[-1].stop == "! 😊"


@pytest.mark.slow
def test_form_experiment_on_the_demo_model_lowers_the_log_probability(demo: tuple[MlxEngine, Model]) -> None:
    experiment = experiment_named("form")
    asked = replace(STORY, sampling=Sampling(0.7, seed=3), limits=Limits(70))
    made = on_demo(demo, experiment, asked, 2)
    assert [run.request.sampling.seed for run in made.of(0)] == [run.request.sampling.seed for run in made.of(1)]
    assert [bool(run.request.form) for run in (*made.of(0), *made.of(1))] == [False] * 2 + [True] * 2
    conclusion = experiment.conclude(made)
    assert "0 of 2 free answers were valid, and 2 of 2 constrained ones" in conclusion.sentence
    likely, removed = experiment.columns
    free, held = ([likely.of(run) or 0.0 for run in made.of(arm)] for arm in (0, 1))
    assert max(held) < min(free) < 0
    assert all(removed.of(run) is None for run in made.of(0))
    for run in made.of(1):
        looks = [token.observed for token in run.tokens if token.observed]
        own = [math.log(seen.chosen.probability * (1 - seen.formed.removed)) for seen in looks if seen.formed]
        assert likely.of(run) == pytest.approx(sum(own) / len(own))
    own_form = OutputFormat(FormatKind.CHOICES, choices="yes")
    assert (
        planned(experiment, basis(request=replace(asked, form=own_form))).arms[1].ask(RunContext(1, MODEL)).form
        == own_form
    )
