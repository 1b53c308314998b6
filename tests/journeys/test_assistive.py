import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.records.attachments import Attachment
from app.records.journal import open_journal

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]
CLIENT = Path(__file__).parent / "assistive.py"
SYSTEM_PYTHON = "/usr/bin/python3"
TOOLS = ("Xvfb", "dbus-run-session", SYSTEM_PYTHON)
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
LIBRARY = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
SCREEN = "1280x900x24"
PATIENCE_S = 300
"""Ten seconds do on a machine that has nothing else to do."""


def missing() -> str:
    """What a screen reader needs and this system has not; empty: it is all here."""
    tools = [tool for tool in TOOLS if shutil.which(tool) is None]
    if not any(Path(launcher).is_file() for launcher in LAUNCHERS):
        tools.append("at-spi2-core")
    if not tools and subprocess.run([SYSTEM_PYTHON, "-c", LIBRARY], capture_output=True, check=False).returncode:
        tools.append("gir1.2-atspi-2.0 and python3-gi")
    return ", ".join(tools)


@contextmanager
def screen() -> Iterator[str]:
    """A display of its own, whose number the server chooses."""
    end, given = os.pipe()
    command = ["Xvfb", "-displayfd", str(given), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=(given,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(given)
    try:
        with os.fdopen(end, encoding="ascii") as told:
            number = told.readline().strip()
        assert number, "Xvfb found no display"
        yield f":{number}"
    finally:
        server.kill()
        server.wait()


def drive(environment: dict[str, str], folder: Path) -> tuple[int, str]:
    """The client's exit code, and what it did and heard; whatever happens nothing of it is left running."""
    program = [sys.executable, "-m", "app", "--data-dir", str(folder)]
    client = subprocess.Popen(
        ["dbus-run-session", "--", SYSTEM_PYTHON, str(CLIENT), *program],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        out, _ = client.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        os.killpg(client.pid, signal.SIGKILL)
        out, _ = client.communicate()
    return client.returncode, out


def with_attachment(folder: Path) -> None:
    """A session that was left with a file on its prompt."""
    folder.mkdir()
    journal = open_journal(folder)
    journal.sessions.set_draft(journal.sessions.new(), Attachment("note.txt", "The fox is red.").block)
    journal.close()


@pytest.mark.skipif(sys.platform != "linux", reason="AT-SPI is the way of screen readers on Linux alone")
def test_program_driven_by_accessible_names_completes_every_task(
    demo_model: Path, demo_draft: Path, tmp_path: Path
) -> None:
    if absent := missing():
        pytest.skip(f"what a screen reader needs is not here: {absent}")
    with screen() as display:
        own = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "PYTHONUTF8": "1"}
        with_attachment(tmp_path / "data")
        code, told = drive(dict(os.environ) | own, tmp_path / "data")
    assert code == 0, told
    assert "hear: 1, 2, 3, 4, 5" in told
