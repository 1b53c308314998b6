"""`sluice ask`."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.ask import main
from app.engine.mlx.engine import MlxEngine
from tests import json_schema
from tests.adapters import adapter

FOX = "Tell me about a fox."


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
def test_all_that_is_promised_is_told(capsys: pytest.CaptureFixture[str], demo_model: Path) -> None:
    found = told(capsys, demo_model, FOX, "--temperature", 0, "--max-tokens", 12)
    assert found["text"] and found["reason"] in ("stop", "length")
    assert len(found["ids"]) == found["tokens"] <= 12
    assert found["prompt_tokens"] > 5 and found["reused"] == 0
    assert found["tokens_per_s"] > 0
    assert "mass_removed" not in found, "no form took any"
    assert found == told(capsys, demo_model, FOX, "--temperature", 0, "--max-tokens", 12) | {
        "tokens_per_s": found["tokens_per_s"]
    }


@pytest.mark.slow
def test_a_schema_is_obeyed(capsys: pytest.CaptureFixture[str], demo_model: Path, tmp_path: Path) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 9}},
        "required": ["n"],
    }
    schema["additionalProperties"] = False
    file = tmp_path / "schema.json"
    file.write_text(json.dumps(schema), "utf-8")
    found = told(capsys, demo_model, FOX, "--schema", file, "--seed", 3)
    assert [*json_schema.faults(json.loads(found["text"]), schema)] == []
    assert found["reason"] == "form at its end"
    assert len(found["mass_removed"]) == found["tokens"]
    assert all(0 <= share <= 1 for share in found["mass_removed"]) and found["mass_removed"][0] > 0.9


@pytest.mark.slow
def test_choices_and_an_expression(capsys: pytest.CaptureFixture[str], demo_model: Path) -> None:
    assert run(demo_model, FOX, "--choice", "yes", "--choice", "no", "--system", "Be brief.") == 0
    assert capsys.readouterr().out in ("yes\n", "no\n")
    assert told(capsys, demo_model, FOX, "--regex", "[0-9]{3}", "--raw")["text"].isdecimal()


@pytest.mark.slow
def test_the_prompt_may_come_from_the_input(
    capsys: pytest.CaptureFixture[str], demo_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(FOX))
    short = ("--temperature", 0, "--max-tokens", 4)
    assert told(capsys, demo_model, "-", *short)["ids"] == told(capsys, demo_model, FOX, *short)["ids"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--regex", "(a"), "unclosed group"),
        (("--schema", "not.json"), "“not” can't be enforced"),
        (("--raw", "--regex", "a", "--model", "someone/absent"), ""),
    ],
)
def test_what_can_not_be_asked_is_a_sentence(
    capsys: pytest.CaptureFixture[str],
    demo_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "not.json").write_text('{"not": {}}', "utf-8")
    assert run(demo_model, FOX, *arguments) == 1
    out = capsys.readouterr()
    assert out.out == ""
    assert said in out.err and out.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("a", "b"),
        ("a", "--choice", "b", "--regex", "c"),
        ("a", "--choice", "two\nlines"),
        ("a", "--schema", "/absent"),
        ("a", "--temperature", "-1"),
        ("a", "--max-tokens", "0"),
        ("a", "--model", "http://localhost:8080#m"),
        ("a", "--think", "3"),
    ],
)
def test_wrong_arguments_are_one_sentence_before_anything_is_loaded(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments, {}, Path("/nowhere"))
    assert left.value.code == 2
    out = capsys.readouterr()
    assert out.out == "" and out.err.startswith("sluice: ") and out.err.count("\n") == 1


@pytest.mark.slow
def test_an_adapter_is_put_on_the_model(capsys: pytest.CaptureFixture[str], demo_model: Path, tmp_path: Path) -> None:
    asked = (FOX, "--temperature", 0, "--max-tokens", 12)
    alone = told(capsys, demo_model, *asked)
    fresh = told(capsys, demo_model, *asked, "--adapter", adapter(tmp_path / "fresh", demo_model))
    assert fresh["ids"] == alone["ids"]
    planted = adapter(tmp_path / "planted", demo_model, planted=0.2)
    assert told(capsys, demo_model, *asked, "--adapter", planted)["ids"] != alone["ids"]


@pytest.mark.slow
def test_the_thoughts_are_ended(capsys: pytest.CaptureFixture[str], demo_model: Path, tiny_llama: Path) -> None:
    asked = (FOX, "--temperature", 0, "--max-tokens", 30, "--think-budget", 0)
    assert told(capsys, demo_model, *asked)["thinking_ended"] is False, "it doesn't think by itself"
    assert run(tiny_llama, *asked, "--json") == 0
    said = capsys.readouterr()
    assert said.err == "sluice ask: This model has no reasoning tags, so its reasoning can't be ended.\n"
    assert json.loads(said.out)["thinking_ended"] is False
