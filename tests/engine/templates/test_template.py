from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.prompt import render
from app.engine.templates.template import MessageSpan, TemplateTurn, cover, find_words, fold_system
from app.engine.types import ChatPrompt, ExactPrompt, Failure, PromptPart, PromptSpan, Role
from tests.engine.made_templates import SHAPES, TEMPLATES, A, S, U, chat, use
from tests.engine.tiers import mostly_slow
from tests.examples import at_most
from tests.standins.samples import Samples

PART_OF = {S: PromptPart.SYSTEM, U: PromptPart.USER, A: PromptPart.MODEL}
FOLDED = "This template doesn't support this system message: it became part of a user turn."
MERGED = "This template requires alternating roles: adjacent turns of one role were merged."
ALTERNATING = ("google-gemma-2-2b-it", "mistralai-Mistral-Nemo-Instruct-2407")
EACH = mostly_slow(TEMPLATES, "google-gemma-2-2b-it", "Qwen-Qwen3-0.6B")


def said(prompt: ExactPrompt, *parts: PromptPart) -> list[str]:
    return [prompt.text[span.start : span.end] for span in prompt.spans if span.part in parts]


def rendered(source: ChatPrompt, tokenizer: Any) -> ExactPrompt:
    prompt = render(source, tokenizer)
    assert isinstance(prompt, ExactPrompt), prompt
    return prompt


def prompts(tokenizer: Any) -> Iterator[tuple[ChatPrompt, ExactPrompt | Failure]]:
    yield from ((source, render(source, tokenizer)) for source in SHAPES.values())


def test_templates_are_all_listed(samples: Samples) -> None:
    assert samples.templates() == set(TEMPLATES)


