import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import app
from app.engine.protocol import StopFlag, stop_scope
from app.engine.system_load import resident_bytes
from app.engine.templates import process as template_process
from app.engine.templates.child import TEXT
from app.engine.templates.process import TemplateEndedError, TemplateProcess, template_command
from app.platform.startup import TEMPLATE_SWITCH, child_command
from tests.engine.tiers import mostly_slow

ROOT = Path(app.__file__).parents[1]
LEAVE_S = 60
QUESTION = b'{"template": "{{ messages[0].content }}", "context": {"messages": [{"content": "Hi"}]}}'
ENDLESS = b'{"template": "{{ 10 ** (10 ** 10) }}", "context": {}}'
MOST = 1_000
READY = r"import os, time; say = lambda b: os.write(1, b); say(b'R\0\0\0\0');"
HEAR = READY + "os.read(0, 9999);"
SLOWLY = HEAR + r"say(b'T\0\0\0\x99'); [time.sleep(.05) or say(b'a') for _ in range(99)]"
NO_ANSWER = "The process that renders this model's chat template didn't respond."
TOO_LARGE = "The output of this model's chat template is too large, so it was stopped."
MISBEHAVING = {
    "says nothing": (HEAR + "os.read(0, 1); time.sleep(99)", NO_ANSWER),
    "says nothing at the beginning": ("import time; time.sleep(99)", NO_ANSWER),
    "never listens": (READY + "time.sleep(99)", NO_ANSWER),
    "dies at once": ("", NO_ANSWER),
    "dies when it is asked": (HEAR, NO_ANSWER),
    "dies of a signal": (HEAR + "os.abort()", NO_ANSWER),
    "writes garbage": (HEAR + "say(b'garbage' * 9999)", TOO_LARGE),
    "writes garbage at the beginning": ("print('Hello', flush=True)", TOO_LARGE),
    "begins with an answer": (
        r"import os; [os.write(1, b'T\0\0\0\0') and os.read(0, 9999) for _ in range(9)]",
        NO_ANSWER,
    ),
    "writes half a head": (HEAR + "say(b'T'); time.sleep(99)", NO_ANSWER),
    "writes half an answer": (HEAR + r"say(b'T\0\0\0\x09half'); time.sleep(99)", NO_ANSWER),
    "writes half an answer and dies": (HEAR + r"say(b'T\0\0\0\x09half')", NO_ANSWER),
    "writes letter by letter": (SLOWLY, NO_ANSWER),
    "writes without end": (HEAR + r"say(b'T\xff\xff\xff\xff'); [say(b'a' * 9999) for _ in iter(int, 1)]", TOO_LARGE),
    "is stopped": (HEAR + "os.kill(os.getpid(), 19)", NO_ANSWER),
    "takes all memory": (HEAR + "a = b'a' * 700_000_000; time.sleep(99)", TOO_LARGE),
}


@pytest.fixture
def started() -> Iterator[Callable[..., TemplateProcess]]:
    processes: list[TemplateProcess] = []

    def start(*command: str) -> TemplateProcess:
        processes.append(TemplateProcess(command))
        return processes[-1]

    yield start
    for process in processes:
        process.end()


