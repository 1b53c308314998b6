import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from llguidance import LLMatcher, LLTokenizer

from app.bridge.conversation import replay_request
from app.engine.mlx.constrained_decoding import _Vocabulary
from app.engine.structured_output.grammar import grammar_of
from app.engine.types import (
    AUTOMATIC,
    KV,
    Channel,
    ConstraintStats,
    FormatKind,
    Limits,
    Loading,
    OutputFormat,
    PromptEvent,
    Reason,
    ReplyPrefix,
    Request,
    Sampling,
    TokenPrompt,
)
from tests import json_schema
from tests.engine.mlx.asking import GREEDY, chat
from tests.engine.mlx.conftest import Open, Played, Player
from tests.engine.mlx.independent import forward, log_softmax

LONG = "SLUICE_EXAMPLES_COUNT" in os.environ
SCHEMAS, SEEDS, FREE = (50, 10, 200) if LONG else (6, 2, 8)
FOX = chat("Tell me about a fox.")
PERSON = OutputFormat().put(
    FormatKind.SCHEMA,
    '{"type": "object", "required": ["name", "tags"], "additionalProperties": false, "properties": {'
    '"name": {"type": "string", "maxLength": 20}, '
    '"tags": {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "maxItems": 4}}}',
)
ASKED = Request(FOX, GREEDY, Limits(120), form=PERSON, observe=10)
ANYTHING = OutputFormat().put(FormatKind.GRAMMAR, "start: <[0-2047]>*")
"""All tokens, also those without text of their own: a single missing one would change the random draws."""
WHOLE = (Reason.STOP, Reason.FORM)


def answer(played: Played) -> str:
    return played.text_in(Channel.NORMAL)


def assert_valid(text: str, form: OutputFormat = PERSON) -> None:
    assert [*json_schema.faults(json.loads(text), json.loads(form.text))] == [], text


def formed(played: Played) -> list[ConstraintStats | None]:
    return [each.formed for each in played.logprobs]


def written(kind: FormatKind, text: str) -> Request:
    return replace(ASKED, form=OutputFormat().put(kind, text))


def is_beginning(form: OutputFormat, text: str) -> bool:
    tokenizer = LLTokenizer("byte")
    ids = tokenizer.tokenize_str(text)
    return LLMatcher(tokenizer, grammar_of(form), log_level=0).try_consume_tokens(ids) == len(ids)


@pytest.mark.slow
def test_constrained_answer_that_ended_is_valid(demo: Player) -> None:
    ended = 0
    for number in range(SCHEMAS):
        form = OutputFormat().put(FormatKind.SCHEMA, json.dumps(json_schema.bounded(number)))
        for seed in range(SEEDS):
            asked = replace(ASKED, sampling=Sampling(1.0, seed=seed), form=form, limits=Limits(150), observe=0)
            played = demo.play(asked)
            assert played.finish.failure is None
            if played.finish.reason in WHOLE:
                ended += 1
                assert_valid(answer(played), form)
            else:
                assert (played.finish.reason, is_beginning(form, answer(played))) == (Reason.LENGTH, True)
    assert ended > SCHEMAS * SEEDS * 0.8


@pytest.mark.parametrize(
    "form",
    [pytest.param(PERSON, marks=pytest.mark.slow), OutputFormat().put(FormatKind.REGEX, "[a-z ]{10,30}\\.")],
    ids=["schema", "regex"],
)
def test_constrained_mass_equals_a_numpy_reference(demo: Player, form: OutputFormat) -> None:
    played = demo.play(replace(ASKED, sampling=Sampling(0.8, seed=3), form=form))
    prompt = list(played.prompted.prompt.ids)
    logits = forward(demo.main, prompt + played.ids)[len(prompt) - 1 :]
    tokenizer = LLTokenizer((demo.model.folder / "tokenizer.json").read_text("utf-8"), eos_token=_ends(demo))
    matcher = LLMatcher(tokenizer, grammar_of(form), log_level=0)
    for token, seen, row in zip(played.tokens, played.logprobs, logits, strict=False):
        allowed = np.frombuffer(matcher.compute_logit_bias(), np.bool_)
        shares = np.exp(log_softmax(row))
        assert (found := seen.formed) is not None
        best = np.argsort(-shares)[:10]
        if token.index:  # the first one may also be the tag that opens a reasoning section
            assert found.removed == pytest.approx(shares[~allowed].sum(), abs=1e-6)
            assert found.forced == (allowed.sum() == 1)
            assert all(allowed[each.id] for each in seen.top)
        assert {each.id for each in found.forbidden} == {position for position in best if not allowed[position]}
        assert all(each.probability == pytest.approx(shares[each.id], abs=1e-6) for each in found.forbidden)
        assert (seen.wanted.id if seen.wanted else best[0]) == best[0]
        matcher.consume_token(token.id)


