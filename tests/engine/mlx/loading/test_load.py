import gc
import json
import shutil
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st
from mlx.nn.layers.quantized import QuantizedLinear
from mlx_lm.convert import convert
from mlx_lm.models.mla import QuantizedMultiLinear

from app.engine.mlx import memory
from app.engine.mlx.engine import MlxEngine
from app.engine.mlx.loading import load as load_module
from app.engine.model_files import conversion
from app.engine.protocol import StopFlag, stop_scope
from app.engine.types import (
    KV,
    Cancellation,
    Event,
    Failure,
    KVShape,
    Limits,
    Loading,
    LoadRequest,
    Model,
    RawPrompt,
    Reason,
    Request,
    Tuning,
    WeightFormat,
)
from tests import models
from tests.engine.mlx.asking import GREEDY, chat, halved
from tests.engine.mlx.conftest import Open, Player
from tests.examples import at_most

pytestmark = pytest.mark.usefixtures("timed_in_full")

STEP = 256
"""mlx-lm's plain cache grows by this many tokens."""
ONCE = Request(RawPrompt("Once"))
MILL = Request(RawPrompt("The old mill"), limits=Limits(4))
TALE = Request(RawPrompt("Once"), GREEDY, Limits(24))
HELLO = Request(chat("Hello"))
SLOW = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
FIELDS = (
    "vocab_size", "bos_token_id", "eos_token_id", "pad_token_id", "hidden_size", "num_hidden_layers",
    "intermediate_size", "head_dim", "num_attention_heads", "num_key_value_heads", "rms_norm_eps",
    "max_position_embeddings", "rope_scaling", "tie_word_embeddings", "architectures", "num_labels", "id2label",
    "torch_dtype", "dtype", "attention_bias", "layer_types", "quantization_config", "problem_type",
)  # fmt: skip
VALUES: list[object] = ["abc", [], {}, -1, 1.5, None, "\x00", [1, "a"], {"a": 1}, 10**30, True]


@pytest.fixture
def fresh() -> Iterator[Player]:
    """An engine without a model."""
    missing: Any = None
    player = Player(MlxEngine(), missing)
    yield player
    player.engine.unload()


@pytest.fixture
def copy(tiny_llama: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_llama, tmp_path / "copy"))


def load_failure(player: Player, folder: Path, draft: Path | None = None) -> Failure:
    outcome = player.load(folder, draft)
    assert isinstance(outcome, Failure), outcome
    assert outcome.what.endswith(".") and outcome.todo
    return outcome


def edit(folder: Path, file: str = "config.json", **fields: object) -> None:
    content = json.loads((folder / file).read_text())
    (folder / file).write_text(json.dumps(content | fields))


def active_bytes() -> int:
    gc.collect()
    mx.clear_cache()
    return mx.get_active_memory()


def test_model_description_of_plain_and_other_caches(player: Player, open_model: Open) -> None:
    model = player.model
    assert (model.architecture, model.context, model.vocabulary) == ("llama", 2048, models.VOCABULARY_ROWS)
    assert {text for _, text in model.eos} == {models.END_OF_TURN, models.END_OF_TEXT}
    assert model.parameters * 4 == model.weights
    assert model.can.chat and model.can.trim and model.can.bare_loop and model.can.kv_bits
    assert "max_kv_size" in dict(model.can.refusals)
    assert (model.kv.values, model.kv.head_sizes) == (2 * 2 * 2 * 16, (16,))
    player.play(MILL)
    assert player.engine.memory().kv == STEP * model.kv.values * model.kv.bytes_per_value
    can = open_model("sliding_window").model.can
    assert (can.kv_bits, can.batch) == (False, False)
    mamba = open_model("recurrent").model
    assert (mamba.can.trim, mamba.context, mamba.kv) == (False, None, KVShape())


