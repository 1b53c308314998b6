"""Serves the open model in a separate process, or in a ring of processes, and connects to it."""

import sys
from asyncio import Event
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.bridge.servers import Servers
from app.bridge.serving import ServerProcess
from app.bridge.tasks import Tasks
from app.engine.remote.address import reference
from app.engine.remote.exchange import KEY
from app.engine.types import Failure, Model, Server
from app.i18n import tr
from app.library import keychain, server_keys
from app.serving import commands, hosts, ports
from app.serving.types import Host, ServerConfig, ServerStage, ServerStatus
from app.ui.look import Theme
from app.ui.serving.dialog import ServingDialog
from app.ui.widgets import bring_up

HOSTFILE = "hostfile.json"
TWO_HERE = (Host(), Host())
NO_MODEL = tr("Open a local model first.")


class ServingWindowController(QObject):
    """Controller of the window. `opening` has the name of the served model."""

    opening = Signal(str)

    def __init__(self, playground: Playground, theme: Theme, data: Path, servers: Servers, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._servers = servers
        self._hostfile = data / HOSTFILE
        self._tasks = Tasks(self)
        self._proposed, self._looked_for_key = Event(), Event()
        self._dialog = ServingDialog(theme, parent)
        self._process = ServerProcess(self)
        self._served: tuple[str, ServerConfig] | None = None
        """Name and configuration of the last start."""
        self._unwritten: ServerConfig | None = None
        """Configuration whose hosts are still to be written; writes are in order."""
        self._dialog.show_port(ports.USUAL)
        self._dialog.hosts.show_hosts(TWO_HERE)
        self._listen()
        self._tasks.start(self._propose(), "port")
        self._tasks.start(self._look_for_key(), "key")

    def view(self) -> None:
        """Show the window."""
        self._refresh()
        bring_up(self._dialog)

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
        process.changed.connect(self._show_condition)
        process.logged.connect(dialog.append)
        self._playground.follow(("model",), self._refresh)

    async def _propose(self) -> None:
        """Suggest a free port, unless the user has changed it."""
        port = await self._tasks.try_in_thread(ports.free)
        if isinstance(port, int) and port and self._dialog.port == ports.USUAL:
            self._dialog.show_port(port)
            self._refresh()
        self._proposed.set()

    async def _look_for_key(self) -> None:
        found = await self._tasks.try_in_thread(server_keys.stored_key, server_keys.OWN)
        if isinstance(found, str):
            self._dialog.show_key(found)
        self._looked_for_key.set()

    def _order(self) -> tuple[str, ServerConfig] | None:
        """Return name and configuration: of the running server, else for the open model, else of the last start."""
        if self._process.condition.is_on:
            return self._served
        dialog, model = self._dialog, self._playground.state.model
        if model is not None and not model.server and model.folder.is_absolute():
            order = ServerConfig(
                str(model.folder), dialog.port, dialog.shared_by, 0, dialog.key, model.opened_by.adapter or ""
            )
            return model.full_name, order
        if self._served is None or model is None or not model.server:
            return None
        return self._served[0], replace(self._served[1], port=dialog.port, hosts=dialog.shared_by, key=dialog.key)

    def _refresh(self) -> None:
        """Show the configuration, and enable the buttons."""
        dialog, named = self._dialog, self._order()
        if named is None:
            dialog.show_model(NO_MODEL)
            dialog.show_order("", "", "")
            dialog.offer(NO_MODEL, NO_MODEL)
            return
        name, order = named
        dialog.show_model(name)
        dialog.show_duplicate(_bytes_here(self._playground.state.model, order))
        dialog.show_order(order.address, commands.shell_command(order, self._hostfile), commands.curl(order))
        condition, refusal = self._process.condition, _refusal(order)
        if not condition.is_on:
            dialog.show_condition(condition)
            if refusal:
                dialog.say(refusal)
            if order.hosts and hosts.refusal(order.hosts) is None:
                self._write_hosts(order)
        ready = condition.stage is ServerStage.READY
        dialog.offer(refusal, "" if ready else tr("Start it first, and wait until it is ready."))

    def _write_hosts(self, order: ServerConfig) -> None:
        self._unwritten = order
        if not self._tasks.is_running(HOSTFILE):
            self._tasks.start(self._write_down(), HOSTFILE)

    async def _write_down(self) -> None:
        failure = None
        while (order := self._unwritten) is not None:
            self._unwritten = None
            failure = await self._tasks.try_in_thread(_write, order, self._hostfile)
        self._tell(failure)

    def _start(self) -> None:
        named = self._order()
        if named is None:
            return
        self._dialog.say(tr("Starting …"), "muted")
        self._dialog.offer(tr("Starting …"), NO_MODEL)
        self._tasks.start(self._go(*named), "prepare")

    async def _go(self, name: str, wanted: ServerConfig) -> None:
        await self._proposed.wait()  # its refresh would hide a failure
        await self._looked_for_key.wait()  # the keychain may ask the user
        await self._process.gone()
        order = await self._tasks.try_in_thread(
            _prepare, replace(wanted, key=self._dialog.key, port=self._dialog.port), self._hostfile
        )
        if isinstance(order, Failure):
            self._refresh()
            self._tell(order)
        else:
            if self._served is not None:
                self._servers.keys.forget(self._served[1].address)
            self._served = (name, order)
            self._give_key(order)
            command = commands.child(order, self._hostfile)
            self._process.start(command, commands.environment(order), order.address)

    def _give_key(self, order: ServerConfig) -> None:
        """Store the key in memory and in the keychain."""
        if order.key:
            self._servers.keys.give(order.address, order.key)
        self._tasks.start(self._keep_key(order.key))

    async def _keep_key(self, key: str) -> None:
        self._tell(await self._tasks.complete(partial(_keep, key)))

    def _show_condition(self, condition: ServerStatus) -> None:
        self._dialog.show_condition(condition, self._served[1].address if self._served is not None else "")
        self._refresh()

    def _connect(self) -> None:
        """Add the server to the list once, and open its model; a server that the user added stays unchanged."""
        if self._served is None:
            return
        _, order = self._served
        old = next((each.address for each in self._servers.entries if each.own), "")
        if all(each.address != order.address for each in self._servers.entries):
            self._servers.put(Server(order.address, own=True), old)
        self.opening.emit(reference(order.address, order.name))

    def _tell(self, failure: object) -> None:
        if isinstance(failure, Failure):
            self._dialog.say(failure.sentence)


def _bytes_here(model: Model | None, order: ServerConfig) -> int:
    """Return the bytes that the window's own copy of the model has in Metal memory."""
    if model is None or model.server or model.on_cpu or sys.platform != "darwin":
        return 0
    return model.weights if str(model.folder) == order.folder else 0


def _refusal(order: ServerConfig) -> str:
    if not order.hosts:
        return ""
    if order.adapter:
        return tr(
            "mlx-lm serves an adapter in one process only. Remove the hosts, or open the model without the adapter."
        )
    if (failure := hosts.refusal(order.hosts)) is not None:
        return failure.sentence
    if far := hosts.elsewhere(order.hosts):
        words = tr(
            "Sluice starts processes on this computer only. For {hosts}, run the command in a terminal. It needs ssh "
            "without a password, and mlx-lm and the model at the same paths."
        )
        return words.format(hosts=", ".join(far))
    return ""


def _prepare(order: ServerConfig, hostfile: Path) -> ServerConfig | Failure:
    """Check key and port, write the hostfile, and return the configuration with the ring's ports."""
    if order.key and KEY.fullmatch(order.key) is None:
        what = tr("This key has invalid characters.")
        return Failure(what, tr("Use letters and digits, without spaces."), kind="key")
    if not ports.is_free(order.port):
        what = tr("Another program uses port {port}.").format(port=order.port)
        free = ports.free(order.port + 1) or ports.free()
        return Failure(what, tr("Choose another, such as {port}.").format(port=free), kind="port")
    if not order.hosts:
        return order
    if (failure := hosts.uneven(Path(order.folder), len(order.hosts))) is not None:
        return failure
    first = ports.free_for_ring(len(order.hosts))
    ringed = replace(order, ring_port=0 if first == ports.RING else first)
    return _write(ringed, hostfile) or ringed


def _keep(key: str) -> Failure | None:
    """Store the key in the keychain, if there is one."""
    if keychain.unavailable() or key == server_keys.stored_key(server_keys.OWN):
        return None
    return server_keys.keep(server_keys.OWN, key) if key else server_keys.forget(server_keys.OWN)


def _write(order: ServerConfig, hostfile: Path) -> Failure | None:
    try:
        hostfile.parent.mkdir(parents=True, exist_ok=True)
        hostfile.write_text(commands.hostfile_text(order), "utf-8")
    except OSError as error:
        what = tr("The list of hosts could not be written ({why}).").format(why=error)
        return Failure(what, tr("Free disk space, or choose another folder for Sluice's data."), kind="hosts")
    return None
