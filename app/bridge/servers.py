"""The servers that the user knows: kept in the settings by address and name; their keys are in no file."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.engine.remote.address import host_of, is_bare, tidy
from app.engine.types import Server
from app.library.server_keys import ServerKeys


class Servers(QObject):
    """`changed` when the list is another one."""

    changed = Signal()

    def __init__(self, kept: Sequence[Server], keys: ServerKeys, parent: QObject) -> None:
        super().__init__(parent)
        # A file that was edited by hand may have anything in it.
        self.kept = tuple(each for each in kept if tidy(each.address) == each.address)
        self.keys = keys

    def at(self, address: str) -> Server:
        """The one at this address; one without a name if it is on no list."""
        return next((each for each in self.kept if each.address == address), Server(address))

    def name_of(self, address: str) -> str:
        """What people call it."""
        return self.at(address).called or host_of(address)

    def put(self, server: Server, instead_of: str = "") -> None:
        """On the list: in the place of the one at that address, or of the same address, or at the end."""
        places = [each.address for each in self.kept]
        old = instead_of if instead_of in places else server.address
        others = [each for each in self.kept if each.address not in (old, server.address)]
        others.insert(places.index(old) if old in places else len(others), server)
        self.kept = tuple(others)
        self.changed.emit()

    def remove(self, server: Server) -> None:
        """Off the list, and its key out of memory."""
        self.kept = tuple(each for each in self.kept if each.address != server.address)
        self.keys.forget(server.address)
        self.changed.emit()


def wants_warning(server: Server) -> bool:
    """Whether its user is still to be told that what goes there can be read on the way."""
    return is_bare(server.address) and not server.accepted
