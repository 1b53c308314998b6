"""Adapters: the same output as in mlx-lm, none at strength 0, and the model is read only once."""

import math
import shutil
from collections.abc import Callable
from dataclasses import replace
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
from app.engine.types import (
    CacheMissReason,
    Failure,
    Limits,
    LoadRequest,
    Model,
    RawPrompt,
    Request,
    Sampling,
    TokenDifference,
    TokenPrompt,
)
from tests import models
from tests.adapters import adapter
from tests.engine.mlx.conftest import Open, Player
from tests.engine.mlx.independent import forward
from tests.engine.sampler_reference import Floats
from tests.engine.tiers import mostly_slow

IDS = tuple(5 + (index * 37) % 300 for index in range(60))
ASKED = Request(RawPrompt("The gate opens"), Sampling(temperature=0), Limits(max_tokens=24))


class Switched(Player):
    """A player whose adapter changes, and how often its model was read."""

    def __init__(self, player: Player, made: Path) -> None:
        super().__init__(player.engine, player.model)
        self.folder, self._made = player.model.folder, made
        self.loads: list[Path] = []

    def adapter(self, name: str, **options: Any) -> Path:
        return adapter(self._made / name, self.folder, **options)

    def put(self, folder: Path | None) -> Model | Failure:
        outcome = self.load(self.folder, adapter=folder)
        assert isinstance(outcome, Model | Failure)
        return outcome

    def logits(self, strength: float = 1.0) -> Floats:
        return forward(self.main.at_strength(strength), IDS)


