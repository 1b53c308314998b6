"""Loading: progress, cancel, every failure in one sentence, and memory that comes back."""

import gc
import json
import shutil
import sys
import types
from collections.abc import Callable
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine.mlx import memory
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag, stop_scope
from app.engine.types import (
    ChatPrompt,
    Event,
    Failure,
    Loading,
    LoadRequest,
    Message,
    Model,
    RawPrompt,
    Reason,
    Request,
    Role,
    Stopped,
)
from tests import models
from tests.engine.mlx.conftest import Open

pytestmark = pytest.mark.usefixtures("timed_in_full")

SLOW = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


def load(engine: MlxEngine, folder: Path, draft: Path | None = None) -> Model | Failure | Stopped:
    return engine.load(LoadRequest(str(folder), str(draft) if draft else None), lambda event: None, StopFlag())


def failure_of(folder: Path) -> Failure:
    engine = MlxEngine()
    outcome = load(engine, folder)
    engine.unload()
    assert isinstance(outcome, Failure), outcome
    assert outcome.what.endswith(".") and outcome.todo
    return outcome


@pytest.fixture
def copy(tiny_llama: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_llama, tmp_path / "copy"))


def weights_of(folder: Path) -> dict[str, mx.array]:
    weights = mx.load(str(folder / "model.safetensors"))
    assert isinstance(weights, dict)
    return weights


def edit(folder: Path, file: str = "config.json", **fields: object) -> None:
    content = json.loads((folder / file).read_text())
    (folder / file).write_text(json.dumps(content | fields))


def replaces(pattern: str) -> dict[str, object]:
    """The rule of a tokenizer."""
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": "y"}


def test_what_is_known_of_a_model(open_model: Open, tiny_llama: Path) -> None:
    model = open_model(tiny_llama).model
    assert (model.architecture, model.context, model.vocabulary) == ("llama", 2048, models.VOCABULARY_ROWS)
    assert {text for _, text in model.eos} == {models.END_OF_TURN, models.END_OF_TEXT}
    assert model.parameters * 4 == model.weights
    assert model.can.chat and model.can.trim and model.can.bare_loop and model.can.kv_bits
    assert "max_kv_size" in dict(model.can.refusals)


def test_kinds_of_caches(open_model: Open, sliding_window: Path, recurrent: Path) -> None:
    assert not open_model(sliding_window).model.can.kv_bits
    mamba = open_model(recurrent).model
    assert not mamba.can.trim
    assert mamba.context is None