@pytest.mark.parametrize(
    "name",
    mostly_slow(
        MISBEHAVING, "says nothing", "dies at once", "begins with an answer", "writes garbage", "writes half an answer"
    ),
)
def test_ask_misbehaving_child_is_ended(
    name: str, started: Callable[..., TemplateProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    script, sentence = MISBEHAVING[name]
    if "at the beginning" in name:
        monkeypatch.setattr(template_process, "START_S", 1.0 if sentence == NO_ANSWER else LEAVE_S)
    monkeypatch.setattr(template_process, "ANSWER_S", 0.5 if sentence == NO_ANSWER else LEAVE_S)
    process = started(sys.executable, "-c", script)
    with pytest.raises(TemplateEndedError) as ended:
        process.ask(QUESTION, MOST)
    assert ended.value.failure.what == sentence
    assert ended.value.failure.todo.startswith("Switch Mode to Raw")


def test_ask_again_and_unasked_output_is_noticed(started: Callable[..., TemplateProcess]) -> None:
    process = started()
    assert [process.ask(QUESTION, MOST) for _ in range(3)] == [(TEXT, b"Hi")] * 3
    assert process.is_idle
    process = started(sys.executable, "-c", HEAR + r"say(b'T\0\0\0\0more'); os.read(0, 1)")
    assert process.ask(QUESTION, MOST) == (TEXT, b"") and not process.is_idle


LONG = b'{"template": "{% for x in range(99999) %}x{% endfor %}", "context": {}}'
LARGE = b'{"template": "{{ (\'a\' * 900000000)|length }}{{ 1 // 0 }}", "context": {}}'


@pytest.mark.parametrize(
    ("question", "match"), [(ENDLESS, "takes too long"), (LONG, "is too large"), (LARGE, "is too large")]
)
def test_ask_beyond_a_limit_ends_the_child(
    question: bytes, match: str, started: Callable[..., TemplateProcess]
) -> None:
    with pytest.raises(TemplateEndedError, match=match):
        started(*template_command(0.1 if question == ENDLESS else 1.0)).ask(question, MOST)


def test_ask_stopped_on_another_thread_ends(started: Callable[..., TemplateProcess]) -> None:
    process, stop, ended = started(*template_command(30.0)), StopFlag(), list[TemplateEndedError]()
    process.ask(QUESTION, MOST)

    def ask() -> None:
        with stop_scope(stop), pytest.raises(TemplateEndedError) as error:
            process.ask(ENDLESS, MOST)
        ended.append(error.value)

    thread = threading.Thread(target=ask)
    thread.start()
    stop.ask()
    thread.join()
    assert ended[0].again, "the template was not to blame"


def test_child_can_open_and_start_nothing() -> None:
    tried = [
        "open('/etc/hostname')",
        "__import__('socket').socket()",
        "__import__('os').pipe()",
        "os.write(2, b'x' * 9)",
        *(["__import__('os').fork()"] if os.geteuid() else []),  # the system lets its owner
    ]
    code = "import os\nfrom app.engine.templates import child\nchild._limit()\n" + "\n".join(
        f"try:\n    {each}\nexcept OSError: pass\nelse: os._exit({number})" for number, each in enumerate(tried, 1)
    )
    with Path(os.devnull).open("rb") as nothing, tempfile.TemporaryFile() as said:
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdin=nothing, stderr=said, check=False)
    assert done.returncode == 0


class Libproc:
    answer = 0

    def proc_pid_rusage(self, process: int, flavor: int, usage: object) -> int:
        assert (process, flavor) == (7, 0)
        words = (ctypes.c_uint64 * 12).from_address(ctypes.addressof(usage._obj))  # type: ignore[attr-defined]
        words[9] = 123
        return self.answer


@pytest.mark.skipif(sys.platform == "darwin", reason="a Mac has its own library")
def test_resident_bytes_on_linux_and_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ri_phys_footprint` is the tenth word: behind an id of two and seven others."""
    assert resident_bytes(os.getpid()) > 10_000_000 and resident_bytes(2**22 + 1) == 0
    monkeypatch.setattr(sys, "platform", "darwin")
    assert resident_bytes(7) == 0, "there is no such library"
    monkeypatch.setattr(ctypes, "CDLL", lambda _path: Libproc())
    assert resident_bytes(7) == 123
    monkeypatch.setattr(Libproc, "answer", -1)
    assert resident_bytes(7) == 0


PARENT = """
import sys
from app.engine.templates.process import TemplateProcess, template_command
process = TemplateProcess(template_command(float(sys.argv[1])))
process.ask(sys.argv[2].encode(), 99)
print("asked", flush=True)
process.ask(sys.argv[3].encode(), 99)
"""


@pytest.mark.parametrize("busy", [False, True])
def test_child_ends_with_its_parent(busy: bool) -> None:
    endless = ENDLESS.decode() if busy else QUESTION.decode()
    code = PARENT if busy else PARENT + "import signal; signal.pause()"
    with subprocess.Popen(
        [sys.executable, "-c", SHARING + code, "1.0", QUESTION.decode(), endless],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"asked\n"
        parent.send_signal(signal.SIGKILL)
        parent.communicate(timeout=LEAVE_S)


SHARING = """
import os, subprocess
subprocess.DEVNULL = os.dup(1)
"""
"""The child holds the parent's standard output by its own errors, so that its end shows when the child has gone."""


def test_template_command_is_this_program_with_a_switch() -> None:
    assert template_command()[:-1] == child_command(TEMPLATE_SWITCH)
    done = subprocess.run(template_command(), cwd=ROOT, input=b"", capture_output=True, check=True, timeout=LEAVE_S)
    assert (done.stdout, done.stderr) == (b"R\0\0\0\0", b"")
