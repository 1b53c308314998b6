import csv
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.engine.types import (
    AUTOMATIC,
    ChatPrompt,
    Conditions,
    DraftedSteps,
    DraftStats,
    Failure,
    Finish,
    GpuConditions,
    Limits,
    Message,
    NetworkTiming,
    PromptEvent,
    Reason,
    Role,
)
from app.records.export import runs_csv, tokens_json
from app.records.journal import Journal
from app.records.receipt import LONGEST, receipt
from app.records.recording import RunRecorder
from app.records.run_environment import seed_of
from app.records.session_file import read_session, session_text
from app.records.types import FilesRef, ModelRef, RunRecord, RunState, SessionId, WholeSession
from tests.records import builders
from tests.records.conftest import Opener


@pytest.fixture
def run(journal: Journal) -> RunRecord:
    return builders.record_of(journal, builders.answered(journal, begun=builders.start(1000.0))[2])


def finished(run: RunRecord, **changes: Any) -> RunRecord:
    """Return the run with these changes in its `Finish`."""
    assert run.finish is not None
    return replace(run, finish=replace(run.finish, **changes))


def test_receipt_has_everything(run: RunRecord) -> None:
    told = dict(receipt(run))
    assert told["Model"] == "demo, /models/demo, file digest abc"
    assert told["Settings"] == "system prompt “Be brief.”, temperature 0.7, seed 7, max tokens 256"
    assert told["Prompt"] == "3 tokens, 1 of them from the cache"
    assert told["Ending"] == "complete (stop)"
    assert told["Tokens"] == "5 generated, 4 visible"
    assert told["Speed"].startswith("time to first token 0.50 s, prefill ")
    assert "mean 10.00 tok/s" in told["Speed"]
    assert told["Versions"] == "Sluice 0.1.0, mlx 0.32.4, mlx-lm 0.32.2, Python 3.11.7, Linux, a chip"
    assert not {"Draft", "Probabilities", "TF32", "GPU", "Adapter"} & told.keys()


def test_receipt_of_a_server_answer_shows_the_reported_finish_reason(run: RunRecord) -> None:
    for reason, words in (("content_filter", "ended by the server (content_filter)"), ("stop", "complete (stop)")):
        made = finished(run, wire=NetworkTiming(ended=True), library_reason=reason, stop_text="")
        assert dict(receipt(made))["Ending"] == words


def test_receipt_of_sampling_names_what_is_on(run: RunRecord) -> None:
    asked = replace(run.request, sampling=replace(run.request.sampling, top_n_sigma=1.5, xtc_threshold=0.2))
    settings = dict(receipt(replace(run, request=asked)))["Settings"]
    assert "XTC threshold 0.2" in settings and "top-nσ 1.5" in settings


def test_receipt_names_half_precision(run: RunRecord) -> None:
    told = dict(receipt(finished(run, precision="bfloat16")))
    assert told["Probabilities"].startswith("Computed in bfloat16: probabilities have a relative error of some 6 %")


@pytest.mark.parametrize(
    ("conditions", "name", "words"),
    [
        (Conditions(tf32=False), "TF32", "off"),
        (
            Conditions(gpu=GpuConditions(0.25, 0.5, True, 3)),
            "GPU",
            "25 % used by other programs, clock at 50 % of its maximum, limited",
        ),
        (
            Conditions(gpu=GpuConditions(clock=1.0, compiled=1)),
            "GPU",
            "clock at 100 % of its maximum, 1 kernel compiled",
        ),
    ],
)
def test_receipt_has_the_conditions_of_the_device(
    run: RunRecord, conditions: Conditions, name: str, words: str
) -> None:
    assert dict(receipt(finished(run, conditions=conditions)))[name].startswith(words)


def test_receipt_of_draft_and_endless_runs(run: RunRecord) -> None:
    asked = replace(run.request, limits=Limits(-1), draft_tokens=3)
    drafted = finished(run, drafted=DraftStats(10, 5, 4), tokens=8)
    told = dict(receipt(replace(drafted, request=asked, draft=ModelRef("small", revision="f00"))))
    assert told["Draft model"] == "small, revision f00"
    assert told["Draft"] == "50 % of 10 draft tokens accepted, 2.0 tokens per step"
    assert told["Settings"].endswith("max tokens until the context is full, draft tokens 3")


def test_receipt_of_automatic_drafts_has_the_cost_of_a_step(run: RunRecord) -> None:
    cost = DraftedSteps(3, 4, 1.24)
    model, lookup = replace(run.request, draft_tokens=AUTOMATIC), replace(run.request, lookup_tokens=AUTOMATIC)
    for asked, stats, draft, setting in (
        (
            model,
            DraftStats(10, 5, 4, automatic=cost),
            "; proposing 3 and verifying 4 tokens takes 1.2 × the time of one",
            "draft tokens automatic",
        ),
        (
            lookup,
            DraftStats(10, 5, 4, lookup=cost),
            "2.0 tokens per step; verifying 4 tokens takes 1.2 × the time of one",
            "prompt lookup tokens automatic",
        ),
    ):
        told = dict(receipt(replace(finished(run, drafted=stats, tokens=8), request=asked)))
        assert told["Draft"].endswith(draft) and told["Settings"].endswith(setting)