def test_half_precision_is_raised_on_the_cpu_and_said(
    open_model: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nowhere else: what Metal computes with is what the files hold."""
    half = models.tiny_llama(tmp_path / "half")
    weights = {name: array.astype(mx.float16) for name, array in weights_of(half).items()}
    mx.save_safetensors(str(half / "model.safetensors"), weights)
    for on_cpu, size in ((True, 4), (False, 2)):
        monkeypatch.setattr(memory, "on_cpu", lambda on_cpu=on_cpu: on_cpu)
        model = open_model(half).model
        assert any("float32" in line for line in model.report) is on_cpu
        assert model.weights == size * model.parameters


def test_progress_reaches_the_end(tiny_llama: Path) -> None:
    engine = MlxEngine()
    events: list[Event] = []
    model = engine.load(LoadRequest(str(tiny_llama)), events.append, StopFlag())
    assert isinstance(model, Model)
    weights = [event for event in events if isinstance(event, Loading) and event.stage == "weights"]
    assert weights[-1].done == weights[-1].total == model.weights
    engine.unload()


@pytest.mark.parametrize("stage", ["weights", "tokenizer", "first pass"])
def test_cancel_leaves_nothing(tiny_llama: Path, stage: str) -> None:
    engine = MlxEngine()
    gc.collect()
    before = mx.get_active_memory()
    stop = StopFlag()

    def emit(event: Event) -> None:
        if isinstance(event, Loading) and event.stage == stage:
            stop.ask()

    assert isinstance(engine.load(LoadRequest(str(tiny_llama)), emit, stop), Stopped)
    assert mx.get_active_memory() <= before * 1.01
    assert engine.generate(Request(RawPrompt("x")), lambda event: None, StopFlag()).failure


@pytest.mark.slow
def test_unloading_gives_memory_back(tmp_path: Path) -> None:
    folder = models.tiny_llama(tmp_path / "larger", hidden_size=256, intermediate_size=512)
    engine = MlxEngine()
    gc.collect()
    mx.clear_cache()
    before = mx.get_active_memory()
    for _ in range(3):
        model = load(engine, folder)
        assert isinstance(model, Model)
        assert mx.get_active_memory() - before >= model.weights
        engine.generate(Request(RawPrompt("Once")), lambda event: None, StopFlag())
        engine.unload()
        assert mx.get_active_memory() <= before + model.weights * 0.01
    assert mx.get_cache_memory() == 0


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "unknown type": (lambda copy: edit(copy, model_type="no_such_model"), "the type “no_such_model”"),
    "a helper module as type": (lambda copy: edit(copy, model_type="cache"), "the type “cache”"),
    "too few layers in the file": (lambda copy: edit(copy, num_hidden_layers=3), "weights are missing"),
    "too many layers in the file": (lambda copy: edit(copy, num_hidden_layers=1), "do not fit the model"),
    "another shape": (lambda copy: edit(copy, hidden_size=32), "do not fit the model"),
    "no heads": (lambda copy: edit(copy, num_attention_heads=None), "can't create"),
    "zero heads": (lambda copy: edit(copy, num_attention_heads=0, head_dim=None), "can't create"),
    "tokenizer is no JSON": (
        lambda copy: (copy / "tokenizer.json").write_text("{"),
        "tokenizer.json could not be read",
    ),
    "tokenizer with an unknown part": (
        lambda copy: edit(copy, "tokenizer.json", normalizer={"type": "Unknown"}),
        "The model's tokenizer could not be opened.",
    ),
    "tokenizer in another file": (
        lambda copy: edit(copy, "tokenizer_config.json", gguf_file="other.gguf"),
        "doesn't support its setting “gguf_file”",
    ),
    "tokenizer in Python": (
        lambda copy: edit(copy, "tokenizer_config.json", tokenizer_class="ByT5Tokenizer"),
        "written in Python",
    ),
    "tokenizer of others in folders": (
        lambda copy: edit(copy, "tokenizer_config.json", tokenizer_class="RagTokenizer"),
        "doesn't support its setting “tokenizer_class”",
    ),
    "tokenizer that is another class": (
        lambda copy: edit(copy, tokenizer_class="AutoProcessor"),
        "doesn't support its setting “tokenizer_class”",
    ),
    "another config.json": (
        lambda copy: edit(copy, configuration_files=["config.4.0.0.json"]),
        "doesn't support its setting “tokenizer_class”",
    ),
    "tokenizer of no known form": (lambda copy: (copy / "tokenizer.json").write_text("{}"), "tokenizer could not be"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_ends_in_one_sentence(copy: Path, name: str) -> None:
    damage, sentence = DAMAGES[name]
    damage(copy)
    assert sentence in failure_of(copy).what


def test_a_tokenizer_part_with_an_unknown_field_opens(copy: Path) -> None:
    edit(copy, "tokenizer.json", normalizer={"type": "NFC", "unknown": 5})
    engine = MlxEngine()
    assert isinstance(load(engine, copy), Model)
    engine.unload()


def test_a_tokenizer_beyond_the_limits_leaves_what_is_open_alone(
    open_model: Open, tiny_llama: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the model or as the draft; no library has read anything of it by then."""
    player = open_model(tiny_llama)
    edit(copy, "tokenizer_config.json", extra_ids=10**9)
    monkeypatch.setattr("app.engine.mlx.loading.load.load_tokenizer", lambda *_, **__: pytest.fail("it was read"))
    for main, draft in ((copy, None), (tiny_llama, copy)):
        outcome = load(player.engine, main, draft)
        assert isinstance(outcome, Failure)
        assert "doesn't support its setting “extra_ids”" in outcome.what
    assert player.play(Request(RawPrompt("Once"))).finish.failure is None


def test_a_text_that_would_become_too_long_is_refused(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    failure = player.play(Request(RawPrompt("x" * 40_000_000))).finish.failure
    assert failure is not None
    assert failure.what == "This text is too long for the model's tokenizer."
    assert player.play(Request(RawPrompt("Once"))).finish.failure is None


@pytest.mark.parametrize("name", ["ByT5Tokenizer", "RagTokenizer", "AutoProcessor", "MarianTokenizer"])
def test_a_class_that_is_not_opened_is_not_even_made(copy: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """One in Python would make a thousand million tokens, if its settings ask for them."""
    edit(copy, "tokenizer_config.json", tokenizer_class=name)
    monkeypatch.setattr(
        "app.engine.mlx.loading.load.load_tokenizer", lambda *given, **named: pytest.fail("it was opened")
    )
    assert failure_of(copy).kind == "tokenizer"


def test_a_tokenizer_that_gives_up_at_some_texts(open_model: Open, copy: Path) -> None:
    edit(copy, "tokenizer.json", normalizer=replaces("(x+x+)+y"))
    player = open_model(copy)
    finish = player.play(Request(RawPrompt("x" * 40))).finish
    assert finish.failure is not None
    assert finish.failure.what == "The tokenizer can't read this prompt."
    assert player.play(Request(RawPrompt("Once"))).finish.failure is None


@pytest.mark.parametrize(
    ("template", "sentence"),
    [
        pytest.param(SLOW, "takes too long", marks=pytest.mark.slow),
        ("{{ ('a' * 10000000000)|length }}", "is too large"),
    ],
)
def test_a_template_without_end_is_stopped(open_model: Open, copy: Path, template: str, sentence: str) -> None:
    edit(copy, "tokenizer_config.json", chat_template=template)
    player = open_model(copy)
    for _ in range(2):
        finish = player.play(Request(ChatPrompt((Message(Role.USER, "Hello"),)))).finish
        assert finish.failure is not None
        assert sentence in finish.failure.what
    assert player.play(Request(RawPrompt("Once"))).finish.failure is None


@pytest.mark.slow
def test_a_stop_does_not_wait_for_a_template(open_model: Open, copy: Path) -> None:
    edit(copy, "tokenizer_config.json", chat_template="{% if messages[0].content == 'Go' %}" + SLOW + "{% endif %}x")
    player, stop = open_model(copy), StopFlag()
    stop.ask()
    with stop_scope(stop):
        finish = player.engine.generate(Request(ChatPrompt((Message(Role.USER, "Go"),))), lambda event: None, stop)
    assert (finish.reason, finish.failure) == (Reason.STOPPED, None)


def test_a_model_that_computes_no_numbers(copy: Path) -> None:
    weights = weights_of(copy)
    weights["model.norm.weight"] = mx.full(weights["model.norm.weight"].shape, float("nan"))
    mx.save_safetensors(str(copy / "model.safetensors"), weights)
    assert failure_of(copy).what == "The model computes NaN: its weights are damaged."


def test_a_model_module_that_exits(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def exit_at_import(name: str) -> object:
        raise SystemExit(1)

    module = types.ModuleType("mlx_lm.models.leaves")
    module.__getattr__ = exit_at_import  # type: ignore[method-assign]
    monkeypatch.setitem(sys.modules, "mlx_lm.models.leaves", module)
    edit(copy, model_type="leaves")
    assert "the type “leaves”" in failure_of(copy).what


def test_too_large_is_foreseen(tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 100_000)
    failure = failure_of(tiny_llama)
    assert failure.kind == "memory"
    assert "GB are free" in failure.what


def test_whoever_was_told_may_load_what_is_too_large(tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 100_000)
    engine = MlxEngine()
    request = LoadRequest(str(tiny_llama), anyway=True)
    assert isinstance(engine.load(request, lambda event: None, StopFlag()), Model)
    engine.unload()


def test_a_folder_that_is_no_model_leaves_the_model_alone(open_model: Open, tiny_llama: Path, copy: Path) -> None:
    player = open_model(tiny_llama)
    (copy / "tokenizer.json").unlink()
    assert isinstance(load(player.engine, copy), Failure)
    assert player.play(Request(RawPrompt("Once"))).finish.failure is None


def test_foreign_code_is_refused_without_a_question(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(*_: object) -> str:
        raise AssertionError("asked on stdin")

    monkeypatch.setattr("builtins.input", ask)
    settings = json.loads((copy / "tokenizer_config.json").read_text())
    auto_map = {"AutoTokenizer": ["tokenization_x.X", None]}
    (copy / "tokenizer_config.json").write_text(json.dumps(settings | {"auto_map": auto_map}))
    assert failure_of(copy).kind == "remote code"


def test_a_failed_load_pins_nothing(copy: Path) -> None:
    edit(copy, num_hidden_layers=3)
    gc.collect()
    mx.clear_cache()
    before = mx.get_active_memory()
    engine = MlxEngine()
    kept = load(engine, copy)
    assert isinstance(kept, Failure)
    assert mx.get_active_memory() <= before * 1.01


def test_a_name_that_leads_nowhere_leaves_the_model_alone(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    assert isinstance(load(player.engine, Path("/nowhere")), Failure)
    assert player.play(Request(RawPrompt("Once"))).finish.failure is None


def test_the_same_model_is_read_again_when_asked_for_again(open_model: Open, copy: Path) -> None:
    player = open_model(copy)
    edit(copy, num_hidden_layers=3)
    outcome = load(player.engine, copy)
    assert isinstance(outcome, Failure)
    assert player.engine.memory().weights == 0


def test_everything_works_on_the_next_model(open_model: Open, tiny_llama: Path, llama3_rope: Path) -> None:
    player = open_model(tiny_llama)
    player.play(Request(RawPrompt("Once")))
    assert isinstance(load(player.engine, llama3_rope), Model)
    played = player.play(Request(RawPrompt("Once")))
    assert played.finish.failure is None
    assert played.finish.reused == 0
