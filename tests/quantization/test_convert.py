import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from app.engine.types import Failure
from app.library import local
from app.quantization import convert as module
from app.quantization.choice import FIXED, RECIPES, QuantizationCost, QuantizationOutcome, QuantizationSettings
from app.quantization.convert import Conversion
from tests import models
from tests.conftest import PROJECT
from tests.faults.quantizing import killed, names, opens, texts_of_tensors

TEXT = PROJECT / "resources" / "texts" / "comparison.txt"
CHOICES = (
    *(QuantizationSettings(bits) for bits in (8, 6, 5, 3, 2)),
    *(QuantizationSettings(*how, mode) for mode, how in FIXED.items()),
    *(QuantizationSettings(recipe=recipe) for recipe in RECIPES),
    QuantizationSettings(4, 64),
)


@pytest.fixture(scope="module")
def conversion(demo_model: Path) -> Iterator[Conversion]:
    """Its child answers all that the tests ask."""
    with closing(Conversion(demo_model)) as made:
        yield made


def made(outcome: object) -> QuantizationOutcome:
    assert isinstance(outcome, QuantizationOutcome), outcome
    return outcome


def failure(outcome: object) -> Failure:
    assert isinstance(outcome, Failure)
    return outcome


def bits_counted(folder: Path) -> tuple[int, float]:
    """Σ bytes and Σ bytes × 8 ÷ Σ weights, from the files alone and by rules of this test's own."""
    size = weights = 0
    for file in folder.glob("*.safetensors"):
        content = file.read_bytes()
        start = 8 + int.from_bytes(content[:8], "little")
        tensors = {name: each for name, each in json.loads(content[8:start]).items() if name != "__metadata__"}
        size += len(content) - start
        config = json.loads((folder / "config.json").read_text())["quantization"]
        for name, each in tensors.items():
            layer = name.rpartition(".")[0]
            count = 1
            for side in each["shape"]:
                count *= side
            if f"{layer}.scales" not in tensors:
                weights += count
            elif name.endswith(".scales"):
                weights += count * config.get(layer, config)["group_size"]
    return size, size * 8 / weights


@pytest.mark.parametrize(
    "choice",
    [QuantizationSettings(4), *(pytest.param(each, marks=pytest.mark.slow) for each in CHOICES)],
    ids=lambda choice: f"{choice.name}-{choice.group}",
)
def test_conversion_with_each_setting_has_the_estimated_size(
    conversion: Conversion, choice: QuantizationSettings, tmp_path: Path
) -> None:
    to = tmp_path / choice.name
    predicted = made(conversion.predict(choice))
    outcome = made(conversion.convert(choice, to))
    assert outcome == predicted and predicted.before == 2_562_240
    size, bits = bits_counted(to)
    assert size == outcome.bytes and bits == pytest.approx(outcome.bits_per_weight, rel=1e-12)
    assert opens(to) and names(tmp_path) == [choice.name]


def test_conversion_of_the_demo_model_in_groups_of_64_skips_most_layers(conversion: Conversion) -> None:
    """Its widths are 160 and 448."""
    found, skipped = (
        made(conversion.predict(QuantizationSettings(4))),
        made(conversion.predict(QuantizationSettings(4, 64))),
    )
    assert (found.choice.group, found.alone) == (32, ())
    assert len(skipped.alone) == 19 and skipped.bits_per_weight > 14


@pytest.mark.slow
@pytest.mark.parametrize(("width", "group", "alone"), [(128, 128, 0), (192, 64, 0), (80, 128, 7)])
def test_group_size_of_odd_widths_divides_the_most_layers(width: int, group: int, alone: int, tmp_path: Path) -> None:
    sizes = {"hidden_size": width, "intermediate_size": 256, "num_attention_heads": 1, "num_key_value_heads": 1}
    model = models.tiny_llama(tmp_path / "model", **sizes, head_dim=128, num_hidden_layers=1)
    with closing(Conversion(model)) as conversion:
        found = made(conversion.predict(QuantizationSettings(4)))
    assert (found.choice.group, len(found.alone)) == (group, alone)


