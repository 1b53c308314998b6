import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer

from app.engine.script import python_script
from app.engine.types import (
    KV,
    ChatPrompt,
    Event,
    FormatKind,
    Limits,
    Message,
    OutputFormat,
    Prefill,
    RawPrompt,
    Reason,
    Request,
    Role,
    Sampling,
    Token,
)
from tests.engine.mlx.conftest import Player

pytestmark = pytest.mark.slow

GREEDY = Sampling(temperature=0)
CAPITAL = ChatPrompt((Message(Role.USER, "What is the capital of France?"),))
STORY = Request(RawPrompt("Once upon a time there was a fox"), GREEDY, Limits(24))
ANIMAL = OutputFormat().put(
    FormatKind.SCHEMA,
    '{"type": "object", "properties": {"animal": {"enum": ["fox", "cat", "owl"]}, "legs": {"type": "integer"}},'
    ' "required": ["animal", "legs"], "additionalProperties": false}',
)
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
"""The template's own system message."""


@pytest.fixture(scope="module")
def tokenizer(real_model: Path) -> Tokenizer:
    return Tokenizer.from_file(str(real_model / "tokenizer.json"))


def chat(*texts: str) -> ChatPrompt:
    """A conversation whose turns alternate; the last one is the user's."""
    roles = (Role.USER, Role.ASSISTANT)
    return ChatPrompt(tuple(Message(roles[index % 2], text) for index, text in enumerate(texts)))


def test_answer_to_a_question_ends_at_eos(smol: Player) -> None:
    played = smol.play(Request(CAPITAL, GREEDY, Limits(40)))
    assert "Paris" in played.shown
    assert (played.finish.reason, played.finish.stop_text) == (Reason.STOP, "<|im_end|>")


def test_prompt_has_the_template_of_the_model(smol: Player, tokenizer: Tokenizer) -> None:
    played = smol.play(Request(CAPITAL, GREEDY, Limits(1)))
    text = f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\nWhat is the capital of France?<|im_end|>\n"
    ids = list(played.prompted.prompt.ids)
    assert tokenizer.decode(ids, skip_special_tokens=False) == f"{text}<|im_start|>assistant\n"


def test_run_ends_at_the_limit_at_a_stop_string_and_by_stop(smol: Player) -> None:
    whole = smol.play(STORY)
    assert whole.finish.reason is Reason.LENGTH
    end = whole.shown[20:26]
    stopped = smol.play(replace(STORY, limits=Limits(40, stop_strings=(end,))))
    assert (stopped.finish.reason, stopped.shown) == (Reason.STOP_STRING, whole.shown.partition(end)[0])
    seen: list[Event] = []

    def third(event: Event) -> bool:
        seen.extend([event] if isinstance(event, Token) else [])
        return len(seen) == 3

    assert smol.play(STORY, third).finish.reason is Reason.STOPPED


def test_shown_text_of_korean_and_emoji_is_whole(smol: Player) -> None:
    text = "안녕하세요 🦊🧣"
    played = smol.play(Request(CAPITAL, GREEDY, Limits(60), form=OutputFormat().put(FormatKind.CHOICES, text)))
    assert played.shown == text
    assert len(played.ids) > len(text), "characters are split over several tokens"


def test_five_turns_reuse_the_cache_and_change_no_token(smol: Player) -> None:
    texts, before = ["Name a colour."], 0
    for question in ("Another one.", "And one more.", "Which did you name first?", "Thank you!"):
        request = Request(chat(*texts), GREEDY, Limits(16), session=1)
        played = smol.play(request)
        assert played.finish.reused >= before - 1
        assert played.ids == smol.play(replace(request, kv=KV(reuse=False), session=None)).ids
        before = played.finish.reused + played.finish.new
        texts += [played.shown, question]


def test_edited_turn_reuses_the_tokens_before_the_edit(smol: Player) -> None:
    first = smol.play(Request(chat("Say yes.", "Yes.", "Name a fish."), GREEDY, Limits(4), session=2))
    edited = smol.play(Request(chat("Say yes.", "Yes.", "Name a bird."), GREEDY, Limits(4), session=2))
    old, new = first.prompted.prompt.ids, edited.prompted.prompt.ids
    same = next(index for index, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1])
    assert edited.finish.reused == same


def test_structured_output_with_thirty_seeds_is_valid(smol: Player) -> None:
    asked = ChatPrompt((Message(Role.USER, "Describe an animal as JSON."),))
    for seed in range(30):
        sampling = Sampling(temperature=1.2, seed=seed)
        played = smol.play(Request(asked, sampling, Limits(80), form=ANIMAL))
        if played.finish.reason is not Reason.LENGTH:
            answer = json.loads(played.shown)
            assert answer["animal"] in ("fox", "cat", "owl") and isinstance(answer["legs"], int)
        assert played.finish.reason in (Reason.FORM, Reason.STOP, Reason.LENGTH)


@pytest.mark.parametrize("sampling", [GREEDY, Sampling(temperature=0.9, top_p=0.9, seed=4)], ids=["greedy", "sampled"])
def test_script_reproduces_the_run(smol: Player, sampling: Sampling, capsys: pytest.CaptureFixture[str]) -> None:
    request = Request(CAPITAL, sampling, Limits(24))
    played = smol.play(request)
    made: dict[str, Any] = {}
    exec(compile(python_script(request, played.prompted.prompt, smol.model), "script", "exec"), made)
    assert made["ids"] == played.ids
    assert capsys.readouterr().out == played.shown + "\n"


def test_stop_during_the_prefill_of_6000_tokens_ends_the_run(smol: Player) -> None:
    request = Request(RawPrompt("The quick brown fox jumps over the lazy dog. " * 600), GREEDY, Limits(4), session=3)
    played = smol.play(request, lambda event: isinstance(event, Prefill) and event.done > 500)
    assert played.finish.reason is Reason.STOPPED and not played.tokens
    assert 500 < played.prefills[-1].done < 6_000