@pytest.fixture
def switched(player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Switched:
    made, load = Switched(player, tmp_path), engine_module.load  # type: ignore[attr-defined]

    def counted(folder: Any, *rest: Any, **options: Any) -> Any:
        made.loads.append(folder.path)
        return load(folder, *rest, **options)

    monkeypatch.setattr(engine_module, "load", counted)
    return made


def library_logits(model: Path, folder: Path) -> Floats:
    module, *_ = library_load(str(model), adapter_path=str(folder))
    return np.array(module(mx.array(IDS)[None])[0].astype(mx.float32)).astype(np.float64)


@pytest.mark.parametrize("dora", [False, True])
def test_adapter_output_equals_mlx_lm_and_is_scaled_by_its_strength(switched: Switched, dora: bool) -> None:
    """0 is the model, 1 the adapter, and values between differ from both."""
    before, planted = switched.logits(), switched.adapter("planted", planted=0.05, dora=dora)
    model = switched.put(planted)
    assert isinstance(model, Model) and model.adapter is not None
    assert (model.adapter.name, model.adapter.rank, model.adapter.scale) == ("planted", 4, 10.0)
    whole = switched.logits()
    assert (whole == library_logits(switched.folder, planted)).all()
    half = switched.logits(0.5)
    assert (switched.logits(0) == before).all()
    assert (switched.logits(1) == whole).all()
    assert np.abs(half - before).max() > 0 and np.abs(half - whole).max() > 0


@pytest.mark.slow
def test_adapter_switched_often_leaves_the_model_unchanged(switched: Switched) -> None:
    first = switched.adapter("first", planted=0.3)
    second = switched.adapter("second", planted=0.2, layers=1)
    own = switched.play(ASKED).ids
    with_first = []
    for _ in range(10):
        assert isinstance(switched.put(first), Model)
        with_first.append(switched.play(ASKED).ids)
        assert isinstance(switched.put(second), Model)
        assert isinstance(switched.put(None), Model)
        assert switched.play(ASKED).ids == own
    assert switched.loads == []
    assert own != with_first[0] and with_first == [with_first[0]] * 10


def test_adapter_strength_change_drops_the_cache(switched: Switched) -> None:
    switched.put(switched.adapter("planted", planted=0.3))
    play = switched.play
    whole = Request(TokenPrompt(IDS), Sampling(temperature=0), Limits(max_tokens=8))
    half = Request(TokenPrompt(IDS), Sampling(temperature=0, adapter_strength=0.5), Limits(max_tokens=8))
    fresh = play(half).ids
    assert play(half).finish.reused == len(IDS) - 1
    assert switched.reusable(whole).hindrance is CacheMissReason.SETTINGS
    assert play(whole).finish.reused == 0
    assert play(half).finish.reused == 0
    assert play(half).ids == fresh
    switched.put(None)
    assert play(whole).finish.reused == 0


def test_score_tokens_shows_the_effect_of_the_adapter(switched: Switched) -> None:
    def differences(folder: Path) -> list[float]:
        found: list[TokenDifference] = []
        with Distributions(len(IDS) - 1, switched.model.vocabulary) as kept:
            switched.put(None)
            switched.result(ScoreTokens(TokenPrompt(IDS), kept=kept))
            switched.put(folder)
            kept.rewind()
            switched.result(CompareTokens(TokenPrompt(IDS), kept, found))
        return [each.lowest for each in found]

    assert set(differences(switched.adapter("fresh"))) == {0.0}
    assert min(differences(switched.adapter("planted", planted=0.1))) > 0.0
    none, whole = (switched.result(ScoreTokens(TokenPrompt(IDS), strength)) for strength in (0, 1))
    switched.put(None)
    assert none == switched.result(ScoreTokens(TokenPrompt(IDS))) != whole


def test_adapter_works_with_a_draft_model(switched: Switched, llama3_rope: Path) -> None:
    planted = switched.adapter("planted", planted=0.1)
    model = switched.load(switched.folder, llama3_rope, planted)
    assert isinstance(model, Model)
    assert model.opened_by == LoadRequest(str(switched.folder), str(llama3_rope), adapter=str(planted))
    assert switched.loads == [llama3_rope], "the model itself stays"
    assert isinstance(switched.put(None), Model)
    assert switched.loads == [llama3_rope]


Change = Callable[[dict[str, Any], dict[str, Any]], None]


def renamed(name: str, to: str) -> Change:
    def change(config: dict[str, Any], arrays: dict[str, Any]) -> None:
        for each in [each for each in arrays if name in each]:
            array = arrays.pop(each)
            if to:
                arrays[each.replace(name, to)] = array

    return change


def with_nan(config: dict[str, Any], arrays: dict[str, Any]) -> None:
    name = next(iter(arrays))
    arrays[name] = mx.full(arrays[name].shape, math.nan)


def configured(lora: dict[str, Any] | None = None, **fields: object) -> Change:
    def change(config: dict[str, Any], arrays: dict[str, Any]) -> None:
        config |= fields
        config["lora_parameters"] |= lora or {}

    return change


BLOCK = "layers.1.mlp.up_proj"
SPOILT = {
    "a part is missing": (renamed(f"{BLOCK}.lora_b", ""), "model.layers.1.mlp.up_proj.lora_b is missing from"),
    "a layer is missing": (renamed(BLOCK, ""), "model.layers.1.mlp.up_proj.lora_a is missing from the adapter"),
    "an unknown layer": (renamed("layers.1", "layers.7"), "which this one does not have"),
    "an unknown part": (renamed("lora_a", "lora_c"), "lora_a is missing from the adapter"),
    "another rank": (configured({"rank": 8}), "The adapter's settings have rank 8"),
    "no numbers": (with_nan, "contain NaN"),
    "no scale": (configured({"scale": None}), "has no valid value for scale"),
    "whole layers": (configured(fine_tune_type="full"), "complete layers"),
}


@pytest.mark.parametrize("kind", mostly_slow(SPOILT, "a part is missing", "another rank", "no numbers"))
@pytest.mark.parametrize("keys", mostly_slow([None, ("self_attn.q_proj", "mlp.up_proj")], None))
def test_damaged_adapter_leaves_the_model_open(switched: Switched, kind: str, keys: tuple[str, ...] | None) -> None:
    switched.put(switched.adapter("good", planted=0.1))
    before, module = switched.logits(), switched.main.module
    layers = [name for name, _ in module.named_modules()]
    change, sentence = SPOILT[kind]
    outcome = switched.put(switched.adapter("spoilt", planted=0.1, keys=keys, change=change))
    assert isinstance(outcome, Failure) and sentence in outcome.what and outcome.kind == "adapter"
    assert switched.loads == []
    assert (switched.logits() == before).all()
    assert [name for name, _ in module.named_modules()] == layers


def test_adapter_of_another_model_is_refused(switched: Switched, tmp_path: Path) -> None:
    wider = models.tiny_llama(tmp_path / "wider", intermediate_size=160)
    other = models.recurrent(tmp_path / "recurrent")
    for model, sentence in (
        (wider, "its model.layers.0.mlp.down_proj has the shape 64 × 160, but the model's has 64 × 128"),
        (other, "which this one does not have"),
    ):
        outcome = switched.put(adapter(tmp_path / f"of-{model.name}", model, planted=0.1))
        assert isinstance(outcome, Failure) and sentence in outcome.what


def test_adapter_of_peft_is_refused_with_a_hint(switched: Switched) -> None:
    folder = switched.adapter("peft")
    (folder / "adapters.safetensors").rename(folder / "adapter_model.safetensors")
    outcome = switched.put(folder)
    assert isinstance(outcome, Failure) and "PEFT" in outcome.what and "merge_and_unload" in outcome.todo


@pytest.mark.parametrize("dora", [False, True])
def test_adapter_on_a_quantized_model_works(tiny_llama: Path, tmp_path: Path, open_model: Open, dora: bool) -> None:
    """Its files have packed widths, which differ from those of the layers."""
    packed = tmp_path / "packed"
    convert(str(tiny_llama), str(packed), quantize=True, q_group_size=32, q_bits=4)
    planted = adapter(tmp_path / "planted", packed, planted=0.05, dora=dora)
    made = Switched(open_model(packed), tmp_path)
    before = made.logits()
    assert isinstance(made.put(planted), Model)
    off = np.abs(made.logits() - library_logits(packed, planted)).max()
    assert off < 1e-4 < np.abs(made.logits() - before).max()  # mlx-lm's are packed, which rounds otherwise
    assert (made.logits(0) == before).all() and not (made.logits(1) == before).all()


@pytest.mark.slow
def test_adapter_with_any_damaged_part_is_refused(switched: Switched, tmp_path: Path) -> None:
    """With any content: an adapter or a sentence, and the model unchanged."""
    luck, own = Random(7), switched.logits()
    good = switched.adapter("good", planted=0.1)
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


def test_adapter_is_attached_again_after_a_device_failure(switched: Switched) -> None:
    switched.put(switched.adapter("planted", planted=0.1))
    before = switched.logits()
    switched.engine._device_failed = True
    switched.result(ScoreTokens(TokenPrompt(IDS)))
    assert (switched.logits() == before).all()
    assert switched.loads == [switched.folder]


def test_batch_with_different_strengths_is_refused(switched: Switched) -> None:
    half = replace(ASKED, sampling=replace(ASKED.sampling, adapter_strength=0.5))
    first, second = switched.together(ASKED, half)
    assert first.ids == second.ids, "no adapter is open"
    switched.put(switched.adapter("planted", planted=0.3))
    assert [row.ids for row in switched.together(half, half)] == [switched.play(half).ids] * 2
    refused = [row.finish.failure for row in switched.together(ASKED, half)]
    assert [failure and failure.kind for failure in refused] == ["batch"] * 2
