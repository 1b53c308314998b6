"""The ending's card on the demo model: how likely the end was, as the model itself has it."""

import csv
import io
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QWidget

from app.figures import chance
from tests.journeys.journey import Journey


def recording(demo: Journey) -> None:
    demo.window.playground.set_controls(replace(demo.state.controls, observe=10))


def said(demo: Journey, heading: str) -> str:
    """What the details say under this heading."""
    details = demo.find(QWidget, "run_details")
    if not details.isVisible():
        demo.press("more_about_run")
    names = [label.accessibleName() for label in details.findChildren(QLabel) if label.isVisible()]
    return next(name for name in names if name.startswith(f"{heading}: ")).removeprefix(f"{heading}: ")


def test_a_clean_end_and_a_cut_off_one_tell_how_likely_the_end_was(demo: Journey) -> None:
    demo.cold()
    recording(demo)
    run = demo.send("Count 1 to 5")
    trace = demo.window.playground.traces.of(demo.state.turns[-1].id)
    assert trace is not None
    last = trace.token(len(trace) - 1)
    assert last.probability is not None
    assert demo.reason == f"stop, EOS token <|im_end|>, probability {chance(last.probability)}"
    assert f"<|im_end|> (id {run.finish.stop_id}), with a probability of {chance(last.probability)}" in said(
        demo, "Why it stopped"
    )

    demo.limit(6)
    demo.send("Tell me a story")
    trace = demo.window.playground.traces.of(demo.state.turns[-1].id)
    assert trace is not None
    ends = [seen.eos_probability for place in range(6) if (seen := trace.observed_at(place)) is not None]
    assert len(ends) == 6
    assert demo.reason == f"length, the limit of 6 tokens; EOS probability {chance(ends[-1])}"
    story = said(demo, "Why it stopped")
    assert f"EOS probability at the last token: {chance(ends[-1])}." in story
    nearest = f"token {1 + ends.index(max(ends))}: {chance(max(ends))}."
    assert nearest in story or chance(max(ends)) == chance(ends[-1])
    assert "“Continue” or “Raise the limit”" in said(demo, "What next")
    demo.picture("ending_length")


def test_what_was_not_recorded_is_recorded_from_then_on(demo: Journey) -> None:
    demo.window.playground.observe(False)
    demo.cold()
    demo.limit(5)
    demo.send("Tell me a story")
    assert demo.reason == "length, the limit of 5 tokens"
    assert "no candidates were recorded" in said(demo, "Why it stopped")
    demo.press("record_from_now")
    demo.send("Tell me a story")
    assert "EOS probability" in demo.reason


def saved(demo: Journey, path: Path) -> str:
    """The run's tokens, as the user saves them from the ending's details."""
    demo.press("export_last_tokens")
    (dialog,) = (each for each in demo.window.findChildren(QFileDialog) if each.isVisible())
    dialog.fileSelected.emit(str(path))
    dialog.done(0)
    demo.until(path.exists)
    return path.read_text("utf-8")


def test_the_tokens_are_exported_with_what_was_observed(demo: Journey, tmp_path: Path) -> None:
    recording(demo)
    demo.limit(12)
    run = demo.send("Tell me a story")
    demo.press("more_about_run")
    said = json.loads(saved(demo, tmp_path / "tokens.json"))["tokens"]
    rows = list(csv.DictReader(io.StringIO(saved(demo, tmp_path / "tokens.csv"))))
    assert [token["id"] for token in said] == [int(row["id"]) for row in rows] == list(run.ids)
    trace = demo.window.playground.traces.of(demo.state.turns[-1].id)
    assert trace is not None
    for place, (token, row) in enumerate(zip(said, rows, strict=True)):
        shown = trace.token(place)
        assert shown.observed is not None
        assert (token["text"], token["rank"], len(token["top"])) == (shown.text, shown.observed.rank, 10)
        assert token["probability"] == pytest.approx(shown.probability) == float(row["probability"])
        assert token["entropy_bits"] == pytest.approx(shown.observed.entropy / math.log(2))
        assert token["seconds"] == pytest.approx(shown.at, abs=1e-6)
        assert float(row["end_probability"]) == pytest.approx(shown.observed.eos_probability)
        assert float(row["top10_probability"]) == pytest.approx(math.exp(shown.observed.top[9].logprob))
