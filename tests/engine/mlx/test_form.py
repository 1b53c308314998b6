"""Constrained answers are valid, their statistics are true, and nothing else changes."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from llguidance import LLMatcher, LLTokenizer

from app.bridge.conversation import replay_request
from app.engine.forms.grammar import grammar_of
from app.engine.mlx.engine import MlxEngine
from app.engine.mlx.form import _Vocabulary
from app.engine.protocol import StopFlag
from app.engine.types import (
    KV,
    Channel,
    ChatPrompt,
    Event,
    Form,
    FormKind,
    Limits,
    Loading,
    Message,
    Prompted,
    Reason,
    ReplyPrefix,
    Request,
    Role,
    Sampling,
    TokenPrompt,
)
from tests import json_schema
from tests.engine.mlx.conftest import Open, Played, Player
from tests.engine.mlx.independent import forward, log_softmax

LONG = "SLUICE_EXAMPLES_COUNT" in os.environ
SCHEMAS, SEEDS, FREE = (50, 10, 200) if LONG else (6, 2, 8)
FOX = ChatPrompt((Message(Role.USER, "Tell me about a fox."),))
GREEDY = Sampling(temperature=0)
PERSON = Form().put(
    FormKind.SCHEMA,
    json.dumps(
        {
            "type": "object",
            "properties": {
                "name": {"type": "string", "maxLength": 20},
                "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "maxItems": 4},
            },
            "required": ["name", "tags"],
            "additionalProperties": False,
        }
    ),
)
ASKED = Request(FOX, GREEDY, Limits(120), form=PERSON, observe=10)
ANYTHING = Form().put(FormKind.GRAMMAR, "start: <[0-2047]>*")
"""All tokens, also those without text of their own: a single missing one would change the random draws."""
WHOLE = (Reason.STOP, Reason.FORM)


@pytest.fixture
def demo(open_model: Open, demo_model: Path) -> Player:
    return open_model(demo_model)


def answer(played: Played) -> str:
    pieces = [*(piece for token in played.tokens for piece in token.shown), *played.finish.released]
    return "".join(piece.text for piece in pieces if piece.voice is Channel.NORMAL)


def written(kind: FormKind, text: str) -> Request:
    return replace(ASKED, form=Form().put(kind, text))


def is_beginning(form: Form, text: str) -> bool:
    tokenizer = LLTokenizer("byte")
    ids = tokenizer.tokenize_str(text)
    return LLMatcher(tokenizer, grammar_of(form), log_level=0).try_consume_tokens(ids) == len(ids)


@pytest.mark.slow
def test_constrained_answer_that_ended_is_valid(demo: Player) -> None:
    ended = 0
    for number in range(SCHEMAS):
        schema = json_schema.bounded(number)
        form = Form().put(FormKind.SCHEMA, json.dumps(schema))
        for seed in range(SEEDS):
            asked = replace(ASKED, sampling=Sampling(1.0, seed=seed), form=form, limits=Limits(150), observe=0)
            played = demo.play(asked)
            assert played.finish.failure is None
            if played.finish.reason in WHOLE:
                ended += 1
                assert [*json_schema.faults(json.loads(answer(played)), schema)] == [], (schema, answer(played))
            else:
                assert (played.finish.reason, is_beginning(form, answer(played))) == (Reason.LENGTH, True)
    assert ended > SCHEMAS * SEEDS * 0.8


@pytest.mark.parametrize(
    "form",
    [pytest.param(PERSON, marks=pytest.mark.slow), Form().put(FormKind.REGEX, "[a-z ]{10,30}\\.")],
    ids=["schema", "regex"],
)
def test_constrained_mass_equals_a_numpy_reference(demo: Player, form: Form) -> None:
    played = demo.play(replace(ASKED, sampling=Sampling(0.8, seed=3), form=form))
    prompt = list(played.prompted.prompt.ids)
    logits = forward(demo, prompt + played.ids)[len(prompt) - 1 :]
    tokenizer = LLTokenizer((demo.model.folder / "tokenizer.json").read_text("utf-8"), eos_token=_ends(demo))
    matcher = LLMatcher(tokenizer, grammar_of(form), log_level=0)
    for token, row in zip(played.tokens, logits, strict=False):
        allowed = np.frombuffer(matcher.compute_logit_bias(), np.bool_)
        shares = np.exp(log_softmax(row))
        formed = token.observed.formed if token.observed else None
        assert formed is not None
        if token.index:  # the first one may also be the mark that opens a reasoning section
            assert formed.removed == pytest.approx(shares[~allowed].sum(), abs=1e-6)
            assert formed.forced == (allowed.sum() == 1)
        best = np.argsort(-shares)[:10]
        assert {each.id for each in formed.forbidden} == {place for place in best if not allowed[place]}
        assert all(each.probability == pytest.approx(shares[each.id], abs=1e-6) for each in formed.forbidden)
        assert token.observed and all(allowed[each.id] for each in token.observed.top if token.index)
        wanted = token.observed.wanted
        assert (wanted.id if wanted else best[0]) == best[0]
        matcher.consume_token(token.id)


def _ends(player: Player) -> list[int]:
    return [token for token, _ in player.model.eos]


@pytest.mark.slow
def test_constraint_that_allows_everything_changes_no_token(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "app.engine.mlx.validate_request.check_form", lambda form: None
    )  # it knows no tokens, only bytes
    for seed in range(FREE):
        free = Request(FOX, Sampling(1.0, seed=seed), Limits(25))
        held = demo.play(replace(free, form=ANYTHING))
        assert held.ids == demo.play(free).ids
        assert held.finish.reason is demo.play(free).finish.reason


@pytest.mark.slow
@pytest.mark.parametrize("observe", [0, 10])
def test_constrained_answer_is_the_same_uncached_cached_and_batched(demo: Player, observe: int) -> None:
    asked = replace(ASKED, observe=observe, sampling=Sampling(1.0, repetition_penalty=1.2, seed=4))
    first, again = demo.play(asked), demo.play(asked)
    bare = demo.play(replace(asked, kv=KV(enabled=False)))
    assert again.finish.reused > 0
    assert first.finish.reason is Reason.FORM
    assert [each.finish.reason for each in (again, bare)] == [Reason.FORM] * 2
    assert again.ids == bare.ids == first.ids
    if not observe:
        others = [replace(asked, sampling=Sampling(1.0, seed=seed)) for seed in range(3)]
        rows: list[list[Event]] = [[] for _ in (asked, *others)]
        ended = demo.engine.generate_together((asked, *others), [row.append for row in rows], StopFlag())
        for row, finish, one in zip(rows, ended, (asked, *others), strict=True):
            alone = demo.play(one)
            assert (Played(finish, row).ids, finish.reason) == (alone.ids, alone.finish.reason)


@pytest.mark.slow
@pytest.mark.parametrize("draft_tokens", [1, 3, 6])
def test_constrained_answer_with_a_draft_model_is_the_same(
    open_model: Open, demo_model: Path, demo_draft: Path, draft_tokens: int
) -> None:
    pair = open_model(demo_model, demo_draft)
    for form in (PERSON, Form().put(FormKind.REGEX, "[a-z ]{20,60}"), Form().put(FormKind.CHOICES, "yes\nno")):
        plain = replace(ASKED, form=form)
        alone, drafted = pair.play(plain), pair.play(replace(plain, draft_tokens=draft_tokens))
        assert (drafted.ids, drafted.finish.reason) == (alone.ids, alone.finish.reason)
        for one, other in zip(alone.tokens, drafted.tokens, strict=True):
            told = [each.observed.formed for each in (one, other) if each.observed and each.observed.formed]
            assert len(told) == 2
            assert told[0].removed == pytest.approx(told[1].removed, abs=1e-5)
            assert told[0].forced == told[1].forced


@pytest.mark.slow
def test_constrained_draft_in_a_dead_end_does_not_end_the_run(open_model: Open, demo_model: Path) -> None:
    """Its proposals are constrained too, so they are what the model samples, or come after that."""
    twins = open_model(demo_model, demo_model)
    form = Form().put(FormKind.GRAMMAR, 'start: "a" | "c" X\nX: /b/ & /d/')
    plain = replace(ASKED, form=form)
    for seed in range(4):
        asked = replace(plain, sampling=Sampling(1.0, seed=seed))
        reason = twins.play(replace(asked, draft_tokens=3)).finish.reason
        assert reason in (Reason.FORM, Reason.DEAD_END)


@pytest.mark.slow
def test_constrained_eos_comes_only_where_the_format_is_complete(demo: Player) -> None:
    eager = Sampling(temperature=0, logit_bias=tuple((end, 100.0) for end in _ends(demo)))
    ended = demo.play(replace(written(FormKind.CHOICES, "yes\nyes please"), sampling=eager))
    assert (answer(ended), ended.finish.reason) == ("yes", Reason.STOP)
    whole = demo.play(replace(written(FormKind.CHOICES, "yes please"), sampling=eager))
    assert (answer(whole), whole.finish.reason) == ("yes please", Reason.FORM)
    assert whole.finish.library_reason is None
    exact = demo.play(replace(written(FormKind.CHOICES, "yes please"), limits=Limits(len(whole.ids))))
    assert exact.finish.reason is Reason.FORM, "it is whole with the last token that it may have"


def test_constrained_dead_end_has_its_own_finish_reason(demo: Player) -> None:
    asked = written(FormKind.GRAMMAR, 'start: "a" X\nX: /b/ & /c/')
    for kv in (KV(), KV(enabled=False)):
        played = demo.play(replace(asked, kv=kv))
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
    ids = (*cut.prompted.prompt.ids, *cut.ids)
    rest = demo.play(replace(ASKED, prompt=TokenPrompt(ids, written=9)))
    assert cut.ids + rest.ids == whole.ids
    assert rest.finish.reason is Reason.FORM
    start = len(cut.prompted.prompt.ids)
    forked = demo.play(replace(ASKED, prompt=TokenPrompt(ids[:-2], ReplyPrefix(start, text="ox"))))
    said = "".join(forked.prompted.prompt.begun) + forked.text
    assert [*json_schema.faults(json.loads(said), json.loads(PERSON.text))] == []
    again = demo.play(replay_request(replace(ASKED, prompt=TokenPrompt(ids, written=9)), rest.prompted.prompt))
    forked_again = demo.play(replay_request(ASKED, forked.prompted.prompt))
    assert (again.ids, forked_again.ids) == (rest.ids, forked.ids)


def test_continuation_that_breaks_the_format_is_refused(demo: Player) -> None:
    ids = demo.play(replace(ASKED, limits=Limits(5))).prompted.prompt.ids
    failure = demo.play(replace(ASKED, prompt=TokenPrompt(ids, ReplyPrefix(len(ids), text="Hello")))).finish.failure
    assert failure is not None and failure.kind == "form"
    assert failure.what == "The answer so far doesn't match the output format."


@pytest.mark.slow
def test_constraint_starts_after_the_reasoning(demo: Player) -> None:
    thinking = replace(ASKED, prompt=replace(FOX, reply_start="<think>\n"), sampling=Sampling(0.7, seed=1))
    played = demo.play(thinking)
    assert played.prompted.prompt.opens_reasoning
    assert "</think>" in played.text
    assert [*json_schema.faults(json.loads(answer(played)), json.loads(PERSON.text))] == []
    formed = [token.observed.formed for token in played.tokens if token.observed]
    assert formed[0] is None and formed[-1] is not None
    cut = demo.play(replace(thinking, limits=Limits(4)))
    ids = (*cut.prompted.prompt.ids, *cut.ids)
    rest = demo.play(replace(thinking, prompt=TokenPrompt(ids, written=4), sampling=GREEDY))
    assert "</think>" in rest.text
    assert rest.finish.reason is Reason.FORM


def test_constraint_allows_reasoning_at_the_start(demo: Player) -> None:
    opening = demo.engine._main.tokenizer.encode("<think>", add_special_tokens=False)  # type: ignore[union-attr]
    eager = Sampling(temperature=0, logit_bias=((opening[0], 30.0),))
    played = demo.play(replace(ASKED, sampling=eager, limits=Limits(40)))
    assert played.ids[0] == opening[0]
    assert played.tokens[1].observed is not None and played.tokens[1].observed.formed is None


def test_invalid_format_is_refused_before_the_prefill(demo: Player) -> None:
    played = demo.play(written(FormKind.REGEX, "(a"))
    assert played.finish.failure is not None and played.finish.failure.kind == "form"
    assert [type(each) for each in played.events] == [Loading]


def test_constraint_works_without_eos(demo: Player) -> None:
    main = demo.engine._main
    assert main is not None
    spelt = _Vocabulary(main, frozenset())
    assert spelt.ends == [demo.model.vocabulary] and spelt.tokens[-1] == b"end"
    assert set(spelt.special_token_ids) >= {*_ends(demo), demo.model.vocabulary}


@pytest.mark.slow
def test_constraint_treats_tags_as_no_text(demo: Player) -> None:
    """Otherwise a JSON string could open a reasoning section, which the reader would hide."""
    played = demo.play(written(FormKind.CHOICES, "a<think>b"))
    assert played.text == "a<think>b"
    assert len(played.ids) > 3


def test_constraint_on_an_unsupported_model_says_why(
    open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.engine.text.rule_of", lambda decoder: None)
    player = open_model(tiny_llama)
    assert not player.model.can.form
    failure = player.play(replace(ASKED, prompt=TokenPrompt((5, 6)))).finish.failure
    assert failure is not None and failure.what == player.model.can.refusal("form")
    assert isinstance(player.engine, MlxEngine)


def test_constrained_run_reports_compiling_first(demo: Player) -> None:
    first = [type(demo.play(replace(ASKED, limits=Limits(2), form=form)).events[0]) for form in (PERSON, Form())]
    assert first == [Loading, Prompted]
