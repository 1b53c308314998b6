from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine.prompt import render
from app.engine.script import python_script
from app.engine.script.python import TEXT_OF, prompt_lines
from app.engine.text import TokenDecoder
from app.engine.types import (
    AUTOMATIC,
    ENDLESS,
    KV,
    Adapter,
    ChatPrompt,
    DraftModel,
    ExactPrompt,
    FormatKind,
    Limits,
    Message,
    Model,
    OutputFormat,
    RawPrompt,
    Request,
    Role,
    Sampling,
    TokenPrompt,
)
from tests.engine.made_templates import SHAPES, TEMPLATES, use
from tests.standins.samples import Samples

MODEL = Model("demo", Path("/models/demo"), "llama", 1, 1, 2048, 2048, ((2, "<|im_end|>"),))
DRAFT = DraftModel("small", Path("/models/small"), 1, 1)
GREEDY = Sampling(temperature=0)
QUESTION = ChatPrompt((Message(Role.USER, "Why?"),))
ASKED = Request(QUESTION, GREEDY, Limits(64))
TEXTS = ("plain", "it's", 'say "hi"', "both ' and \"", "a\nb\n\nc", "\t\\n \x00 \u202e é 天地 🦊", " ", "'''", "\r\n")


def ids_of(source: ChatPrompt | RawPrompt | TokenPrompt, prompt: ExactPrompt | None, tokenizer: Any) -> list[int]:
    made: dict[str, Any] = {"tokenizer": tokenizer}
    exec("\n".join(prompt_lines(source, prompt)), made)
    return list(made["prompt"])


