from typing import Any

import pytest

from app.engine.prompt import render
from app.engine.text import TokenDecoder
from app.engine.types import (
    ChatPrompt,
    ExactPrompt,
    Failure,
    Message,
    PromptPart,
    PromptSource,
    PromptSpan,
    RawPrompt,
    ReplyPrefix,
    Role,
    TokenPrompt,
)
from tests.engine import made_tokenizers as tokenizers
from tests.standins.samples import Samples

HELLO = ChatPrompt((Message(Role.USER, "Hello 🦊🏽‍🌾"),))


def exact(source: PromptSource, tokenizer: Any) -> ExactPrompt:
    prompt = render(source, tokenizer)
    assert isinstance(prompt, ExactPrompt), prompt
    return prompt


def failed(source: PromptSource, tokenizer: Any) -> Failure:
    failure = render(source, tokenizer)
    assert isinstance(failure, Failure), failure
    return failure


def parts(prompt: ExactPrompt) -> list[tuple[PromptPart, str]]:
    return [(span.part, prompt.text[span.start : span.end]) for span in prompt.spans]


def test_render_raw_text_has_the_tokenizer_s_ids(tokenizer: Any) -> None:
    prompt = exact(RawPrompt("Once upon a time"), tokenizer)
    expected = tokenizer.encode("Once upon a time")
    # An encoder's tokenizer also ends its texts, but nothing is to follow an end.
    assert list(prompt.ids) == (expected[:-1] if tokenizer.name_or_path.endswith("t5-small") else expected)
    assert prompt.text == (tokenizer.bos_token or "") + "Once upon a time"
    assert parts(prompt)[-1] == (PromptPart.USER, "Once upon a time")


def test_render_raw_bos_is_never_doubled(llama: Any) -> None:
    added = exact(RawPrompt("Hi"), llama)
    written = exact(RawPrompt("<|begin_of_text|>Hi"), llama)
    assert added.text == written.text == "<|begin_of_text|>Hi"
    assert added.ids == written.ids == tuple(llama.encode("Hi"))
    assert added.offsets == written.offsets == ((0, 17), (17, 19))
    assert parts(added) == [(PromptPart.SPECIAL, "<|begin_of_text|>"), (PromptPart.USER, "Hi")]
    assert (added.notes, written.notes) == ((), ("The text already begins with the BOS token, so none was added.",))


def test_render_empty_prompt_is_bos_or_failure(llama: Any, qwen: Any) -> None:
    assert exact(RawPrompt(""), llama).ids == (llama.bos_token_id,)
    for source in (RawPrompt(""), TokenPrompt(()), ChatPrompt(())):
        assert failed(source, qwen).what == "There is nothing to send."


def test_render_raw_text_opens_no_reasoning(qwen: Any) -> None:
    page = exact(RawPrompt("Question\n<think>\n"), qwen)
    assert (page.raw, page.opens_reasoning) == (True, False)
    onwards = exact(TokenPrompt(page.ids, raw=True), qwen)
    assert (onwards.raw, onwards.opens_reasoning) == (True, False)
    begun = exact(TokenPrompt(page.ids, ReplyPrefix(1, text=" So"), raw=True), qwen)
    assert (begun.raw, begun.opens_reasoning, "".join(begun.begun)) == (True, False, "\n<think>\n So")


def test_render_ids_open_the_reasoning_like_their_text(qwen: Any) -> None:
    ids = exact(RawPrompt("Question\n<think>\n"), qwen).ids
    assert exact(TokenPrompt(ids), qwen).opens_reasoning
    assert not exact(TokenPrompt((*ids, *exact(RawPrompt("</think>"), qwen).ids)), qwen).opens_reasoning


def test_render_naughty_strings(tokenizer: Any, samples: Samples) -> None:
    for text in samples.naughty():
        if tokenizer.bos_token is None and not tokenizer.encode(text, add_special_tokens=False):
            assert failed(RawPrompt(text), tokenizer).todo.startswith("Type something")
            continue
        prompt = exact(RawPrompt(text), tokenizer)
        assert prompt.text.endswith(text)
        assert len(prompt.offsets) == len(prompt.ids)
        assert all(0 <= start <= end <= len(prompt.text) for start, end in prompt.offsets)
        assert prompt.spans[-1].end == len(prompt.text)


@pytest.mark.parametrize("name", ["llama3.2-instruct", "qwen3"])
def test_render_offsets_are_the_characters_of_each_id(name: str, samples: Samples) -> None:
    tokenizer = tokenizers.load(samples.path(f"tokenizers/{name}"))
    spelling = TokenDecoder(tokenizer)
    prompt = exact(HELLO, tokenizer)
    whole = [(spelling.text(token), prompt.text_of(position)) for position, token in enumerate(prompt.ids)]
    assert all(spelled == stretch for spelled, stretch in whole if "⟨" not in spelled)
    assert any("⟨" in spelled for spelled, _ in whole)


