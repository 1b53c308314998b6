"""Scripts and commands of runs, executed: mlx-lm alone writes the same text from the same ids."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.types import (
    AUTOMATIC,
    ENDLESS,
    KV,
    ChatPrompt,
    ExactPrompt,
    FormatKind,
    Limits,
    Message,
    OutputFormat,
    RawPrompt,
    Reason,
    Request,
    Role,
    Sampling,
    TokenPrompt,
)
from tests import models
from tests.adapters import adapter
from tests.engine.mlx.asking import GREEDY, chat
from tests.engine.mlx.conftest import Open, Player, executed

COUNT = chat("Count 1 to 5")
TALK = ChatPrompt(
    (
        Message(Role.SYSTEM, 'You are\n"brief" and don\'t ramble.'),
        Message(Role.USER, "Say hello in Korean with emoji."),
        Message(Role.ASSISTANT, "안녕하세요! 👋"),
        Message(Role.USER, "Tell me a story about a fox."),
    )
)
HELLO = chat("Say hello in Korean with emoji.")
STORY = RawPrompt("Once upon a time there was a")
BASE = Request(STORY, GREEDY, Limits(40))
BOLD = Sampling(temperature=1.3, seed=11)
PENALISED = replace(
    GREEDY,
    repetition_penalty=1.3,
    repetition_window=0,
    presence_penalty=0.5,
    frequency_penalty=0.2,
    frequency_window=8,
    logit_bias=((100, -2.5), (320, 1.5)),
)

Opened = Callable[[Request], Player]
RUNS = {
    "greedy chat": Request(COUNT, GREEDY, Limits(60)),
    "a conversation, sampled": Request(TALK, Sampling(0.8, top_p=0.9, seed=7), Limits(40)),
    "a prefill with a blank at its end": Request(replace(COUNT, reply_start="1, 2, "), GREEDY, Limits(30)),
    "half a character at the limit": Request(HELLO, GREEDY, Limits(19)),
    "raw, every filter": replace(BASE, sampling=replace(BOLD, top_k=40, min_p=0.02, min_tokens_to_keep=3, top_p=0.95)),
    "XTC": replace(BASE, sampling=replace(BOLD, xtc_probability=0.7, xtc_threshold=0.05)),
    "top-nσ": replace(BASE, sampling=replace(BOLD, top_n_sigma=1.5)),
    "top-nσ and every filter": replace(
        BASE, sampling=replace(BOLD, top_n_sigma=2.5, top_p=0.95, top_k=40, repetition_penalty=1.2, xtc_probability=0.3)
    ),
    "top-nσ without a cache": replace(
        BASE, sampling=replace(BOLD, top_n_sigma=1.5), kv=KV(enabled=False), limits=Limits(12)
    ),
    "top-nσ with a draft model": replace(BASE, sampling=replace(BOLD, top_n_sigma=1.5), draft_tokens=3),
    "penalties and bias": replace(BASE, sampling=PENALISED),
    "stop strings": Request(STORY, GREEDY, Limits(80, ("was a", ", ", "\n\n", "ever"))),
    "a stop id": Request(STORY, BOLD, Limits(80, (), tuple(range(300, 420)))),
    "quantized keys and values": replace(BASE, kv=KV(bits=4, group_size=32)),
    "no cache": replace(BASE, sampling=replace(BOLD, repetition_penalty=1.2), kv=KV(enabled=False), limits=Limits(12)),
    "ids": Request(TokenPrompt(tuple(range(900, 960))), BOLD, Limits(12)),
    "a draft model, sampled": replace(BASE, sampling=BOLD, draft_tokens=3),
    "prompt lookup, fixed": replace(BASE, draft_tokens=2, lookup_tokens=4),
    "prompt lookup, penalised": replace(
        BASE, sampling=replace(GREEDY, repetition_penalty=1.2), lookup_tokens=AUTOMATIC
    ),
    "prompt lookup, sampled": replace(BASE, sampling=BOLD, lookup_tokens=AUTOMATIC),
    "an automatic draft, penalised": replace(
        BASE, sampling=replace(GREEDY, repetition_penalty=1.4), draft_tokens=AUTOMATIC
    ),
    "an automatic draft, sampled": replace(BASE, sampling=BOLD, draft_tokens=AUTOMATIC),
    "a draft model, penalised": replace(BASE, sampling=replace(GREEDY, repetition_penalty=1.4), draft_tokens=2),
}


@pytest.fixture
def opened(open_model: Open, demo_model: Path, demo_draft: Path) -> Opened:
    """Open the models that a request needs."""
    return lambda request: open_model(demo_model, demo_draft if request.draft_tokens else None)


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_script_reproduces_the_run(name: str, opened: Opened, capsys: pytest.CaptureFixture[str]) -> None:
    request = RUNS[name]
    player = opened(request)
    played = player.play(request)
    assert played.finish.failure is None and played.tokens
    assert executed(request, played.prompted.prompt, player.model)["ids"] == played.ids
    assert capsys.readouterr().out == played.shown + "\n"
    # Otherwise these cases would prove nothing.
    if name == "half a character at the limit":
        assert played.finish.cut
    elif name == "stop strings":
        assert played.finish.reason is Reason.STOP_STRING
    elif name == "a stop id":
        assert played.finish.stop_id in request.limits.stop_ids


@pytest.mark.slow
def test_script_of_a_run_in_another_dtype_reproduces_it(demo: Player) -> None:
    request, usual = replace(BASE, sampling=BOLD), demo.model
    demo.load(usual.folder, dtype="bfloat16")
    played = demo.play(request)
    assert executed(request, played.prompted.prompt, usual.in_dtype("bfloat16"))["ids"] == played.ids
    assert executed(request, played.prompted.prompt, usual)["ids"] != played.ids


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["a conversation, sampled", "stop strings", "a draft model, penalised", "prompt lookup, fixed"]
)
def test_streaming_script_prints_the_answer_of_the_run(
    name: str, opened: Opened, capsys: pytest.CaptureFixture[str]
) -> None:
    request = RUNS[name]
    player = opened(request)
    played = player.play(request)
    executed(request, played.prompted.prompt, player.model, streams=True)
    printed, _, figures = capsys.readouterr().out.rpartition("\n\nfinish_reason: ")
    assert printed.startswith(played.shown.strip()) or played.shown.startswith(printed)
    assert f"generation: {len(played.ids)} tokens, " in figures and "peak memory: " in figures


DATE = OutputFormat().put(FormatKind.REGEX, "[0-9]{4}-[0-9]{2}\n")
FORMED = {
    "a schema, sampled": Request(
        STORY,
        BOLD,
        Limits(60),
        form=OutputFormat().put(FormatKind.SCHEMA, '{"enum": ["a fox", "“é”", {"n": [1, null]}]}'),
    ),
    "penalties": replace(BASE, sampling=replace(PENALISED, logit_bias=()), form=DATE),
    "top-nσ": replace(BASE, sampling=replace(BOLD, top_n_sigma=0.3), form=DATE),
    "no cache": replace(BASE, kv=KV(enabled=False), form=DATE),
    "a range": replace(BASE, form=OutputFormat().put(FormatKind.NUMBERS, "10..99")),
    "a draft model": replace(BASE, form=DATE, draft_tokens=2),
    "behind what is written": replace(BASE, prompt=TokenPrompt((900, 901, 902, 17), written=1), form=DATE),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMED)
def test_script_constrains_the_answer(name: str, opened: Opened, capsys: pytest.CaptureFixture[str]) -> None:
    """It ends with EOS, which the run doesn't emit."""
    request = FORMED[name]
    player = opened(request)
    if isinstance(request.prompt, TokenPrompt):
        digit = player.engine.render(RawPrompt("7"))
        assert isinstance(digit, ExactPrompt)
        request = replace(request, prompt=replace(request.prompt, ids=(*request.prompt.ids[:3], digit.ids[-1])))
    played = player.play(request)
    assert played.finish.reason is Reason.FORM
    *ids, last = executed(request, played.prompted.prompt, player.model)["ids"]
    assert ids == played.ids and last in {token for token, _ in player.model.eos}
    assert capsys.readouterr().out == played.shown + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("dora", [False, True])