@pytest.mark.parametrize("template", TEMPLATES)
def test_script_prompt_of_a_template_is_the_same(
    template: str, llama: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(template, llama, samples, monkeypatch)
    starts = ("Because", "Because ", " \n", "<think>\nWell, ")
    compared = 0
    for source in [*SHAPES.values(), *(replace(SHAPES["system"], reply_start=start) for start in starts)]:
        prompt = render(source, llama)
        if isinstance(prompt, ExactPrompt):
            assert ids_of(source, prompt, llama) == list(prompt.ids), source
            compared += 1
    assert compared >= 14


def test_script_template_without_tools_gets_an_empty_list(llama: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    walks = "{% for tool in tools %}{{ tool }}{% endfor %}{% for m in messages %}{{ m.content }}{% endfor %}"
    monkeypatch.setattr(llama._tokenizer, "chat_template", walks)
    prompt = render(QUESTION, llama)
    assert isinstance(prompt, ExactPrompt)
    assert ids_of(QUESTION, prompt, llama) == list(prompt.ids)
    assert "empty list of tools" in "\n".join(prompt_lines(QUESTION, prompt))


def test_script_raw_prompt_is_the_same(byte_tokenizer: Any) -> None:
    for page in (page for text in TEXTS for page in (text, (byte_tokenizer.bos_token or "") + text)):
        prompt = render(RawPrompt(page), byte_tokenizer)
        assert isinstance(prompt, ExactPrompt)
        assert ids_of(RawPrompt(page), prompt, byte_tokenizer) == list(prompt.ids), page


def test_script_ids_are_the_same() -> None:
    assert ids_of(TokenPrompt(tuple(range(500))), None, None) == list(range(500))


@pytest.mark.parametrize("text", [*TEXTS, "word " * 60])
def test_script_texts_are_literals(text: str) -> None:
    request = replace(ASKED, prompt=ChatPrompt((Message(Role.USER, text),)), limits=Limits(5, (text,)))
    script = python_script(request, None, MODEL)
    compile(script, "script", "exec")
    made: dict[str, Any] = {}
    exec(script[script.index("messages = ") : script.index("\nprompt = ")], made)
    exec(script[script.index("stops = ") : script.index("\nids = ")], made)
    assert made["messages"] == [{"role": "user", "content": text}]
    assert made["stops"] == [text]


def test_script_of_a_plain_run_is_short() -> None:
    script = python_script(ASKED, None, MODEL)
    assert not any(word in script for word in ("import mlx.core", "make_", "seed"))
    assert script.count("\n") < 35 and max(map(len, script.splitlines())) <= 100


def test_streaming_script_prints_each_piece_and_the_figures() -> None:
    script = python_script(replace(ASKED, limits=Limits(5, ("END",))), None, MODEL, streams=True)
    compile(script, "script", "exec")
    assert 'print(response.text, end="", flush=True)' in script and "if any(stop in text for stop in stops)" in script
    for figure in ("finish_reason", "prompt_tps", "generation_tps", "peak_memory"):
        assert f"response.{figure}" in script
    assert "text_of" not in script and script.count("\n") < 30


def test_script_has_revision_dtype_and_seed() -> None:
    folder = Path("/cache/models--mlx-community--Qwen3-0.6B-4bit/snapshots/0123abc")
    script = python_script(ASKED, None, replace(MODEL, folder=folder, on_cpu=True, raised=True))
    assert 'load("mlx-community/Qwen3-0.6B-4bit", revision="0123abc")' in script
    assert script.index("mx.disable_compile()") < script.index("load(") < script.index("model.set_dtype(mx.float32)")
    warm = replace(ASKED, sampling=Sampling(seed=12345))
    assert "\nmx.random.seed(12345)\n" in python_script(warm, None, MODEL)
    assert "\nmx.random.seed(" not in python_script(warm, None, MODEL, seeded=False)


def test_script_turns_off_tf32_before_mlx_is_imported() -> None:
    setting = 'os.environ["MLX_ENABLE_TF32"] = "0"'
    script = python_script(ASKED, None, replace(MODEL, tf32=False))
    assert 0 < script.index(setting) < script.index("import load")
    assert setting not in python_script(ASKED, None, replace(MODEL, tf32=True))


def test_script_neutral_settings_are_left_out() -> None:
    sampling = Sampling(0.5, xtc_threshold=0.3, repetition_window=0, min_tokens_to_keep=4)
    script = python_script(replace(ASKED, sampling=sampling, kv=KV(group_size=32)), None, MODEL)
    assert "sampler=make_sampler(temp=0.5)," in script
    assert not any(word in script for word in ("xtc", "penalty", "context_size", "keep", "kv_"))


def test_script_cache_size_with_a_draft_model() -> None:
    script = python_script(replace(ASKED, kv=KV(max_size=512), draft_tokens=3), None, replace(MODEL, draft=DRAFT))
    assert "prompt_cache=make_prompt_cache(model, 512) + make_prompt_cache(draft_model)" in script
    assert "max_kv_size" not in script
    compile(script, "script", "exec")


def test_script_without_max_tokens() -> None:
    endless = replace(ASKED, limits=Limits(ENDLESS))
    unknown = replace(MODEL, context=None, draft=DRAFT)
    assert "max_tokens=-1)" in python_script(endless, None, unknown)
    assert "max_tokens=1_000_000_000" in python_script(replace(endless, draft_tokens=2), None, unknown)
    assert "max_tokens=2048 - len(prompt)" in python_script(endless, None, MODEL)


def test_script_has_prompt_lookup_only_where_it_changes_no_token() -> None:
    asked = replace(ASKED, lookup_tokens=AUTOMATIC, draft_tokens=2)
    script = python_script(asked, None, replace(MODEL, draft=DRAFT))
    assert "draft_model=Lookup()" in script and "num_draft_tokens=3" in script and "Sluice chose" in script
    script = python_script(replace(asked, lookup_tokens=5, prefill_step=16), None, MODEL)
    assert "num_draft_tokens=5" in script and "prefill_step_size=16" in script
    sampled = python_script(replace(asked, sampling=Sampling(0.5)), None, MODEL)
    assert "Without draft tokens" in sampled and "Lookup()" not in sampled
    assert "ookup" not in python_script(replace(asked, kv=KV(enabled=False)), None, MODEL)


def test_script_has_an_automatic_draft_only_where_it_changes_no_token() -> None:
    asked, model = replace(ASKED, draft_tokens=AUTOMATIC), replace(MODEL, draft=DRAFT)
    script = python_script(asked, None, model)
    assert "draft_model=draft_model" in script and "num_draft_tokens=3" in script and "Sluice chose" in script
    sampled = python_script(replace(asked, sampling=Sampling(0.5)), None, model)
    assert "Without draft tokens" in sampled and "draft_model" not in sampled


def test_script_format_drops_the_draft_model() -> None:
    formed = replace(ASKED, form=OutputFormat(FormatKind.CHOICES, choices="a\nb"), draft_tokens=2)
    for kv in (KV(), KV(enabled=False)):
        script = python_script(replace(formed, kv=kv), None, replace(MODEL, draft=DRAFT))
        assert ("Without draft tokens" in script) == kv.enabled


def test_script_adapter_and_its_strength() -> None:
    adapted = replace(MODEL, adapter=Adapter("fox", Path("/adapters/fox"), 8, 20.0))
    plain = replace(ASKED, sampling=replace(GREEDY, adapter_strength=0.0))
    half = replace(ASKED, sampling=replace(GREEDY, adapter_strength=0.5))
    assert 'load("/models/demo", adapter_path="/adapters/fox")' in python_script(ASKED, None, adapted)
    assert "scale" not in python_script(ASKED, None, adapted)
    assert "layer.scale *= 0.5" in python_script(half, None, adapted)
    assert python_script(plain, None, adapted) == python_script(plain, None, MODEL)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text("ab )é天\U0001fad9\U0001fadf🦊", min_size=1, max_size=16), data=st.data())
def test_script_text_of_a_cut_reply_is_the_same(byte_tokenizer: Any, text: str, data: st.DataObject) -> None:
    ids = byte_tokenizer.encode(f"x{text}", add_special_tokens=False)
    start = data.draw(st.integers(1, len(ids)))
    end = data.draw(st.integers(start, len(ids)))
    stream = TokenDecoder(byte_tokenizer).stream(ids[:start])
    shown = "".join(map(stream.add, ids[start:end]))
    made: dict[str, Any] = {"tokenizer": byte_tokenizer, "prompt": ids[:start]}
    exec(TEXT_OF, made)
    assert made["text_of"](ids[start:end]) == shown
