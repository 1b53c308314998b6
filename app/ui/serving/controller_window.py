"""Serves the open model in a separate process, or in a ring of processes, and connects to it."""

import sys
from asyncio import Event
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.bridge.model_sources import Servers
from app.bridge.playground import Playground
from app.bridge.serving import ServerProcess
from app.bridge.tasks import Tasks
from app.engine.remote.address import reference
from app.engine.remote.exchange import KEY
from app.engine.types import Failure, Model, Server
from app.i18n import tr
from app.library import keychain
from app.serving import commands, hosts
from app.serving.types import RingHost, ServerConfig, ServerStage, ServerStatus
from app.ui.look import Theme
from app.ui.serving.dialog import ServingDialog
from app.ui.widgets import bring_up

HOSTFILE = "hostfile.json"
TWO_HERE = (RingHost(), RingHost())
NO_MODEL = tr("Open a local model first.")


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A running server. `process` is 0 if its memory isn't that of one process."""

    model: str
    address: str
    process: int


class ServingWindowController(QObject):
    """Controller of the window. `open_wanted` has the name of the served model."""

    open_wanted = Signal(str)
    changed = Signal()
    """`running` has changed."""

    def __init__(self, playground: Playground, theme: Theme, data: Path, servers: Servers, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._servers = servers
        self._hostfile = data / HOSTFILE
        self._tasks = Tasks(self)
        self._port_ready, self._key_ready = Event(), Event()
        self._dialog = ServingDialog(theme, parent)
        self._process = ServerProcess(self)
        self._served: tuple[str, ServerConfig] | None = None
        """Name and configuration of the last start."""
        self._unwritten: ServerConfig | None = None
        """Configuration whose hosts are still to be written; writes are in order."""
        self._dialog.show_port(hosts.USUAL)
        self._dialog.hosts.show_hosts(TWO_HERE)
        self._listen()
        self._tasks.start(self._suggest_port(), "port")
        self._tasks.start(self._load_key(), "key")

    def view(self) -> None:
        self._refresh()
        bring_up(self._dialog)

    @property
    def running(self) -> RunningServer | None:
        """The server, while it is on."""
        if self._served is None or not self._process.condition.is_on:
            return None
        name, config = self._served
        # The processes of a ring are children of another program.
        return RunningServer(name, config.address, 0 if config.hosts else self._process.pid)

    def stop(self) -> None:
        self._process.stop()

    def close(self) -> None:
        """End the server with the program."""
        self._tasks.close()
        self._process.close()
        self._dialog.close()

    def _listen(self) -> None:
        dialog, process = self._dialog, self._process
        dialog.start_wanted.connect(self._start)
        dialog.stop_wanted.connect(process.stop)
        dialog.connect_wanted.connect(self._connect)
        dialog.edited.connect(self._refresh)
        process.changed.connect(self._show_status)
        process.logged.connect(dialog.append)
        self._playground.follow(("model",), self._refresh)

    async def _suggest_port(self) -> None:
        """Suggest a free port, unless the user has changed it."""
        port = await self._tasks.try_in_thread(hosts.free_port)
        if isinstance(port, int) and port and self._dialog.port == hosts.USUAL:
            self._dialog.show_port(port)
            self._refresh()
        self._port_ready.set()

    async def _load_key(self) -> None:
        found = await self._tasks.try_in_thread(keychain.stored_key, keychain.OWN)
        if isinstance(found, str):
            self._dialog.show_key(found)
        self._key_ready.set()

    def _config(self) -> tuple[str, ServerConfig] | None:
        """Return name and configuration: of the running server, else for the open model, else of the last start."""
        if self._process.condition.is_on:
            return self._served
        dialog, model = self._dialog, self._playground.state.model
        if model is not None and not model.server and model.folder.is_absolute():
            adapter, keeps_packed = model.opened_by.adapter or "", self._playground.tuning.keeps_packed
            config = ServerConfig(
                str(model.folder), dialog.port, dialog.shared_by, 0, dialog.key, adapter, keeps_packed
            )
            return model.full_name, config
        if self._served is None or model is None or not model.server:
            return None
        return self._served[0], replace(self._served[1], port=dialog.port, hosts=dialog.shared_by, key=dialog.key)

    def _refresh(self) -> None:
        """Show the configuration, and enable the buttons."""
        dialog, found = self._dialog, self._config()
        if found is None:
            dialog.show_model(NO_MODEL)
            dialog.show_commands("", "", "")
            dialog.enable(NO_MODEL, NO_MODEL)
            return
        name, config = found
        dialog.show_model(name)
        dialog.show_duplicate(_bytes_here(self._playground.state.model, config))
        dialog.show_commands(config.address, commands.shell_command(config, self._hostfile), commands.curl(config))
        condition, refusal = self._process.condition, _refusal(config)
        if not condition.is_on:
            dialog.show_status(condition)
            if refusal:
                dialog.say(refusal)
            if config.hosts and hosts.hosts_failure(config.hosts) is None:
                self._write_hosts(config)
        ready = condition.stage is ServerStage.READY
        dialog.enable(refusal, "" if ready else tr("Start it first, and wait until it is ready."))

    def _write_hosts(self, config: ServerConfig) -> None:
        self._unwritten = config
        if not self._tasks.is_running(HOSTFILE):
            self._tasks.start(self._write_pending(), HOSTFILE)

    async def _write_pending(self) -> None:
        failure = None
        while (config := self._unwritten) is not None:
            self._unwritten = None
            failure = await self._tasks.try_in_thread(_write, config, self._hostfile)
        self._show_failure(failure)

    def _start(self) -> None:
        found = self._config()
        if found is None:
            return
        self._dialog.say(tr("Starting …"), "muted")
        self._dialog.enable(tr("Starting …"), NO_MODEL)
        self._tasks.start(self._start_prepared(*found), "prepare")

    async def _start_prepared(self, name: str, wanted: ServerConfig) -> None:
        await self._port_ready.wait()  # its refresh would hide a failure
        await self._key_ready.wait()  # the keychain may ask the user
        await self._process.gone()
        config = await self._tasks.try_in_thread(
            _prepare, replace(wanted, key=self._dialog.key, port=self._dialog.port), self._hostfile
        )
        if isinstance(config, Failure):
            self._refresh()
            self._show_failure(config)
        else:
            if self._served is not None:
                self._servers.keys.forget(self._served[1].address)
            self._served = (name, config)
            if config.key:
                self._servers.keys.give(config.address, config.key)
            self._tasks.start(self._store_key(config.key))
            command = commands.child(config, self._hostfile)
            self._process.start(command, commands.environment(config), config.address)

    async def _store_key(self, key: str) -> None:
        self._show_failure(await self._tasks.complete(partial(_store, key)))

    def _show_status(self, status: ServerStatus) -> None:
        self._dialog.show_status(status, self._served[1].address if self._served is not None else "")
        self._refresh()
        if not status.is_on:
            for entry in self._servers.entries:
                if entry.own:
                    self._servers.remove(entry)
        self.changed.emit()

    def _connect(self) -> None:
        """Add the server to the list once, and open its model; a server that the user added stays unchanged."""
        if self._served is None:
            return
        _, config = self._served
        old = next((each.address for each in self._servers.entries if each.own), "")
        if all(each.address != config.address for each in self._servers.entries):
            self._servers.put(Server(config.address, own=True), old)
        self.open_wanted.emit(reference(config.address, config.name))

    def _show_failure(self, failure: object) -> None:
        if isinstance(failure, Failure):
            self._dialog.say(failure.sentence)


def _bytes_here(model: Model | None, config: ServerConfig) -> int:
    """Return the bytes that the window's own copy of the model has in Metal memory."""
    if model is None or model.server or model.on_cpu or sys.platform != "darwin":
        return 0
    return model.weights if str(model.folder) == config.folder else 0


def _refusal(config: ServerConfig) -> str:
    if not config.hosts:
        return ""
    if config.adapter:
        return tr(
            "mlx-lm serves an adapter in one process only. Remove the hosts, or open the model without the adapter."
        )
    if (failure := hosts.hosts_failure(config.hosts)) is not None:
        return failure.sentence
    if far := hosts.remote_hosts(config.hosts):
        words = tr(
            "Sluice starts processes on this computer only. For {hosts}, run the command in a terminal. It needs ssh "
            "without a password, and mlx-lm and the model at the same paths."
        )
        return words.format(hosts=", ".join(far))
    return ""


def _prepare(config: ServerConfig, hostfile: Path) -> ServerConfig | Failure:
    """Check key and port, write the hostfile, and return the configuration with the ring's ports."""
    if config.key and KEY.fullmatch(config.key) is None:
        what = tr("This key has invalid characters.")
        return Failure(what, tr("Use letters and digits, without spaces."), kind="key")
    if not hosts.is_free(config.port):
        what = tr("Another program uses port {port}.").format(port=config.port)
        free = hosts.free_port(config.port + 1) or hosts.free_port()
        return Failure(what, tr("Choose another, such as {port}.").format(port=free), kind="port")
    if not config.hosts:
        return config
    if (failure := hosts.split_failure(Path(config.folder), len(config.hosts))) is not None:
        return failure
    first = hosts.free_ring_port(len(config.hosts))
    ringed = replace(config, ring_port=0 if first == hosts.RING else first)
    return _write(ringed, hostfile) or ringed


def _store(key: str) -> Failure | None:
    """Store the key in the keychain, if there is one."""
    if keychain.unavailable() or key == keychain.stored_key(keychain.OWN):
        return None
    return keychain.store_key(keychain.OWN, key) if key else keychain.delete_key(keychain.OWN)


def _write(config: ServerConfig, hostfile: Path) -> Failure | None:
    try:
        hostfile.parent.mkdir(parents=True, exist_ok=True)
        hostfile.write_text(commands.hostfile_text(config), "utf-8")
    except OSError as error:
        what = tr("The list of hosts could not be written ({why}).").format(why=error)
        return Failure(what, tr("Free disk space, or choose another folder for Sluice's data."), kind="hosts")
    return None
