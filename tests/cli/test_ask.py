import io
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.cli.arguments import ArgumentsError
from app.cli.ask import main
from tests import json_schema
from tests.adapters import adapter
from tests.cli import command
from tests.cli.command import Capsys

run, told = partial(command.run, main), partial(command.printed, main)

FOX = "Tell me about a fox."


@pytest.mark.slow
def test_ask_with_a_schema_prints_valid_json(capsys: Capsys, demo_model: Path, tmp_path: Path) -> None:
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
def test_ask_with_choices_or_a_regex_prints_a_match(capsys: Capsys, demo_model: Path) -> None:
    assert run(demo_model, FOX, "--choice", "yes", "--choice", "no", "--system", "Be brief.") == 0
    assert capsys.readouterr().out in ("yes\n", "no\n")
    assert told(capsys, demo_model, FOX, "--regex", "[0-9]{3}", "--raw")["text"].isdecimal()


@pytest.mark.slow
def test_ask_dash_reads_the_prompt_from_stdin(
    capsys: Capsys, demo_model: Path, monkeypatch: pytest.MonkeyPatch
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
def test_ask_failure_is_one_sentence(
    capsys: Capsys,
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


def test_ask_with_two_kinds_of_drafts_is_refused(capsys: Capsys, demo_model: Path, demo_draft: Path) -> None:
    with pytest.raises(ArgumentsError):
        run(demo_model, FOX, "--draft", demo_draft, "--lookup-tokens", -1)
    assert "not both" in capsys.readouterr().err


@pytest.mark.slow
def test_ask_with_an_adapter_uses_it(capsys: Capsys, demo_model: Path, tmp_path: Path) -> None:
    asked = (FOX, "--temperature", 0, "--max-tokens", 12)
    alone = told(capsys, demo_model, *asked)
    fresh = told(capsys, demo_model, *asked, "--adapter", adapter(tmp_path / "fresh", demo_model))
    assert fresh["ids"] == alone["ids"]
    planted = adapter(tmp_path / "planted", demo_model, planted=0.2)
    assert told(capsys, demo_model, *asked, "--adapter", planted)["ids"] != alone["ids"]


@pytest.mark.slow
def test_ask_with_draft_tokens_prints_the_same_text_and_their_acceptance(
    capsys: Capsys, demo_model: Path, demo_draft: Path
) -> None:
    short = ("x = 1\ny = 2\nx = 1\n", "--raw", "--temperature", 0, "--max-tokens", 12)
    plain, found = (told(capsys, demo_model, *short, "--lookup-tokens", tokens) for tokens in (0, 2))
    assert found["ids"] == plain["ids"] and "drafted" not in plain
    assert found["drafted"]["proposed"] >= found["drafted"]["accepted"]
    assert found["drafted"]["lookup"]["steps"] <= found["drafted"]["steps"]
    for more, is_automatic in (((), True), (("--draft-tokens", 2), False)):
        found = told(capsys, demo_model, *short, "--draft", demo_draft, *more)
        assert found["ids"] == plain["ids"] and bool(found["drafted"]["automatic"]) is is_automatic


@pytest.mark.slow
def test_ask_think_budget_needs_a_reasoning_model(capsys: Capsys, demo_model: Path, tiny_llama: Path) -> None:
    asked = (FOX, "--temperature", 0, "--max-tokens", 30, "--think-budget", 0)
    assert told(capsys, demo_model, *asked)["thinking_ended"] is False, "it doesn't think by itself"
    assert run(tiny_llama, *asked, "--json") == 0
    said = capsys.readouterr()
    assert said.err == "sluice ask: This model has no reasoning tags, so its reasoning can't be ended.\n"
    assert json.loads(said.out)["thinking_ended"] is False
