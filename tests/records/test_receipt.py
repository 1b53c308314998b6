"""A receipt says in words what decided the run and what was measured."""

from dataclasses import replace

from app.engine.types import Drafted, Failure, Finish, Limits, NetworkTiming, Reason
from app.records.journal import Journal
from app.records.receipt import receipt
from app.records.types import FilesRef, ModelRef, RunRecord, RunState
from tests.records import builders


def record(journal: Journal) -> RunRecord:
    _, _, run = builders.answered(journal, begun=builders.start(1000.0))
    return builders.record_of(journal, run)


def test_receipt_has_everything(journal: Journal) -> None:
    told = dict(receipt(record(journal)))
    assert told["Model"] == "demo, /models/demo, file digest abc"
    assert told["Settings"] == "system prompt Be brief., temperature 0.7, seed 7, max tokens 256"
    assert told["Prompt"] == "3 tokens, 1 of them from the cache"
    assert told["Ending"] == "complete (stop)"
    assert told["Tokens"] == "5 generated, 4 visible"
    assert told["Speed"].startswith("time to first token 0.50 s, prefill ")
    assert "mean 10.00 tok/s" in told["Speed"]
    assert told["Versions"] == "Sluice 0.1.0, mlx 0.32.4, mlx-lm 0.32.2, Python 3.11.7, Linux, a chip"
    assert "Draft" not in told and "Probabilities" not in told


def test_receipt_of_a_server_answer_shows_the_reported_finish_reason(journal: Journal) -> None:
    run = record(journal)
    assert run.finish is not None
    filtered = replace(run.finish, wire=NetworkTiming(ended=True), library_reason="content_filter", stop_text="")
    assert dict(receipt(replace(run, finish=filtered)))["Ending"] == "ended by the server (content_filter)"
    stopped = replace(filtered, library_reason="stop")
    assert dict(receipt(replace(run, finish=stopped)))["Ending"] == "complete (stop)"


def test_receipt_of_sampling_names_what_is_on(journal: Journal) -> None:
    run = record(journal)
    asked = replace(run.request, sampling=replace(run.request.sampling, top_n_sigma=1.5, xtc_threshold=0.2))
    settings = dict(receipt(replace(run, request=asked)))["Settings"]
    assert "XTC threshold 0.2" in settings and "top-nσ 1.5" in settings


def test_receipt_names_half_precision(journal: Journal) -> None:
    run = record(journal)
    assert run.finish is not None
    told = dict(receipt(replace(run, finish=replace(run.finish, precision="bfloat16"))))
    assert told["Probabilities"].startswith("Computed in bfloat16: probabilities have a relative error of some 6 %")


def test_receipt_of_draft_and_endless_runs(journal: Journal) -> None:
    run = record(journal)
    assert run.finish is not None
    asked = replace(run.request, limits=Limits(-1), draft_tokens=3)
    drafted = replace(run.finish, drafted=Drafted(10, 5, 4), tokens=8)
    told = dict(receipt(replace(run, request=asked, draft=ModelRef("small", revision="f00"), finish=drafted)))
    assert told["Draft model"] == "small, revision f00"
    assert told["Draft"] == "50% of 10 draft tokens accepted, 2.0 tokens per step"
    assert told["Settings"].endswith("max tokens until the context is full, draft tokens 3")


def test_receipt_has_adapter_and_scale(journal: Journal) -> None:
    run = record(journal)
    model = replace(run.model, adapter=FilesRef("fox", "/adapters/fox", digest="f0f"))
    told = dict(receipt(replace(run, model=model)))
    assert told["Adapter"] == "fox, /adapters/fox, file digest f0f"
    assert "adapter strength" not in told["Settings"]
    asked = replace(run.request, sampling=replace(run.request.sampling, adapter_strength=0.5))
    assert "adapter strength 0.5" in dict(receipt(replace(run, model=model, request=asked)))["Settings"]
    assert "Adapter" not in dict(receipt(run))


def test_receipt_has_every_finish_reason(journal: Journal) -> None:
    run = record(journal)
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


def test_receipt_of_an_interrupted_prefill(journal: Journal) -> None:
    whole = record(journal)
    assert whole.finish is not None
    stopped = replace(whole, finish=replace(whole.finish, reason=Reason.STOPPED, reused=1, new=1))
    assert dict(receipt(stopped))["Prompt"] == "3 tokens, 1 of them from the cache, and 1 prefilled"


def test_receipt_without_a_prompt(journal: Journal) -> None:
    told = dict(receipt(replace(record(journal), prompt=None, summary=None, ids=())))
    assert (told["Prompt"], told["Tokens"]) == ("none", "0")
    assert "Speed" not in told


def test_receipt_of_a_server_run_omits_local_versions(journal: Journal) -> None:
    run = record(journal)
    assert run.finish is not None and run.prompt is not None
    there = ModelRef("one", "http:/127.0.0.1:8080/v1#one")
    finish = replace(run.finish, reused=0, new=3, wire=NetworkTiming(counted=True))
    text = replace(run.prompt, ids=(), offsets=())
    assert run.summary is not None
    summary = replace(run.summary, figures=replace(run.summary.figures, visible=None))
    told = dict(receipt(replace(run, model=there, finish=finish, prompt=text, summary=summary)))
    assert told["Tokens"] == "5 generated", "which of them came in which piece is not known"
    assert told["Model"] == "one, http://127.0.0.1:8080/v1"
    assert "seed" not in told["Settings"], "it was not given to the server"
    assert told["Prompt"] == "3 tokens", "nothing was said of a cache"
    assert told["Client versions"] == "Sluice 0.1.0, Python 3.11.7, Linux"
