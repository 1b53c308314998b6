"""The child that serves: which programs it is, and that it leaves when the one that started it has gone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import app
from app.engine.mlx import serve
from app.platform.bootstrap import SERVE_SWITCH

ROOT = Path(app.__file__).parents[1]
CHILD = [sys.executable, "-m", "app", SERVE_SWITCH]
LEAVE_S = 60
PARENT = """
import subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
print(child.pid, flush=True)
child.wait()
"""


def test_what_is_neither_program_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert serve.main([]) == 2
    assert serve.main(["rm", "-rf", "/"]) == 2
    assert "'rm' is neither mlx_lm.server nor mlx.launch" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(("name", "switch"), [("mlx_lm.server", "--decode-concurrency"), ("mlx.launch", "--hostfile")])
def test_both_programs_are_there(name: str, switch: str) -> None:
    with subprocess.Popen(
        [*CHILD, name, "--help"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert switch in child.stdout.read()
    assert child.returncode == 0


def test_it_dies_with_the_one_that_started_it() -> None:
    """The end of what both write is reached when neither of them is there any more."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, *CHILD, "mlx_lm.server", "--port", "0"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as parent:
        assert parent.stdout is not None
        assert int(parent.stdout.readline()) > 0
        parent.kill()
        parent.communicate(timeout=LEAVE_S)


def test_nothing_ever_comes_on_its_own_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """The launcher would hand it on, and would go round and round at its end."""
    code = (
        "import os, select, threading\n"
        "from app.engine.mlx import serve\n"
        "gone = threading.Event()\n"
        "serve._leave_with_parent(lambda code: gone.set())\n"
        "assert gone.wait(30)\n"
        "print(select.select([0], [], [], 0)[0])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input="typed", capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
