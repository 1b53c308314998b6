import json
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path

import pytest

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import StopFlag
from app.engine.types import LoadRequest, Matrix, Model, PeakSpeeds
from app.records.run_environment import versions
from app.roofline import measurement_store, measuring

MATRIX = Matrix(8, 4, 128, "float32")
SPEEDS = PeakSpeeds(1.0, 2.0, 3.0, 4)
STORE = measurement_store.SPEEDS


def test_what_was_measured_is_found_again(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    STORE.keep(folder, "one", SPEEDS)
    STORE.keep(folder, "two", replace(SPEEDS, bytes_per_s=9.0))
    assert STORE.find(folder, "one") == SPEEDS and STORE.find(folder, "three") is None
    STORE.keep(folder, "one", replace(SPEEDS, bytes_per_s=5.0))
    found = STORE.find(folder, "one")
    assert found is not None and found.bytes_per_s == 5.0


def test_another_machine_version_or_shape_is_another_measurement() -> None:
    usual = measurement_store.key(MATRIX, 1_000_000, "M3", "mlx 0.32.4")
    assert usual == measurement_store.key(MATRIX, 1_050_000, "M3", "mlx 0.32.4")
    others = {
        measurement_store.key(MATRIX, 4_000_000, "M3", "mlx 0.32.4"),
        measurement_store.key(MATRIX, 1_000_000, "M4", "mlx 0.32.4"),
        measurement_store.key(MATRIX, 1_000_000, "M3", "mlx 0.33.0"),
        measurement_store.key(replace(MATRIX, bits=4), 1_000_000, "M3", "mlx 0.32.4"),
    }
    assert len(others) == 4 and usual not in others


def test_the_oldest_ones_go(tmp_path: Path) -> None:
    for number in range(measurement_store.MOST + 2):
        STORE.keep(tmp_path, str(number), SPEEDS)
    assert STORE.find(tmp_path, "1") is None and STORE.find(tmp_path, "2") == SPEEDS


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"one": 3}',
        json.dumps({"one": asdict(replace(SPEEDS, bytes_per_s=0.0))}).encode(),
        json.dumps({"one": {"bytes_per_s": "inf", "plain_bytes_per_s": 1, "products_per_s": 1}}).encode(),
        b"[" * 100_000,
        b" " * (measurement_store.LARGEST_BYTES + 1),
    ],
)
def test_a_file_that_says_something_else_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / STORE.file).write_bytes(content)
    assert STORE.find(tmp_path, "one") is None
    STORE.keep(tmp_path, "one", SPEEDS)
    assert STORE.find(tmp_path, "one") == SPEEDS


@pytest.mark.parametrize("odd", [3, None, {}, {"bytes_per_s": "inf"}, asdict(replace(SPEEDS, bytes_per_s=0.0))])
def test_one_that_nobody_can_read_costs_none_of_the_others(tmp_path: Path, odd: object) -> None:
    said = {"one": asdict(SPEEDS), "odd": odd, "two": asdict(SPEEDS)}
    (tmp_path / STORE.file).write_text(json.dumps(said))
    STORE.keep(tmp_path, "three", SPEEDS)
    found = [STORE.find(tmp_path, name) for name in ("one", "odd", "two", "three")]
    assert found == [SPEEDS, None, SPEEDS, SPEEDS]


def test_where_nothing_can_be_kept_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    STORE.keep(tmp_path / "file", "one", SPEEDS)
    assert STORE.find(tmp_path / "file", "one") is None


def test_the_level_is_the_smallest_cache_that_holds_it(tmp_path: Path) -> None:
    for index, (number, kind, size) in enumerate(
        [(1, "Data", "48K"), (1, "Instruction", "32M"), (2, "Unified", "1M"), (3, "Unified", "32M")]
    ):
        (folder := tmp_path / f"index{index}").mkdir()
        for name, value in (("level", number), ("type", kind), ("size", size)):
            (folder / name).write_text(f"{value}\n")
    known = measuring.processor_caches(tmp_path)
    sizes = (40_000, 1 << 20, 5_000_000, 64_000_000)
    assert [measuring.cache_level(size, known) for size in sizes] == ["L1 cache", "L2 cache", "L3 cache", "memory"]
    (tmp_path / "index0" / "size").write_text("odd")
    assert measuring.processor_caches(tmp_path) == [] and measuring.cache_level(1, []) == "memory"


def test_what_changes_a_model_s_tokens_is_known_of_it_and_of_these_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = EchoEngine().load(LoadRequest("echo"), lambda event: None, StopFlag())
    assert isinstance(model, Model)
    for folder, opened in ((tmp_path, model), (None, model), (tmp_path, None)):
        assert measurement_store.sameness(folder, opened) == ""
    measurement_store.keep_sameness(tmp_path, model, "Two at once: others from token 37 on.")
    today = date.today().isoformat()
    said = f"As measured here on {today}: Two at once: others from token 37 on."
    assert measurement_store.sameness(tmp_path, model) == said
    assert measurement_store.sameness(tmp_path, replace(model, weights=model.weights + 1)) == ""
    there = versions()
    monkeypatch.setattr(measurement_store, "versions", lambda: replace(there, mlx="99.9"))
    assert measurement_store.sameness(tmp_path, model) == ""
