"""What `tests/conftest.py` forbids fails a test: leftovers, the network, warnings, lines in Qt's log."""

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QThread, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from tests import leaks, offline

TESTS = Path(__file__).parents[1]


def running_thread() -> Callable[[], object]:
    end = threading.Event()
    thread = threading.Thread(target=end.wait, name="straggler")
    thread.start()

    def put_away() -> None:
        end.set()
        thread.join()

    return put_away


def running_qthread() -> Callable[[], object]:
    thread = QThread()
    thread.start()

    def put_away() -> None:
        thread.quit()
        assert thread.wait()

    return put_away


def running_timer() -> Callable[[], object]:
    owner = QObject()
    QTimer(owner).start(3_600_000)
    return owner.deleteLater


def open_window() -> Callable[[], object]:
    return QWidget().deleteLater


@pytest.mark.parametrize(
    ("leave", "named"),
    [
        (running_thread, "thread straggler"),
        (running_qthread, "running QThread"),
        (running_timer, "running QTimer"),
        (open_window, "window QWidget"),
    ],
)
def test_leftover_of_a_test_fails_it_unless_it_is_put_away(
    qapp: QApplication, leave: Callable[[], Callable[[], object]], named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with leaks.watched():
        leave()()
    monkeypatch.setattr(leaks, "PATIENCE_S", 0.01)
    with pytest.raises(pytest.fail.Exception, match=named), leaks.watched():
        put_away = leave()
    put_away()


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("2001:db8::1", 80, 0, 0)])
def test_connection_to_another_machine_is_refused_and_fails_the_test(address: tuple[str, int]) -> None:
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    refused = pytest.raises(offline.NetworkRefusedError)
    failed = pytest.raises(pytest.fail.Exception, match="reached for the network")
    with socket.socket(family) as strange, failed, offline.checked(), refused:
        strange.connect(address)


def test_name_of_another_machine_is_not_even_looked_up() -> None:
    refused = pytest.raises(offline.NetworkRefusedError)
    with pytest.raises(pytest.fail.Exception, match=r"example\.invalid"), offline.checked(), refused:
        socket.getaddrinfo("example.invalid", 443)


def test_folders_of_the_user_are_out_of_reach() -> None:
    homes = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "HF_HOME")
    assert all("sluice-tests-" in os.environ[variable] for variable in homes)
    assert "sluice-tests-" in str(Path.home())


def test_test_modules_import_no_other_and_fix_no_random_examples() -> None:
    of_a_test = re.compile(r"^ *(?:from|import) +tests[\w.]*\.test_|^from tests[\w.]* import .*\btest_", re.MULTILINE)
    settled = re.compile(r"derandomize=|^@(?:seed|reproduce_failure)\(", re.MULTILINE)
    files = set(TESTS.rglob("*.py")) - {Path(__file__), TESTS / "conftest.py"}
    texts = {str(file.relative_to(TESTS)): file.read_text("utf-8") for file in files}
    assert [name for name, text in texts.items() if of_a_test.search(text)] == []
    assert [name for name, text in texts.items() if settled.search(text)] == []


LOUD_TESTS = """
import warnings
from PySide6.QtCore import qWarning

def test_warns():
    warnings.warn("loud", UserWarning)

def test_logs(qapp):
    qWarning("loud")

def test_raises_in_a_slot(qapp, qtbot):
    from PySide6.QtCore import QTimer
    timer = QTimer(singleShot=True)
    def fail():
        raise ValueError("loud")
    timer.timeout.connect(fail)
    with qtbot.waitSignal(timer.timeout):
        timer.start(0)
"""


@pytest.mark.slow
def test_warnings_qt_log_lines_and_errors_in_slots_fail_a_test(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    loud = tmp_path / "test_loud.py"
    loud.write_text(LOUD_TESTS, encoding="utf-8")
    settings = request.config.rootpath / "pyproject.toml"
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", str(settings), "--rootdir", str(tmp_path), str(loud)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "3 failed" in run.stdout, run.stdout
