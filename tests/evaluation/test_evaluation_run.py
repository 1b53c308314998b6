"""A study asks each row of each variant once and can be continued; its tokens and its time are estimated before."""

import math
import tracemalloc
from collections.abc import Mapping
from dataclasses import replace

import pytest

from app.engine.protocol import StopFlag
from app.engine.ranges import LARGEST_SEED
from app.engine.types import KV, ChatPrompt, LoadRequest, Message, RawPrompt, Reason, Role, WeightFormat
from app.evaluation import templates
from app.evaluation.estimates import RecentSpeeds, TokenCounts, expected_seconds, row_counts, time_sentence
from app.evaluation.evaluation_run import Note, may_batch, request_of, run_evaluation, size
from app.evaluation.templates import counts
from app.evaluation.types import (
    AnswerKey,
    Evaluation,
    EvaluationAnswer,
    EvaluationOutcome,
    EvaluationVariant,
    Progress,
    PromptSet,
    Template,
    Wording,
)
from tests.evaluation.sums import ASKED, Adding, opened, sampled, study, sums


def carried_out(asked: Evaluation, engine: Adding | None = None, told: list[Note] | None = None) -> EvaluationOutcome:
    engine = engine or Adding()
    return run_evaluation(engine, asked, opened(engine), StopFlag(), (told if told is not None else []).append)


def test_evaluation_of_two_variants_answers_all_rows_in_order() -> None:
    engine, told = Adding(), list[Note]()
    made = carried_out(study(sums(5), sampled(0), sampled(0.8), repeats=2, together=3), engine, told)
    keys = [AnswerKey(arm, row, repeat) for arm in range(2) for row in range(5) for repeat in range(2)]
    assert [each.key for each in made.answers] == keys
    assert all(each.right and each.text == f"It is {5 + each.key.row}" for each in made.answers)
    assert (made.stopped, made.why) == (False, "")
    answers = [note for note in told if isinstance(note, EvaluationAnswer)]
    assert sorted(answers, key=lambda each: made.answers.index(each)) == list(made.answers)
    progress = [note for note in told if isinstance(note, Progress)]
    assert (progress[0].done, progress[0].left_s, progress[-1].done, progress[-1].total) == (0, None, 20, 20)
    assert progress[-1].left_s == 0


def test_evaluation_with_repeats_uses_a_seed_for_each() -> None:
    engine = Adding()
    carried_out(study(sums(1), repeats=3), engine)
    assert sorted(each.seed for each in engine.asked) == [5, 6, 7]
    last = replace(ASKED, sampling=replace(ASKED.sampling, seed=LARGEST_SEED))
    made = carried_out(study(sums(1), EvaluationVariant("last", last), repeats=2), engine)
    assert [each.seed for each in engine.asked[3:]] == [LARGEST_SEED, 0] and all(each.right for each in made.answers)


def test_evaluation_with_repeats_runs_them_row_by_row() -> None:
    engine = Adding()
    carried_out(study(sums(2), repeats=2, together=1), engine)
    first, second = (row[0] for row in sums(2).rows)
    assert [each.words for each in engine.asked] == [first, first, second, second]


def test_evaluation_in_batches_groups_rows_by_length() -> None:
    engine = Adding()
    carried_out(study(sums(160), together=16), engine)
    assert engine.batches == 10 and {each.batch for each in engine.asked} == {16}
    lengths = [len(each.words) for each in engine.asked[:128]]
    assert lengths == sorted(lengths), "sorted within a window"


def test_evaluation_batch_with_a_failing_row_answers_the_others() -> None:
    engine = Adding(lambda words: "2 + 6" in words)
    made = carried_out(study(sums(6), together=4), engine)
    assert [each.right for each in made.answers] == [True, True, True, False, True, True]
    broken = made.answers[3]
    assert broken.reason is Reason.ERROR and broken.why and broken.text == ""


def test_evaluation_with_a_quantized_cache_runs_rows_one_by_one() -> None:
    engine = Adding()
    carried_out(study(sums(4), EvaluationVariant("quantised", replace(ASKED, kv=KV(bits=8)))), engine)
    assert engine.batches == 0 and [each.words for each in engine.asked] == [row[0] for row in sums(4).rows]


PACKED = WeightFormat(bits=4, computed_in="float32")


