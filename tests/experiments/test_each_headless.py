"""Each experiment once without a window on the bundled models: what is printed follows from the runs beside it."""

import json
from pathlib import Path
from statistics import median

import pytest

from app.engine.mlx.engine import MlxEngine
from app.experiments.command import main
from app.experiments.questions import EXPERIMENTS
from app.experiments.wording import UNMEASURED

VARIED = {
    "sampling": ("--vary", "temperature=0.7,1.5", "--vary", "top_p=0.8,1"),
    "sweep": ("--vary", "temperature=0,1"),
}
LIMITS = {"length": "24", "draft": "10"}


class Staying(MlxEngine):
    """Its thread is that of the next test too."""

    def close(self) -> None:
        self.unload()


@pytest.mark.parametrize("name", [each.name for each in EXPERIMENTS])
def test_what_is_printed_follows_from_its_runs(name: str, demo_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [name, "--json", "--repeats", "1", "--max-tokens", LIMITS.get(name, "4"), *VARIED.get(name, ())]
    assert main(asked, {"mlx": Staying, "echo": Staying}, demo_model.parent) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["complete"] and told["conclusion"] != UNMEASURED
    assert [row["arm"] for row in told["table"]] == list(dict.fromkeys(run["arm"] for run in told["runs"]))
    for row in told["table"]:
        runs = [run["arrivals"] for run in told["runs"] if run["arm"] == row["arm"]]
        assert row["runs"] == len(runs) == 1
        speeds = [(len(at) - 1) / (at[-1] - at[0]) for at in runs]
        assert row["figures"]["speed_mean"]["median"] == pytest.approx(median(speeds), rel=0.01)
        assert row["figures"]["first_token"]["max"] == pytest.approx(max(at[0] for at in runs), rel=0.01)
