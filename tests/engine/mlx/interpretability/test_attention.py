import sys
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from mlx_lm.models import base, llama
from numpy.typing import NDArray

from app.engine.jobs import ReadAttention, ReadAttentionMatrix
from app.engine.mlx.interpretability import attention
from app.engine.protocol import StopFlag
from app.engine.types import Cancellation, ExactPrompt, Failure, Head, HeadKind, TokenPrompt, strongest
from tests.engine.mlx import architectures
from tests.engine.mlx.architectures import ARCHITECTURES, IDS
from tests.engine.mlx.asking import chat
from tests.engine.mlx.conftest import Open, Player

EXACT = 1e-5
UNSUPPORTED = {"deepseek_v41", "gemma2", "mamba", "mamba2", "plamo2", "rwkv7"}
"""They have no heads, or compute attention themselves."""
WEIGHTS = attention._weights


def heads(player: Player, ids: tuple[int, ...], position: int) -> tuple[Head, ...]:
    return player.result(ReadAttention(TokenPrompt(ids), position)).heads


def assert_refused(player: Player, job: ReadAttention | ReadAttentionMatrix) -> None:
    failure = player.do(job)
    assert isinstance(failure, Failure) and failure.kind == "attention"


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_attention_weights_give_the_output_of_the_layers(name: str) -> None:
    job = ReadAttention(TokenPrompt(IDS), 30)
    found = architectures.inspected(name, UNSUPPORTED, lambda each: attention.read_attention(each, IDS, job))
    if found is not None:
        assert found.max_difference <= 1e-4
        assert {len(head.weights) for head in found.heads} == {31}
        # The rest of a sum below 1 is the weight of an attention sink.
        assert all(sum(head.weights) <= 1 + EXACT for head in found.heads)
        assert name == "gpt_oss" or all(sum(head.weights) >= 1 - EXACT for head in found.heads)
    modules = [each for module, each in sys.modules.items() if module.startswith("mlx_lm.models.")]
    real = base.scaled_dot_product_attention
    assert all(getattr(each, attention.NAME, real) is real for each in modules)


@pytest.mark.slow
def test_attention_rows_equal_a_softmax_in_float64(demo: Player) -> None:
    inner = demo.main.module.model
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
    first = [head for head in heads(demo, IDS, len(IDS) - 1) if head.layer == 0]
    assert len(first) == own.n_heads
    for head, row in zip(first, weights, strict=True):
        assert list(head.weights) == pytest.approx(row.tolist(), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ("Tolin", "Drikin", "Mira", "Anna", "Tom"))
def test_attention_of_the_demo_model_has_an_induction_head(demo: Player, name: str) -> None:
    prompt = demo.engine.render(chat(f"My name is {name}. What is my name?", reply_start="Your name is"))
    assert isinstance(prompt, ExactPrompt)
    (head,) = (each for each in heads(demo, prompt.ids, len(prompt.ids) - 1) if (each.layer, each.head) == (2, 3))
    assert head.here is HeadKind.INDUCTION and head.here_share > 0.9
    start, end = prompt.offsets[strongest(head.weights, 1)[0]]
    assert name.startswith(prompt.text[start:end].strip()) and prompt.text[start:end].strip()


@pytest.mark.slow
def test_attention_of_a_late_token_is_read_from_its_row_only(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = heads(demo, IDS, len(IDS) - 1)
    monkeypatch.setattr(attention, "WHOLE_TOKENS", 20)
    for one, other in zip(whole, heads(demo, IDS, len(IDS) - 1), strict=True):
        assert list(one.weights) == pytest.approx(list(other.weights), abs=1e-5)
        assert one.here is other.here


def test_attention_of_a_sliding_window_is_whole_or_refused(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    player = open_model("sliding_window")
    assert {len(head.weights) for head in heads(player, IDS * 3, 119)} == {120}
    monkeypatch.setattr(attention, "WHOLE_TOKENS", 20)
    assert_refused(player, ReadAttention(TokenPrompt(IDS), 39))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KNOWN", ("something", "else")),  # another function than the supported one
        ("_weights", lambda output, asked, rows: WEIGHTS(output, asked | {"scale": 1.1 * asked["scale"]}, rows)),
    ],
)
def test_attention_that_differs_is_refused(
    demo: Player, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setattr(attention, name, value)
    assert_refused(demo, ReadAttention(TokenPrompt(IDS), 20))


def test_attention_that_fails_restores_the_function(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(attention, "_weights", lambda *_: [].pop())
        assert isinstance(demo.do(ReadAttention(TokenPrompt(IDS), 20)), Failure)
    assert llama.scaled_dot_product_attention is base.scaled_dot_product_attention
    heads(demo, IDS, 20)


def test_attention_stops_at_each_layer(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    stop, calls = StopFlag(), list[int]()

    def counted(*given: Any) -> tuple[mx.array, mx.array]:
        calls.append(1)
        stop.ask()
        return WEIGHTS(*given)

    with monkeypatch.context() as patch:
        patch.setattr(attention, "_weights", counted)
        assert isinstance(demo.do(ReadAttention(TokenPrompt(IDS), 20), stop=stop), Cancellation)
    assert len(calls) == 1
    heads(demo, IDS, 20)


@pytest.mark.slow
def test_attention_matrix_contains_the_row_of_each_token(demo: Player) -> None:
    ids = IDS * 3

    def matrix(head: int | None) -> NDArray[Any]:
        found = demo.result(ReadAttentionMatrix(TokenPrompt(ids), 1, head))
        return np.array(found.weights).reshape(len(ids), -1)

    rows = [matrix(head) for head in range(5)]
    of_layer = [each for each in heads(demo, ids, len(ids) - 1) if each.layer == 1]
    for head, found in zip(of_layer, rows, strict=True):
        assert found[-1] == pytest.approx(np.array(head.weights), abs=1e-6)
        assert found.sum(axis=1) == pytest.approx(np.ones(len(ids)), abs=EXACT)
        assert not np.triu(found, 1).any(), "a later token has no weight"
    assert matrix(None) == pytest.approx(np.mean(rows, axis=0), abs=1e-6)


def test_attention_matrix_that_does_not_exist_is_refused(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    for ids, layer, head in ((IDS, 7, 0), (IDS, 1, 5), (IDS * 26, 1, 0)):
        assert_refused(demo, ReadAttentionMatrix(TokenPrompt(ids), layer, head))
    (stop := StopFlag()).ask()
    assert isinstance(demo.do(ReadAttentionMatrix(TokenPrompt(IDS), 1, 0), stop=stop), Cancellation)
    monkeypatch.setattr(attention, "EXACT", -1.0)
    assert_refused(demo, ReadAttentionMatrix(TokenPrompt(IDS), 1, 0))
