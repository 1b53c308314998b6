"""The user's lists of servers and of model folders, stored in the settings."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.engine.remote.address import host_of, is_unencrypted, tidy
from app.engine.types import Server
from app.library.keychain import ServerKeys


class Servers(QObject):
    """The list of servers. Emits `changed` when it changes."""

    changed = Signal()

    def __init__(self, entries: Sequence[Server], keys: ServerKeys, parent: QObject) -> None:
        super().__init__(parent)
        # The file may have been edited.
        self.entries = tuple(each for each in entries if tidy(each.address) == each.address)
        self.keys = keys

    def at(self, address: str) -> Server:
        """Return the server at this address; an unnamed one if it isn't listed."""
        return next((each for each in self.entries if each.address == address), Server(address))

    def name_of(self, address: str) -> str:
        """Return the name of a server, or its host if it has none."""
        return self.at(address).called or host_of(address)

    def put(self, server: Server, instead_of: str = "") -> None:
        """Add a server: in place of the one at `instead_of`, of the one at the same address, or at the end."""
        addresses = [each.address for each in self.entries]
        old = instead_of if instead_of in addresses else server.address
        others = [each for each in self.entries if each.address not in (old, server.address)]
        others.insert(addresses.index(old) if old in addresses else len(others), server)
        self.entries = tuple(others)
        self.changed.emit()

    def remove(self, server: Server) -> None:
        self.entries = tuple(each for each in self.entries if each.address != server.address)
        self.keys.forget(server.address)
        self.changed.emit()


def wants_warning(server: Server) -> bool:
    """Return whether to warn that the connection is not encrypted."""
    return is_unencrypted(server.address) and not server.accepted


class ModelFolders(QObject):
    """The list of model folders. Emits `changed` when it changes. Never deletes files."""

    changed = Signal()

    def __init__(self, names: tuple[str, ...], parent: QObject) -> None:
        super().__init__(parent)
        self.names = names

    def add(self, folder: Path) -> None:
        name = str(folder.absolute())
        if name not in self.names:
            self.set_folders((*self.names, name))

    def remove(self, *folders: str) -> None:
        self.set_folders(tuple(name for name in self.names if name not in folders))

    def set_folders(self, folders: tuple[str, ...]) -> None:
        if folders != self.names:
            self.names = folders
            self.changed.emit()
