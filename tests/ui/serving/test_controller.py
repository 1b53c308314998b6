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
from app.bridge.model_sources import Servers
from app.bridge.tasks import Tasks
from app.engine.types import Failure, LoadRequest, Server
from app.library import keychain
from app.library.keychain import ServerKeys
from app.number_format import size
from app.serving import commands, hosts
from app.serving.types import KEY_VARIABLE, RingHost, ServerConfig
from app.ui.look.theme import Theme
from app.ui.serving import controller_window
from app.ui.serving.controller import ServingController
from app.ui.serving.controller_window import HOSTFILE
from app.ui.serving.dialog import ServingDialog
from app.ui.serving.strip import ServerStrip
from tests.late import held_back
from tests.patience import WAIT_S
from tests.ports import free_port
from tests.serving import fake
from tests.ui.alone import Alone
from tests.ui.desk import button, named, words

SECRET = "sk-very-secret-123"


@pytest.fixture(autouse=True)
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def child(order: ServerConfig, hostfile: Path) -> list[str]:
        return fake.command(order.port, tmp_path / "mode")

    monkeypatch.setattr(commands, "child", child)
    monkeypatch.setattr(process, "POLL_MS", 20)


class Serving:
    """The controller in a window of its own."""

    def __init__(self, window: Alone, theme: Theme, data: Path) -> None:
        self.window, self.playground, self.until = window, window.playground, window.until
        self.servers = Servers((), ServerKeys(), window)
        self.strip = ServerStrip(theme)
        self.strip.setParent(window)
        made = ServingController(self.playground, theme, data, self.servers, window, strip=self.strip)
        self.controller = window.add(made)

    def open(self, folder: Path) -> None:
        """Open the model of this folder, then the window."""
        self.load(folder)
        self.controller.view()

    def load(self, folder: Path) -> None:
        self.playground.load(LoadRequest(str(folder)))
        self.until(lambda: self.playground.state.model is not None and self.playground.state.model.folder == folder)

    @property
    def state(self) -> str:
        return words(self.window, "serving_state")

    def button(self, name: str) -> QAbstractButton:
        return button(self.window, name)

    def press(self, name: str) -> None:
        button = self.button(name)
        assert button.isEnabled(), (name, button.toolTip())
        button.click()

    def shown(self, name: str) -> str:
        return named(self.window, QPlainTextEdit, name).toPlainText()

    def choose_port(self) -> int:
        port = free_port()
        named(self.window, QSpinBox, "serving_port").setValue(port)
        return port

    def start(self) -> int:
        """The port, once the server is ready."""
        port = self.choose_port()
        self.press("start_serving")
        self.until(lambda: self.state.startswith("Ready"))
        return port

    def show_hosts(self, *hosts: RingHost) -> None:
        dialog = named(self.window, ServingDialog, "serving_dialog")
        dialog.hosts.show_hosts(hosts)
        dialog.edited.emit()


@pytest.fixture
def closed(alone: Alone, theme: Theme, tmp_path: Path) -> Serving:
    """The window is not open yet."""
    return Serving(alone, theme, tmp_path / "data")


@pytest.fixture
def serving(closed: Serving, demo_model: Path) -> Serving:
    closed.controller.view()
    assert closed.button("start_serving").toolTip() == "Open a local model first."
    assert not closed.button("start_serving").isEnabled()
    closed.open(demo_model)
    return closed


def test_serving_starts_connects_and_stops(serving: Serving) -> None:
    opening: list[str] = []
    serving.controller.open_wanted.connect(opening.append)
    port = serving.start()
    assert serving.shown("serving_address") == f"http://127.0.0.1:{port}/v1"
    assert serving.shown("serving_command").endswith(f"--port {port} --allowed-origins http://127.0.0.1:{port}")
    serving.press("connect_to_served")
    assert opening == [f"http://127.0.0.1:{port}/v1#demo"]
    address = f"http://127.0.0.1:{port}/v1"
    assert serving.servers.entries == (Server(address, own=True),)
    assert serving.servers.name_of(address) == "Served here"
    serving.servers.put(Server(address, "Mine"))
    serving.servers.put(Server("http://127.0.0.1:9/v1", own=True))
    serving.press("connect_to_served")
    assert [each.name for each in serving.servers.entries] == ["Mine", ""], "the user's own entry stays"
    shown = words(serving.window, "server_words")
    assert shown.startswith(f"Serving echo at {address}") and shown.endswith("in its own process")
    serving.press("server_stop")
    serving.until(lambda: hosts.is_free(port))
    assert serving.state.startswith("Not running")
    assert not serving.strip.isVisibleTo(serving.window)


