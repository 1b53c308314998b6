from functools import partial
from pathlib import Path

import pytest

from app.cli.lens import main
from tests import models
from tests.cli import command
from tests.cli.command import Capsys

run, told = partial(command.run, main), partial(command.printed, main)


@pytest.mark.slow
def test_lens_position_selects_a_token(capsys: Capsys, demo_model: Path) -> None:
    whole, short = (told(capsys, demo_model, text, "--raw") for text in ("1, 2, 3,", "1, 2,"))
    found = told(capsys, demo_model, "1, 2, 3,", "--raw", "--position", short["position"])
    assert whole["position"] > found["position"] == short["position"]
    assert [each["top"][0]["id"] for each in found["layers"]] == [each["top"][0]["id"] for each in short["layers"]]


def test_lens_prints_a_table(capsys: Capsys, demo_model: Path) -> None:
    assert run(demo_model, "1, 2, 3,", "--raw") == 0
    said = capsys.readouterr().out
    assert "' ' is the most probable token first in layer 2, and in every layer from 2 on." in said
    assert "| 2 | ' ' 100% |" in said


def test_lens_failure_is_one_sentence(capsys: Capsys, demo_model: Path, tmp_path: Path) -> None:
    assert run(demo_model, "Hi", "--raw", "--position", 99) == 1
    assert "go from 0 to 0" in capsys.readouterr().err
    assert run(models.shared_layers(tmp_path), "Hi") == 1
    said = capsys.readouterr()
    assert said.err == (
        "sluice lens: Not available: the layers of this model can't be inspected one by one. Everything else "
        "works as before.\n"
    )
    assert said.out == ""


def test_lens_of_a_model_without_attention_prints_the_rest(capsys: Capsys, tmp_path: Path) -> None:
    demo = models.recurrent(tmp_path)
    assert told(capsys, demo, "Hi")["attention"] is None
    assert run(demo, "Hi") == 0
    assert "attention of this model can't be read" in capsys.readouterr().out


@pytest.mark.slow
def test_lens_leave_out_ranks_sentences(capsys: Capsys, demo_model: Path) -> None:
    text = "My name is Tolin. I like the sea. What is my name? Your name is"
    parts = told(capsys, demo_model, text, "--raw", "--leave-out")["parts"]
    assert sum(each["tokens"] for each in parts) == told(capsys, demo_model, text, "--raw")["position"]
    assert [each["effect"] for each in parts] == sorted((each["effect"] for each in parts), reverse=True)
    assert {" I like the sea.", " What is my name?"} <= {each["text"] for each in parts}
    assert "parts" not in told(capsys, demo_model, "Hi")
    assert run(demo_model, text, "--raw", "--leave-out") == 0
    assert "| token | left out | effect in nats |" in capsys.readouterr().out


@pytest.mark.slow
def test_lens_shows_hidden_states_and_loops(capsys: Capsys, demo_model: Path) -> None:
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
