"""`sluice quantize`, and `sluice experiment ladder`."""

import json
import tempfile
from pathlib import Path

import pytest

from app.cli.experiment import main as experiment
from app.cli.quantize import main
from app.engine.echo.engine import EchoEngine
from app.library import local
from app.quantization import convert
from tests.quantization import brief

RESOURCES = Path(__file__).parents[2] / "resources"


def run(*arguments: object) -> int:
    return main(list(map(str, arguments)), {}, RESOURCES)


@pytest.mark.slow
def test_it_prints_what_it_made_and_nothing_else(
    demo_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "four"
    assert run(demo_model, "--bits", 4, "--to", to, "--json") == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert said.err == ""
    assert found["folder"] == str(to) and local.describe(to).bits == 4
    assert found["bytes"] == 802_240 and found["bits_per_weight"] == pytest.approx(802_240 * 8 / 1_281_120)
    assert (found["group"], found["mode"], found["left_alone"]) == (32, "affine", [])


@pytest.mark.slow
def test_in_words_it_names_the_layers_that_stay(
    demo_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(demo_model, "--bits", 4, "--group-size", 128, "--to", tmp_path / "four") == 0
    assert "left alone: ['model.embed_tokens', " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("switches", "words"),
    [
        ((), "--bits"),
        (("--bits", 7), "7"),
        (("--bits", 3, "--mode", "mxfp4"), "4 bits and groups of 32"),
        (("--bits", 4, "--group-size", 64, "--mode", "nvfp4"), "groups of 16"),
        (("--bits", 4, "--group-size", 16), "128, 64, 32"),
        (("--bits", 4, "--recipe", "mixed_4_6"), "recipe"),
    ],
)
def test_what_no_model_could_become_is_a_bad_argument(
    demo_model: Path, tmp_path: Path, switches: tuple[object, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        run(demo_model, *switches, "--to", tmp_path / "new")
    assert left.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("model", ["no/model", "http://localhost:8080/v1#toy"])
def test_a_model_that_is_not_here_is_refused(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code: object = run(model, "--bits", 4, "--to", tmp_path / "new")
    except SystemExit as left:
        code = left.code
    assert code == (2 if "//" in model else 1)
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.slow
def test_what_can_not_be_made_is_said_in_one_sentence(
    demo_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(demo_model, "--bits", 4, "--to", tmp_path) == 1
    assert capsys.readouterr().err.endswith("already. Choose another folder.\n")


@pytest.mark.slow
def test_the_ladder_is_an_experiment_with_a_line_for_each_number_of_bits(
    demo_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(convert, "BITS", (8, 2))
    monkeypatch.setattr(convert, "spoken_command", lambda switch: brief.COMMAND)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert experiment(["ladder", "--json"], {}, RESOURCES) == 0
    rungs = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [rung["bits"] for rung in rungs] == [8, 2]
    assert rungs[0]["bits_per_weight"] > rungs[1]["bits_per_weight"] and rungs[0]["memory"] > rungs[1]["memory"]
    assert rungs[0]["kl_mean"] < 0.01 < 1 < rungs[1]["kl_mean"] and rungs[0]["speed"] > 0
    assert list(tmp_path.iterdir()) == []
    assert experiment(["--list"], {"echo": lambda collect: EchoEngine()}, RESOURCES) == 0
    assert "ladder     What does each number of bits cost?" in capsys.readouterr().out
