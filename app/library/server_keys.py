"""API keys of servers, in memory or in the system's keychain under the server's URL."""

import threading
from urllib.parse import quote

from app.engine.types import Failure
from app.i18n import tr
from app.library import keychain

OWN = "http://127.0.0.1/v1"
"""URL under which the local server's key is stored, for any port."""


class ServerKeys:
    """API keys by server URL. The engine's thread reads, the UI thread changes them; they are never shown or logged."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._given: dict[str, str] = {}
        self._read: dict[str, str] = {}
        """Cached answers of the keychain, which is a separate program."""

    def of(self, address: str, reread: bool = False) -> str:
        """Return the key of the server; empty if unknown. `reread`: read the keychain again."""
        with self._lock:
            known = self._given.get(address)
            if known is None and not reread:
                known = self._read.get(address)
        if known is not None:
            return known
        found = stored_key(address)
        with self._lock:
            self._read[address] = found
        return found

    def give(self, address: str, key: str) -> None:
        """Store a key in memory, until the program ends."""
        with self._lock:
            self._given[address] = key

    def forget(self, address: str) -> None:
        """Remove a key from memory."""
        with self._lock:
            self._given.pop(address, None)
            self._read.pop(address, None)


def stored_key(address: str) -> str:
    """Return the keychain's key; empty if it can't be read."""
    found = keychain.read(account_of(address))
    return found if isinstance(found, str) else ""


def keep(address: str, key: str) -> Failure | None:
    """Store a key in the keychain."""
    if keychain.TOKEN.fullmatch(key) is None:
        what = tr("The {keychain} can't store a key with these characters.").format(keychain=keychain.name())
        return Failure(what, tr("It is used until Sluice quits."), kind=keychain.KIND)
    return keychain.keep(key, account_of(address))


def forget(address: str) -> Failure | None:
    """Delete a key from the keychain."""
    return keychain.forget(account_of(address))


def account_of(address: str) -> str:
    """Return an account name without characters that `security` interprets."""
    return quote(address, safe=":/.[]")
