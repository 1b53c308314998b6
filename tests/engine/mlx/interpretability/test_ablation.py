from itertools import count

import mlx.core as mx
import pytest

from app.engine.errors import UserError
from app.engine.jobs import Ablate
from app.engine.mlx.interpretability.ablation import ablate
from app.engine.mlx.loaded import LoadedModel
from app.engine.prompt_parts import parts_of, text_of
from app.engine.types import (
    AblationResult,
    AblationUnit,
    ExactPrompt,
    Limits,
    Prefill,
    PromptSource,
    ReplyPrefix,
    Request,
    TokenPrompt,
    of_answer,
    of_token,
    rather_than,
)
from tests.engine.mlx import architectures
from tests.engine.mlx.architectures import IDS, NEED_METAL, context_of
from tests.engine.mlx.asking import GREEDY, chat
from tests.engine.mlx.conftest import Player
from tests.engine.mlx.independent import forward, log_softmax
from tests.engine.tiers import mostly_slow

EXACT = 1e-5
ANSWER, PLACE = 30, 33
PARTS = range(1, 5), range(5, 12), range(20, 30)
UNLIKE_IN_CHUNKS = "phi3small"
SAMPLE = sorted(architectures.names() - NEED_METAL)[::12]
"""All of them were tried; a few are enough to see it break."""


def assert_exact(main: LoadedModel, found: AblationResult, ids: tuple[int, ...], answer: int, position: int) -> None:
    for odds, part in zip((found.whole, *found.without), (range(0), *found.parts), strict=True):
        prompt = [each for at, each in enumerate(ids[:answer]) if at not in part]
        rows = forward(main, [*prompt, *ids[answer:]], main.new_cache())[len(prompt) - 1 : -1]
        expected = [float(log_softmax(row)[token]) for row, token in zip(rows, ids[answer:], strict=True)]
        assert odds.answer == pytest.approx(sum(expected), rel=EXACT, abs=EXACT)
        assert odds.candidates[0] == pytest.approx(expected[position - answer], rel=EXACT, abs=EXACT)


@pytest.mark.parametrize(
    "name", mostly_slow(sorted({*SAMPLE, "gemma3_text", "mamba", "llama"}), "gemma3_text", "llama", "qwen")
)
def test_ablation_equals_a_pass_over_the_shorter_prompt(name: str) -> None:
    module = architectures.built(name)
    context = context_of(module, module(mx.array(IDS)[None]).shape[-1])
    found = ablate(context, IDS, Ablate(TokenPrompt(IDS), ANSWER, PLACE, PARTS))
    assert_exact(context.main, found, IDS, ANSWER, PLACE)


@pytest.mark.slow
def test_ablation_of_a_model_that_differs_in_chunks_is_refused() -> None:
    module = architectures.built(UNLIKE_IN_CHUNKS)
    context = context_of(module, module(mx.array(IDS)[None]).shape[-1])
    with pytest.raises(UserError, match="in chunks"):
        ablate(context, IDS, Ablate(TokenPrompt(IDS), ANSWER, PLACE, PARTS))


def rendered(player: Player, source: PromptSource) -> ExactPrompt:
    prompt = player.engine.render(source)
    assert isinstance(prompt, ExactPrompt)
    return prompt


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Tolin", "Mira", "Zorbek"])
def test_ablation_attributes_a_name_to_its_sentence(demo: Player, name: str) -> None:
    prompt = rendered(demo, chat(f"My name is {name}. What is my name?"))
    start = len(prompt.ids)
    answered = rendered(demo, TokenPrompt(prompt.ids, ReplyPrefix(start, text=f"Your name is {name}.")))
    _, parts = parts_of(prompt, start, AblationUnit.SENTENCE)
    found = demo.result(Ablate(TokenPrompt(answered.ids), start, start + answered.begun.index(" is") + 1, parts))
    effects = zip((text_of(prompt, part).strip() for part in parts), found.effects(of_token), strict=True)
    sentences = {text: effect for text, effect in effects if text.startswith(("My", "Name"))}
    assert sentences[f"My name is {name}."] >= 0.8 * sum(map(abs, sentences.values()))


@pytest.mark.slow
def test_ablation_of_the_demo_model_is_exact_and_its_removable_parts_are_tested(demo: Player) -> None:
    words = "My name is Tolin. I live in a small house. What is my name?"
    prompt = rendered(demo, chat(words))
    start = len(prompt.ids)
    answer = tuple(demo.play(Request(TokenPrompt(prompt.ids), GREEDY, Limits(16))).ids)
    _, parts = parts_of(prompt, start, AblationUnit.SENTENCE)
    found = demo.result(Ablate(TokenPrompt(prompt.ids + answer), start, start + 3, parts))
    assert_exact(demo.main, found, prompt.ids + answer, start, start + 3)
    texts = [text_of(prompt, parts[each]).strip() for each in found.spare]
    assert "I live in a small house." in texts and "My name is Tolin." not in texts
    assert demo.play(Request(TokenPrompt(found.kept), GREEDY, Limits(16))).ids == list(answer)
    contrast = found.effects(rather_than(1))
    assert found.candidates[1].id != found.candidates[0].id == answer[3]
    assert contrast != found.effects(of_token)
    for effect, odds in zip(contrast, found.without, strict=True):
        whole = found.whole.candidates[0] - found.whole.candidates[1]
        assert effect == pytest.approx(whole - (odds.candidates[0] - odds.candidates[1]))
    assert sum(found.effects(of_answer)) != pytest.approx(found.whole.answer - found.alone.answer, rel=0.1)


def test_ablation_reports_progress_and_stops(player: Player) -> None:
    job, numbers = Ablate(TokenPrompt(IDS * 4), 150, 155, PARTS), count(1)
    events = player.cancelled(job, lambda event: isinstance(event, Prefill) and next(numbers) == 4)
    steps = [event for event in events if isinstance(event, Prefill)]
    assert len(steps) == 4 and all(0 <= event.done <= event.total for event in steps)
    assert [event.done for event in steps] == sorted({event.done for event in steps})