@pytest.mark.parametrize(
    "other", [{"format": WeightFormat(computed_in="bfloat16")}, {"format": PACKED}, {"tf32": True}, {"can": None}]
)
def test_may_batch_of_other_precisions_is_false(other: dict[str, object]) -> None:
    model = opened(Adding())
    assert may_batch(model, ASKED)
    other = {"can": replace(model.can, batch=False)} if "can" in other else other
    assert not may_batch(replace(model, **other), ASKED)  # type: ignore[arg-type]


def test_evaluation_of_several_models_loads_each_once() -> None:
    engine = Adding()
    loads = [LoadRequest("second"), None, LoadRequest("third"), LoadRequest("second"), LoadRequest("first")]
    arms = [EvaluationVariant(str(number), ASKED, load) for number, load in enumerate(loads)]
    made = carried_out(study(sums(2), *arms), engine)
    assert len(made.answers) == 10
    assert engine.loads == ["first", "second", "third"]
    assert made.model is not None and made.model.opened_by.model == "third"
    assert [each.model for each in engine.asked[::2]] == ["first", "first", "second", "second", "third"]


def test_evaluation_with_a_missing_model_keeps_the_other_answers() -> None:
    made = carried_out(
        study(sums(2), EvaluationVariant("here", ASKED), EvaluationVariant("gone", ASKED, LoadRequest("absent")))
    )
    assert len(made.answers) == 2 and made.why == "There is no such model. Choose another one."


def test_evaluation_paused_and_resumed_asks_each_row_once() -> None:
    engine, pause, asked = Adding(), StopFlag(), study(sums(40), together=16)
    model = opened(engine)

    def tell(note: Note) -> None:
        if isinstance(note, EvaluationAnswer):
            pause.ask()

    half = run_evaluation(engine, asked, model, StopFlag(), tell, pause=pause)
    assert half.stopped and len(half.answers) == 16
    whole = run_evaluation(engine, asked, model, StopFlag(), done=half.answers)
    assert not whole.stopped and len(whole.answers) == 40 and len(engine.asked) == 40


def test_evaluation_stopped_keeps_the_finished_answers_only() -> None:
    engine, stop = Adding(), StopFlag()

    def tell(note: Note) -> None:
        if isinstance(note, EvaluationAnswer) and note.key.row == 2:
            stop.ask()

    model = opened(engine)
    made = run_evaluation(engine, study(sums(6), together=1), model, stop, tell)
    assert made.stopped and [each.key.row for each in made.answers] == [0, 1, 2]


@pytest.mark.parametrize("chat", [True, False])
def test_evaluation_size_with_wordings_equals_the_number_of_answers(chat: bool) -> None:
    """Also of a model that reads the system's words and the row's as one text: only the row's are said otherwise."""
    rows = (("Red or blue?", "Red|blue"), ("3 + 4 =", ""))
    prompts = PromptSet("Few", ("prompt", "choices"), rows, Template(system="Say Red or blue."), "few")
    asked = study(
        prompts, *(EvaluationVariant(wording.words, ASKED, wording=wording) for wording in Wording), repeats=2
    )
    engine = Adding()
    model = opened(engine)
    made = run_evaluation(engine, asked, replace(model, can=replace(model.can, chat=chat)), StopFlag())
    assert len(made.answers) == len(engine.asked) == size(asked) == 2 * (2 + 2 + 1 + 1 + 1)
    assert not made.stopped


def test_request_of_a_variant_with_a_system_prompt_has_it_unless_the_row_has_one() -> None:
    said = ChatPrompt((Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "gone")), reply_start="It")
    model = opened(Adding())
    asked = study(sums(1), EvaluationVariant("brief", replace(ASKED, prompt=said)))
    request = request_of(asked, AnswerKey(0, 0), model)
    assert request is not None
    assert request.prompt == replace(
        said, messages=(Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "What is 2 + 3?"))
    )
    own = replace(asked, template=Template(system="The row's.", expected="{expected}"))
    request = request_of(own, AnswerKey(0, 0), model)
    assert request is not None and isinstance(request.prompt, ChatPrompt)
    assert [each.text for each in request.prompt.messages] == ["The row's.", "What is 2 + 3?"]


