"""What heads attend to: the weights bring forth the layers' own output on any architecture, and nothing is changed."""

import sys
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from mlx_lm.models import base

from app.engine.errors import UserError
from app.engine.jobs import ReadAttention, ReadAttentionMatrix
from app.engine.mlx.caches.cache import PromptCache
from app.engine.mlx.interpretability import attention as attending
from app.engine.mlx.interpretability.attention import attention
from app.engine.protocol import StopFlag
from app.engine.types import (
    Attention,
    AttentionMatrix,
    ChatPrompt,
    ExactPrompt,
    Failure,
    HeadKind,
    Message,
    Role,
    Sampling,
    Stopped,
    TokenPrompt,
    strongest,
)
from tests import models
from tests.engine.mlx import architectures
from tests.engine.mlx.architectures import IDS, NEED_METAL, REPRESENTATIVE, bare, parts
from tests.engine.mlx.conftest import Open, Player
from tests.engine.tiers import mostly_slow

DEMO = Path(__file__).parents[4] / "resources" / "models" / "demo"
GREEDY = Sampling(temperature=0)
EXACT = 1e-5
WITHOUT = {"deepseek_v41", "gemma2", "mamba", "mamba2", "plamo2", "rwkv7"}
"""They have no heads, or work their attention out themselves."""
NAMES = mostly_slow(("Tolin", "Drikin", "Mira", "Anna", "Tom"), "Tolin")


def attended(player: Player, ids: tuple[int, ...], place: int) -> Attention:
    found = player.engine.run_job(ReadAttention(TokenPrompt(ids), place), lambda event: None, StopFlag())
    assert isinstance(found, Attention), found
    return found


@pytest.mark.parametrize("name", mostly_slow(sorted(architectures.names() - NEED_METAL), *REPRESENTATIVE))
def test_the_weights_bring_forth_the_layers_output(name: str) -> None:
    module = architectures.built(name)
    before, whole = module(mx.array(IDS)[None]), parts(module)
    mx.eval(before)
    try:
        found = attention(bare(module, before.shape[-1]), PromptCache(), IDS, 30, lambda event: None, StopFlag())
        assert isinstance(found, Attention)
        assert found.max_difference <= 1e-4
        assert {len(head.weights) for head in found.heads} == {31}
        # What the others lack has gone to a sink.
        assert all(sum(head.weights) <= 1 + EXACT for head in found.heads)
        assert name == "gpt_oss" or all(sum(head.weights) >= 1 - EXACT for head in found.heads)
        assert name not in WITHOUT
    except UserError as refused:
        assert name in WITHOUT, refused.failure
    assert mx.array_equal(module(mx.array(IDS)[None]), before, equal_nan=True)
    assert parts(module) == whole
    held = [each for module_name, each in sys.modules.items() if module_name.startswith("mlx_lm.models.")]
    real = base.scaled_dot_product_attention
    assert all(getattr(each, attending.NAME, real) is real for each in held)


def test_enough_of_them_are_tried() -> None:
    assert len(architectures.names() - NEED_METAL - WITHOUT) >= 110


