"""The attack on models sees what it looks for: each of these endings is a fault, and is told."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
PROGRAM = """
import json, os, socket, subprocess, sys
from pathlib import Path
from tests.faults import spoiled
kept = []

def once(engine, folder, seed):
    {deed}
    return "generates", []

spoiled._once = once
sys.stdin = spoiled.Nobody()
sys.addaudithook(spoiled._watch)
print(json.dumps(spoiled._trial(None, Path(sys.argv[1]), 0)))
"""
DEEDS = {
    "kept.append(bytes(range(256)) * 120_000)": "leaks 31 MB each time",
    "Path(folder, 'RAN').touch()": "ran foreign code",
    "subprocess.run(['true'])": "reached: subprocess.Popen",
    "os.system('true')": "reached: os.system",
    "socket.socket(socket.AF_UNIX).connect_ex('/nobody')": "reached: socket.connect",
    "open('/etc/passwd').close()": "read /etc/passwd",
    "try: input()\n    except EOFError: pass": "asked on stdin",
    "pass": "",
}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process has")
@pytest.mark.parametrize("deed", DEEDS)
def test_what_is_wrong_is_told(tmp_path: Path, deed: str) -> None:
    command = [sys.executable, "-c", PROGRAM.format(deed=deed), str(tmp_path)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    wrong = json.loads(done.stdout)["wrong"]
    assert [each[: len(DEEDS[deed])] for each in wrong] == [DEEDS[deed]] * (deed != "pass")


def test_a_failure_of_two_lines_or_without_a_way_on_is_no_sentence() -> None:
    from app.engine.types import Failure
    from tests.faults.spoiled import SENTENCE, _no_sentence

    assert _no_sentence(Failure("It is broken.", "Mend it.")) == []
    for what, todo in (("It is\nbroken.", "x"), ("broken", "x"), ("x" * SENTENCE + ".", "x"), ("It is broken.", "")):
        assert _no_sentence(Failure(what, todo))
