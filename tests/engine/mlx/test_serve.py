import os
import subprocess
import sys
from pathlib import Path

import pytest

import app
from app.engine.mlx import serve
from app.platform.startup import SERVE_SWITCH

ROOT = Path(app.__file__).parents[1]
CHILD = [sys.executable, "-m", "app", SERVE_SWITCH]
LEAVE_S = 60
PARENT = """
import subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
print(child.pid, flush=True)
child.wait()
"""


def test_serve_with_another_program_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert serve.main([]) == 2
    assert serve.main(["rm", "-rf", "/"]) == 2
    assert "'rm' is neither mlx_lm.server nor mlx.launch" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(("name", "switch"), [("mlx_lm.server", "--decode-concurrency"), ("mlx.launch", "--hostfile")])
def test_serve_runs_both_programs(name: str, switch: str) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([*CHILD, name, "--help"], cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as child:
        assert child.stdout is not None
        assert switch in child.stdout.read()
    assert child.returncode == 0


def test_serve_ends_with_its_parent() -> None:
    """Their common output ends when both have ended."""
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


def test_serve_has_an_empty_standard_input() -> None:
    """mlx's launcher would forward it, and loop at its end."""
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