def test_serving_key_reaches_child_and_clients_only(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, str]] = []
    start, kept = process.ServerProcess.start, list[str]()

    def starting(self: process.ServerProcess, command: list[str], environment: dict[str, str], address: str) -> None:
        assert SECRET not in " ".join(command)
        given.append(environment)
        start(self, command, environment, address)

    monkeypatch.setattr(process.ServerProcess, "start", starting)
    monkeypatch.setattr(controller_window, "_store", kept.append)
    field = named(serving.window, QLineEdit, "serving_key")
    assert field.echoMode() is QLineEdit.EchoMode.Password and not field.text()
    field.insert(SECRET)  # as if typed
    port = serving.start()
    assert given[0][KEY_VARIABLE] == SECRET
    serving.until(lambda: kept == [SECRET])
    assert serving.servers.keys.of(f"http://127.0.0.1:{port}/v1") == SECRET
    line = serving.shown("serving_curl")
    assert line.endswith(f'-H "Authorization: Bearer ${KEY_VARIABLE}"')
    assert SECRET not in line + serving.shown("serving_command") + serving.state and not field.isEnabled()
    serving.press("stop_serving")
    field.clear()
    serving.start()
    assert KEY_VARIABLE not in given[1]
    serving.until(lambda: kept == [SECRET, ""])
    assert not serving.servers.keys.of(f"http://127.0.0.1:{port}/v1")


def test_serving_invalid_key_is_refused(serving: Serving) -> None:
    # As if typed: the kept key no longer takes its place.
    named(serving.window, QLineEdit, "serving_key").insert("two words")
    serving.press("start_serving")
    serving.until(lambda: "invalid characters" in serving.state)
    assert serving.button("start_serving").isEnabled()


@pytest.mark.parametrize(
    ("before", "key", "done"), [("", "a", "keep"), ("a", "a", ""), ("a", "", "forget"), ("", "", "")]
)
def test_serving_unchanged_key_is_not_stored_again(
    monkeypatch: pytest.MonkeyPatch, before: str, key: str, done: str
) -> None:
    told: list[str] = []
    monkeypatch.setattr(keychain, "unavailable", lambda: "")
    monkeypatch.setattr(keychain, "stored_key", lambda address: before)
    monkeypatch.setattr(keychain, "store_key", lambda address, key: told.append("keep"))
    monkeypatch.setattr(keychain, "delete_key", lambda address: told.append("forget"))
    assert controller_window._store(key) is None and told == [done][: bool(done)]
    monkeypatch.setattr(keychain, "unavailable", lambda: "there is none")
    assert controller_window._store(key) is None and len(told) == bool(done)


def test_serving_used_port_is_refused(serving: Serving) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        named(serving.window, QSpinBox, "serving_port").setValue(port)
        serving.press("start_serving")
        serving.until(lambda: "Another program uses" in serving.state)
    assert f"Another program uses port {port}. Choose another, such as" in serving.state
    assert serving.button("start_serving").isEnabled()


def test_serving_local_ring_writes_hosts_and_starts(serving: Serving, tmp_path: Path, demo_draft: Path) -> None:
    serving.load(demo_draft)
    serving.press("across_machines")
    serving.start()
    written = json.loads((tmp_path / "data" / HOSTFILE).read_text("utf-8"))
    assert [each["ssh"] for each in written["hosts"]] == ["127.0.0.1", "127.0.0.1"]
    command = serving.shown("serving_command")
    assert command.startswith("mlx.launch --backend ring ") and str(tmp_path / "data" / HOSTFILE) in command


def test_serving_uneven_ring_is_refused(serving: Serving) -> None:
    """The demo model has five heads. mlx-lm itself starts two processes with them."""
    serving.press("across_machines")
    serving.choose_port()
    serving.press("start_serving")
    serving.until(lambda: "heads" in serving.state)
    assert serving.state.endswith("of this model evenly. Use another number of hosts.")
    assert serving.button("start_serving").isEnabled()