def test_render_ids_stay(tokenizer: Any) -> None:
    ids = (*tokenizer.encode("The quick 🦊🏽‍🌾 fox", add_special_tokens=False), 5, 5, 7)
    prompt = exact(TokenPrompt(ids), tokenizer)
    assert prompt.ids == ids
    assert prompt.text == tokenizers.decoded(tokenizer, list(ids), [])
    assert (prompt.offsets[0][0], prompt.offsets[-1][1]) == (0, len(prompt.text))
    starts = [start for start, _ in prompt.offsets]
    assert starts == sorted(starts)


def test_render_ids_finds_special_tokens_and_cut_characters(llama: Any) -> None:
    prompt = exact(TokenPrompt((*llama.encode("Hi"), llama.eos_token_id)), llama)
    assert [text for part, text in parts(prompt) if part is PromptPart.SPECIAL] == ["<|begin_of_text|>", "<|eot_id|>"]
    cut = exact(TokenPrompt(tuple(llama.encode("x\U0001fad9", add_special_tokens=False))[:-1]), llama)
    assert (cut.text, cut.offsets[-1]) == ("x\ufffd", (1, 2))


def test_render_conversation_with_mistral_s_own_template(samples: Samples) -> None:
    mistral = tokenizers.load(samples.path("tokenizers/mistral-7b-instruct-v0.3"))
    source = ChatPrompt((Message(Role.SYSTEM, "Brief."), Message(Role.USER, "Hi")), "Well,")
    prompt = exact(source, mistral)
    assert parts(prompt) == [
        (PromptPart.SPECIAL, "<s>[INST]"),
        (PromptPart.TEMPLATE, " "),
        (PromptPart.SYSTEM, "Brief."),
        (PromptPart.TEMPLATE, "\n\n"),
        (PromptPart.USER, "Hi"),
        (PromptPart.SPECIAL, "[/INST]"),
        (PromptPart.TEMPLATE, " "),
        (PromptPart.MODEL, "Well,"),
    ]
    assert prompt.ids.count(mistral.bos_token_id) == 1


def test_render_without_a_template_refuses_chat(samples: Samples) -> None:
    failure = failed(HELLO, tokenizers.load(samples.path("tokenizers/t5-small")))
    assert failure.what == "This model has no chat template, so it can't be used in chat mode."
    assert "Raw" in failure.todo


@pytest.mark.parametrize("source", [RawPrompt("a\ud83d"), ChatPrompt((Message(Role.USER, "\udd8a"),))])
def test_render_half_a_surrogate_pair_is_refused(source: PromptSource, qwen: Any) -> None:
    assert "surrogate" in failed(source, qwen).what


def test_render_with_a_failing_tokenizer_is_a_failure() -> None:
    failure = failed(RawPrompt("é"), tokenizers.Slow())
    assert failure.what == "The tokenizer can't read this prompt."
    assert failure.details.startswith("UnicodeEncodeError")


def test_render_offsets_without_a_backend_are_decoded() -> None:
    prompt = exact(RawPrompt("Hi!"), tokenizers.Slow())
    assert prompt.offsets == ((0, 1), (1, 2), (2, 3))
    assert prompt.spans == (PromptSpan(PromptPart.USER, 0, 3),)


@pytest.mark.parametrize("words", ["fox", " fox", "🦊🏽‍🌾", "zzz<", "\n\n"])
def test_render_text_after_ids_stays_the_same(tokenizer: Any, words: str) -> None:
    ids = tuple(tokenizer.encode("Tell me: the quick brown", add_special_tokens=False))
    prompt = exact(TokenPrompt(ids, ReplyPrefix(len(ids) - 1, text=words)), tokenizer)
    assert prompt.ids[: len(ids)] == ids
    assert len(prompt.begun) == len(prompt.ids) - len(ids) + 1
    said = "".join(prompt.begun[1:])
    unknown = "<unk>" in said or (words.isspace() and not said.strip())
    assert said == words or unknown


def test_render_empty_reply_prefix_is_refused(llama: Any) -> None:
    assert failed(TokenPrompt((llama.bos_token_id, 5), ReplyPrefix(2)), llama).todo
    half = TokenPrompt((llama.bos_token_id,), ReplyPrefix(1, text="\ud83e"))
    assert failed(half, llama).what.startswith("The prompt contains half")
