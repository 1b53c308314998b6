import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli.experiment import main
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.protocol import Collect, Emit, StopFlag
from app.engine.types import Cancellation, Failure, Finish, Model, Request
from app.engine.types import LoadRequest as Load
from app.experiments.questions import EXPERIMENTS
from app.experiments.requests import format_value, full_name, kinds, read_axis, with_setting
from app.experiments.types import Axis
from app.records.journal import open_journal
from app.records.run_settings import flatten_settings
from app.roofline.measurement_store import sameness
from tests.cli import command
from tests.cli.command import Capsys
from tests.experiments.builders import QUICK, REQUEST

ECHO = ("--engine", "echo")


def run(*arguments: str, engine: Callable[[Collect], EchoEngine] | None = None, knobs: EchoOptions = QUICK) -> int:
    return main(
        arguments, {"mlx": command.no_engine, "echo": engine or (lambda _collect: EchoEngine(knobs))}, Path("/bundled")
    )


def test_experiment_prints_figures_as_json(capsys: Capsys) -> None:
    assert run("length", "--max-tokens", "40", "--repeats", "3", "--json", *ECHO) == 0
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert said.err == "sluice experiment: 3 rounds are too few for any significant difference; 7 are needed.\n"
    assert [row["arm"] for row in told["table"]] == ["20 tokens", "40 tokens"]
    assert [row["runs"] for row in told["table"]] == [3, 3]
    assert told["conclusion"].endswith(".")


@pytest.mark.parametrize(
    ("values", "rounds"), [("0,1", 6), pytest.param("0,0.2,0.4,0.6,0.8,1", 10, marks=pytest.mark.slow)]
)
def test_experiment_runs_enough_rounds_for_significance(values: str, rounds: int, capsys: Capsys) -> None:
    asked = ("sweep", "--vary", f"temperature={values}", "--max-tokens", "4", "--json", *ECHO)
    assert run(*asked) == 0
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert said.err == "" and told["repeats"] == rounds
    assert "not significant yet" not in told["conclusion"].lower()
    assert run(*asked, "--repeats", str(rounds - 1)) == 0
    said = capsys.readouterr()
    assert f"; {rounds} are needed." in said.err


@pytest.mark.parametrize(
    ("switch", "begins"), [("--markdown", "# "), ("--csv", "arm,round,"), ("--table-csv", "arm,runs,")]
)
def test_experiment_prints_each_format(switch: str, begins: str, capsys: Capsys) -> None:
    assert run("template", switch, *ECHO) == 0
    assert capsys.readouterr().out.startswith(begins)


def test_experiment_list_names_all(capsys: Capsys) -> None:
    assert run("--list") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        *(each.name for each in EXPERIMENTS),
        "ladder",
    ]


def test_experiment_applies_settings_axes_and_stop_strings(capsys: Capsys) -> None:
    more = ("--set", "seed=5", "--vary", "max_tokens=2,3", "--stop", "model", "--prompt", "Hello")
    assert run("sweep", "--json", "--repeats", "1", *more, *ECHO) == 0
    told = json.loads(capsys.readouterr().out)
    settings = [one["settings"] for one in told["runs"]]
    assert [each["limits.max_tokens"] for each in settings] == [2, 3]
    assert {(each["sampling.seed"], each["limits.stop_strings"]) for each in settings} == {(5, '["model"]')}
    assert "Hello" in told["runs"][0]["prompt"]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["cache", "--repeats", "0"],
        ["cache", "--repeats", "many"],
        ["cache", "--max-tokens", "1"],
        ["cache", "--json", "--csv"],
        ["cache", "--model", "/nowhere"],
        ["cache", "--set", "heat=1"],
        ["cache", "--set", "seed=1,2"],
        ["cache", "--vary", "seed=1,2"],
        ["sweep", "--vary", "seed"],
        ["sweep"],
        ["models", "--model", "."],
        ["cache", "--data-dir", "/proc/nowhere"],
        ["cache", "--colour"],
    ],
)
def test_experiment_wrong_arguments_are_refused(arguments: list[str], capsys: Capsys) -> None:
    command.refusal(main, capsys, *arguments)


