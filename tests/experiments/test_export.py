"""What is handed out says what the runs say."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from statistics import median
from types import SimpleNamespace

import pytest

from app.engine.meter.meter import Frame
from app.engine.meter.speeds import end_to_end_speed, mean_speed
from app.engine.protocol import StopFlag
from app.engine.types import Failure, Memory
from app.experiments import export, run
from app.experiments.export import Report, as_json, as_markdown, escaped, report, runs_csv, table_csv
from app.experiments.html_export import as_html
from app.experiments.questions import EXPERIMENTS, cache, determinism, sweep
from app.experiments.types import Axis, Conclusion, Detail, Experiment, ExperimentOutcome, Plan, Variant
from tests.experiments.builders import MODEL, carried_out, even, result

TEXTS = Detail("Texts", ("Variant", "Text"), (("a", "one\ntwo | three"),))
SWEPT = Experiment(
    "sweep",
    "A sweep",
    "What?",
    sweep.plan,
    lambda outcome: Conclusion("It | is so.", details=(TEXTS,)),
    axes=(Axis("limits.max_tokens", (4, 8)),),
)
MADE = report(SWEPT, carried_out(SWEPT))


def test_json_report_table_equals_the_metrics_of_its_runs() -> None:
    told = json.loads(as_json(MADE))
    for row in told["table"]:
        runs = [run for run in told["runs"] if run["arm"] == row["arm"]]
        assert len(runs) == row["runs"] == 2
        speeds = [mean_speed(len(at), at[0], at[-1]) for run in runs for at in [run["arrivals"]]]
        ends = [end_to_end_speed(len(at), 0.0, at[-1]) for run in runs for at in [run["arrivals"]]]
        for key, values in (("speed_mean", speeds), ("end_to_end", ends)):
            known = [value for value in values if value is not None]
            metrics = row["figures"][key]
            expected = (min(known), median(known), max(known))
            # Arrivals are told in whole microseconds, and these tokens come every few of them.
            assert (metrics["min"], metrics["median"], metrics["max"]) == pytest.approx(expected, rel=0.2)
        assert row["figures"]["tokens"]["median"] == len(runs[0]["ids"])
        assert row["endings"] == {"length": 2}


def test_json_report_of_a_sweep_has_runs_settings_and_versions() -> None:
    told = json.loads(as_json(MADE))
    assert (told["experiment"], told["conclusion"], told["complete"]) == ("sweep", "It | is so.", True)
    assert len(told["runs"]) == 4 and len(told["warm_ups"]) == 2
    run = told["runs"][0]
    assert run["settings"]["limits.max_tokens"] == 4
    assert run["text"] and run["prompt"].startswith("<|user|>") and run["model"]["name"] == "echo"
    assert {column["key"] for column in told["columns"]} == set(run["figures"])
    assert told["versions"]["app"]


def test_json_report_curve_of_a_run_with_a_late_end_ends_with_the_last_token(monkeypatch: pytest.MonkeyPatch) -> None:
    known = result(0, 1, even(40, 10.0))
    clock, seen = iter([*known.arrivals, 20.0]), list[Frame]()
    monkeypatch.setattr(run, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    flag = StopFlag()
    flag.made_at = 0.0
    taking = run.RunCollector(known.request, known.model, flag, tell=seen.append)
    for token in known.tokens:
        taking.take(token)
    taking.take(Memory(0, 0, 0, 0, 0, 0))
    assert seen[-1].points[-1].seconds > 10.0, "it was drawn meanwhile"
    found = taking.result(0, 1, known.finish)
    told = json.loads(as_json(replace(MADE, outcome=replace(MADE.outcome, results=(found,)))))
    points = told["runs"][0]["points"]
    assert points[-1]["tokens"] == 40 and points[-1]["seconds"] == pytest.approx(known.arrivals[-1])
    assert len(points) == 39 and points[-1]["speed"] == pytest.approx(10.0)


def test_csv_exports_of_a_sweep_have_its_runs_and_its_table() -> None:
    runs = list(csv.DictReader(io.StringIO(runs_csv(MADE))))
    assert [(run["arm"], run["round"]) for run in runs] == [
        ("max tokens 4", "1"),
        ("max tokens 8", "1"),
        ("max tokens 8", "2"),
        ("max tokens 4", "2"),
    ]
    assert [run["limits.max_tokens"] for run in runs] == ["4", "8", "8", "4"]
    assert [run["tokens"] for run in runs] == ["4", "8", "8", "4"]
    rows = list(csv.DictReader(io.StringIO(table_csv(MADE))))
    assert [(row["arm"], row["tokens_min"], row["tokens_max"], row["ending"]) for row in rows] == [
        ("max tokens 4", "4", "4", "length"),
        ("max tokens 8", "8", "8", "length"),
    ]


def test_markdown_report_of_a_sweep_escapes_table_cells() -> None:
    text = as_markdown(MADE)
    assert text.startswith(
        "# Which temperature or other setting?\n\n"
        "How do these settings change speed, memory and text?\n\n**It \\| is so.**\n"
    )
    assert "| a | one⏎two \\| three |" in text
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    assert len({line.replace("\\|", "").count("|") for line in lines[:4]}) == 1


def test_escaped_text_with_markdown_and_html_is_plain() -> None:
    said = escaped("![x](http://x.example/a.png) <img src=x> a|b `c` 1 < 2")
    assert said == r"\!\[x\](http://x.example/a.png) \<img src=x> a\|b \`c\` 1 < 2"


def test_markdown_report_of_hostile_names_and_failures_escapes_each() -> None:
    evil = "![x](http://x.example/a.png) <img src=x>\n# Big"
    plan = Plan("models", f"T {evil}", f"Q {evil}", (Variant(f"A {evil}", MADE.outcome.plan.arms[0].request),), 1)
    failed = result(0, 1, even(5, 10.0))
    failed = replace(failed, finish=replace(failed.finish, failure=Failure(f"F {evil}", "", kind="server")))
    concluded = Conclusion(f"S {evil}", "", (Detail(f"D {evil}", (f"H {evil}",), ((f"C {evil}",),)),))
    made = Report(
        ExperimentOutcome(plan, MODEL, (failed,), failure=Failure(f"O {evil}", "", kind="server")),
        MADE.table,
        concluded,
    )
    text = as_markdown(made)
    assert text.count(escaped(evil)) == 9 == text.count("Big"), "title, question, sentence, two cautions, details"
    assert "\n# Big" not in text and "![" not in text and " <img" not in text
    page = as_html(made)
    assert "<img" not in page and page.count("&lt;img src=x&gt;") >= 9


def test_reports_have_the_conditions_and_the_html_a_curve_and_the_texts() -> None:
    page, rows = as_html(MADE), dict(export.conditions(MADE.outcome))
    assert page.count("<polyline") == 2 and MADE.outcome.results[0].text in page
    assert (rows["Model"], rows["Temperature"], rows["Rounds"]) == ("echo", "0", "2") and "Max tokens" not in rows
    assert all(name in as_markdown(MADE) for name in rows)


def test_concluded_determinism_experiment_stores_its_sentence_when_complete(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of one that went on to its end, and where there is a folder for it."""
    assert [each.name for each in EXPERIMENTS if each.keep is not None] == ["determinism"]
    made = SimpleNamespace(conclusion=SimpleNamespace(sentence="The same."))
    kept: list[tuple[object, ...]] = []
    monkeypatch.setattr(export, "report", lambda *_: made)
    keeping = replace(determinism.EXPERIMENT, keep=lambda *told: kept.append(told))
    whole = ExperimentOutcome(Plan("", "", "", (), 1), MODEL)
    for asked, outcome, folder in (
        (keeping, whole, tmp_path),
        (keeping, replace(whole, stopped=True), tmp_path),
        (keeping, whole, None),
        (cache.EXPERIMENT, whole, tmp_path),
    ):
        export.concluded(asked, outcome, folder)
    assert kept == [(tmp_path, MODEL, "The same.")]
