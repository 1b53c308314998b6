import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli.arguments import ArgumentsError
from app.cli.evaluation import main, parse
from app.engine.protocol import Collect, Engine
from app.engine.types import FormatKind, OutputFormat
from app.records.journal import open_journal
from tests.cli.command import Capsys, sums_file
from tests.evaluation.sums import Adding
from tests.hub import Hub, Shelf

RESOURCES = Path(__file__).parents[2] / "resources"


class Ran:
    """One call of the command, with its engine."""

    def __init__(self, *arguments: object, engine: Adding | None = None) -> None:
        self.engine = engine or Adding()
        engines: dict[str, Callable[[Collect], Engine]] = {"echo": lambda collect: self.engine}
        self.code = main(list(map(str, arguments)), engines, RESOURCES)


@pytest.fixture
def sums(tmp_path: Path) -> Path:
    return sums_file(tmp_path)


def test_json_has_rows_arms_and_pairs(capsys: Capsys, sums: Path) -> None:
    ran = Ran(sums, "--json", "--arm", "cold", "--arm", "warm=temperature=0.7,seed=3", "--check", "number")
    said = capsys.readouterr()
    assert (ran.code, said.err) == (0, "")
    found = json.loads(said.out)
    assert found["rows"] == 12
    assert [(arm["name"], arm["n"], arm["right"]) for arm in found["arms"]] == [("cold", 12, 11), ("warm", 12, 11)]
    assert all(0 < arm["low"] < arm["rate"] < arm["high"] < 1 for arm in found["arms"])
    (pair,) = found["pairs"]
    assert {"difference", "low", "high", "chance"} <= set(pair) and pair["difference"] == 0
    assert sorted({each.seed for each in ran.engine.asked}) == [0, 3]


@pytest.mark.parametrize(
    ("format_", "begins"),
    [("markdown", "# sums"), ("csv", "row,arm"), ("jsonl", '{"row"'), ("html", "<!DOCTYPE html>")],
)
def test_eval_prints_each_format(capsys: Capsys, sums: Path, format_: str, begins: str) -> None:
    assert Ran(sums, f"--{format_}").code == 0
    said = capsys.readouterr()
    assert said.out.lower().startswith(begins.lower()) and said.err == ""


def test_eval_finds_a_bundled_set_by_name(capsys: Capsys) -> None:
    assert Ran("sums", "--csv", "--max-tokens", 8).code == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 200 and {row["arm"] for row in rows} == {"echo"}