def test_experiment_tf32_sets_the_variable_and_needs_a_device_with_it(
    capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLX_ENABLE_TF32", "0")
    assert run("determinism", "--tf32", "on", *ECHO) == 1
    assert os.environ["MLX_ENABLE_TF32"] == "1"
    assert "This device has no TF32. Leave --tf32 out." in capsys.readouterr().err


def test_experiment_failure_is_one_sentence(capsys: Capsys) -> None:
    assert run("draft", *ECHO) == 1
    assert (
        run("cache", *ECHO, knobs=EchoOptions(load_seconds=0, load_failure=Failure("It is broken.", "Mend it."))) == 1
    )
    assert run("cache", *ECHO, knobs=EchoOptions(load_seconds=0, prefill_per_second=0, context=3)) == 1
    said = capsys.readouterr()
    assert said.err.splitlines()[:2] == [
        "sluice experiment: There is no draft model, and this model can't use prompt lookup. "
        "Choose a draft model that belongs to this model.",
        "sluice experiment: It is broken. Mend it.",
    ]
    assert "context" in said.err.splitlines()[2]


class Interrupted(EchoEngine):
    """Ctrl-C is pressed in the middle of its fourth run."""

    def __init__(self) -> None:
        super().__init__(QUICK)
        self.runs = 0
        self.closed = False

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        self.runs += 1
        if self.runs == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return super().generate(request, emit, stop)

    def close(self) -> None:
        super().close()
        self.closed = True


def test_ctrl_c_prints_the_finished_arms(capsys: Capsys) -> None:
    engine, before = Interrupted(), signal.getsignal(signal.SIGINT)
    assert run("template", "--repeats", "2", "--json", *ECHO, engine=lambda _collect: engine) == 130
    told = json.loads(capsys.readouterr().out)
    assert not told["complete"]
    assert [(one["arm"], one["round"]) for one in told["runs"]] == [("with the template", 1)]
    assert engine.closed
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_while_loading(capsys: Capsys) -> None:
    class Loading(EchoEngine):
        def load(self, request: Load, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
            os.kill(os.getpid(), signal.SIGINT)
            return super().load(request, emit, stop)

    assert run("cache", *ECHO, engine=lambda _collect: Loading(QUICK)) == 130
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_experiment_with_a_data_folder_records_its_runs(tmp_path: Path, capsys: Capsys) -> None:
    assert run("template", "--repeats", "2", "--json", "--data-dir", str(tmp_path), *ECHO) == 0
    told = json.loads(capsys.readouterr().out)
    journal = open_journal(tmp_path)
    numbers = {row.id for row in journal.runs.rows()}
    journal.close()
    assert numbers == {one["run"] for one in told["runs"]}
    assert len(numbers) == 4


def test_determinism_stores_its_conclusion_in_the_data_folder(
    tmp_path: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the journal where one is named, else with the settings: replays and comparisons look for it there."""
    model = EchoEngine(QUICK).load(Load("echo"), lambda event: None, StopFlag())
    assert isinstance(model, Model)
    monkeypatch.setattr("app.cli.experiment.user_folder", lambda: tmp_path / "own")
    for folder, named in ((tmp_path / "named", ("--data-dir", str(tmp_path / "named"))), (tmp_path / "own", ())):
        assert run("determinism", "--repeats", "1", "--json", *named, *ECHO) == 0
        concluded = json.loads(capsys.readouterr().out)["conclusion"]
        assert sameness(folder, model).endswith(concluded) and concluded
    assert run("cache", "--repeats", "1", "--data-dir", str(tmp_path / "other"), *ECHO) == 0
    assert sameness(tmp_path / "other", model) == ""


@pytest.mark.slow
def test_experiment_process_without_display_imports_no_qt(demo_model: Path) -> None:
    watch = (
        "import sys; from app.__main__ import main; code = main();"
        "assert not [name for name in sys.modules if name.startswith(('PySide6', 'shiboken6'))]; sys.exit(code)"
    )
    screenless = {name: value for name, value in os.environ.items() if name not in ("QT_QPA_PLATFORM", "DISPLAY")}
    switches = ["experiment", "template", "--max-tokens", "20", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", watch, *switches], capture_output=True, text=True, env=screenless, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert told["conclusion"] == (
        "No: without the template 0 of 1 answers ended by themselves, with it 1 of 1. "
        "With the template it ended at an EOS token after 14 tokens, without it reached the limit of 20 tokens."
    )
    assert told["runs"][0]["model"]["name"] == demo_model.name


def test_second_ctrl_c_ends_at_once(capsys: Capsys) -> None:
    class Deaf(EchoEngine):
        def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
            raise AssertionError("nobody comes here")

    assert run("template", *ECHO, engine=lambda _collect: Deaf(QUICK)) == 130
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("text", "axis"),
    [
        ("temperature=0,0.7", Axis("sampling.temperature", (0.0, 0.7))),
        ("top-k=40", Axis("sampling.top_k", (40,))),
        ("kv.bits=none,8,4", Axis("kv.bits", (None, 8, 4))),
        ("bits=none", Axis("kv.bits", (None,))),
        ("reuse=on,off", Axis("kv.reuse", (True, False))),
        ("draft_tokens=0,3", Axis("draft_tokens", (0, 3))),
        ("max_tokens=20", Axis("limits.max_tokens", (20,))),
    ],
)
def test_read_axis_parses_its_values(text: str, axis: Axis) -> None:
    assert read_axis(text) == axis


@pytest.mark.parametrize("text", ["heat=1", "temperature", "temperature=warm", "top_k=1.5", "reuse=maybe", "prompt=x"])
def test_read_axis_of_anything_else_fails(text: str) -> None:
    refused = read_axis(text)
    assert isinstance(refused, Failure)
    assert refused.what and refused.todo


def test_put_changes_each_setting_by_its_full_name() -> None:
    known = dict(flatten_settings(REQUEST))
    for name, allowed in kinds().items():
        assert name in known and full_name(name) == name
        value = next(value for kind, value in ((bool, False), (int, 7), (float, 0.5)) if kind in allowed)
        assert dict(flatten_settings(with_setting(REQUEST, name, value)))[name] == value
    changed = with_setting(REQUEST, "sampling.top_p", 0.5)
    assert changed == replace(REQUEST, sampling=replace(REQUEST.sampling, top_p=0.5))


def test_format_value_writes_each_type() -> None:
    assert [format_value(value) for value in (0.30000000000000004, 1.0, 7, None, True, "x")] == [
        "0.3",
        "1",
        "7",
        "none",
        "on",
        "x",
    ]
