"""`sluice eval verify` tells a reproduced result from one outside its interval and from another question."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.evaluation import main
from app.engine.protocol import Collect, Engine
from app.evaluation.published import PublishedResult, Verdict, compare, read_published
from app.evaluation.types import EvaluationOutcome
from tests.cli.command import Capsys, sums_file
from tests.evaluation.sums import Adding

RESOURCES = Path(__file__).parents[2] / "resources"


def run(*arguments: object, engine: Engine | None = None) -> int:
    def make(collect: Collect) -> Engine:
        return engine or Adding()

    return main(list(map(str, arguments)), {"echo": make}, RESOURCES)


@pytest.fixture
def published(tmp_path: Path, capsys: Capsys) -> Path:
    assert run(sums_file(tmp_path), "--json", "--variant", "cold=seed=3", "--check", "number") == 0
    file = tmp_path / "result.json"
    file.write_text(capsys.readouterr().out, "utf-8")
    return file


def verdict(capsys: Capsys) -> tuple[str, str]:
    found = json.loads(capsys.readouterr().out)
    return found["verdict"], " ".join(found["reasons"])


def test_verify_says_reproduced_for_the_same_answers(published: Path, capsys: Capsys) -> None:
    assert run("verify", published, "--json") == 0
    said, why = verdict(capsys)
    assert said == "reproduced" and "12 of 12" in why and "cold" in why
    assert run("verify", published) == 0
    assert capsys.readouterr().out.startswith("reproduced.\n- ")


def test_verify_says_outside_for_other_rates(published: Path, capsys: Capsys) -> None:
    failing = Adding(lambda words: int(words.split()[2]) % 2 == 0)
    assert run("verify", published, "--json", engine=failing) == 1
    said, why = verdict(capsys)
    assert said == "outside" and "outside the published interval" in why


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data["answers"][0]["values"].update(expected="5"), "rows"),
        (lambda data: data["question"]["arms"][0]["request"]["sampling"].update(seed=4), "settings"),
    ],
)
def test_verify_says_another_question_for_a_changed_file(
    published: Path, capsys: Capsys, change: Any, words: str
) -> None:
    data = json.loads(published.read_text("utf-8"))
    change(data)
    published.write_text(json.dumps(data), "utf-8")
    assert run("verify", published, "--json") == 1
    said, why = verdict(capsys)
    assert said == "another question" and words in why


def test_verify_says_another_question_for_other_rows_or_another_model(
    published: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = published.with_name("other.csv")
    other.write_text("prompt,expected\n1 + 1,2\n", "utf-8")
    assert run("verify", published, "--json", "--set", other) == 1
    assert verdict(capsys)[0] == "another question"
    data = json.loads(published.read_text("utf-8"))
    monkeypatch.setattr("app.evaluation.published.model_hash", lambda load: "other")
    monkeypatch.setattr("app.evaluation.published._hash", lambda question: data["question_hash"])
    data["question"]["models"] = ["the published one"]
    published.write_text(json.dumps(data), "utf-8")
    assert run("verify", published, "--json") == 1
    said, why = verdict(capsys)
    assert said == "another question" and "other files" in why


def test_verify_finds_the_model_by_its_files_and_opens_no_path_of_the_file(
    published: Path, capsys: Capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "config.json").write_text(f'{{"model_type": "{folder.name}"}}', "utf-8")
    rows = published.with_name("sums.csv")
    assert run(rows, "--json", "--check", "number", "--model", first) == 0
    text = capsys.readouterr().out
    assert str(tmp_path) not in text
    data = json.loads(text)
    assert data["question"]["arms"][0]["load"]["model"] == "first"
    data["question"]["arms"][0]["load"]["model"] = str(second)
    monkeypatch.setattr("app.evaluation.published._hash", lambda question: data["question_hash"])
    published.write_text(json.dumps(data), "utf-8")
    engine = Adding()
    assert run("verify", published, "--json", "--model", second, "--model", first, engine=engine) == 0
    assert engine.loads == [str(first)]
    capsys.readouterr()
    assert run("verify", published, "--json", "--model", second) == 1
    assert "other files" in verdict(capsys)[1]
    monkeypatch.setattr("app.cli.verify.SCRIPTED", "")
    monkeypatch.setattr("app.cli.verify._library", lambda resources, data_folder: [str(second), str(first)])
    engine = Adding()
    assert run("verify", published, "--json", engine=engine) == 0 and engine.loads == [str(first)]
    monkeypatch.setattr("app.cli.verify._library", lambda resources, data_folder: [])
    capsys.readouterr()
    assert run("verify", published) == 1
    assert "No model on this computer has the files of second" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"question": 1}', '{"question": {"columns": []}}', "\x00", "[" * 5_000]
)
def test_verify_refuses_a_hostile_file(tmp_path: Path, content: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content, "utf-8")
    with pytest.raises(SystemExit, match="2"):
        run("verify", file)


@pytest.mark.parametrize("change", [{"repeats": 10**12}, {"repeats": 0}, {"together": 0}])
def test_verify_refuses_a_question_that_the_program_never_exports(published: Path, change: dict[str, int]) -> None:
    data = json.loads(published.read_text("utf-8"))
    data["question"].update(change)
    published.write_text(json.dumps(data), "utf-8")
    with pytest.raises(SystemExit, match="2"):
        run("verify", published)


def test_verify_without_rates_is_not_reproduced(published: Path, capsys: Capsys) -> None:
    known = read_published(published)
    assert isinstance(known, PublishedResult)
    assert compare(known, EvaluationOutcome(known.study)).verdict is Verdict.OUTSIDE
    data = json.loads(published.read_text("utf-8"))
    data["arms"][0]["rate"] = None
    published.write_text(json.dumps(data), "utf-8")
    with pytest.raises(SystemExit, match="2"):
        run("verify", published)
    assert "has no rates" in capsys.readouterr().err
