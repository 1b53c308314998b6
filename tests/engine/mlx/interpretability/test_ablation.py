"""An answer behind a prompt without one of its parts: as if that shorter prompt had been read from its beginning."""

from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
import pytest

from app.engine.errors import UserError
from app.engine.jobs import Ablate
from app.engine.mlx.interpretability.ablation import AnswerScorer, leave_out
from app.engine.mlx.loaded import Loaded
from app.engine.prompt_parts import parts_of, text_of
from app.engine.protocol import StopFlag
from app.engine.types import (
    AblationResult,
    ChatPrompt,
    Event,
    Failure,
    Limits,
    Message,
    Prefill,
    ReplyPrefix,
    Request,
    Role,
    Sampling,
    Stopped,
    TokenPrompt,
    Unit,
    of_answer,
    of_token,
    rather_than,
)
from tests import models
from tests.engine.mlx import architectures
from tests.engine.mlx.architectures import IDS, NEED_METAL, bare
from tests.engine.mlx.conftest import Open, Player
from tests.engine.tiers import mostly_slow

DEMO = Path(__file__).parents[4] / "resources" / "models" / "demo"
EXACT = 1e-5
ANSWER, PLACE = 30, 33
PARTS = range(1, 5), range(5, 12), range(20, 30)
OTHERWISE_IN_PIECES = {"phi3small"}
SAMPLE = sorted(architectures.names() - NEED_METAL)[::12]
"""All of them were tried; a few are enough to see it break."""


def fresh(main: Loaded, prompt: tuple[int, ...], answer: tuple[int, ...]) -> list[float]:
    """The logarithm of each of its tokens' probability, in one pass over everything."""
    ids = prompt + answer
    logits = main.module(mx.array(ids)[None], cache=main.new_cache())[0].astype(mx.float32)
    found = np.array(logits).astype(np.float64)[len(prompt) - 1 : -1]
    found -= found.max(axis=1, keepdims=True)
    found -= np.log(np.exp(found).sum(axis=1, keepdims=True))
    return [float(row[token]) for row, token in zip(found, answer, strict=True)]


def is_exact(main: Loaded, found: AblationResult, ids: tuple[int, ...], answer: int, place: int) -> None:
    told = (found.whole, *found.without)
    for odds, part in zip(told, (range(0), *found.parts), strict=True):
        prompt = tuple(each for at, each in enumerate(ids[:answer]) if at not in part)
        expected = fresh(main, prompt, ids[answer:])
        assert odds.answer == pytest.approx(sum(expected), rel=EXACT, abs=EXACT)
        assert odds.candidates[0] == pytest.approx(expected[place - answer], rel=EXACT, abs=EXACT)


@pytest.mark.parametrize(
    "name",
    mostly_slow(
        sorted({*SAMPLE, *OTHERWISE_IN_PIECES, "gemma3_text", "mamba", "llama"}), "gemma3_text", "llama", "qwen"
    ),
)
def test_it_is_as_if_the_shorter_prompt_had_been_read(name: str) -> None:
    module = architectures.built(name)
    main = bare(module, module(mx.array(IDS)[None]).shape[-1])
    try:
        found = leave_out(main, IDS, ANSWER, PLACE, PARTS, lambda event: None, StopFlag())
        assert isinstance(found, AblationResult)
        is_exact(main, found, IDS, ANSWER, PLACE)
        assert name not in OTHERWISE_IN_PIECES
    except UserError as refused:
        assert name in OTHERWISE_IN_PIECES, refused.failure


def left_out(player: Player, ids: tuple[int, ...], answer: int, place: int, parts: tuple[range, ...]) -> AblationResult:
    found = player.engine.run_job(Ablate(TokenPrompt(ids), answer, place, parts), lambda event: None, StopFlag())
    assert isinstance(found, AblationResult), found
    return found