def test_serving_remote_hosts_need_a_terminal(
    serving: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after a failure, since the command names the file of hosts."""
    dead = fake.command(free_port(), tmp_path / "mode", fake.DIES)
    monkeypatch.setattr(commands, "child", lambda order, hostfile: dead)
    serving.press("start_serving")
    serving.until(lambda: "no such model" in serving.state)
    serving.press("across_machines")
    serving.show_hosts(RingHost("127.0.0.1", ("10.0.0.1",)), RingHost("studio", ("10.0.0.2",)))
    assert "For studio, run the command in a terminal" in serving.state
    assert not serving.button("start_serving").isEnabled()
    file = tmp_path / "data" / HOSTFILE
    serving.until(lambda: file.exists() and "studio" in file.read_text("utf-8"))
    serving.show_hosts(RingHost())
    assert serving.state == "A ring needs at least two processes. Add a host."
    serving.press("across_machines")
    assert "no such model" in serving.state, "the last failure"


def test_serving_restart_waits_for_the_old_process(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    serving.start()
    assert serving.controller.window_controller is not None
    server, killed, looked = serving.controller.window_controller._process, list[bool](), hosts.is_free
    child = server._child
    assert child is not None
    with monkeypatch.context() as slowly:
        slowly.setattr(child, "kill", lambda: killed.append(True))
        serving.press("stop_serving")
    monkeypatch.setattr(hosts, "is_free", lambda port: not server.pid and looked(port))
    serving.press("start_serving")
    assert killed
    child.kill()
    serving.until(lambda: serving.state.startswith("Ready"))


def test_serving_start_waits_for_the_keychain(
    closed: Serving, demo_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A keychain may ask the user first."""
    given: list[dict[str, str]] = []
    kept = list[str]()
    may_read, read = held_back(lambda address: SECRET)
    monkeypatch.setattr(keychain, "stored_key", read)
    monkeypatch.setattr(controller_window, "_store", kept.append)
    monkeypatch.setattr(
        process.ServerProcess, "start", lambda self, command, environment, address: given.append(environment)
    )
    closed.open(demo_model)
    closed.choose_port()
    closed.press("start_serving")
    QTimer.singleShot(0, may_read.set)
    closed.until(lambda: bool(given) and bool(kept))
    assert given[0].get(KEY_VARIABLE) == SECRET and kept == [SECRET]
    assert named(closed.window, QLineEdit, "serving_key").text() == SECRET


def test_serving_another_model_keeps_the_server(serving: Serving) -> None:
    serving.start()
    before = serving.shown("serving_command")
    serving.load(Path("/models/other"))
    assert serving.shown("serving_command") == before
    serving.press("stop_serving")
    assert "/models/other" in serving.shown("serving_command")


def test_serving_failure_is_shown_and_close_ends_it(serving: Serving) -> None:
    port = serving.start()
    assert serving.controller.window_controller is not None
    child = serving.controller.window_controller._process
    assert child is not None
    child.delays_s = (3600.0,)
    os.kill(child.pid, signal.SIGKILL)
    serving.until(lambda: "server ended" in serving.state)
    serving.press("stop_serving")
    serving.press("start_serving")
    serving.until(lambda: serving.state.startswith("Ready"))
    serving.window.leave()
    assert hosts.is_free(port)


def test_serving_hosts_written_last_are_the_latest(
    serving: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[threading.Thread] = []
    gate, is_written, write = threading.Event(), threading.Event(), controller_window._write

    def slowly(order: ServerConfig, hostfile: Path) -> Failure | None:
        begun.append(threading.current_thread())
        if len(begun) > 1:
            return write(order, hostfile)
        gate.wait(WAIT_S)
        failure = write(order, hostfile)
        is_written.set()
        return failure

    monkeypatch.setattr(controller_window, "_write", slowly)
    serving.press("across_machines")
    for names in (("cellar",), ("cellar", "attic")):
        serving.show_hosts(RingHost("127.0.0.1", ("10.0.0.1",)), *(RingHost(each, ("10.0.0.2",)) for each in names))
    serving.until(lambda: bool(begun))
    for thread in threading.enumerate():
        if thread.name == "task" and thread is not begun[0]:
            thread.join()
    assert len(begun) == 1, "one at a time, or an earlier one could be the last"
    gate.set()
    owners = serving.window.findChildren(Tasks)
    serving.until(lambda: is_written.is_set() and not any(each.is_running(HOSTFILE) for each in owners))
    assert "attic" in (tmp_path / "data" / HOSTFILE).read_text("utf-8")


def test_serving_on_a_mac_warns_of_a_second_copy(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = named(serving.window, QLabel, "serving_plain")
    assert "in memory twice" not in plain.text()
    monkeypatch.setattr("sys.platform", "darwin")
    model = serving.playground.state.model
    assert model is not None
    serving.choose_port()
    assert f"Sluice itself uses {size(model.weights)} for it." in plain.text()
    assert "without Sluice's proxy" in plain.text()
