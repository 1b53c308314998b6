"""The discipline of `tests/conftest.py` bites: whatever a test leaves behind, or says in Qt's log, fails it."""

import gc
import inspect
import os
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import settings
from PySide6.QtCore import QEventLoop, QObject, QThread, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests import leaks, offline
from tests.patience import WAIT_MS

HOUR_MS = 3_600_000
TESTS = Path(__file__).parents[1]


def modules_of_tests() -> list[Path]:
    """All but this one, which names what the others may not do."""
    return sorted(file for file in TESTS.rglob("test_*.py") if file != Path(__file__))


def test_a_thread_left_running_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks, "PATIENCE_S", 0.01)
    end = threading.Event()
    thread = threading.Thread(target=end.wait, name="straggler")
    with pytest.raises(pytest.fail.Exception, match="thread straggler"), leaks.watched():
        thread.start()
    end.set()
    thread.join()


def test_a_timer_left_running_is_found(qapp: QApplication) -> None:
    owner = QObject()
    timer = QTimer(owner)
    timer.setObjectName("metronome")
    with pytest.raises(pytest.fail.Exception, match="running QTimer 'metronome'"), leaks.watched():
        timer.start(HOUR_MS)
    timer.stop()


def test_a_qthread_left_running_is_found(qapp: QApplication) -> None:
    thread = QThread()
    thread.setObjectName("worker")
    with pytest.raises(pytest.fail.Exception, match="running QThread 'worker'"), leaks.watched():
        thread.start()
    thread.quit()
    assert thread.wait()


def test_a_window_left_open_is_found(qapp: QApplication) -> None:
    windows: list[QWidget] = []
    with pytest.raises(pytest.fail.Exception, match="window QWidget 'forgotten'"), leaks.watched():
        windows.append(QWidget())
        windows[0].setObjectName("forgotten")
    windows.pop().deleteLater()


def test_a_test_that_leaves_the_garbage_to_nobody_fails() -> None:
    with pytest.raises(pytest.fail.Exception, match="garbage that nobody collects"), leaks.watched():
        gc.disable()
    gc.enable()


def test_what_is_put_away_is_no_leak(qapp: QApplication) -> None:
    with leaks.watched():
        thread = QThread()
        thread.start()
        timer = QTimer()
        timer.start(HOUR_MS)
        window = QWidget()
        window.show()
        timer.stop()
        thread.quit()
        assert thread.wait()
        window.deleteLater()
        helper = threading.Thread(target=QEventLoop)
        helper.start()


def test_collections_are_short_because_the_libraries_are_set_aside() -> None:
    """Whatever the program freezes and thaws beside it."""
    gc.unfreeze()
    assert gc.get_freeze_count() > len(gc.get_objects())


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("2001:db8::1", 80, 0, 0)])
def test_a_connection_to_a_stranger_is_refused_and_told(address: tuple[str, int]) -> None:
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    refused = pytest.raises(offline.NetworkRefusedError)
    told = pytest.raises(pytest.fail.Exception, match="reached for the network")
    with socket.socket(family) as strange, told, offline.checked(), refused:
        strange.connect(address)


def test_a_name_is_not_even_looked_up() -> None:
    refused = pytest.raises(offline.NetworkRefusedError)
    with pytest.raises(pytest.fail.Exception, match=r"example\.invalid"), offline.checked(), refused:
        socket.getaddrinfo("example.invalid", 443)


def test_this_machine_may_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()


def test_the_user_s_own_places_are_out_of_reach() -> None:
    homes = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "HF_HOME")
    assert all("sluice-tests-" in os.environ[variable] for variable in homes)
    assert "sluice-tests-" in str(Path.home())


@pytest.mark.parametrize("name", ["waitUntil", "waitSignal", "waitSignals", "waitExposed", "waitActive"])
def test_a_wait_is_patient_unless_it_is_told_otherwise(name: str) -> None:
    assert inspect.signature(getattr(QtBot, name)).parameters["timeout"].default == WAIT_MS


def test_examples_are_the_same_each_time_unless_others_are_asked_for() -> None:
    assert settings.get_profile("same").derandomize
    assert not settings.get_profile("random").derandomize
    assert settings.default is not None
    assert settings.default.derandomize is (os.environ.get("SLUICE_EXAMPLES", "same") == "same")


def test_no_test_decides_by_itself_whether_its_examples_are_random() -> None:
    settled = re.compile(r"derandomize=|^@(?:seed|reproduce_failure)\(", re.MULTILINE)
    assert [str(file) for file in modules_of_tests() if settled.search(file.read_text("utf-8"))] == []


def test_no_test_is_imported_by_another_and_no_fixture_by_its_name() -> None:
    """What several share stands in a module that is no test, and a fixture in a conftest.py above them."""
    of_a_test = re.compile(r"^ *(?:from|import) +tests[\w.]*\.test_|^from tests[\w.]* import .*\btest_", re.MULTILINE)
    modules = [file for file in TESTS.rglob("*.py") if file != Path(__file__)]
    texts = {str(file.relative_to(TESTS)): file.read_text("utf-8") for file in modules}
    assert [name for name, text in texts.items() if of_a_test.search(text)] == []
    assert [name for name, text in texts.items() if re.search(r"^__all__\b", text, re.MULTILINE)] == []
    fixtures = {name for text in texts.values() for name in re.findall(r"@pytest\.fixture.*\ndef (\w+)\(", text)}
    taken = re.compile(r"^from tests[\w.]*\bconftest import (.*)", re.MULTILINE)
    for name, text in texts.items():
        imported = {each for line in taken.findall(text) for each in re.findall(r"\w+", line)}
        assert imported.isdisjoint(fixtures), name


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


def test_warnings_and_qt_s_log_lines_fail(request: pytest.FixtureRequest, tmp_path: Path) -> None:
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