@pytest.mark.parametrize(
    ("content", "settings"),
    [
        ('{"do_sample": true, "top_p": 0.9, "eos_token_id": [1, 2]}', (("do_sample", True), ("top_p", 0.9))),
        ("no JSON", ()),
        (None, ()),
    ],
)
def test_generation_config_is_read(
    open_model: Open, copy: Path, content: str | None, settings: tuple[object, ...]
) -> None:
    (copy / "generation_config.json").unlink(missing_ok=True)
    if content is not None:
        (copy / "generation_config.json").write_text(content, "utf-8")
    assert open_model(copy).model.generation == settings


def test_cache_that_layers_share_is_described_with_its_limits(open_model: Open, tmp_path: Path) -> None:
    """An AFM's last layers read the cache of another one; with a plain run there is nothing wrong."""
    folder = models.shared_layers(tmp_path / "afm")
    player = open_model(folder)
    can, reasons = player.model.can, dict(player.model.can.refusals)
    assert (can.kv_bits, can.batch, can.draft, can.trim) == (False, False, False, True)
    assert player.play(MILL).finish.failure is None
    assert player.failure(replace(MILL, kv=KV(bits=8))).what == reasons["kv_bits"]
    (together,) = player.together(MILL)
    assert together.finish.failure is not None and together.finish.failure.what == reasons["batch"]
    assert load_failure(player, folder, folder).what == reasons["draft"]


@pytest.mark.parametrize("make", [models.tiny_llama, models.llama3_rope, models.table_of_positions])
def test_capabilities_that_are_described_work(open_model: Open, tmp_path: Path, make: Callable[..., Path]) -> None:
    player = open_model(make(tmp_path / "model", **({} if make is models.table_of_positions else {"head_dim": 32})))
    assert player.model.can.kv_bits and player.model.can.batch
    assert "draft" not in dict(player.model.can.refusals)
    both = [MILL, replace(MILL, prompt=RawPrompt("Once upon a time"))]
    assert [row.text for row in player.together(*both)] == [player.play(each).text for each in both]


@pytest.mark.parametrize(("on_cpu", "size"), [(True, 4), (False, 2)])
def test_half_precision_becomes_float32_on_the_cpu(
    open_model: Open, tiny_llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_cpu: bool, size: int
) -> None:
    monkeypatch.setattr(memory, "on_cpu", lambda: on_cpu)
    model = open_model(halved(tiny_llama, tmp_path / "half", mx.float16)).model
    assert any("float32" in line for line in model.report) is on_cpu
    assert model.weights == size * model.parameters


@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
def test_load_request_with_a_dtype_casts_the_weights_and_names_it(fresh: Player, tiny_llama: Path, dtype: str) -> None:
    usual, model = fresh.load(tiny_llama), fresh.load(tiny_llama, dtype=dtype)
    assert isinstance(usual, Model) and isinstance(model, Model)
    assert (model.precision, model.opened_by) == (dtype, replace(usual.opened_by, dtype=dtype))
    assert model.weights == model.parameters * (4 if dtype == "float32" else 2)
    again = fresh.load(tiny_llama)
    assert isinstance(again, Model) and again.precision == usual.precision


