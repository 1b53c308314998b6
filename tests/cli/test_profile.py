from functools import partial
from pathlib import Path

import pytest

from app.cli.profile import main
from app.engine.jobs import MeasureSpeeds
from app.engine.mlx.engine import OTHER_JOBS
from app.engine.mlx.measuring import measure
from app.engine.types import Failure, Matrix, PeakSpeeds
from app.records.run_environment import versions
from app.roofline import measurement_store, measuring
from app.roofline.roofline import Bound
from tests.cli import command
from tests.cli.command import Capsys

run, told = partial(command.run, main), partial(command.printed, main)


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is measured for long."""
    for name in ("PASS_S", "STREAM_S", "PRODUCT_S", "DECODE_S"):
        monkeypatch.setattr(measure, name, 0.02)
    monkeypatch.setattr(measuring, "WATCHED_TOKENS", 8)


@pytest.mark.slow
def test_profile_figures_are_consistent(capsys: Capsys, demo_model: Path, tmp_path: Path) -> None:
    found = told(capsys, demo_model, "--data-dir", tmp_path, "--context", 64)
    assert found["bytes_per_token"] == found["weights_bytes"] + found["kv_bytes"]
    assert found["kv_bytes"] == 64 * 3840
    assert found["ceiling_tokens_per_s"] == pytest.approx(found["bandwidth_bytes_per_s"] / found["bytes_per_token"])
    assert found["share"] == pytest.approx(found["tokens_per_s"] / found["ceiling_tokens_per_s"])
    assert found["bound"] in {each.value for each in Bound}
    assert sum(found["seconds"].values()) == pytest.approx(1 / found["tokens_per_s"])
    where = found["where"]
    assert sum(where["parts"].values()) == pytest.approx(where["observed"])
    assert where["parts"]["journal"] > 0, "one writes beside it"
    assert sum(where["layers"]) == pytest.approx(where["passes"], rel=0.05)
    assert all(set(each) == {"name", "sentence"} for each in found["causes"])


@pytest.mark.slow
def test_profile_measures_the_machine_once(
    capsys: Capsys, demo_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Matrix] = []

    def speeds(_context: object, job: MeasureSpeeds) -> PeakSpeeds:
        asked.append(job.matrix)
        return PeakSpeeds(5e11, 5e11, 1e12, 5_000_000)

    monkeypatch.setitem(OTHER_JOBS, MeasureSpeeds, speeds)
    first, second = (told(capsys, demo_model, "--data-dir", tmp_path) for _ in range(2))
    assert len(asked) == 1 and first["bandwidth_bytes_per_s"] == second["bandwidth_bytes_per_s"] == 5e11
    assert versions().mlx in (tmp_path / measurement_store.SPEEDS.file).read_text()
    told(capsys, demo_model, "--data-dir", tmp_path / "elsewhere")
    assert len(asked) == 2


@pytest.mark.slow
def test_profile_above_the_limit_measures_again(
    capsys: Capsys, demo_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had been busy then."""
    low = [PeakSpeeds(1.0, 1.0, 1.0, 1)] * measuring.TRIES
    found = iter([*low, low[0], PeakSpeeds(5e11, 5e11, 1.0, 1), PeakSpeeds(1.0, 1.0, 1e15, 1)])
    monkeypatch.setitem(OTHER_JOBS, MeasureSpeeds, lambda *_: next(found))
    asked = ("--data-dir", tmp_path)
    said = [told(capsys, demo_model, *asked) for _ in range(3)]
    assert [each["bandwidth_bytes_per_s"] for each in said] == [1.0, 5e11, 5e11]
    assert [bool(each["disturbed"]) for each in said] == [True, False, False]
    prompts = [each["prompt_ceiling_tokens_per_s"] >= each["prompt_tokens_per_s"] for each in said]
    assert prompts == [False, False, True], "a new value isn't measured again, and of each figure the best counts"


@pytest.mark.slow
def test_profile_prints_a_table(capsys: Capsys, demo_model: Path, tmp_path: Path) -> None:
    assert run(demo_model, "--data-dir", tmp_path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["| | |", "| --- | --- |"] and all(line.count(" | ") == 1 for line in lines[2:])
    said = "\n".join(lines)
    for part in (f"mlx {versions().mlx}", f"mlx-lm {versions().mlx_lm}", versions().chip, "1,281,120 parameters"):
        assert part in said
    assert "| Causes | " in said and str(tmp_path) not in said and str(demo_model.parent) not in said


@pytest.mark.slow
def test_profile_failure_is_one_sentence(
    capsys: Capsys, demo_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(demo_model, "--data-dir", tmp_path, "--context", 999_999) == 1
    assert "smaller --context" in capsys.readouterr().err
    monkeypatch.setattr(command.UnloadingEngine, "run_job", lambda *_: Failure("The device is gone.", "Start again."))
    assert run(demo_model, "--data-dir", tmp_path, "--json") == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err == "sluice profile: The device is gone. Start again.\n"
