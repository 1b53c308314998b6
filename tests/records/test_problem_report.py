from app.engine.types import Failure
from app.records.problem_report import report
from app.records.types import Versions

VERSIONS = Versions("0.1.0", "0.32.4", "0.32.2", "3.13.1", "macOS-15.1", "Apple M3")
SECRET = "my diary"
DETAILS = f"""Traceback (most recent call last):
  File "/somewhere/lib/python3.13/site-packages/mlx_lm/generate.py", line 12, in step
    text = "{SECRET}"
  File "/somewhere/sluice/app/engine/mlx/run.py", line 34, in run
ValueError: {SECRET} and more
{SECRET}
"""


def test_report_without_failure_has_versions() -> None:
    text = report(VERSIONS, None)
    assert text.splitlines()[:3] == ["Sluice: 0.1.0", "mlx: 0.32.4", "mlx-lm: 0.32.2"]
    assert text.endswith("Last failure: none since the start")


def test_report_omits_quoted_texts() -> None:
    failure = Failure(f"“{SECRET}” could not be saved in /disk/{SECRET.split()[1]}: no room.", "…", DETAILS, "disk")
    text = report(VERSIONS, failure)
    assert "Last failure: disk: “…” could not be saved in …: no room." in text
    assert "mlx_lm/generate.py:12 in step" in text
    assert "app/engine/mlx/run.py:34 in run" in text
    assert text.endswith("  ValueError")
    assert "diary" not in text
    assert "somewhere" not in text
