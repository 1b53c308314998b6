"""Serving the open model, with a stand-in for the server: ports, hosts, what is written down, and the end."""

import json
import os
import signal
import socket
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPlainTextEdit, QSpinBox

from app.bridge import serving as process
from app.bridge.tasks import Tasks
from app.engine.types import Failure, LoadRequest, Server
from app.figures import size
from app.library import keychain, server_keys
from app.serving import commands, ports
from app.serving.types import KEY_VARIABLE, Host, Order
from app.ui.serving import controller_window
from app.ui.serving.controller_window import HOSTFILE
from app.ui.serving.dialog import ServingDialog
from app.ui.shell.main_window import MainWindow
from app.ui.shell.places import Places
from tests.patience import WAIT_S
from tests.serving import fake
from tests.ui.desk import Desk, act, named

SECRET = "sk-very-secret-123"


@pytest.fixture(autouse=True)
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def child(order: Order, hostfile: Path) -> list[str]:
        return fake.command(order.port, tmp_path / "mode")

    monkeypatch.setattr(commands, "child", child)
    monkeypatch.setattr(process, "POLL_MS", 20)


@pytest.fixture
def window(desk: Desk, tmp_path: Path, demo_model: Path) -> MainWindow:
    """The window to serve from; a model with a folder is open."""
    desk.places = Places(tmp_path / "data", demo_model.parent)
    made = desk.ready()
    made.playground.load(LoadRequest(str(demo_model)))
    desk.qtbot.waitUntil(lambda: made.playground.state.model is not None and _folder(made) == demo_model)
    act(made, "serve_model").trigger()
    return made


def _folder(window: MainWindow) -> Path | None:
    model = window.playground.state.model
    return model.folder if model is not None else None


def press(window: MainWindow, name: str) -> None:
    button = named(window, QAbstractButton, name)
    assert button.isEnabled(), (name, button.toolTip())
    button.click()


def state(window: MainWindow) -> str:
    return named(window, QLabel, "serving_state").text()


def shown(window: MainWindow, name: str) -> str:
    return named(window, QPlainTextEdit, name).toPlainText()


def started(desk: Desk, window: MainWindow) -> int:
    """The port, once the server is ready."""
    port = ports.free(18_180)
    named(window, QSpinBox, "serving_port").setValue(port)
    press(window, "start_serving")
    desk.qtbot.waitUntil(lambda: state(window).startswith("Ready"))
    return port


def test_without_a_model_of_this_machine_nothing_is_served(desk: Desk) -> None:
    made = desk.ready()
    act(made, "serve_model").trigger()
    start = named(made, QAbstractButton, "start_serving")
    assert not start.isEnabled() and start.toolTip() == "Open a model of this machine first."


def test_it_is_started_connected_to_and_stopped(desk: Desk, window: MainWindow) -> None:
    port = started(desk, window)
    assert shown(window, "serving_address") == f"http://127.0.0.1:{port}/v1"
    assert shown(window, "serving_command").endswith(f"--port {port} --allowed-origins http://127.0.0.1:{port}")
    press(window, "connect_to_served")
    assert window.playground.state.wanted == f"http://127.0.0.1:{port}/v1#demo", "by its name, not by its place"
    address = f"http://127.0.0.1:{port}/v1"
    assert window._features.servers.kept == (Server(address, own=True),)
    assert window._features.servers.name_of(address) == "Served here", "in whichever language"
    window._features.servers.put(Server(address, "Mine"))
    window._features.servers.put(Server("http://127.0.0.1:9/v1", own=True))
    press(window, "connect_to_served")
    assert [each.name for each in window._features.servers.kept] == ["Mine", ""], "the user's own entry stays"
    press(window, "stop_serving")
    desk.qtbot.waitUntil(lambda: ports.is_free(port))
    assert state(window).startswith("Not running")


