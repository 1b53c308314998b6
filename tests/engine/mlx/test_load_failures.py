"""A load failure names the file at fault: the tokenizer's library reads config.json too."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import Failure, LoadRequest, Model
from tests.examples import at_most

FIELDS = (
    "vocab_size",
    "bos_token_id",
    "eos_token_id",
    "pad_token_id",
    "hidden_size",
    "num_hidden_layers",
    "intermediate_size",
    "head_dim",
    "num_attention_heads",
    "num_key_value_heads",
    "rms_norm_eps",
    "max_position_embeddings",
    "rope_scaling",
    "tie_word_embeddings",
    "architectures",
    "num_labels",
    "id2label",
    "torch_dtype",
    "dtype",
    "attention_bias",
    "layer_types",
    "quantization_config",
    "problem_type",
)
VALUES: list[object] = ["abc", [], {}, -1, 1.5, None, "\x00", [1, "a"], {"a": 1}, 10**30, True]
JSONS = ("tokenizer.json", "special_tokens_map.json", "added_tokens.json")


def opened(folder: Path) -> Model | Failure:
    engine = MlxEngine()
    outcome = engine.load(LoadRequest(str(folder)), lambda event: None, StopFlag())
    engine.unload()
    assert isinstance(outcome, Model | Failure)
    return outcome


@pytest.fixture
def copy(tiny_llama: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_llama, tmp_path / "copy"))


@at_most(12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(FIELDS), st.sampled_from(VALUES))
@example("max_position_embeddings", "abc")
@example("bos_token_id", [])
@example("num_labels", 10**30)
@example("rms_norm_eps", {})
@example("eos_token_id", -1)
def test_load_failure_of_a_config_does_not_blame_the_tokenizer(copy: Path, field: str, value: object) -> None:
    file = copy / "config.json"
    whole = file.read_text()
    try:
        file.write_text(json.dumps(json.loads(whole) | {field: value}))
        outcome = opened(copy)
    finally:
        file.write_text(whole)
    if isinstance(outcome, Failure):
        assert outcome.kind in ("config", "weights"), outcome
        assert outcome.kind == "weights" or "config.json" in outcome.what, outcome
    else:
        assert all(0 <= token < outcome.vocabulary for token, _ in outcome.eos)


@pytest.mark.parametrize("name", JSONS)
@pytest.mark.parametrize("content", ['{"a": ', "[]", "\x80"])
def test_load_failure_of_a_tokenizer_names_its_file(copy: Path, name: str, content: str) -> None:
    (copy / name).write_text(content, "latin-1")
    outcome = opened(copy)
    if isinstance(outcome, Failure):
        assert name in outcome.what, outcome
        assert outcome.kind == "tokenizer"
    else:
        assert name != "tokenizer.json"