def test_load_request_with_a_dtype_too_large_for_the_memory_is_refused(
    fresh: Player, tiny_llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room suffices for the model as it is stored."""
    folder = halved(tiny_llama, tmp_path / "half", mx.float16)
    size = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
    monkeypatch.setattr(memory, "available_bytes", lambda: int(1.5 * memory.HEADROOM * size))
    assert isinstance(fresh.load(folder), Model)
    found = fresh.load(folder, dtype="float32")
    assert isinstance(found, Failure) and found.kind == "memory"


@pytest.fixture(scope="module")
def packed(tiny_llama: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model in 8 bits, with scales in half precision, as models on the hub have them."""
    folder = tmp_path_factory.mktemp("packed") / "8-bit"
    convert(str(tiny_llama), str(folder), quantize=True, q_bits=8, q_group_size=32, dtype="float16")
    return folder


def test_quantized_model_on_the_cpu_is_unpacked_and_writes_the_same(
    open_model: Open, fresh: Player, packed: Path
) -> None:
    unpacked = open_model(packed)
    fresh.engine.tune(Tuning(keeps_packed=True))
    model = fresh.load(packed)
    assert isinstance(model, Model)
    assert unpacked.model.format == WeightFormat("float16", 8, 32, unpacked=True, computed_in="float32")
    assert model.format == WeightFormat("float16", 8, 32, unpacked=False, computed_in="float32")
    assert unpacked.model.weights == 4 * model.parameters > 2 * model.weights
    assert unpacked.play(TALE).ids == fresh.play(TALE).ids


@pytest.mark.parametrize(("on_cpu", "share", "computed_in"), [(False, 0.5, "float16"), (True, 0.0, "float32")])
def test_quantized_model_off_the_cpu_or_without_room_stays_packed(
    open_model: Open, packed: Path, monkeypatch: pytest.MonkeyPatch, on_cpu: bool, share: float, computed_in: str
) -> None:
    monkeypatch.setattr(memory, "on_cpu", lambda: on_cpu)
    monkeypatch.setattr(conversion, "FLOAT32_SHARE", share)
    assert open_model(packed).model.format == WeightFormat("float16", 8, 32, computed_in=computed_in)


def test_format_of_another_library_is_the_one_that_mlx_lm_reads(
    open_model: Open, tiny_llama: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "mxfp4"
    convert(str(tiny_llama), str(folder), quantize=True, q_bits=4, q_group_size=32, q_mode="mxfp4", dtype="float16")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    del config["quantization"]
    config["quantization_config"] = {"quant_method": "mxfp4"}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    found = open_model(folder).model.format
    assert (found.bits, found.unpacked, found.computed_in) == (4, True, "float32")


def test_layers_that_mlx_lm_does_not_unpack_stay_packed() -> None:
    plain = QuantizedLinear(64, 64)
    scaled = QuantizedLinear(64, 64)
    scaled.global_scale = mx.array(2.0)
    multiple = QuantizedMultiLinear(64, 64, 2, group_size=32, bits=4, mode="affine")
    assert [load_module._can_unpack(each) for each in (plain, scaled, multiple)] == [True, False, False]


def test_load_progress_ends_with_all_weights(fresh: Player, tiny_llama: Path) -> None:
    events: list[Event] = []
    model = fresh.engine.load(LoadRequest(str(tiny_llama)), events.append, StopFlag())
    weights = [event for event in events if isinstance(event, Loading) and event.stage == "weights"]
    assert isinstance(model, Model) and weights[-1].done == weights[-1].total == model.weights


@pytest.mark.parametrize("stage", ["weights", "tokenizer", "first pass"])
def test_load_that_is_stopped_leaves_nothing(fresh: Player, tiny_llama: Path, stage: str) -> None:
    before, stop = active_bytes(), StopFlag()

    def emit(event: Event) -> None:
        if isinstance(event, Loading) and event.stage == stage:
            stop.ask()

    assert isinstance(fresh.engine.load(LoadRequest(str(tiny_llama)), emit, stop), Cancellation)
    assert mx.get_active_memory() <= before * 1.01
    assert fresh.play(ONCE).finish.failure


@pytest.mark.slow
def test_unload_frees_the_memory(fresh: Player, tmp_path: Path) -> None:
    folder = models.tiny_llama(tmp_path / "larger", hidden_size=256, intermediate_size=512)
    before = active_bytes()
    for _ in range(3):
        model = fresh.load(folder)
        assert isinstance(model, Model)
        assert mx.get_active_memory() - before >= model.weights
        fresh.play(ONCE)
        fresh.engine.unload()
        assert mx.get_active_memory() <= before + model.weights * 0.01
    assert mx.get_cache_memory() == 0


UNSUPPORTED_CLASS = "doesn't support its setting “tokenizer_class”"
DAMAGES: dict[str, tuple[dict[str, object], str]] = {
    "unknown type": ({"model_type": "no_such_model"}, "the type “no_such_model”"),
    "a helper module as type": ({"model_type": "cache"}, "the type “cache”"),
    "too few layers in the file": ({"num_hidden_layers": 3}, "weights are missing"),
    "too many layers in the file": ({"num_hidden_layers": 1}, "do not fit the model"),
    "another shape": ({"hidden_size": 32}, "do not fit the model"),
    "no heads": ({"num_attention_heads": None}, "can't create"),
    "zero heads": ({"num_attention_heads": 0, "head_dim": None}, "can't create"),
    "tokenizer with an unknown part": (
        {"file": "tokenizer.json", "normalizer": {"type": "Unknown"}},
        "The model's tokenizer could not be opened.",
    ),
    "tokenizer in another file": (
        {"file": "tokenizer_config.json", "gguf_file": "other.gguf"},
        "doesn't support its setting “gguf_file”",
    ),
    "tokenizer of another class": ({"tokenizer_class": "AutoProcessor"}, UNSUPPORTED_CLASS),
    "another config.json": ({"configuration_files": ["config.4.0.0.json"]}, UNSUPPORTED_CLASS),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_load_failure_is_one_sentence_and_frees_its_memory(fresh: Player, copy: Path, name: str) -> None:
    fields, sentence = DAMAGES[name]
    edit(copy, **fields)  # type: ignore[arg-type]
    before = active_bytes()
    failure = load_failure(fresh, copy)
    assert sentence in failure.what
    assert mx.get_active_memory() <= before * 1.01, failure


@at_most(6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(FIELDS), st.sampled_from(VALUES))
@example("max_position_embeddings", "abc")
@example("bos_token_id", [])
@example("num_labels", 10**30)
@example("rms_norm_eps", {})
@example("eos_token_id", -1)
def test_load_failure_of_a_config_names_the_config(fresh: Player, copy: Path, field: str, value: object) -> None:
    """The tokenizer's library reads config.json too."""
    whole = (copy / "config.json").read_text()
    try:
        edit(copy, **{field: value})  # type: ignore[arg-type]
        outcome = fresh.load(copy)
    finally:
        (copy / "config.json").write_text(whole)
    if isinstance(outcome, Failure):
        assert outcome.kind in ("config", "weights"), outcome
        assert outcome.kind == "weights" or "config.json" in outcome.what, outcome
    else:
        assert isinstance(outcome, Model) and all(0 <= token < outcome.vocabulary for token, _ in outcome.eos)


@pytest.mark.parametrize("name", ["tokenizer.json", "special_tokens_map.json", "added_tokens.json"])
@pytest.mark.parametrize("content", ['{"a": ', "[]", "\x80"])
def test_load_failure_of_a_tokenizer_names_its_file(fresh: Player, copy: Path, name: str, content: str) -> None:
    (copy / name).write_text(content, "latin-1")
    outcome = fresh.load(copy)
    if isinstance(outcome, Failure):
        assert name in outcome.what, outcome
        assert outcome.kind == "tokenizer"
    else:
        assert name != "tokenizer.json"


def test_tokenizer_part_with_an_unknown_field_opens(fresh: Player, copy: Path) -> None:
    edit(copy, "tokenizer.json", normalizer={"type": "NFC", "unknown": 5})
    assert isinstance(fresh.load(copy), Model)


def test_tokenizer_above_the_limits_leaves_the_open_model_alone(
    player: Player, tiny_llama: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused before any library has read it, as the model and as the draft model."""
    edit(copy, "tokenizer_config.json", extra_ids=10**9)
    monkeypatch.setattr("app.engine.mlx.loading.load.load_tokenizer", lambda *_, **__: pytest.fail("it was read"))
    for main, draft in ((copy, None), (tiny_llama, copy)):
        assert "doesn't support its setting “extra_ids”" in load_failure(player, main, draft).what
    assert player.play(ONCE).finish.failure is None


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("ByT5Tokenizer", "written in Python"), ("RagTokenizer", UNSUPPORTED_CLASS), ("MarianTokenizer", "Python")],
)
def test_tokenizer_class_that_is_refused_is_not_created(
    fresh: Player, copy: Path, monkeypatch: pytest.MonkeyPatch, name: str, sentence: str
) -> None:
    """One in Python would create as many tokens as its settings ask for."""
    edit(copy, "tokenizer_config.json", tokenizer_class=name)
    monkeypatch.setattr("app.engine.mlx.loading.load.load_tokenizer", lambda *_, **__: pytest.fail("it was opened"))
    failure = load_failure(fresh, copy)
    assert failure.kind == "tokenizer" and sentence in failure.what


def test_text_that_the_tokenizer_cannot_encode_fails_alone(open_model: Open, copy: Path) -> None:
    replacement = {"type": "Replace", "pattern": {"Regex": "(x+x+)+y"}, "content": "y"}
    edit(copy, "tokenizer.json", normalizer=replacement)
    player = open_model(copy)
    assert player.failure(Request(RawPrompt("x" * 40))).what == "The tokenizer can't read this prompt."
    too_long = player.failure(Request(RawPrompt("x" * 40_000_000)))
    assert too_long.what == "This text is too long for the model's tokenizer."
    assert player.play(ONCE).finish.failure is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("template", "sentence"),
    [(SLOW, "takes too long"), ("{{ ('a' * 10000000000)|length }}", "is too large")],
)
def test_template_without_end_is_stopped(open_model: Open, copy: Path, template: str, sentence: str) -> None:
    edit(copy, "tokenizer_config.json", chat_template=template)
    player = open_model(copy)
    for _ in range(2):
        assert sentence in player.failure(HELLO).what
    assert player.play(ONCE).finish.failure is None


@pytest.mark.slow
def test_stop_does_not_wait_for_a_template(open_model: Open, copy: Path) -> None:
    edit(copy, "tokenizer_config.json", chat_template="{% if messages[0].content == 'Hello' %}" + SLOW + "{% endif %}x")
    player, stop = open_model(copy), StopFlag()
    stop.ask()
    with stop_scope(stop):
        finish = player.engine.generate(HELLO, lambda event: None, stop)
    assert (finish.reason, finish.failure) == (Reason.STOPPED, None)


def test_load_of_weights_that_give_nan_is_refused(fresh: Player, copy: Path) -> None:
    weights = mx.load(str(copy / "model.safetensors"))
    assert isinstance(weights, dict)
    weights["model.norm.weight"] = mx.full(weights["model.norm.weight"].shape, float("nan"))
    mx.save_safetensors(str(copy / "model.safetensors"), weights)
    assert load_failure(fresh, copy).what == "The model computes NaN: its weights are damaged."


def test_load_of_a_module_that_exits_is_refused(fresh: Player, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def exit_at_import(name: str) -> object:
        raise SystemExit(1)

    module = types.ModuleType("mlx_lm.models.leaves")
    module.__getattr__ = exit_at_import  # type: ignore[method-assign]
    monkeypatch.setitem(sys.modules, "mlx_lm.models.leaves", module)
    edit(copy, model_type="leaves")
    assert "the type “leaves”" in load_failure(fresh, copy).what


def test_load_of_a_too_large_model_is_refused(fresh: Player, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 100_000)
    failure = load_failure(fresh, tiny_llama)
    assert failure.kind == "memory" and "GB are free" in failure.what
    assert isinstance(fresh.load(tiny_llama, anyway=True), Model)


def test_load_of_foreign_code_is_refused_at_once(fresh: Player, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("asked on stdin"))
    edit(copy, "tokenizer_config.json", auto_map={"AutoTokenizer": ["tokenization_x.X", None]})
    assert load_failure(fresh, copy).kind == "remote code"


def test_load_of_no_model_leaves_the_open_one_alone(player: Player, copy: Path) -> None:
    (copy / "tokenizer.json").unlink()
    for folder in (copy, Path("/nowhere")):
        load_failure(player, folder)
    assert player.play(ONCE).finish.failure is None


def test_load_of_the_open_model_reads_it_again(open_model: Open, copy: Path) -> None:
    player = open_model(copy)
    edit(copy, num_hidden_layers=3)
    load_failure(player, copy)
    assert player.engine.memory().weights == 0
