"""The table of two runs: what was set differently, and how much faster, larger or longer the second one was."""

from dataclasses import replace

from app.engine.meter.meter import RunMetrics, Summary
from app.engine.types import ChatPrompt, Conditions, Finish, Message, Reason, Role, Sampling, WeightFormat
from app.records.receipt import LONGEST, receipt
from app.records.run_comparison import compare_runs
from app.records.types import RunRecord
from tests.ui.runs.test_controller_replay import RUN


def run(speed: float, kv: int, ids: tuple[int, ...], text: str) -> RunRecord:
    figures = RunMetrics(elapsed=10 / speed, first_token=1 / speed, speed_mean=speed)
    finish = Finish(Reason.STOP, conditions=Conditions(weights=100, kv=kv))
    return replace(RUN, summary=Summary(figures, None, None, None), finish=finish, ids=ids, text=text)


def differences(first: RunRecord, second: RunRecord) -> dict[str, tuple[str, str, str]]:
    return {each.name: (each.first, each.second, each.difference) for each in compare_runs(first, second)}


def test_compare_runs_has_settings_speed_memory_and_text() -> None:
    first, second = run(10.0, 1_000, (1, 2, 3), "one"), run(24.0, 500, (1, 2, 4), "two")
    second = replace(second, request=replace(second.request, sampling=Sampling(0.0, seed=9)))
    second = replace(second, model=replace(second.model, format=WeightFormat(dtype="float16")))
    found = differences(first, second)
    assert found["temperature"][:2] == ("1.0", "0.0") and "seed" not in found
    assert found["Precision"][:2] == ("–", "float16")
    assert found["Mean speed (tok/s)"] == ("10.0", "24.0", "2.4× faster")
    assert found["Total time"] == ("1.00 s", "417 ms", "2.4× shorter")
    assert found["Memory of the KV cache"] == ("1.00 kB", "500 bytes", "2.0× less")
    assert found["Memory of the weights"][2] == found["Prompt"][2] == "the same"
    assert found["Tokens"] == ("3", "3", "different from token 3 on")
    assert found["Answer"] == ("one", "two", "different")
    assert differences(second, first)["Mean speed (tok/s)"][2] == "2.4× slower"


def test_compare_runs_of_unknown_values_has_no_difference() -> None:
    found = differences(RUN, run(10.0, 0, (1, 2, 3, 4), ""))
    assert found["Mean speed (tok/s)"] == ("–", "10.0", "") and found["Memory of the KV cache"] == ("–", "–", "")
    assert found["Tokens"][2] == "the same up to token 3, the end of one"
    assert differences(run(1.0, 0, (-1, -1), "one"), run(1.0, 0, (-1, -1), "two"))["Tokens"] == ("2", "2", "")


def test_receipt_has_the_question_and_at_most_the_beginning_of_the_answer() -> None:
    asked = ChatPrompt((Message(Role.USER, "One?"), Message(Role.ASSISTANT, "1"), Message(Role.USER, "Two?")))
    lines = dict(receipt(replace(RUN, request=replace(RUN.request, prompt=asked), text="x" * 2 * LONGEST)))
    assert lines["Prompt text"] == "Two?" and lines["Answer"].endswith("x… (2,000 characters)")
    assert len(lines["Answer"]) < LONGEST + 30