@pytest.mark.slow
def test_the_rows_against_a_softmax_in_double_precision(open_model: Open) -> None:
    player = open_model(DEMO)
    main = player.engine._main
    assert main is not None
    inner = main.module.model
    layer, hidden = inner.layers[0], inner.embed_tokens(mx.array(IDS)[None])
    own, normed = layer.self_attn, layer.input_layernorm(hidden)
    queries, keys = (
        np.array(own.rope(made.reshape(1, len(IDS), count, -1).transpose(0, 2, 1, 3))[0]).astype(np.float64)
        for made, count in ((own.q_proj(normed), own.n_heads), (own.k_proj(normed), own.n_kv_heads))
    )
    keys = np.repeat(keys, own.n_heads // own.n_kv_heads, axis=0)
    scores = np.einsum("hd,htd->ht", queries[:, -1], keys) * own.scale
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    heads = [head for head in attended(player, IDS, len(IDS) - 1).heads if head.layer == 0]
    assert len(heads) == own.n_heads
    for head, row in zip(heads, weights, strict=True):
        assert list(head.weights) == pytest.approx(row.tolist(), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_demos_induction_head_is_found_and_named(open_model: Open, name: str) -> None:
    player = open_model(DEMO)
    messages = (Message(Role.USER, f"My name is {name}. What is my name?"),)
    prompt = player.engine.render(ChatPrompt(messages, reply_start="Your name is"))
    assert isinstance(prompt, ExactPrompt)
    heads = attended(player, prompt.ids, len(prompt.ids) - 1).heads
    (head,) = (each for each in heads if (each.layer, each.head) == (2, 3))
    assert head.here is HeadKind.INDUCTION and head.here_share > 0.9
    start, end = prompt.offsets[strongest(head.weights, 1)[0]]
    assert name.startswith(prompt.text[start:end].strip()) and prompt.text[start:end].strip()


@pytest.mark.slow
def test_a_token_far_on_has_its_own_row_only(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    player = open_model(DEMO)
    whole = attended(player, IDS, len(IDS) - 1)
    monkeypatch.setattr(attending, "WHOLE_TOKENS", 20)
    alone = attended(player, IDS, len(IDS) - 1)
    for one, other in zip(whole.heads, alone.heads, strict=True):
        assert list(one.weights) == pytest.approx(list(other.weights), abs=1e-5)
        assert one.here is other.here


def test_a_window_that_slides_is_read_whole_or_not_at_all(
    open_model: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = open_model(models.sliding_window(tmp_path))
    assert {len(head.weights) for head in attended(player, IDS * 3, 119).heads} == {120}
    monkeypatch.setattr(attending, "WHOLE_TOKENS", 20)
    failure = player.engine.run_job(ReadAttention(TokenPrompt(IDS), 39), lambda event: None, StopFlag())
    assert isinstance(failure, Failure) and failure.kind == "attention"


def test_another_function_than_the_known_one_is_refused(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    player = open_model(DEMO)
    monkeypatch.setattr(attending, "KNOWN", ("something", "else"))
    failure = player.engine.run_job(ReadAttention(TokenPrompt(IDS), 5), lambda event: None, StopFlag())
    assert isinstance(failure, Failure) and failure.kind == "attention"


def test_weights_that_bring_forth_something_else_are_not_told(
    open_model: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, real = open_model(DEMO), attending._weights

    def bent(output: mx.array, asked: dict[str, Any], rows: int) -> tuple[mx.array, mx.array]:
        return real(output, asked | {"scale": 1.1 * asked["scale"]}, rows)

    monkeypatch.setattr(attending, "_weights", bent)
    failure = player.engine.run_job(ReadAttention(TokenPrompt(IDS), 20), lambda event: None, StopFlag())
    assert isinstance(failure, Failure) and failure.kind == "attention"


def test_a_failure_on_the_way_leaves_everything_as_it_was(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    player = open_model(DEMO)

    def broken(*_: object) -> None:
        raise RuntimeError("no")

    with monkeypatch.context() as patch:
        patch.setattr(attending, "_weights", broken)
        failure = player.engine.run_job(ReadAttention(TokenPrompt(IDS), 20), lambda event: None, StopFlag())
    assert isinstance(failure, Failure)
    from mlx_lm.models import llama

    assert llama.scaled_dot_product_attention is base.scaled_dot_product_attention
    attended(player, IDS, 20)


def test_stop_is_heard_at_each_layer(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    player, real, stop, calls = open_model(DEMO), attending._weights, StopFlag(), list[int]()

    def counted(*given: Any) -> tuple[mx.array, mx.array]:
        calls.append(1)
        stop.ask()
        return real(*given)

    monkeypatch.setattr(attending, "_weights", counted)
    assert isinstance(player.engine.run_job(ReadAttention(TokenPrompt(IDS), 20), lambda event: None, stop), Stopped)
    assert len(calls) == 1
    monkeypatch.undo()
    attended(player, IDS, 20)


def whole(player: Player, ids: tuple[int, ...], layer: int, head: int | None) -> AttentionMatrix:
    found = player.engine.run_job(ReadAttentionMatrix(TokenPrompt(ids), layer, head), lambda event: None, StopFlag())
    assert isinstance(found, AttentionMatrix), found
    return found


@pytest.mark.slow
def test_a_whole_matrix_has_the_picked_tokens_row_last(open_model: Open) -> None:
    player, ids = open_model(DEMO), IDS * 3
    heads = attended(player, ids, len(ids) - 1).heads
    rows = [np.array(whole(player, ids, 1, head).weights).reshape(len(ids), -1) for head in range(5)]
    for head, found in zip((each for each in heads if each.layer == 1), rows, strict=True):
        assert found[-1] == pytest.approx(np.array(head.weights), abs=1e-6)
        assert found.sum(axis=1) == pytest.approx(np.ones(len(ids)), abs=EXACT)
        assert not np.triu(found, 1).any(), "nothing is looked at that comes later"
    mean = np.array(whole(player, ids, 1, None).weights).reshape(len(ids), -1)
    assert mean == pytest.approx(np.mean(rows, axis=0), abs=1e-6)


def test_a_matrix_that_is_not_there_is_refused(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    player = open_model(DEMO)
    for ids, layer, head in ((IDS, 7, 0), (IDS, 1, 5), (IDS * 26, 1, 0)):
        failure = player.engine.run_job(
            ReadAttentionMatrix(TokenPrompt(ids), layer, head), lambda event: None, StopFlag()
        )
        assert isinstance(failure, Failure) and failure.kind == "attention"
    stop = StopFlag()
    stop.ask()
    assert isinstance(
        player.engine.run_job(ReadAttentionMatrix(TokenPrompt(IDS), 1, 0), lambda event: None, stop), Stopped
    )
    monkeypatch.setattr(attending, "EXACT", -1.0)
    failure = player.engine.run_job(ReadAttentionMatrix(TokenPrompt(IDS), 1, 0), lambda event: None, StopFlag())
    assert isinstance(failure, Failure) and failure.kind == "attention"
