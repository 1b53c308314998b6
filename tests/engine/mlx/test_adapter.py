"""Adapters: the same output as in mlx-lm, none at strength 0, and the model is read only once."""

import math
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from mlx_lm.convert import convert
from mlx_lm.utils import load as library_load

from app.engine.distributions import Distributions
from app.engine.jobs import CompareTokens, ScoreTokens
from app.engine.mlx import engine as engine_module
from app.engine.protocol import StopFlag
from app.engine.types import (
    CacheMissReason,
    Event,
    Failure,
    Limits,
    LoadRequest,
    Model,
    RawPrompt,
    Request,
    Sampling,
    Token,
    TokenDifference,
    TokenPrompt,
    TokenWeights,
)
from tests.adapters import adapter
from tests.engine.mlx.conftest import Open, Player
from tests.engine.mlx.independent import forward
from tests.engine.sampler_reference import Floats
from tests.engine.tiers import mostly_slow

IDS = tuple(5 + (index * 37) % 300 for index in range(60))
ASKED = Request(RawPrompt("The gate opens"), Sampling(temperature=0), Limits(max_tokens=24))


@dataclass(slots=True)
class Switched:
    """A player whose adapter changes, and how often its model was read."""

    player: Player
    folder: Path
    loads: list[Path] = field(default_factory=list)

    def put(self, adapter_folder: Path | None) -> Model | Failure:
        request = LoadRequest(str(self.folder), adapter=str(adapter_folder) if adapter_folder else None)
        outcome = self.player.engine.load(request, lambda event: None, StopFlag())
        assert isinstance(outcome, Model | Failure)
        return outcome

    def logits(self, strength: float = 1.0) -> Floats:
        main = self.player.engine._main
        assert main is not None
        main.at_strength(strength)
        return forward(self.player, list(IDS))