@pytest.mark.slow
def test_evaluation_of_many_rows_keeps_only_the_answers_in_memory() -> None:
    """A hundred bytes of text and its value each, and nothing of its tokens, prompt or events."""
    engine, beside = Adding(), dict[int, int]()
    model = opened(engine)
    for rows in (300, 1_500):
        tracemalloc.start()
        made = run_evaluation(engine, study(sums(rows)), model, StopFlag(), lambda note: engine.asked.clear())
        kept, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(made.answers) == rows and kept < rows * 1_500
        beside[rows] = peak - kept
    assert beside[1_500] < 2 * beside[300]


MODEL = opened(Adding())
NOTHING = TokenCounts()
SPEEDS = RecentSpeeds(MODEL.opened_by, reading=1000.0, writing=48.0)


def test_expected_seconds_count_prefill_and_decoding() -> None:
    asked = study(sums(10), sampled(0), sampled(1), repeats=3)  # of 24 tokens
    counted = TokenCounts(700, 500)
    assert expected_seconds(asked, MODEL, counted, SPEEDS) == pytest.approx(3 * 2 * (0.5 + 10 * 24 / 48))
    fixed = replace(MODEL, can=replace(MODEL.can, trim=False))
    assert expected_seconds(asked, fixed, counted, SPEEDS) == pytest.approx(3 * 2 * (0.7 + 10 * 24 / 48))


def test_expected_seconds_of_scored_choices_count_new_tokens_and_passes() -> None:
    letters = row_counts((1, 2, 3, 4), (1, 2, 9), {"choices": "A|B"})
    assert letters == TokenCounts(prompt=4, fresh=2, choices=2, passes=1)
    texts = row_counts((1, 2, 3), (), {"choices": "a long choice|no"})
    assert texts == TokenCounts(prompt=3, fresh=3, choices=5, passes=2)
    assert row_counts((1,), (), {"choices": "A|B", "continuation": "was glad."}).passes == 4
    scored = study(sums(10), replace(sampled(0), by_likelihood=True))
    counted = TokenCounts(1_000, 500, 250, 24)
    assert expected_seconds(scored, MODEL, counted, SPEEDS) == pytest.approx(0.5 + 0.25 + 24 / 48)
    sentence = time_sentence(scored, MODEL, counted, SPEEDS, done=4)
    assert sentence == "Takes about 750 ms, with a prefill speed of 1,000 tokens per second (last measured)."


def test_time_sentence_of_a_batched_evaluation_has_two_estimates() -> None:
    asked = study(sums(100), together=10)
    assert time_sentence(asked, MODEL, NOTHING, SPEEDS) == (
        "Takes up to 50.0 s at 48.0 tokens per second (last measured), "
        "or up to 5.00 s if batches of 10 rows take no longer than one row."
    )
    alone = "Takes up to 50.0 s at 48.0 tokens per second (last measured)."
    assert time_sentence(replace(asked, together=1), MODEL, NOTHING, SPEEDS) == alone
    packed, unpacked = (replace(MODEL, format=replace(PACKED, unpacked=each)) for each in (False, True))
    assert time_sentence(asked, packed, NOTHING, SPEEDS) == alone != time_sentence(asked, unpacked, NOTHING, SPEEDS)


def test_time_sentence_without_measured_speeds_is_empty() -> None:
    other = LoadRequest("other")
    assert time_sentence(study(sums(), EvaluationVariant("one", ASKED, other)), MODEL, NOTHING, SPEEDS) == ""
    assert time_sentence(study(), MODEL, NOTHING, replace(SPEEDS, of=other)) == ""
    assert time_sentence(study(sums(), EvaluationVariant("one", ASKED, MODEL.opened_by)), MODEL, NOTHING, SPEEDS)


ROWS = PromptSet("", ("prompt",), [("x" * at,) for at in range(10)], Template(raw=True), "")


def length(prompt: ChatPrompt | RawPrompt, values: Mapping[str, str]) -> int:
    assert isinstance(prompt, RawPrompt)
    return len(prompt.text)


def test_counts_of_rows_are_their_token_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "CHUNK_S", math.inf)
    assert counts(ROWS, ROWS.template, length) == tuple(range(10))
    assert counts(ROWS, ROWS.template, length, 10) == ()


def test_counts_with_a_short_time_slice_return_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "CHUNK_S", 0.0)
    assert counts(ROWS, ROWS.template, length, 4) == (4,)