def _ends(player: Player) -> list[int]:
    return [token for token, _ in player.model.eos]


@pytest.mark.slow
def test_constraint_that_allows_everything_changes_no_token(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    # The check knows no tokens, only bytes.
    monkeypatch.setattr("app.engine.mlx.validate_request.check_format", lambda form: None)
    for seed in range(FREE):
        free = Request(FOX, Sampling(1.0, seed=seed), Limits(25))
        constrained, plain = demo.play(replace(free, form=ANYTHING)), demo.play(free)
        assert (constrained.ids, constrained.finish.reason) == (plain.ids, plain.finish.reason)


@pytest.mark.slow
@pytest.mark.parametrize("observe", [0, 10])
def test_constrained_answer_is_the_same_uncached_cached_and_batched(demo: Player, observe: int) -> None:
    request = replace(ASKED, observe=observe, sampling=Sampling(1.0, repetition_penalty=1.2, seed=4))
    first, again = demo.play(request), demo.play(request)
    bare = demo.play(replace(request, kv=KV(enabled=False)))
    assert again.finish.reused > 0
    assert again.ids == bare.ids == first.ids
    assert {each.finish.reason for each in (first, again, bare)} == {Reason.FORM}
    if not observe:
        requests = [request, *(replace(request, sampling=Sampling(1.0, seed=seed)) for seed in range(3))]
        for row, alone in zip(demo.together(*requests), map(demo.play, requests), strict=True):
            assert (row.ids, row.finish.reason) == (alone.ids, alone.finish.reason)


@pytest.mark.slow
@pytest.mark.parametrize("draft_tokens", [AUTOMATIC, 1, 3, 6])
def test_constrained_answer_with_a_draft_model_is_the_same(demo_pair: Player, draft_tokens: int) -> None:
    for form in (
        PERSON,
        OutputFormat().put(FormatKind.REGEX, "[a-z ]{20,60}"),
        OutputFormat().put(FormatKind.CHOICES, "yes\nno"),
    ):
        plain = replace(ASKED, form=form)
        alone, drafted = demo_pair.play(plain), demo_pair.play(replace(plain, draft_tokens=draft_tokens))
        assert (drafted.ids, drafted.finish.reason) == (alone.ids, alone.finish.reason)
        for one, other in zip(formed(alone), formed(drafted), strict=True):
            assert one is not None and other is not None
            assert one.removed == pytest.approx(other.removed, abs=1e-5)
            assert one.forced == other.forced


@pytest.mark.slow
def test_constrained_draft_in_a_dead_end_does_not_end_the_run(open_model: Open, demo_model: Path) -> None:
    """Its proposals are constrained too, so they are what the model samples, or come after that."""
    twins = open_model(demo_model, demo_model)
    request = replace(written(FormatKind.GRAMMAR, 'start: "a" | "c" X\nX: /b/ & /d/'), draft_tokens=3)
    for seed in range(4):
        reason = twins.play(replace(request, sampling=Sampling(1.0, seed=seed))).finish.reason
        assert reason in (Reason.FORM, Reason.DEAD_END)


@pytest.mark.slow
def test_constrained_eos_comes_only_where_the_format_is_complete(demo: Player) -> None:
    eager = Sampling(temperature=0, logit_bias=tuple((end, 100.0) for end in _ends(demo)))
    ended = demo.play(replace(written(FormatKind.CHOICES, "yes\nyes please"), sampling=eager))
    assert (answer(ended), ended.finish.reason) == ("yes", Reason.STOP)
    whole = demo.play(replace(written(FormatKind.CHOICES, "yes please"), sampling=eager))
    assert (answer(whole), whole.finish.reason, whole.finish.library_reason) == ("yes please", Reason.FORM, None)
    exact = demo.play(replace(written(FormatKind.CHOICES, "yes please"), limits=Limits(len(whole.ids))))
    assert exact.finish.reason is Reason.FORM, "it is complete with the last allowed token"


@pytest.mark.parametrize("kv", [KV(), KV(enabled=False)])
def test_constrained_dead_end_has_its_own_finish_reason(demo: Player, kv: KV) -> None:
    played = demo.play(replace(written(FormatKind.GRAMMAR, 'start: "a" X\nX: /b/ & /c/'), kv=kv))
    assert (answer(played), played.finish.reason) == ("a", Reason.DEAD_END)


@pytest.mark.slow
def test_constrained_answer_ends_at_a_stop_string(demo: Player) -> None:
    played = demo.play(replace(ASKED, limits=Limits(120, stop_strings=('"tags"',))))
    assert played.finish.reason is Reason.STOP_STRING
    assert is_beginning(PERSON, answer(played))


@pytest.mark.slow
def test_constrained_answer_is_continued_and_forked_in_its_format(demo: Player) -> None:
    whole = demo.play(ASKED)
    cut = demo.play(replace(ASKED, limits=Limits(9)))
    start, ids = len(cut.prompted.prompt.ids), (*cut.prompted.prompt.ids, *cut.ids)
    continued = replace(ASKED, prompt=TokenPrompt(ids, written=9))
    rest = demo.play(continued)
    assert (cut.ids + rest.ids, rest.finish.reason) == (whole.ids, Reason.FORM)
    forked = demo.play(replace(ASKED, prompt=TokenPrompt(ids[:-2], ReplyPrefix(start, text="ox"))))
    assert_valid("".join(forked.prompted.prompt.begun) + forked.text)
    for request, played in ((continued, rest), (ASKED, forked)):
        assert demo.play(replay_request(request, played.prompted.prompt)).ids == played.ids


def test_continuation_that_breaks_the_format_is_refused(demo: Player) -> None:
    ids = demo.play(replace(ASKED, limits=Limits(5))).prompted.prompt.ids
    failure = demo.failure(replace(ASKED, prompt=TokenPrompt(ids, ReplyPrefix(len(ids), text="Hello"))))
    assert (failure.kind, failure.what) == ("form", "The answer so far doesn't match the output format.")


@pytest.mark.slow
def test_constraint_starts_after_the_reasoning(demo: Player) -> None:
    thinking = replace(ASKED, prompt=replace(FOX, reply_start="<think>\n"), sampling=Sampling(0.7, seed=1))
    played = demo.play(thinking)
    assert played.prompted.prompt.opens_reasoning and "</think>" in played.text
    assert_valid(answer(played))
    assert formed(played)[0] is None and formed(played)[-1] is not None
    cut = demo.play(replace(thinking, limits=Limits(4)))
    ids = (*cut.prompted.prompt.ids, *cut.ids)
    rest = demo.play(replace(thinking, prompt=TokenPrompt(ids, written=4), sampling=GREEDY))
    assert "</think>" in rest.text and rest.finish.reason is Reason.FORM


def test_constraint_allows_reasoning_at_the_start(demo: Player) -> None:
    opening = demo.main.tokenizer.encode("<think>", add_special_tokens=False)
    eager = Sampling(temperature=0, logit_bias=((opening[0], 30.0),))
    played = demo.play(replace(ASKED, sampling=eager, limits=Limits(40)))
    assert (played.ids[0], formed(played)[1]) == (opening[0], None)


def test_invalid_format_is_refused_before_the_prefill(demo: Player) -> None:
    played = demo.play(written(FormatKind.REGEX, "(a"))
    assert played.finish.failure is not None and played.finish.failure.kind == "form"
    assert [type(each) for each in played.events] == [Loading]


def test_vocabulary_of_a_model_without_eos_has_an_end_token(demo: Player) -> None:
    spelt = _Vocabulary(demo.main, frozenset())
    assert spelt.ends == [demo.model.vocabulary] and spelt.tokens[-1] == b"end"
    assert set(spelt.special_token_ids) >= {*_ends(demo), demo.model.vocabulary}


@pytest.mark.slow
def test_constraint_treats_tags_as_no_text(demo: Player) -> None:
    """Otherwise a JSON string could open a reasoning section, which the reader would hide."""
    played = demo.play(written(FormatKind.CHOICES, "a<think>b"))
    assert played.text == "a<think>b" and len(played.ids) > 3


def test_constraint_on_an_unsupported_model_says_why(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.text.rule_of", lambda decoder: None)
    player = open_model("tiny_llama")
    assert not player.model.can.form
    assert player.failure(replace(ASKED, prompt=TokenPrompt((5, 6)))).what == player.model.can.refusal("form")


def test_constrained_run_reports_compiling_first(demo: Player) -> None:
    first = [
        type(demo.play(replace(ASKED, limits=Limits(2), form=form)).events[0]) for form in (PERSON, OutputFormat())
    ]
    assert first == [Loading, PromptEvent]
