import json
import tempfile
from pathlib import Path

import pytest

from app.cli import quantize
from app.cli.experiment import main as experiment
from app.cli.quantize import main
from app.engine.echo.engine import EchoEngine
from app.library import local
from app.quantization import convert
from tests.cli.command import Capsys
from tests.quantization import brief

RESOURCES = Path(__file__).parents[2] / "resources"


def run(*arguments: object) -> int:
    return main(list(map(str, arguments)), {}, RESOURCES)


@pytest.mark.slow
def test_quantize_prints_its_result_as_json(demo_model: Path, tmp_path: Path, capsys: Capsys) -> None:
    to = tmp_path / "four"
    assert run(demo_model, "--bits", 4, "--to", to, "--json") == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert said.err == ""
    assert found["folder"] == str(to) and local.describe(to).bits == 4
    assert found["bytes"] == 802_240 and found["bits_per_weight"] == pytest.approx(802_240 * 8 / 1_281_120)
    assert (found["group"], found["mode"], found["left_alone"]) == (32, "affine", [])


@pytest.mark.slow
def test_quantize_names_unquantized_layers(demo_model: Path, tmp_path: Path, capsys: Capsys) -> None:
    assert run(demo_model, "--bits", 4, "--group-size", 128, "--to", tmp_path / "four") == 0
    assert "left alone: ['model.embed_tokens', " in capsys.readouterr().out


@pytest.mark.parametrize("model", ["no/model", "http://localhost:8080/v1#toy"])
def test_quantize_absent_model_is_refused(model: str, tmp_path: Path, capsys: Capsys) -> None:
    try:
        code: object = run(model, "--bits", 4, "--to", tmp_path / "new")
    except SystemExit as left:
        code = left.code
    assert code == (2 if "//" in model else 1)
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.slow
def test_quantize_failure_is_one_sentence(demo_model: Path, tmp_path: Path, capsys: Capsys) -> None:
    assert run(demo_model, "--bits", 4, "--to", tmp_path) == 1
    assert capsys.readouterr().err.endswith("already exists. Choose another folder.\n")


@pytest.mark.slow
def test_ladder_prints_a_line_for_each_bit_width(
    demo_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capsys
) -> None:
    monkeypatch.setattr(quantize, "BITS", (8, 2))
    monkeypatch.setattr(convert, "spoken_command", lambda switch: brief.COMMAND)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert experiment(["ladder", "--json"], {}, RESOURCES) == 0
    rungs = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [rung["bits"] for rung in rungs] == [8, 2]
    assert rungs[0]["bits_per_weight"] > rungs[1]["bits_per_weight"]
    assert 0 < rungs[1]["memory"] == pytest.approx(rungs[0]["memory"], rel=0.01), "both are computed in float32"
    assert rungs[0]["kl_mean"] < 0.01 < 1 < rungs[1]["kl_mean"] and rungs[0]["speed"] > 0
    assert list(tmp_path.iterdir()) == []
    assert experiment(["--list"], {"echo": lambda collect: EchoEngine()}, RESOURCES) == 0
    assert "ladder     What does each number of bits cost?" in capsys.readouterr().out