@pytest.fixture
def switched(open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> Switched:
    made = Switched(open_model(tiny_llama), tiny_llama)

    def counted(folder: Any, *rest: Any) -> Any:
        made.loads.append(folder.path)
        return load(folder, *rest)

    load: Callable[..., Any] = engine_module.load  # type: ignore[attr-defined]
    monkeypatch.setattr(engine_module, "load", counted)
    return made


def library_logits(model: Path, folder: Path) -> Floats:
    module, *_ = library_load(str(model), adapter_path=str(folder))
    return np.array(module(mx.array(IDS)[None])[0].astype(mx.float32)).astype(np.float64)


@pytest.mark.parametrize("dora", [False, True])
def test_adapter_output_equals_mlx_lm(switched: Switched, tmp_path: Path, dora: bool) -> None:
    planted = adapter(tmp_path / "planted", switched.folder, planted=0.05, dora=dora)
    model = switched.put(planted)
    assert isinstance(model, Model) and model.adapter is not None
    assert (model.adapter.name, model.adapter.rank, model.adapter.scale) == ("planted", 4, 10.0)
    assert (switched.logits() == library_logits(switched.folder, planted)).all()


def test_adapter_with_zero_weights_changes_nothing(switched: Switched, tmp_path: Path) -> None:
    before = switched.logits()
    assert isinstance(switched.put(adapter(tmp_path / "fresh", switched.folder)), Model)
    assert np.abs(switched.logits() - before).max() == 0.0


@pytest.mark.parametrize("dora", [False, True])
def test_adapter_strength_scales_its_output(switched: Switched, tmp_path: Path, dora: bool) -> None:
    """0 is the model, 1 the adapter, and values between differ from both."""
    before = switched.logits()
    switched.put(adapter(tmp_path / "planted", switched.folder, planted=0.05, dora=dora))
    whole = switched.logits()
    half = switched.logits(0.5)
    assert (switched.logits(0) == before).all()
    assert (switched.logits(1) == whole).all()
    assert np.abs(half - before).max() > 0 and np.abs(half - whole).max() > 0


@pytest.mark.slow
def test_adapter_switched_often_leaves_the_model_unchanged(switched: Switched, tmp_path: Path) -> None:
    first = adapter(tmp_path / "first", switched.folder, planted=0.3)
    second = adapter(tmp_path / "second", switched.folder, planted=0.2, layers=1)
    own = switched.player.play(ASKED).ids
    with_first = []
    for _ in range(10):
        assert isinstance(switched.put(first), Model)
        with_first.append(switched.player.play(ASKED).ids)
        assert isinstance(switched.put(second), Model)
        assert isinstance(switched.put(None), Model)
        assert switched.player.play(ASKED).ids == own
    assert switched.loads == []
    assert own != with_first[0] and with_first == [with_first[0]] * 10


def test_adapter_strength_change_drops_the_cache(switched: Switched, tmp_path: Path) -> None:
    switched.put(adapter(tmp_path / "planted", switched.folder, planted=0.3))
    engine, play = switched.player.engine, switched.player.play
    whole = Request(TokenPrompt(IDS), Sampling(temperature=0), Limits(max_tokens=8))
    half = Request(TokenPrompt(IDS), Sampling(temperature=0, adapter_strength=0.5), Limits(max_tokens=8))
    fresh = play(half).ids
    assert play(half).finish.reused == len(IDS) - 1
    assert engine.reusable(IDS, whole).hindrance is CacheMissReason.SETTINGS
    assert play(whole).finish.reused == 0
    assert play(half).finish.reused == 0
    assert play(half).ids == fresh
    switched.put(None)
    assert play(whole).finish.reused == 0


def test_score_tokens_shows_the_effect_of_the_adapter(switched: Switched, tmp_path: Path) -> None:
    """The fresh adapter's difference is 0 everywhere; a planted one's is not."""

    def apart(folder: Path) -> list[TokenDifference]:
        found: list[TokenDifference] = []
        engine = switched.player.engine
        with Distributions(len(IDS) - 1, switched.player.model.vocabulary) as kept:
            switched.put(None)
            engine.run_job(ScoreTokens(TokenPrompt(IDS), kept=kept), lambda event: None, StopFlag())
            switched.put(folder)
            kept.rewind()
            engine.run_job(CompareTokens(TokenPrompt(IDS), kept, found), lambda event: None, StopFlag())
        return found

    assert {each.lowest for each in apart(adapter(tmp_path / "fresh", switched.folder))} == {0.0}
    assert min(each.lowest for each in apart(adapter(tmp_path / "planted", switched.folder, planted=0.1))) > 0.0

    def weighed(strength: float) -> TokenWeights:
        outcome = switched.player.engine.run_job(
            ScoreTokens(TokenPrompt(IDS), strength), lambda event: None, StopFlag()
        )
        assert isinstance(outcome, TokenWeights)
        return outcome

    none, whole = weighed(0), weighed(1)
    switched.put(None)
    assert none == weighed(1) != whole


def test_adapter_works_with_a_draft_model(switched: Switched, tmp_path: Path, llama3_rope: Path) -> None:
    planted = adapter(tmp_path / "planted", switched.folder, planted=0.1)
    request = LoadRequest(str(switched.folder), str(llama3_rope), adapter=str(planted))
    model = switched.player.engine.load(request, lambda event: None, StopFlag())
    assert isinstance(model, Model) and model.opened_by == request
    assert switched.loads == [llama3_rope], "the model itself stays"
    assert isinstance(switched.put(None), Model)
    assert switched.loads == [llama3_rope]


def renamed(name: str, to: str) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    def change(config: dict[str, Any], arrays: dict[str, Any]) -> None:
        for each in [each for each in arrays if name in each]:
            array = arrays.pop(each)
            if to:
                arrays[each.replace(name, to)] = array

    return change


def with_nan(config: dict[str, Any], arrays: dict[str, Any]) -> None:
    name = next(iter(arrays))
    arrays[name] = mx.full(arrays[name].shape, math.nan)


def other_rank(config: dict[str, Any], arrays: dict[str, Any]) -> None:
    config["lora_parameters"]["rank"] = 8


def without_scale(config: dict[str, Any], arrays: dict[str, Any]) -> None:
    del config["lora_parameters"]["scale"]


def whole(config: dict[str, Any], arrays: dict[str, Any]) -> None:
    config["fine_tune_type"] = "full"


BLOCK = "layers.1.mlp.up_proj"
SPOILT = {
    "a part is missing": (renamed(f"{BLOCK}.lora_b", ""), "model.layers.1.mlp.up_proj.lora_b is missing from"),
    "a layer is missing": (renamed(BLOCK, ""), "model.layers.1.mlp.up_proj.lora_a is missing from the adapter"),
    "an unknown layer": (renamed("layers.1", "layers.7"), "which this one does not have"),
    "an unknown part": (renamed("lora_a", "lora_c"), "lora_a is missing from the adapter"),
    "another rank": (other_rank, "The adapter's settings have rank 8"),
    "no numbers": (with_nan, "contain NaN"),
    "no scale": (without_scale, "has no valid value for scale"),
    "whole layers": (whole, "complete layers"),
}


@pytest.mark.parametrize("kind", SPOILT)
@pytest.mark.parametrize("keys", mostly_slow([None, ("self_attn.q_proj", "mlp.up_proj")], None))
def test_adapter_that_is_damaged_leaves_the_model_open(
    switched: Switched, tmp_path: Path, kind: str, keys: tuple[str, ...] | None
) -> None:
    good = adapter(tmp_path / "good", switched.folder, planted=0.1)
    switched.put(good)
    before, main = switched.logits(), switched.player.engine._main
    assert main is not None
    layers = [name for name, _ in main.module.named_modules()]
    change, told = SPOILT[kind]
    spoilt = adapter(tmp_path / "spoilt", switched.folder, planted=0.1, keys=keys, change=change)
    outcome = switched.put(spoilt)
    assert isinstance(outcome, Failure) and told in outcome.what and outcome.kind == "adapter"
    assert switched.loads == []
    engine = switched.player.engine
    assert engine.run_job(ScoreTokens(TokenPrompt(IDS)), lambda event: None, StopFlag()) is not None
    assert (switched.logits() == before).all()
    assert [name for name, _ in main.module.named_modules()] == layers


def test_adapter_with_other_shapes_is_refused(
    switched: Switched, tmp_path: Path, llama3_rope: Path, open_model: Open
) -> None:
    from tests import models

    wider = models.tiny_llama(tmp_path / "wider", intermediate_size=160)
    outcome = switched.put(adapter(tmp_path / "for-wider", wider, planted=0.1))
    assert isinstance(outcome, Failure)
    told = "its model.layers.0.mlp.down_proj has the shape 64 × 160, but the model's has 64 × 128"
    assert told in outcome.what


def test_adapter_with_other_layer_names_is_refused(switched: Switched, tmp_path: Path) -> None:
    from tests import models

    other = models.recurrent(tmp_path / "recurrent")
    outcome = switched.put(adapter(tmp_path / "of-recurrent", other, planted=0.1))
    assert isinstance(outcome, Failure) and "which this one does not have" in outcome.what


def test_adapter_of_peft_is_refused_with_a_hint(switched: Switched, tmp_path: Path) -> None:
    folder = adapter(tmp_path / "peft", switched.folder)
    (folder / "adapters.safetensors").rename(folder / "adapter_model.safetensors")
    outcome = switched.put(folder)
    assert isinstance(outcome, Failure) and "PEFT" in outcome.what and "merge_and_unload" in outcome.todo


@pytest.mark.parametrize("dora", [False, True])
def test_adapter_on_a_quantized_model_works(tiny_llama: Path, tmp_path: Path, open_model: Open, dora: bool) -> None:
    """Its files have packed widths, which differ from those of the layers."""
    packed = tmp_path / "packed"
    convert(str(tiny_llama), str(packed), quantize=True, q_group_size=32, q_bits=4)
    planted = adapter(tmp_path / "planted", packed, planted=0.05, dora=dora)
    made = Switched(open_model(packed), packed)
    before = made.logits()
    assert isinstance(made.put(planted), Model)
    assert np.abs(made.logits() - library_logits(packed, planted)).max() == 0.0
    assert (made.logits(0) == before).all() and not (made.logits(1) == before).all()


@pytest.mark.slow
def test_adapter_with_any_damaged_part_is_refused(switched: Switched, tmp_path: Path) -> None:
    """With any content: an adapter or a sentence, and the model unchanged."""
    luck, own = Random(7), switched.logits()
    good = adapter(tmp_path / "good", switched.folder, planted=0.1)
    outcomes = []
    for number in range(60):
        folder = Path(shutil.copytree(good, tmp_path / f"spoilt {number}"))
        file = folder / luck.choice(("adapter_config.json", "adapters.safetensors"))
        content = bytearray(file.read_bytes())
        for _ in range(luck.choice((1, 3, 30))):
            content[luck.randrange(min(len(content), 4_000))] = luck.randrange(256)
        file.write_bytes(content[: luck.choice((len(content), luck.randrange(len(content))))])
        outcomes.append(switched.put(folder))
        assert isinstance(outcomes[-1], Model) or outcomes[-1].todo
        assert (switched.logits(0) == own).all()
    assert sum(isinstance(outcome, Failure) for outcome in outcomes) > 40
    assert switched.loads == []


def test_adapter_is_attached_again_after_a_device_failure(switched: Switched, tmp_path: Path) -> None:
    switched.put(adapter(tmp_path / "planted", switched.folder, planted=0.1))
    before, engine = switched.logits(), switched.player.engine
    engine._device_failed = True
    assert isinstance(engine.run_job(ScoreTokens(TokenPrompt(IDS)), lambda event: None, StopFlag()), TokenWeights)
    assert (switched.logits() == before).all()
    assert switched.loads == [switched.folder]


def test_batch_with_different_strengths_is_refused(switched: Switched, tmp_path: Path) -> None:
    half = replace(ASKED, sampling=replace(ASKED.sampling, adapter_strength=0.5))

    def together(*requests: Request) -> list[list[int]]:
        events: list[list[Event]] = [[] for _ in requests]
        finishes = switched.player.engine.generate_together(requests, [each.append for each in events], StopFlag())
        assert {finish.failure.kind if finish.failure else "" for finish in finishes} == expected
        return [[event.id for event in each if isinstance(event, Token)] for each in events]

    expected = {""}
    own = together(ASKED, half)
    assert own[0] == own[1], "no adapter is open"
    switched.put(adapter(tmp_path / "planted", switched.folder, planted=0.3))
    assert together(half, half) == [switched.player.play(half).ids] * 2
    expected = {"batch"}
    together(ASKED, half)