def test_receipt_has_adapter_and_scale(run: RunRecord) -> None:
    model = replace(run.model, adapter=FilesRef("fox", "/adapters/fox", digest="f0f"))
    told = dict(receipt(replace(run, model=model)))
    assert told["Adapter"] == "fox, /adapters/fox, file digest f0f"
    assert "adapter strength" not in told["Settings"]
    asked = replace(run.request, sampling=replace(run.request.sampling, adapter_strength=0.5))
    assert "adapter strength 0.5" in dict(receipt(replace(run, model=model, request=asked)))["Settings"]


def test_receipt_has_every_finish_reason(run: RunRecord) -> None:
    assert run.finish is not None
    finish = run.finish

    def ending(finish: Finish | None, state: RunState = RunState.ENDED) -> str:
        return dict(receipt(replace(run, finish=finish, state=state, summary=None)))["Ending"]

    times = replace(finish.times, stop_asked=1.0, ended=1.25)
    assert ending(replace(finish, reason=Reason.STOPPED, times=times)) == "stopped by you, 250 ms after the click"
    assert ending(replace(finish, reason=Reason.STOP_STRING, stop_text="END")) == "stop string, “END”"
    assert ending(replace(finish, reason=Reason.ERROR, failure=Failure("It broke.", ""))) == "error: It broke."
    assert ending(None, RunState.INTERRUPTED).startswith("interrupted")
    assert ending(None, RunState.RUNNING) == "running"


def test_receipt_of_an_interrupted_prefill(run: RunRecord) -> None:
    stopped = finished(run, reason=Reason.STOPPED, reused=1, new=1)
    assert dict(receipt(stopped))["Prompt"] == "3 tokens, 1 of them from the cache, and 1 prefilled"


def test_receipt_without_a_prompt(run: RunRecord) -> None:
    told = dict(receipt(replace(run, prompt=None, summary=None, ids=())))
    assert (told["Prompt"], told["Tokens"]) == ("none", "0")
    assert "Speed" not in told


def test_receipt_of_a_server_run_omits_local_versions(run: RunRecord) -> None:
    assert run.prompt is not None and run.summary is not None
    there = ModelRef("one", "http:/127.0.0.1:8080/v1#one")
    text = replace(run.prompt, ids=(), offsets=())
    summary = replace(run.summary, figures=replace(run.summary.figures, visible=None))
    counted = finished(run, reused=0, new=3, wire=NetworkTiming(counted=True))
    told = dict(receipt(replace(counted, model=there, prompt=text, summary=summary)))
    assert told["Tokens"] == "5 generated", "which of them came in which piece is not known"
    assert told["Model"] == "one, http://127.0.0.1:8080/v1"
    assert "seed" not in told["Settings"], "it was not given to the server"
    assert told["Prompt"] == "3 tokens", "nothing was said of a cache"
    assert told["Client versions"] == "Sluice 0.1.0, Python 3.11.7, Linux"


THERE = ModelRef("one · 127.0.0.1:8080", "http:/127.0.0.1:8080/v1#one")
SEEDED = NetworkTiming(seeded=True)
COUNTED, CACHED = NetworkTiming(counted=True), NetworkTiming(counted=True, cached=True)


def begun_answer(journal: Journal, sent: float | None = None) -> tuple[SessionId, RunRecorder]:
    session, recorder, sent = builders.begin(journal, builders.start(sent, model=THERE))
    recorder.put(PromptEvent(replace(builders.PROMPT, ids=(), offsets=()), 0, 0))
    for token in builders.tokens(sent):
        recorder.put(token)
    assert journal.flush()
    return session, recorder


def answered(journal: Journal, wire: NetworkTiming | None, reused: int, new: int) -> SessionId:
    session, recorder = begun_answer(journal, 1000.0)
    recorder.finish(replace(builders.finish(1000.0), stop_id=None, reused=reused, new=new, wire=wire))
    assert journal.flush()
    return session