@pytest.mark.slow
def test_conversion_with_a_recipe_equals_the_result_of_mlx_lm(
    conversion: Conversion, demo_model: Path, tmp_path: Path
) -> None:
    from mlx_lm import convert

    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    convert(str(demo_model), str(theirs), quantize=True, q_group_size=32, q_bits=4, quant_predicate="mixed_4_6")
    made(conversion.convert(QuantizationSettings(recipe="mixed_4_6"), ours))
    assert texts_of_tensors(ours) == texts_of_tensors(theirs)
    assert json.loads((ours / "config.json").read_text()) == json.loads((theirs / "config.json").read_text())
    for name in ("tokenizer.json", "tokenizer_config.json", "generation_config.json"):
        assert (ours / name).read_bytes() == (demo_model / name).read_bytes()


def test_model_card_of_a_conversion_names_the_source_and_the_settings(conversion: Conversion, tmp_path: Path) -> None:
    made(conversion.convert(QuantizationSettings(3), tmp_path / "three"))
    card = (tmp_path / "three" / "README.md").read_text("utf-8")
    assert card.startswith("---\nlibrary_name: mlx\n")
    for words in (
        "# three",
        "from demo by Sluice",
        "mlx-lm 0.",
        "3 bits, mode `affine`, in groups of 32",
        "4.010 bits",
    ):
        assert words in card


