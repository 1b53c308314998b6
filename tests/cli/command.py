"""Runs a headless verb in this process."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.cli.verbs import Engines
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import Collect, Engine


def no_engine(_collect: Collect) -> Engine:
    raise AssertionError("the arguments are refused before an engine is made")


NO_ENGINES = {"mlx": no_engine, "echo": no_engine}
Capsys = pytest.CaptureFixture[str]
Main = Callable[[Sequence[str], Engines, Path], int]


class UnloadingEngine(MlxEngine):
    """Doesn't close the streams of the thread, which later tests use too."""

    def close(self) -> None:
        self.unload()


def run(main: Main, model: Path, *arguments: object) -> int:
    """Return the exit code of a verb with this model."""
    return main(["--model", str(model), *map(str, arguments)], {"mlx": UnloadingEngine}, model.parents[1])


def printed(main: Main, capsys: Capsys, model: Path, *arguments: object) -> dict[str, Any]:
    """Return what the verb prints as JSON."""
    assert run(main, model, *arguments, "--json") == 0
    found = capsys.readouterr()
    assert found.err == ""
    content: dict[str, Any] = json.loads(found.out)
    return content


def refusal(main: Main, capsys: Capsys, *arguments: object) -> str:
    """Return the sentence with which the verb refuses its arguments, before it makes an engine."""
    with pytest.raises(SystemExit) as refused:
        main(list(map(str, arguments)), NO_ENGINES, Path("/nowhere"))
    found = capsys.readouterr()
    assert (refused.value.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert found.err.startswith("sluice: ") and found.err.endswith(".\n")
    return found.err


def sums_file(folder: Path) -> Path:
    """Write a prompt set of twelve sums, one of which is expected to be wrong."""
    file = folder / "sums.csv"
    lines = [f"What is {first} + 4?,{first + 4 + (first == 3)}" for first in range(12)]
    file.write_text("\n".join(("prompt,expected", *lines, "")), "utf-8")
    return file