def test_a_key_goes_to_the_child_and_to_those_who_connect_and_stands_nowhere(
    desk: Desk, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[dict[str, str]] = []
    start, kept = process.ServerProcess.start, list[str]()

    def starting(self: process.ServerProcess, command: list[str], environment: dict[str, str], address: str) -> None:
        assert SECRET not in " ".join(command)
        given.append(environment)
        start(self, command, environment, address)

    monkeypatch.setattr(process.ServerProcess, "start", starting)
    monkeypatch.setattr(controller_window, "_keep", kept.append)
    field = named(window, QLineEdit, "serving_key")
    assert field.echoMode() is QLineEdit.EchoMode.Password and not field.text()
    field.insert(SECRET)  # as if typed
    port = started(desk, window)
    assert given[0][KEY_VARIABLE] == SECRET
    desk.qtbot.waitUntil(lambda: kept == [SECRET])
    assert window._features.servers.keys.of(f"http://127.0.0.1:{port}/v1") == SECRET
    line = shown(window, "serving_curl")
    assert line.endswith(f'-H "Authorization: Bearer ${KEY_VARIABLE}"')
    assert SECRET not in line + shown(window, "serving_command") + state(window) and not field.isEnabled()
    press(window, "stop_serving")
    field.clear()
    started(desk, window)
    assert KEY_VARIABLE not in given[1]
    desk.qtbot.waitUntil(lambda: kept == [SECRET, ""])
    assert not window._features.servers.keys.of(f"http://127.0.0.1:{port}/v1")


def test_a_key_that_no_header_can_hold_is_not_taken(desk: Desk, window: MainWindow) -> None:
    named(window, QLineEdit, "serving_key").insert("two words")  # as if typed: the kept one no longer takes its place
    press(window, "start_serving")
    desk.qtbot.waitUntil(lambda: "no key can have" in state(window))
    assert named(window, QAbstractButton, "start_serving").isEnabled()


@pytest.mark.parametrize(
    ("before", "key", "done"), [("", "a", "keep"), ("a", "a", ""), ("a", "", "forget"), ("", "", "")]
)
def test_the_keychain_is_told_of_changes_alone(
    monkeypatch: pytest.MonkeyPatch, before: str, key: str, done: str
) -> None:
    told: list[str] = []
    monkeypatch.setattr(keychain, "unavailable", lambda: "")
    monkeypatch.setattr(server_keys, "kept", lambda address: before)
    monkeypatch.setattr(server_keys, "keep", lambda address, key: told.append("keep"))
    monkeypatch.setattr(server_keys, "forget", lambda address: told.append("forget"))
    assert controller_window._keep(key) is None and told == [done][: bool(done)]
    monkeypatch.setattr(keychain, "unavailable", lambda: "there is none")
    assert controller_window._keep(key) is None and len(told) == bool(done)


def test_a_port_that_is_taken_is_said_before_the_start(desk: Desk, window: MainWindow) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        named(window, QSpinBox, "serving_port").setValue(port)
        press(window, "start_serving")
        desk.qtbot.waitUntil(lambda: "is taken" in state(window))
    assert f"Port {port} is taken by another program. Choose another, such as" in state(window)
    assert named(window, QAbstractButton, "start_serving").isEnabled()


def test_a_ring_on_this_machine_is_written_down_and_started(
    desk: Desk, window: MainWindow, tmp_path: Path, demo_draft: Path
) -> None:
    window.playground.load(LoadRequest(str(demo_draft)))
    desk.qtbot.waitUntil(lambda: _folder(window) == demo_draft)
    press(window, "across_machines")
    started(desk, window)
    written = json.loads((tmp_path / "data" / HOSTFILE).read_text("utf-8"))
    assert [each["ssh"] for each in written["hosts"]] == ["127.0.0.1", "127.0.0.1"]
    command = shown(window, "serving_command")
    assert command.startswith("mlx.launch --backend ring ") and str(tmp_path / "data" / HOSTFILE) in command


def test_a_ring_that_would_write_wrong_text_is_not_started(desk: Desk, window: MainWindow) -> None:
    """The demo model has five heads, which two can't share out: mlx-lm does it all the same."""
    press(window, "across_machines")
    named(window, QSpinBox, "serving_port").setValue(ports.free(18_180))
    press(window, "start_serving")
    desk.qtbot.waitUntil(lambda: "heads" in state(window))
    assert state(window).endswith("would write wrong text. Take another number of hosts.")
    assert named(window, QAbstractButton, "start_serving").isEnabled()


def test_other_machines_are_left_to_the_user_s_own_terminal(desk: Desk, window: MainWindow, tmp_path: Path) -> None:
    press(window, "across_machines")
    dialog = named(window, ServingDialog, "serving_dialog")
    dialog.hosts.show_hosts((Host("127.0.0.1", ("10.0.0.1",)), Host("studio", ("10.0.0.2",))))
    dialog.edited.emit()
    assert "For studio, run the command in a terminal" in state(window)
    assert not named(window, QAbstractButton, "start_serving").isEnabled()
    file = tmp_path / "data" / HOSTFILE
    desk.qtbot.waitUntil(lambda: file.exists() and "studio" in file.read_text("utf-8"))
    dialog.hosts.show_hosts((Host(),))
    dialog.edited.emit()
    assert state(window) == "A ring takes two processes or more. Add a host."


def test_after_a_failure_other_hosts_are_judged_and_written_down(
    desk: Desk, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command that is shown names their file."""
    dead = fake.command(ports.free(18_180), tmp_path / "mode", fake.DIES)
    monkeypatch.setattr(commands, "child", lambda order, hostfile: dead)
    press(window, "start_serving")
    desk.qtbot.waitUntil(lambda: "no such model" in state(window))
    press(window, "across_machines")
    dialog = named(window, ServingDialog, "serving_dialog")
    dialog.hosts.show_hosts((Host("127.0.0.1", ("10.0.0.1",)), Host("studio", ("10.0.0.2",))))
    dialog.edited.emit()
    assert "For studio, run the command in a terminal" in state(window)
    file = tmp_path / "data" / HOSTFILE
    desk.qtbot.waitUntil(lambda: file.exists() and "studio" in file.read_text("utf-8"))
    press(window, "across_machines")
    assert "no such model" in state(window), "that is what happened last"


def test_what_was_stopped_has_its_port_until_it_is_gone(
    desk: Desk, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The memory of a large model takes its time to be given back."""
    started(desk, window)
    assert window._features.serving.desk is not None
    child, killed, looked = window._features.serving.desk._process, list[bool](), ports.is_free
    with monkeypatch.context() as slowly:
        slowly.setattr(child._process, "kill", lambda: killed.append(True))
        press(window, "stop_serving")
    monkeypatch.setattr(ports, "is_free", lambda port: not child.pid and looked(port))
    press(window, "start_serving")
    assert killed
    child._process.kill()
    desk.qtbot.waitUntil(lambda: state(window).startswith("Ready"))


def test_a_key_that_is_still_looked_for_is_asked_for_all_the_same(
    desk: Desk, tmp_path: Path, demo_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A keychain may ask its user first; and nobody has said that the key is to be forgotten."""
    given: list[dict[str, str]] = []
    kept, may_tell = list[str](), threading.Event()

    def keychain_s(address: str) -> str:
        may_tell.wait(WAIT_S)
        return SECRET

    monkeypatch.setattr(server_keys, "kept", keychain_s)
    monkeypatch.setattr(controller_window, "_keep", kept.append)
    monkeypatch.setattr(
        process.ServerProcess, "start", lambda self, command, environment, address: given.append(environment)
    )
    desk.places = Places(tmp_path / "data", demo_model.parent)
    made = desk.ready()
    made.playground.load(LoadRequest(str(demo_model)))
    desk.qtbot.waitUntil(lambda: _folder(made) == demo_model)
    act(made, "serve_model").trigger()
    named(made, QSpinBox, "serving_port").setValue(ports.free(18_180))
    press(made, "start_serving")
    QTimer.singleShot(0, may_tell.set)
    desk.qtbot.waitUntil(lambda: bool(given) and bool(kept))
    assert given[0].get(KEY_VARIABLE) == SECRET and kept == [SECRET]
    assert named(made, QLineEdit, "serving_key").text() == SECRET


def test_another_model_changes_nothing_of_what_is_served(desk: Desk, window: MainWindow) -> None:
    started(desk, window)
    before = shown(window, "serving_command")
    window.playground.load(LoadRequest("/models/other"))
    desk.qtbot.waitUntil(lambda: _folder(window) == Path("/models/other"))
    assert shown(window, "serving_command") == before
    press(window, "stop_serving")
    assert "/models/other" in shown(window, "serving_command")


def test_a_breakdown_is_told_and_the_end_of_the_program_ends_it(desk: Desk, window: MainWindow) -> None:
    port = started(desk, window)
    assert window._features.serving.desk is not None
    child = window._features.serving.desk._process
    assert child is not None
    child.delays_s = (3600.0,)
    os.kill(child.pid, signal.SIGKILL)
    desk.qtbot.waitUntil(lambda: "broke down" in state(window))
    press(window, "stop_serving")
    press(window, "start_serving")
    desk.qtbot.waitUntil(lambda: state(window).startswith("Ready"))
    window.close()
    assert ports.is_free(port)


def test_the_hosts_that_were_named_last_are_the_ones_written_down(
    desk: Desk, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it takes to write those before."""
    begun: list[threading.Thread] = []
    may_write, is_written, write = threading.Event(), threading.Event(), controller_window._write

    def slowly(order: Order, hostfile: Path) -> Failure | None:
        begun.append(threading.current_thread())
        if len(begun) > 1:
            return write(order, hostfile)
        may_write.wait(WAIT_S)
        failure = write(order, hostfile)
        is_written.set()
        return failure

    monkeypatch.setattr(controller_window, "_write", slowly)
    press(window, "across_machines")
    dialog = named(window, ServingDialog, "serving_dialog")
    for names in (("cellar",), ("cellar", "attic")):
        dialog.hosts.show_hosts((Host("127.0.0.1", ("10.0.0.1",)), *(Host(each, ("10.0.0.2",)) for each in names)))
        dialog.edited.emit()
    desk.qtbot.waitUntil(lambda: bool(begun))
    for thread in threading.enumerate():
        if thread.name == "task" and thread is not begun[0]:
            thread.join()
    assert len(begun) == 1, "one at a time, or an earlier one could be the last"
    may_write.set()
    owners = window.findChildren(Tasks)
    desk.qtbot.waitUntil(lambda: is_written.is_set() and not any(each.waiting(HOSTFILE) for each in owners))
    assert "attic" in (tmp_path / "data" / HOSTFILE).read_text("utf-8")


def test_a_second_copy_beside_the_window_s_is_told_of_on_a_mac(
    desk: Desk, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Metal wires both, and takes none of that back."""
    plain = named(window, QLabel, "serving_plain")
    assert "wired twice" not in plain.text()
    monkeypatch.setattr("sys.platform", "darwin")
    model = window.playground.state.model
    assert model is not None
    named(window, QSpinBox, "serving_port").setValue(ports.free(18_180))
    assert f"{size(model.weights)} of memory are wired twice while it is served." in plain.text()
    assert "without Sluice's proxy" in plain.text()