def test_conversion_progress_ends_at_the_total_bytes(conversion: Conversion, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    outcome = made(
        conversion.convert(QuantizationSettings(4), tmp_path / "four", lambda done, total: told.append((done, total)))
    )
    assert told and told[-1] == (outcome.bytes, outcome.bytes)


@pytest.mark.slow
def test_comparison_of_a_2_bit_model_has_kl_speed_and_memory(conversion: Conversion, tmp_path: Path) -> None:
    made(conversion.convert(QuantizationSettings(2), tmp_path / "two"))
    shares = list[float]()
    cost = conversion.compare(tmp_path / "two", TEXT, lambda done, total: shares.append(done / total))
    assert shares == sorted(shares) and shares[-1] == 1, "two passes, one progress"
    assert not isinstance(cost, Failure), cost
    assert cost.worse > 0.1 and cost.kl_mean > 0.1 and 0 < cost.same_first < 0.9
    assert cost.speed and cost.speed_before and cost.memory > 0


@pytest.mark.slow
def test_conversion_of_a_folder_with_dead_links_and_folders_leaves_them_out(demo_model: Path, tmp_path: Path) -> None:
    """A link of the cache whose blob is gone, in which nothing was read before either; and a folder of such a name."""
    source = Path(shutil.copytree(demo_model, tmp_path / "source"))
    (source / "added_tokens.json").symlink_to(tmp_path / "gone")
    (source / "more.json").mkdir()
    with closing(Conversion(source)) as conversion:
        made(conversion.convert(QuantizationSettings(4), tmp_path / "made"))
    assert not {"added_tokens.json", "more.json"} & {each.name for each in (tmp_path / "made").iterdir()}


def test_conversion_of_an_unsuitable_folder_is_refused_with_the_reason(conversion: Conversion, tmp_path: Path) -> None:
    four, adapter, nothing = tmp_path / "four", tmp_path / "adapter", tmp_path / "nothing"
    made(conversion.convert(QuantizationSettings(4), four))
    assert failure(conversion.convert(QuantizationSettings(4), four)).kind == "target"
    for folder in (adapter, nothing):
        folder.mkdir()
    (adapter / "adapter_config.json").write_text("{}")
    for folder, words in ((four, "quantized already"), (adapter, "is an adapter"), (nothing, "no config.json")):
        assert words in failure(Conversion(folder).convert(QuantizationSettings(4), tmp_path / "new")).what
    assert names(tmp_path) == ["adapter", "four", "nothing"]


def test_conversion_with_an_unknown_recipe_is_refused(conversion: Conversion, tmp_path: Path) -> None:
    assert "mixed_1_2" in failure(conversion.convert(QuantizationSettings(recipe="mixed_1_2"), tmp_path / "new")).what


def test_conversion_without_enough_disk_space_fails_before_writing(
    conversion: Conversion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(10**9, 10**9, 50_700_000))
    assert failure(conversion.convert(QuantizationSettings(4), tmp_path / "four")).kind == "disk"
    assert names(tmp_path) == []
    made(conversion.convert(QuantizationSettings(2), tmp_path / "two"))


def test_conversion_on_a_disk_that_fills_up_fails_and_leaves_no_files(
    conversion: Conversion, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (small_disk / "filler").write_bytes(bytes(2_700_000))
    monkeypatch.setattr(module, "check_target", lambda to, needed: None)
    assert failure(conversion.convert(QuantizationSettings(4), small_disk / "four")).kind == "disk"
    assert names(small_disk) == ["filler"]


@pytest.mark.slow
def test_conversion_cancelled_leaves_no_files(demo_model: Path, tmp_path: Path) -> None:
    with closing(Conversion(demo_model)) as conversion:
        made(conversion.predict(QuantizationSettings(4)))
        outcome = conversion.convert(
            QuantizationSettings(4), tmp_path / "four", lambda done, total: conversion.cancel()
        )
        assert failure(outcome).kind == "cancelled"
        assert failure(conversion.convert(QuantizationSettings(4), tmp_path / "four")).kind == "cancelled"
    assert names(tmp_path) == []


@pytest.mark.slow
def test_conversion_killed_at_any_time_leaves_no_incomplete_model(demo_model: Path, tmp_path: Path) -> None:
    random = Random(25)
    for number in range(2):
        assert list(killed(demo_model, tmp_path / str(number), random, parent=bool(number))) == []


def test_conversion_after_a_killed_program_deletes_its_temporary_folder(conversion: Conversion, tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    left = tmp_path / f".{gone.pid}-abc{module.MARK}" / module.INSIDE
    running = tmp_path / f".{os.getpid()}-abc{module.MARK}"
    shutil.copytree(conversion.source, left)
    running.mkdir()
    assert [each.folder.name for each in local.models(tmp_path)] == []
    made(conversion.convert(QuantizationSettings(4), tmp_path / "four"))
    assert names(tmp_path) == [running.name, "four"]


@pytest.mark.slow
def test_conversion_with_two_concurrent_requests_answers_each_its_own(demo_model: Path, tmp_path: Path) -> None:
    """Else it would take what is told of the first one for its own answer."""
    found: list[object] = []
    with closing(Conversion(demo_model)) as conversion:
        asking = threading.Thread(target=lambda: found.append(conversion.predict(QuantizationSettings(2))))

        def tell(done: int, total: int) -> None:
            if asking.ident is None:
                asking.start()
                asking.join(0.2)

        four = made(conversion.convert(QuantizationSettings(4), tmp_path / "four", tell))
        asking.join()
    assert (four.choice.bits, made(found[0]).choice.bits) == (4, 2)


COST = QuantizationCost(0.02, 0.01, 0.004, 0.001, 0.984, 80.0, 40.0, 300)


def test_cost_sentence_of_a_faster_model_has_size_quality_and_speed() -> None:
    assert COST.sentence(3.14) == (
        "3.1 times smaller on disk. On a sample text: perplexity × 1.02 (0.020 ± 0.010 nats per token worse), "
        "same top-1 token 98 %. On this machine it is faster: 80.0 tok/s instead of 40.0."
    )


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (replace(COST, worse=-0.02), "0.020 ± 0.010 nats per token better"),
        (replace(COST, worse_error=None), "(0.02 nats per token worse"),
        (replace(COST, is_unpacked=True), "Here, both are computed in float32: memory and speed are the same."),
        (replace(COST, speed=20.0), "it is slower: 20.0 tok/s instead of 40.0."),
        (replace(COST, speed=41.0), "it is as fast: 41.0 tok/s instead of 40.0."),
    ],
)
def test_cost_sentence_of_other_results_says_better_slower_or_as_fast(cost: QuantizationCost, words: str) -> None:
    assert words in cost.sentence(3.14)


def test_cost_sentence_without_a_speed_ends_with_the_quality() -> None:
    assert replace(COST, speed=None).sentence(2).endswith("same top-1 token 98 %.")
