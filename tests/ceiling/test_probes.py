"""What is probed is kept for the next update, and told of in a sentence; a spoiled file costs the past, no more."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.ceiling import probes
from app.ceiling.kept import MOST
from app.ceiling.probes import MOST_KEPT, NAMES, ROUNDS, SITTINGS, Sitting, Sittings, sentence
from app.engine import verb
from app.engine.types import Decoded
from app.records import surroundings
from tests.ceiling.running import Staying, run

EACH = (0.5, 0.51, 0.52, 0.53, 0.54)


def sitting(mlx: str = "0.32.4", mlx_lm: str = "0.32.2", **slower: float) -> Sitting:
    told = ((name, tuple(slower.get(name, 1.0) * each for each in EACH)) for name in NAMES)
    return Sitting(mlx, mlx_lm, "macOS 26", tuple(told))


def test_what_has_changed_is_said_with_its_chance() -> None:
    found = Sittings((sitting(), sitting("0.33.0", prefill=1.12)))
    assert sentence(found) == "Reading up to 512 tokens: 12 % slower since mlx 0.33.0 (5 of 5, chance 1 in 126)."
    both = Sittings((sitting(), sitting("0.33.0", "0.33.1", load=0.5)))
    assert sentence(both).startswith("Loading: 50 % faster since mlx 0.33.0, mlx-lm 0.33.1 (")
    assert "Nothing has become" in sentence(Sittings((sitting(), sitting("0.33.0"))))
    assert "nothing from before" in sentence(Sittings((sitting(), sitting())))


def test_the_last_ones_with_other_libraries_count() -> None:
    old, older = sitting("0.32.4"), sitting("0.31.0", start=3.0)
    found = Sittings((older, old, sitting("0.33.0"), sitting("0.33.0")))
    assert found.before == old and found.changes == ()


@pytest.mark.parametrize(
    "now", [("9.9", "0.32.2", "macOS 26"), ("0.32.4", "9.9", "macOS 26"), ("0.32.4", "0.32.2", "27")]
)
def test_an_update_of_any_of_the_three_is_one(now: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = Sittings((sitting(),))
    monkeypatch.setattr(probes, "_libraries", lambda: found.all[-1].libraries)
    assert not found.outdated and not Sittings().outdated
    monkeypatch.setattr(probes, "_libraries", lambda: now)
    assert found.outdated and not Sittings().outdated


def probed(demo: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run(demo, "--probe", "--json", "--data-dir", folder) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_an_update_is_seen_at_the_next_sitting(
    capsys: pytest.CaptureFixture[str], demo_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = probed(demo_model, tmp_path, capsys)
    assert first["before"] is None and first["drift"] == []
    assert set(first["probes"]) == set(NAMES) and {len(each) for each in first["probes"].values()} == {ROUNDS}
    newer = replace(surroundings.versions(), mlx="9.9")
    for module in ("app.ceiling.probes.versions", "app.ceiling.kept.versions"):
        monkeypatch.setattr(module, lambda: newer)
    usual = verb.certain

    def slower(outcome: Any, stop: Any) -> Any:
        found = usual(outcome, stop)
        return replace(found, prompt_tokens_per_s=found.prompt_tokens_per_s / 50) if "Decoded" in repr(found) else found

    monkeypatch.setattr(probes, "certain", slower)
    second = probed(demo_model, tmp_path, capsys)
    assert second["before"] == first["probes"] and second["versions"]["mlx"] == "9.9"
    assert {"prefill", "first_token"} <= {each["name"] for each in second["drift"]}
    assert "slower since mlx 9.9 (5 of 5, chance 1 in 126)" in second["sentence"]
    monkeypatch.setattr(probes, "ROUNDS", 1)
    assert run(demo_model, "--probe", "--data-dir", tmp_path) == 0
    assert "| Loading | " in capsys.readouterr().out


def test_few_are_kept_and_strange_ones_are_none(
    tmp_path: Path, demo_model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Staying, "decode", lambda *_: Decoded(800.0, 0.0, 5_000.0), raising=False)
    probed(demo_model, tmp_path, capsys)
    said = json.loads((tmp_path / SITTINGS.file).read_text())
    (name,) = said
    said[name]["all"] *= 9
    (tmp_path / SITTINGS.file).write_text(json.dumps(said))
    probed(demo_model, tmp_path, capsys)
    assert len(json.loads((tmp_path / SITTINGS.file).read_text())[name]["all"]) == MOST_KEPT
    for seconds in (0, -1, "nan", "x"):
        spoiled = {name: {"all": [{"mlx": "", "mlx_lm": "", "system": "", "seconds": [["load", [seconds]]]}]}}
        (tmp_path / SITTINGS.file).write_text(json.dumps(spoiled))
        assert SITTINGS.find(tmp_path, name) is None


def test_as_many_as_are_kept_can_be_read_again(tmp_path: Path) -> None:
    long = Sitting("0.32.4", "0.32.2", "x" * 80, tuple((name, (0.12345678901234567,) * ROUNDS) for name in NAMES))
    for number in range(MOST):
        SITTINGS.keep(tmp_path, f"{number:0200}", Sittings((long,) * MOST_KEPT))
    assert SITTINGS.find(tmp_path, f"{0:0200}") is not None
