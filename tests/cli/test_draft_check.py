from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from app.cli.draft_check import main
from app.engine.mlx.measuring import draft_steps
from app.engine.protocol import Engine
from app.engine.types import ExactPrompt, Finish, Limits, PromptEvent, RawPrompt, Reason, Request, Role, Sampling, Token
from app.experiments import draft_prediction
from app.records.journal import open_journal
from app.records.types import ModelRef, RunStart
from tests.cli import command
from tests.cli.command import Capsys

run, printed, refusal = partial(command.run, main), partial(command.printed, main), partial(command.refusal, main)
IDS = tuple(range(40, 60)) * 3


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft_steps, "MEASURE_S", 0.0)
    monkeypatch.setattr(draft_steps, "MOST_S", 0.0)


@pytest.mark.slow
def test_draft_check_predicts_and_measures_a_prompt(capsys: Capsys, demo_model: Path, demo_draft: Path) -> None:
    asked = ("Tell me a story.", "--max-tokens", 12, "--draft", demo_draft, "--measure")
    found = printed(capsys, demo_model, *asked)
    assert len(found["drafts"]) == 4 * 8 and found["tokens"] == 12
    first = next(each for each in found["drafts"] if each["ngram"] in (None, 3))  # shorter ones aren't run
    assert first["predicted_speedup"]["middle"] == found["predicted_speedup"] > 0
    assert (first["accepted_share"], first["steps_saved"]) == (found["accepted_share"], found["steps_saved"])
    assert found["measured_speedup"] > 0 and found["measured_with"].items() <= first.items()
    assert {each["draft"] for each in found["drafts"]} == {"lookup", str(demo_draft)}
    assert len(found["rounds"][0]["drafted"]) == 9
    assert run(demo_model, *asked[:3]) == 0
    assert "| Prompt lookup, longest n-gram 1 |" in capsys.readouterr().out


@pytest.mark.slow
def test_draft_check_of_a_stopped_run_uses_its_ids_and_measures_up_to_the_last(
    capsys: Capsys, demo_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_journal(tmp_path)) as journal:
        session = journal.sessions.new()
        turn = journal.sessions.add_turn(session, Role.ASSISTANT, "")
        request = Request(RawPrompt("a"), Sampling(temperature=0), Limits(1_000))
        recorder = journal.begin(session, turn, RunStart("raw", request, ModelRef("demo", str(demo_model)), 0.0))
        recorder.put(PromptEvent(ExactPrompt("a", IDS[:20], ((0, 1),) * 20, ()), 0, 20, None, ""))
        for index, token in enumerate(IDS[20:]):
            recorder.put(Token(index, token, "a", (), float(index)))
        recorder.finish(Finish(Reason.STOPPED, tokens=len(IDS) - 20))
    measured = set[int]()

    def seconds(_engine: Engine, asked: Request, *_: object) -> float:
        measured.add(asked.limits.max_tokens)
        return 1.0

    monkeypatch.setattr(draft_prediction, "_seconds_per_token", seconds)
    found = printed(capsys, demo_model, "--run", 1, "--data-dir", tmp_path, "--measure")
    assert measured == {40}
    assert {each["draft"] for each in found["drafts"]} == {"lookup"} and found["tokens"] == 40
    assert min(each["accepted_share"] for each in found["drafts"]) > 0.8, "the answer repeats the prompt"
    assert run(demo_model, "--run", 2, "--data-dir", tmp_path) == 1
    assert capsys.readouterr().err.startswith("sluice draft-check: There is no run 2 with recorded token ids.")


def test_draft_check_refuses_bad_arguments(capsys: Capsys) -> None:
    for arguments in ((), ("Hello", "--run", 3)):
        assert "Give either a prompt or --run ID" in refusal(capsys, *arguments)
    assert "is not between 1" in refusal(capsys, "--run", 0)
    assert "There is no model folder" in refusal(capsys, "Hello", "--draft", "/nowhere")