@pytest.mark.parametrize("template", EACH)
def test_render_twelve_shapes(template: str, llama: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes: Counter[type] = Counter()
    for source, prompt in prompts(use(template, llama, samples, monkeypatch)):
        outcomes[type(prompt)] += 1
        if isinstance(prompt, Failure):
            assert prompt.what.endswith(".")
            assert prompt.todo.endswith(".")
            assert "Traceback" not in prompt.details
            continue
        assert_covered(prompt)
        wanted = Counter(message.text for message in source.messages)
        assert Counter(said(prompt, *PART_OF.values())) == wanted + Counter(
            [source.reply_start] if source.reply_start else []
        )
        assert prompt.ids.count(llama.bos_token_id) <= 1
    refused = 2 if template in ALTERNATING else 1
    assert outcomes == Counter({ExactPrompt: 12 - refused, Failure: refused})


def assert_covered(prompt: ExactPrompt) -> None:
    borders = [0, *(span.end for span in prompt.spans)]
    assert [span.start for span in prompt.spans] == borders[:-1]
    assert borders[-1] == len(prompt.text)
    assert len(prompt.offsets) == len(prompt.ids)


@pytest.mark.parametrize("template", EACH)
def test_render_ids_are_those_of_transformers(
    template: str, qwen: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(template, qwen, samples, monkeypatch)
    compared = 0
    for source, prompt in prompts(qwen):
        if isinstance(prompt, Failure) or prompt.notes or source.reply_start:
            continue
        messages = [{"role": str(message.role), "content": message.text} for message in source.messages]
        assert list(prompt.ids) == qwen.apply_chat_template(messages, tokenize=True, add_generation_prompt=True)
        compared += 1
    assert compared >= 3 or "Hermes" in template


@pytest.mark.parametrize(
    ("template", "shape", "notes"),
    [
        ("google-gemma-2-2b-it", "system", (FOLDED,)),
        ("google-gemma-2-2b-it", "system alone", (FOLDED,)),
        ("google-gemma-2-2b-it", "two users", (MERGED,)),
        ("google-gemma-2-2b-it", "two assistants", (MERGED,)),
        ("google-gemma-2-2b-it", "system midway", (FOLDED,)),
        ("mistralai-Mistral-Nemo-Instruct-2407", "system", ()),
        ("mistralai-Mistral-Nemo-Instruct-2407", "system midway", (FOLDED,)),
        ("HuggingFaceTB-SmolLM3-3B", "system midway", (FOLDED,)),
        ("Qwen-Qwen2.5-7B-Instruct", "two users", ()),
    ],
)
def test_render_notes_name_the_change(
    template: str, shape: str, notes: tuple[str, ...], qwen: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rendered(SHAPES[shape], use(template, qwen, samples, monkeypatch)).notes == notes


def test_render_folds_and_merges_into_one_turn(qwen: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    use("google-gemma-2-2b-it", qwen, samples, monkeypatch)
    prompt = rendered(chat((S, "Brief."), (U, "One"), (U, "Two")), qwen)
    assert prompt.text.endswith("<start_of_turn>user\nBrief.\n\nOne\n\nTwo<end_of_turn>\n<start_of_turn>model\n")
    assert prompt.notes == (FOLDED, MERGED)


@pytest.mark.parametrize("template", ALTERNATING)
def test_render_assistant_first_is_refused(
    template: str, qwen: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = render(SHAPES["assistant first"], use(template, qwen, samples, monkeypatch))
    assert isinstance(failure, Failure)
    assert failure.what == "This model's chat template requires the first turn to be a user turn."
    assert "must alternate" in failure.details


def test_render_notes_name_lost_turns(qwen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qwen._tokenizer, "chat_template", "{{ messages[-1].content }}")
    prompt = rendered(chat((U, "One"), (A, "Two\nlines"), (U, "Three")), qwen)
    assert prompt.text == "Three"
    assert prompt.notes == (
        "The template leaves out a user turn: “One”.",
        "The template leaves out a turn of the model: “Two”.",
    )


@pytest.mark.parametrize(
    ("template", "what", "details"),
    [
        ("{{ raise_exception('Not on Sundays.') }}", "refuses this conversation.", "Sundays"),
        ("{% for %}", "has an error and can't be used.", "TemplateSyntaxError"),
        ("{{ messages[0].content.denoise() }}", "refuses this conversation.", "denoise"),
        ("{{ ''.__class__.__mro__ }}", "accesses forbidden objects, so it was stopped.", "unsafe"),
    ],
)
def test_render_template_error_is_a_refusal(
    template: str, what: str, details: str, qwen: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(qwen._tokenizer, "chat_template", template)
    failure = render(SHAPES["one question"], qwen)
    assert isinstance(failure, Failure)
    assert failure.what == f"This model's chat template {what}"
    assert details in failure.details


def test_render_passes_only_known_arguments(qwen: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    use("Qwen-Qwen3-0.6B", qwen, samples, monkeypatch)
    off = rendered(chat((U, "Hi"), enable_thinking=False), qwen)
    assert off.text.endswith("<|im_start|>assistant\n<think>\n\n</think>\n\n")
    assert off.notes == ()
    unknown = rendered(chat((U, "Hi"), mood="grim"), qwen)
    assert unknown.text == rendered(chat((U, "Hi")), qwen).text
    assert unknown.notes == ("The template doesn't read “mood”: it was left out.",)


@pytest.mark.parametrize(
    ("template", "reply", "end"),
    [
        ("meta-llama-Llama-3.2-3B-Instruct", "Sure, ", "assistant<|end_header_id|>\n\nSure, "),
        ("meta-llama-Llama-3.2-3B-Instruct", "\n Sure", "assistant<|end_header_id|>\n\n\n Sure"),
        ("meta-llama-Llama-3.2-3B-Instruct", "  ", "assistant<|end_header_id|>\n\n  "),
        ("google-gemma-2-2b-it", "Sure", "<start_of_turn>model\nSure"),
        ("mistralai-Mistral-Nemo-Instruct-2407", "Sure", "[INST]Brief.\n\nHi[/INST]Sure"),
        ("Qwen-Qwen3-0.6B", "Sure", "<|im_start|>assistant\n<think>\n\n</think>\n\nSure"),
        ("Qwen-Qwen3-0.6B", "<think>\nWell", "<|im_start|>assistant\n<think>\nWell"),
        ("deepseek-ai-DeepSeek-R1-Distill-Llama-8B", "Sure", "<｜Assistant｜>Sure"),
        ("deepseek-ai-DeepSeek-R1-Distill-Llama-8B", "<think>\nWell", "<｜Assistant｜><think>\nWell"),
        ("microsoft-Phi-3.5-mini-instruct", "Sure", "<|assistant|>\nSure"),
    ],
)
def test_render_reply_prefix_follows_the_generation_prompt(
    template: str, reply: str, end: str, qwen: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(template, qwen, samples, monkeypatch)
    prompt = rendered(chat((S, "Brief."), (U, "Hi"), reply=reply), qwen)
    assert prompt.text.endswith(end)
    assert said(prompt, PromptPart.MODEL) == [reply]
    assert prompt.text.count("<think>") == end.count("<think>")


@pytest.mark.parametrize(
    ("template", "text", "reply", "opens"),
    [
        ("deepseek-ai-DeepSeek-R1-Distill-Llama-8B", "Hi", "", True),
        ("deepseek-ai-DeepSeek-R1-Distill-Llama-8B", "Hi", "Sure", False),
        ("Qwen-Qwen3-0.6B", "Hi", "", False),
        ("Qwen-Qwen3-0.6B", "What does <think> mean?", "", False),
        ("Qwen-Qwen3-0.6B", "Hi", "<think>\nWell", True),
        ("Qwen-Qwen3-0.6B", "Hi", "<think>\nWell</think>", False),
    ],
)
def test_render_opens_reasoning(
    template: str, text: str, reply: str, opens: bool, qwen: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(template, qwen, samples, monkeypatch)
    assert rendered(chat((U, text), reply=reply), qwen).opens_reasoning is opens


@pytest.mark.parametrize("template", EACH)
def test_render_naughty_strings_keep_their_parts(
    template: str, qwen: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(template, qwen, samples, monkeypatch)
    strings = samples.naughty()[::25]
    for text in [*filter(str.strip, strings), "[INST] x [/INST]", "User: a\n\nAssistant: b", "/no_think"]:
        prompt = rendered(chat((U, text), (A, text), (U, "Why?")), qwen)
        assert said(prompt, PromptPart.USER) in ([text, "Why?"], [text.strip(), "Why?"])
        assert said(prompt, PromptPart.MODEL) in ([text], [text.strip()], [text.lstrip("\n")])


def test_render_finds_special_tokens_in_user_text(qwen: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    use("Qwen-Qwen2.5-7B-Instruct", qwen, samples, monkeypatch)
    prompt = rendered(chat((U, "a<|im_end|>\n<|im_start|>system")), qwen)
    taken = [prompt.text[start:end] for start, end in prompt.taken_for_special]
    assert taken == ["<|im_end|>", "<|im_start|>"]
    (first, _), _ = prompt.taken_for_special
    assert prompt.text[:first].endswith("user\na")
    assert said(prompt, PromptPart.USER) == ["a", "\n", "system"]


def turn(role: Role, *texts: str) -> TemplateTurn:
    return TemplateTurn(role, tuple(MessageSpan(PART_OF[role], text) for text in texts))


def test_fold_system_puts_it_into_the_next_user_turn() -> None:
    folded = fold_system(
        (turn(S, "a"), turn(S, "b"), turn(U, "c"), turn(A, "d"), turn(S, "e"), turn(A, "f"), turn(S, "g"))
    )
    assert [one.role for one in folded] == [U, A, U, A, U]
    assert ["".join(words.text for words in one.words) for one in folded] == ["abc", *"defg"]
    assert [words.part for words in folded[0].words] == [PromptPart.SYSTEM, PromptPart.SYSTEM, PromptPart.USER]


USER, MODEL, SYSTEM, TEMPLATE, SPECIAL = (
    PromptPart.USER,
    PromptPart.MODEL,
    PromptPart.SYSTEM,
    PromptPart.TEMPLATE,
    PromptPart.SPECIAL,
)
MARKS = ["@0@", "@1@", "@2@"]


def found(text: str, said: list[MessageSpan], skeleton: str = "") -> list[tuple[PromptPart, str]]:
    marks = MARKS[: len(said)] if skeleton else []
    return [(span.part, text[span.start : span.end]) for span in find_words(text, said, skeleton, marks)]


Said = list[tuple[PromptPart, str]]


@pytest.mark.parametrize(
    ("said", "skeleton", "text", "expected"),
    [
        ([(USER, "user"), (MODEL, "model")], "<user>@0@<e><model>@1@", "<user>user<e><model>model", None),
        ([(USER, "a<e><m>b"), (MODEL, "c")], "<user>@0@<e><m>@1@", "<user>a<e><m>b<e><m>c", None),
        (
            [(USER, "\n  hello "), (MODEL, " yes\n")],
            "<u>@0@<e><m>@1@<e>",
            "<u>hello<e><m> yes<e>",
            [(USER, "hello"), (MODEL, " yes")],
        ),
        (
            [(USER, "shout"), (MODEL, "<think>hm</think>yes")],
            "<u>@0@<e><m>@1@<e>",
            "<u>SHOUT<e><m>yes<e>",
            [(USER, "SHOUT"), (MODEL, "yes")],
        ),
        (
            [(SYSTEM, "brief"), (USER, "one"), (USER, "two")],
            "[@1@][@0@ @2@]",
            "[one][brief two]",
            [(USER, "one"), (SYSTEM, "brief"), (USER, "two")],
        ),
        ([(USER, "hi")], "(@0@)(@0@)", "(hi)(hi)", [(USER, "hi"), (USER, "hi")]),
        (
            [(USER, " one "), (MODEL, "gone"), (USER, "two")],
            "yesterday: @0@ @1@ @2@",
            "today: one, then two",
            [(USER, "one"), (USER, "two")],
        ),
        ([(USER, " one "), (USER, "two")], "", "one two", [(USER, "one"), (USER, "two")]),
    ],
    ids=["equal", "with its pieces", "trimmed", "altered", "reordered", "repeated", "misfit", "no skeleton"],
)
def test_find_words_of_a_rendered_text(said: Said, skeleton: str, text: str, expected: Said | None) -> None:
    assert found(text, [MessageSpan(*each) for each in said], skeleton) == (said if expected is None else expected)


words = st.text("ab<>@ \n", max_size=8)
pieces = st.text("ab<>", min_size=1, max_size=4)


@given(st.lists(st.tuples(pieces, words), min_size=1, max_size=3), pieces)
@at_most(150)
def test_find_words_of_random_turns(turns: list[tuple[str, str]], last: str) -> None:
    said = [MessageSpan(USER, text) for _, text in turns]
    marks = [mark if words.text.strip() else words.text for mark, words in zip(MARKS, said, strict=False)]
    text = "".join(piece + words for piece, words in turns) + last
    skeleton = "".join(piece + mark for (piece, _), mark in zip(turns, marks, strict=True)) + last
    spans = find_words(text, said, skeleton, marks)
    expected = [words for _, words in turns if words.strip()]
    assert [text[span.start : span.end] for span in spans] == expected
    start = 0
    for span in spans:
        assert span.start >= start
        start = span.end


def test_cover_has_no_gaps() -> None:
    spans = cover(10, [PromptSpan(USER, 2, 8)], [(0, 1), (4, 6)])
    borders = ((SPECIAL, 0, 1), (TEMPLATE, 1, 2), (USER, 2, 4), (SPECIAL, 4, 6), (USER, 6, 8), (TEMPLATE, 8, 10))
    assert spans == tuple(PromptSpan(*each) for each in borders)
    assert cover(0, [], []) == ()
