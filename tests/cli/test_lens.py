"""`sluice lens`."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.lens import main
from app.engine.mlx.engine import MlxEngine
from tests import models


class Staying(MlxEngine):
    """Its thread is that of the next test too."""

    def close(self) -> None:
        self.unload()


def run(demo: Path, *arguments: object) -> int:
    return main(["--model", str(demo), *map(str, arguments)], {"mlx": Staying}, demo.parents[1])


def told(capsys: pytest.CaptureFixture[str], demo: Path, *arguments: object) -> dict[str, Any]:
    assert run(demo, *arguments, "--json") == 0
    said = capsys.readouterr()
    assert said.err == ""
    found: dict[str, Any] = json.loads(said.out)
    return found


@pytest.mark.slow
def test_the_last_layer_is_the_models_answer(capsys: pytest.CaptureFixture[str], demo_model: Path) -> None:
    found = told(capsys, demo_model, "1, 2, 3,", "--raw")
    layers, real = found["layers"], found["real"]["top"]
    assert [each["layer"] for each in layers] == list(range(len(layers)))
    assert [each["id"] for each in layers[-1]["top"]] == [each["id"] for each in real]
    assert [each["probability"] for each in layers[-1]["top"]] == pytest.approx([each["probability"] for each in real])
    assert all(0 <= each["probability"] <= 1 for layer in layers for each in layer["top"])
    assert found["max_difference"] <= 1e-5
    assert (real[0]["text"], found["leads_at"], found["stays_from"]) == (" ", 2, 2)


@pytest.mark.slow
def test_a_place_in_the_prompt(capsys: pytest.CaptureFixture[str], demo_model: Path) -> None:
    whole, short = (told(capsys, demo_model, text, "--raw") for text in ("1, 2, 3,", "1, 2,"))
    found = told(capsys, demo_model, "1, 2, 3,", "--raw", "--position", short["position"])
    assert whole["position"] > found["position"] == short["position"]
    assert [each["top"][0]["id"] for each in found["layers"]] == [each["top"][0]["id"] for each in short["layers"]]


def test_to_be_read(capsys: pytest.CaptureFixture[str], demo_model: Path) -> None:
    assert run(demo_model, "1, 2, 3,", "--raw") == 0
    said = capsys.readouterr().out
    assert "' ' is the most probable token first in layer 2, and in every layer from 2 on." in said
    assert "| 2 | ' ' 100% |" in said


@pytest.mark.slow
def test_a_chat_prompt_goes_through_the_template(capsys: pytest.CaptureFixture[str], demo_model: Path) -> None:
    assert told(capsys, demo_model, "Hi")["position"] > told(capsys, demo_model, "Hi", "--raw")["position"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Hi", "--position", "-1"], "counts from 0"),
        (["Hi", "--model", "http://127.0.0.1:1#some"], "doesn't show the layers"),
        ([], "required"),
    ],
)
def test_wrong_arguments(capsys: pytest.CaptureFixture[str], demo_model: Path, arguments: list[str], said: str) -> None:
    with pytest.raises(SystemExit) as refused:
        run(demo_model, *arguments)
    assert refused.value.code == 2
    assert said in capsys.readouterr().err


def test_what_cannot_be_told(capsys: pytest.CaptureFixture[str], demo_model: Path, tmp_path: Path) -> None:
    assert run(demo_model, "Hi", "--raw", "--position", 99) == 1
    assert "go from 0 to 0" in capsys.readouterr().err
    assert run(models.shared_layers(tmp_path), "Hi") == 1
    said = capsys.readouterr()
    assert said.err == (
        "sluice lens: Not available: the layers of this model can't be inspected one by one. Everything else "
        "works as before.\n"
    )
    assert said.out == ""


@pytest.mark.slow
def test_what_each_head_attends_to(capsys: pytest.CaptureFixture[str], demo_model: Path) -> None:
    found = told(capsys, demo_model, "My name is Tolin. What is my name? My name is", "--raw")
    heads = found["attention"]
    assert {(each["layer"], each["head"]) for each in heads} == {
        (layer, head) for layer in range(3) for head in range(5)
    }
    for each in heads:
        weights = [one["weight"] for one in each["strongest"]]
        assert len(weights) == 5 and weights == sorted(weights, reverse=True) and sum(weights) <= 1 + 1e-5
    (copying,) = (each for each in heads if (each["layer"], each["head"]) == (2, 3))
    assert copying["here"] == "induction" and copying["strongest"][0]["text"] == " T"
    assert found["attention_difference"] <= 1e-4


def test_a_model_without_heads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    demo = models.recurrent(tmp_path)
    assert told(capsys, demo, "Hi")["attention"] is None
    assert run(demo, "Hi") == 0
    assert "attention of this model can't be read" in capsys.readouterr().out


@pytest.mark.slow
def test_what_each_sentence_does_for_the_token_that_follows(
    capsys: pytest.CaptureFixture[str], demo_model: Path
) -> None:
    text = "My name is Tolin. I like the sea. What is my name? Your name is"
    parts = told(capsys, demo_model, text, "--raw", "--leave-out")["parts"]
    assert sum(each["tokens"] for each in parts) == told(capsys, demo_model, text, "--raw")["position"]
    assert [each["effect"] for each in parts] == sorted((each["effect"] for each in parts), reverse=True)
    assert {" I like the sea.", " What is my name?"} <= {each["text"] for each in parts}
    assert "parts" not in told(capsys, demo_model, "Hi")
    assert run(demo_model, text, "--raw", "--leave-out") == 0
    assert "| token | left out | effect in nats |" in capsys.readouterr().out


@pytest.mark.slow
def test_what_the_layers_hand_on_and_where_it_loops(capsys: pytest.CaptureFixture[str], demo_model: Path) -> None:
    found = told(capsys, demo_model, "The cat sat. " * 20, "--raw")
    assert [each["layer"] for each in found["states"]] == [each["layer"] for each in found["layers"]]
    assert all(each["norm"] > 0 and each["change"] > 0 and -1 <= each["cosine"] <= 1 for each in found["states"])
    assert len(found["near"]) == 8 and found["near"][0]["cosine"] >= found["near"][1]["cosine"]
    loop = found["loop"]
    assert (loop["start"], loop["period"]) == (1, 4) and loop["start"] < loop["agree_from"] < loop["end"]
    assert run(demo_model, "The cat sat. " * 20, "--raw") == 0
    said = capsys.readouterr().out
    assert "From token 1 on, the same 4 tokens repeat 19 times; their hidden states agree from" in said
    assert told(capsys, demo_model, "1, 2, 3,", "--raw")["loop"] is None