def test_eval_resume_asks_only_missing_answers(capsys: Capsys, sums: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    first = Ran(sums, "--json", "--data-dir", data, engine=Adding(lambda words: "7 + 4" in words))
    assert first.code == 0
    before = json.loads(capsys.readouterr().out)
    assert before["arms"][0]["right"] == 10
    again = Ran(sums, "--json", "--data-dir", data, "--resume", "--repeats", 2)
    after: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert len(again.engine.asked) == 1 + 12 and after["arms"][0]["right"] == 11
    sums.write_text(sums.read_text().replace("11 + 4", "12 + 4"))
    assert Ran(sums, "--json", "--data-dir", data, "--resume").code == 0
    assert "No answer is stored" in capsys.readouterr().err
    journal = open_journal(data)
    assert {row.title for row in journal.sessions.rows()} == {"Prompt set: sums"}
    journal.close()


def test_eval_arms_have_their_model_and_wording(capsys: Capsys, sums: Path) -> None:
    ran = Ran(sums, "--json", "--arm", "one", "--arm", "two=model=some/second", "--arm", "low=wording=lower-case")
    found = json.loads(capsys.readouterr().out)
    assert [(arm["name"], arm["wording"]) for arm in found["arms"]] == [
        ("one", "as written"),
        ("two", "as written"),
        ("low", "lower case"),
    ]
    assert ran.engine.loads == ["echo", "some/second"]
    assert {each.words for each in ran.engine.asked if each.words.startswith("w")} == {
        f"what is {first} + 4?" for first in range(12)
    }


@pytest.mark.slow
def test_eval_arms_have_their_output_format(sums: Path, tmp_path: Path) -> None:
    schema = tmp_path / "schema.json"
    schema.write_text('{"type": "integer"}', "utf-8")
    forms = (f"schema:{schema}", "regex:[0-9,]{1,3}", "choices:four|five")
    given = [f"--arm={at}=top_k=4,form={each}" for at, each in enumerate(forms)]
    arms = parse([str(sums), "--arm=free", *given, "--arm=form=form=regex:[0-9]"], ("echo",), RESOURCES).study.arms
    assert [(arm.name, arm.request.form, arm.request.sampling.top_k) for arm in arms] == [
        ("free", OutputFormat(), 0),
        ("0", OutputFormat().put(FormatKind.SCHEMA, '{"type": "integer"}'), 4),
        ("1", OutputFormat().put(FormatKind.REGEX, "[0-9,]{1,3}"), 4),
        ("2", OutputFormat().put(FormatKind.CHOICES, "four\nfive"), 4),
        ("form", OutputFormat().put(FormatKind.REGEX, "[0-9]"), 0),
    ]


def test_eval_wordings_and_thinking_make_arms(capsys: Capsys, sums: Path) -> None:
    assert Ran(sums, "--json", "--wordings").code == 0
    assert len(json.loads(capsys.readouterr().out)["arms"]) == 4, "none has choices to turn round"
    assert Ran(sums, "--json", "--thinking").code == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and "Traceback" not in said.err


def test_eval_in_which_every_answer_failed_has_a_reason(capsys: Capsys, sums: Path) -> None:
    assert Ran(sums, "--json", engine=Adding(lambda words: True)).code == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["arms"][0]["right"] == 0 and said.err.count("\n") == 1


def test_eval_with_an_unusable_model_keeps_the_answers(capsys: Capsys, sums: Path) -> None:
    assert Ran(sums, "--json", "--arm", "here", "--arm", "gone=model=some/absent").code == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["arms"][0]["n"] == 12 and "There is no such model" in said.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("absent.csv",), "absent.csv"),
        (("SUMS", "--check", "spelling"), "There is no check spelling"),
        (("SUMS", "--check", "regex=("), "sluice: "),
        (("SUMS", "--check", "schema=/absent"), "can't be read"),
        (("SUMS", "--arm", "=temperature=1"), "begins with its name"),
        (("SUMS", "--arm", "a=warmth=1"), "warmth"),
        (("SUMS", "--arm", "a=temperature=-1"), "a: "),
        (("SUMS", "--arm", "a=model="), "needs a value"),
        (("SUMS", "--arm", "a=reuse=off"), "the same reuse"),
        (("SUMS", "--arm", "a=wording=shouted"), "There is no wording shouted"),
        (("SUMS", "--arm", "a=form=poem:x"), "begins with one of schema:"),
        (("SUMS", "--arm", "a=form=regex:"), "begins with one of schema:"),
        (("SUMS", "--arm", "a=form=regex:("), "a: "),
        (("SUMS", "--arm", "a=form=schema:/absent"), "can't be read"),
        (("SUMS", "--arm", "a", "--arm", "a"), "same name"),
        (("SUMS", *("--arm=" + str(number) for number in range(21))), "20 can be compared"),
        (("SUMS", "--resume"), "--data-dir"),
        (("SUMS", "--repeats", "0"), "not between"),
        (("SUMS", "--json", "--csv"), "Argument"),
    ],
)
def test_eval_wrong_arguments_are_refused(capsys: Capsys, sums: Path, arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(ArgumentsError) as refusal:
        Ran(*(str(sums) if each == "SUMS" else each for each in arguments))
    said = capsys.readouterr()
    assert refusal.value.code == 2 and said.out == ""
    assert words in said.err and said.err.count("\n") == 1


def test_eval_help_names_sets_and_switches(capsys: Capsys) -> None:
    with pytest.raises(SystemExit):
        Ran("--help")
    told = capsys.readouterr().out
    assert all(switch in told for switch in ("--arm", "--check", "--resume", "--together", "sums, counting"))


def test_eval_likelihood_has_accuracies_and_calibration(capsys: Capsys, tmp_path: Path) -> None:
    rows = [
        {"question": f"Which is {at}?", "subject": "made up", "choices": [str(at), "x", "y", "z"], "answer": at % 4}
        for at in range(24)
    ]
    file, shots = tmp_path / "quiz.jsonl", tmp_path / "dev.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    shots.write_text("".join(json.dumps(row | {"question": "Which?"}) + "\n" for row in rows[:4]), "utf-8")
    few = ("--shots", 2, "--shots-from", shots, "--shots-seed", 1)
    ran = Ran(file, "--json", "--variant", "a", "--variant", "b=answer=generated,seed=3", *few)
    assert ran.code == 0
    printed = capsys.readouterr()
    scored, said = (found := json.loads(printed.out))["arms"]
    names = {"accuracy", "accuracy_normalized", "accuracy_per_byte", "brier", "ece", "ece_low", "ece_high", "bins"}
    assert names <= scored.keys() and not names & said.keys()
    assert 0 <= scored["ece_low"] <= scored["ece"] <= scored["ece_high"] and scored["n"] == said["n"] == 24
    assert sum(each["n"] for each in scored["bins"]) == 24
    assert found["question"]["template"]["examples"]["text"].count("Which?") == 2
    assert any("dev.jsonl (seed 1)" in note for note in found["set"]["notes"])
    assert "dev.jsonl (seed 1)" in printed.err
    assert len(found["answers"][0]["scores"]) == 4
    for wrong in (("--repeats", 2), ("--shots-from", shots)):
        with pytest.raises(ArgumentsError):
            Ran(file, *wrong)


def test_eval_takes_choices_from_named_columns_and_records_confidence(capsys: Capsys, tmp_path: Path) -> None:
    file = tmp_path / "quiz.csv"
    lines = [f"Which is {at}?,{at},x,{'AB'[at % 2]}" for at in range(24)]
    file.write_text("\n".join(("ask,one,two,right", *lines, "")), "utf-8")
    columns = ("--prompt-column", "ask", "--choice-column", "one", "--choice-column", "two")
    variants = ("--variant", "a", "--variant", "b=answer=generated", "--confidence")
    assert Ran(file, "--json", *columns, *variants).code == 0
    found = json.loads(capsys.readouterr().out)
    assert [arm["n"] for arm in found["arms"]] == [24, 24] and all("ece" in arm for arm in found["arms"])
    first, second = found["answers"][:2]
    assert len(first["scores"]) == 2 and 0 < second["confidence"] < 1
    assert [each["values"]["expected"] for each in found["answers"][:4]] == ["0", "0", "x", "x"]
    assert not found["calibration_pairs"], "they are of different kinds"
    few = ("--shots", 1, "--shots-from")
    (other := tmp_path / "train.csv").write_text(
        "\n".join(("ask,one,two,right", *lines, "Which?,no,yes,B", "")), "utf-8"
    )
    assert Ran(file, "--json", *columns, *few, other).code == 0
    template = json.loads(capsys.readouterr().out)["question"]["template"]
    assert template["examples"]["text"] == "Which? yes\n\n", "a row of the set itself is no example"
    for wrong in (("--choice-column", "one", "--answer-column", "three"), ("--answer-form", "index")):
        with pytest.raises(ArgumentsError):
            Ran(file, *wrong)
    assert "no column three; it has ask, one, two, right" in capsys.readouterr().err


def test_eval_downloads_a_file_of_the_hub_and_finds_it_offline(
    capsys: Capsys, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.models["datasets/some/sums"] = Shelf({"main/test.csv": b"prompt,expected\nWhat is 3 + 4?,7\n"})
    assert Ran("hub:some/sums/main/test.csv", "--csv", "--check", "number").code == 0
    assert next(csv.DictReader(io.StringIO(capsys.readouterr().out)))["right"] == "True"
    for wrong in ("hub:some/sums/other.csv", "hub:some/other/test.csv", "hub:x"):
        with pytest.raises(ArgumentsError):
            Ran(wrong)
    assert "has no such file; it has main/test.csv" in capsys.readouterr().err
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert Ran("hub:some/sums/main/test.csv", "--csv", "--check", "number").code == 0
    assert "The file in the cache is used" in capsys.readouterr().err
    for wrong in ("hub:some/sums/other.csv", "hub:some/sums/../../main/test.csv"):
        with pytest.raises(ArgumentsError):
            Ran(wrong)