def named(player: Player, name: str) -> dict[str, float]:
    """The model is asked for a name that it was told: what each sentence does for the token where one is said."""
    prompt = player.engine.render(ChatPrompt((Message(Role.USER, f"My name is {name}. What is my name?"),)))
    assert not isinstance(prompt, Failure)
    answered = player.engine.render(TokenPrompt(prompt.ids, ReplyPrefix(len(prompt.ids), text=f"Your name is {name}.")))
    assert not isinstance(answered, Failure)
    place = len(prompt.ids) + answered.begun.index(" is") + 1
    _, parts = parts_of(prompt, len(prompt.ids), Unit.SENTENCE)
    found = left_out(player, answered.ids, len(prompt.ids), place, parts)
    effects = zip((text_of(prompt, part).strip() for part in parts), found.effects(of_token), strict=True)
    return {text: effect for text, effect in effects if text.startswith(("My", "Name"))}


@pytest.mark.parametrize("name", mostly_slow(["Tolin", "Mira", "Zorbek"], "Tolin"))
def test_the_planted_name_owns_the_effect_on_the_name(open_model: Open, name: str) -> None:
    """Its share: what its sentence does for it, of what all sentences do, for it or against it."""
    effects = named(open_model(DEMO), name)
    assert effects[f"My name is {name}."] >= 0.8 * sum(map(abs, effects.values()))


@pytest.mark.slow
def test_of_the_demo_model_to_the_digit_and_what_is_spare_has_been_tried(open_model: Open) -> None:
    player = open_model(DEMO)
    main = player.engine._main
    assert main is not None
    words = "My name is Tolin. I live in a small house. What is my name?"
    prompt = player.engine.render(ChatPrompt((Message(Role.USER, words),)))
    assert not isinstance(prompt, Failure)
    said = tuple(player.play(Request(TokenPrompt(prompt.ids), Sampling(temperature=0), Limits(16))).ids)
    _, parts = parts_of(prompt, len(prompt.ids), Unit.SENTENCE)
    start = len(prompt.ids)
    found = left_out(player, prompt.ids + said, start, start + 3, parts)
    is_exact(main, found, prompt.ids + said, start, start + 3)
    texts = [text_of(prompt, parts[each]).strip() for each in found.spare]
    assert "I live in a small house." in texts and "My name is Tolin." not in texts
    assert player.play(Request(TokenPrompt(found.kept), Sampling(temperature=0), Limits(16))).ids == list(said)
    other = found.candidates[1]
    contrast = found.effects(rather_than(1))
    token = found.effects(of_token)
    assert other.id != found.candidates[0].id == said[3]
    assert contrast != token
    for effect, odds in zip(contrast, found.without, strict=True):
        whole = found.whole.candidates[0] - found.whole.candidates[1]
        assert effect == pytest.approx(whole - (odds.candidates[0] - odds.candidates[1]))
    assert sum(found.effects(of_answer)) != pytest.approx(found.whole.answer - found.alone.answer, rel=0.1)


@pytest.mark.slow
def test_what_else_goes_on_makes_no_prompt_slower(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    player, real, answer = open_model(DEMO), AnswerScorer.read, len(IDS) - 5
    waits = [1_000.0]

    def read(rows: AnswerScorer, cache: list[Any], ids: tuple[int, ...]) -> float:
        real(rows, cache, ids)
        return waits.pop() if len(ids) == answer and waits else float(len(ids))

    monkeypatch.setattr(AnswerScorer, "read", read)
    parts = tuple(range(at, at + 1) for at in range(1, answer))
    found = left_out(player, IDS, answer, answer, parts)
    assert found.spare and not waits
    assert found.sooner_s == answer - len(found.kept)


def test_stop_is_heard_and_the_way_is_told(open_model: Open, tmp_path: Path) -> None:
    player = open_model(models.tiny_llama(tmp_path))
    stop, told = StopFlag(), list[Prefill]()

    def asks(event: Event) -> None:
        if isinstance(event, Prefill):
            told.append(event)
            if len(told) == 4:
                stop.ask()

    outcome = player.engine.run_job(Ablate(TokenPrompt(IDS * 4), 150, 155, PARTS), asks, stop)
    assert isinstance(outcome, Stopped) and len(told) == 4
    assert all(0 <= event.done <= event.total for event in told)
    assert [event.done for event in told] == sorted({event.done for event in told})