def test_script_with_an_adapter_reproduces_the_run(
    strength: float, dora: bool, open_model: Open, demo_model: Path, tmp_path: Path
) -> None:
    planted = adapter(tmp_path / "planted", demo_model, planted=0.03, dora=dora)
    player = open_model(demo_model, adapter=planted)
    request = replace(BASE, sampling=replace(GREEDY, adapter_strength=strength))
    played = player.play(request)
    assert executed(request, played.prompted.prompt, player.model)["ids"] == played.ids
    without = player.play(replace(BASE, sampling=replace(GREEDY, adapter_strength=0.0)))
    assert (played.ids == without.ids) is (strength == 0)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [ENDLESS, 100])
def test_script_of_a_run_with_full_context_reproduces_it(
    tmp_path: Path, open_model: Open, capsys: pytest.CaptureFixture[str], limit: int
) -> None:
    player = open_model(models.tiny_llama(tmp_path / "tiny", max_position_embeddings=48))
    request = Request(STORY, GREEDY, Limits(limit))
    played = player.play(request)
    assert played.finish.reason is Reason.CONTEXT_FULL
    assert executed(request, played.prompted.prompt, player.model)["ids"] == played.ids
    assert capsys.readouterr().out == played.shown + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a conversation, sampled", "a prefill with a blank at its end", "XTC"])
def test_script_before_the_first_run_reproduces_it(demo: Player, name: str) -> None:
    assert executed(RUNS[name], None, demo.model)["ids"] == demo.play(RUNS[name]).ids