@pytest.mark.parametrize(
    ("wire", "reused", "new", "shown"),
    [(NetworkTiming(), 0, 0, (None, None)), (COUNTED, 0, 3, (3, None)), (CACHED, 0, 3, (3, 0)), (CACHED, 1, 2, (3, 1))],
)
def test_runs_of_servers_have_their_counts(
    journal: Journal, wire: NetworkTiming, reused: int, new: int, shown: tuple[int | None, int | None]
) -> None:
    session = answered(journal, wire, reused, new)
    whole = builders.whole_of(journal, session)
    read = read_session(session_text(whole).encode())
    assert isinstance(read, WholeSession)
    again = journal.sessions.add(read)
    assert journal.flush()
    assert builders.without_numbers(journal.sessions.whole(again)).turns == builders.without_numbers(whole).turns
    for number in (session, again):
        (row,) = journal.runs.rows(number)
        assert (row.prompt_tokens, row.reused) == shown
        assert row.model == THERE.name
    (exported,) = (each for turn in whole.turns for each in turn.runs)
    assert json.loads(tokens_json(exported))["prompt_tokens"] == shown[0]


@pytest.mark.parametrize(
    ("wire", "seed", "pieces"),
    [(NetworkTiming(), None, True), (SEEDED, 7, True), (COUNTED, None, False), (None, None, True)],
)
def test_runs_of_servers_without_usage_have_pieces(
    journal: Journal, wire: NetworkTiming | None, seed: int | None, pieces: bool
) -> None:
    session = answered(journal, wire, 0, 0)
    copy = journal.sessions.duplicate(session)
    whole = builders.whole_of(journal, session)
    again = journal.sessions.add(whole)
    assert journal.flush()
    for number in (session, copy, again):
        (row,) = journal.runs.rows(number)
        assert (row.seed, row.pieces, row.tokens) == (seed, pieces, 5)
    (record,) = (each.run for turn in whole.turns for each in turn.runs)
    assert seed_of(record) == seed
    assert ("seed 7" in dict(receipt(record))["Settings"]) == (seed is not None)
    (exported,) = (each for turn in whole.turns for each in turn.runs)
    assert json.loads(tokens_json(exported))["seed"] == seed


def test_running_server_run_has_no_seed(journal: Journal) -> None:
    (row,) = journal.runs.rows(begun_answer(journal)[0])
    assert (row.seed, row.pieces, row.tokens) == (None, True, 5)


def test_interrupted_server_run_has_no_speed(opener: Opener, tmp_path: Path) -> None:
    session, _ = begun_answer(opener(tmp_path / "running"))
    shutil.copytree(tmp_path / "running", tmp_path / "killed")
    journal = opener(tmp_path / "killed")
    (row,) = journal.runs.rows(session)
    assert (row.state, row.pieces, row.tokens) == (RunState.INTERRUPTED, True, 5)
    assert (row.speed_mean, row.end_to_end) == (None, None)
    record = journal.runs.get(row.id)
    assert record is not None and record.summary is not None
    metrics = record.summary.figures
    assert (metrics.speed_now, metrics.speed_mean, metrics.end_to_end) == (None, None, None)
    assert metrics.first_token == pytest.approx(0.5) and record.summary.gaps is not None
    assert "tok/s" not in dict(receipt(record))["Speed"]


def test_runs_without_seed_sort_last(journal: Journal) -> None:
    here, _, _ = builders.answered(journal)
    unseeded, seeded = answered(journal, NetworkTiming(), 0, 0), answered(journal, SEEDED, 0, 0)
    for descending in (True, False):
        rows = journal.runs.rows(sort="seed", descending=descending)
        assert {row.session for row in rows[:2]} == {here, seeded}
        assert rows[2].session == unseeded


def test_runs_csv_has_server_counts(journal: Journal) -> None:
    builders.answered(journal)
    answered(journal, NetworkTiming(), 0, 0)
    head, there, here = csv.reader(runs_csv(journal.runs.rows()).splitlines())
    counted = [dict(zip(head, row, strict=True)) for row in (here, there)]
    assert [(row["tokens"], row["pieces"], row["seed"]) for row in counted] == [("5", "off", "7"), ("5", "on", "")]


def test_finish_reason_has_the_name_of_mlx_lm_in_each_language(monkeypatch: pytest.MonkeyPatch) -> None:
    translations = {"stop": "정지", "length": "길이", "complete ({reason})": "완료 ({reason})"}
    monkeypatch.setattr("app.engine.types.ending.tr", lambda words: translations.get(words, words))
    assert Reason.STOP.plain_words == "완료 (stop)"
    assert Reason.LENGTH.plain_words == "max tokens (length)"


def test_receipt_has_the_question_and_at_most_the_beginning_of_the_answer(run: RunRecord) -> None:
    asked = ChatPrompt((Message(Role.USER, "One?"), Message(Role.ASSISTANT, "1"), Message(Role.USER, "Two?")))
    lines = dict(receipt(replace(run, request=replace(run.request, prompt=asked), text="x" * 2 * LONGEST)))
    assert lines["Prompt text"] == "Two?" and lines["Answer"].endswith("x… (2,000 characters)")
    assert len(lines["Answer"]) < LONGEST + 30
