"""Keys of servers: given while the program runs, or kept in the system's keychain under the server's address."""

import threading
from urllib.parse import quote

from app.engine.types import Failure
from app.i18n import tr
from app.library import keychain

OWN = "http://127.0.0.1/v1"
"""Under which the key is kept that our own server asks for, whichever port it has."""


class ServerKeys:
    """Asked by the engine on its thread, changed by the window on its own; nothing of it is shown or written."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._given: dict[str, str] = {}
        self._read: dict[str, str] = {}
        """What the keychain said: it is a program of its own, and every run asks here."""

    def of(self, address: str, anew: bool = False) -> str:
        """The key of the server at this address; "" if none is known. `anew`: it may be in the keychain by now."""
        with self._lock:
            known = self._given.get(address)
            if known is None and not anew:
                known = self._read.get(address)
        if known is not None:
            return known
        found = kept(address)
        with self._lock:
            self._read[address] = found
        return found

    def give(self, address: str, key: str) -> None:
        """Use it until the program ends."""
        with self._lock:
            self._given[address] = key

    def forget(self, address: str) -> None:
        """Ask the keychain again."""
        with self._lock:
            self._given.pop(address, None)
            self._read.pop(address, None)


def kept(address: str) -> str:
    """What the keychain has; a keychain that can't be read has nothing, and the server then asks for the key."""
    found = keychain.read(account_of(address))
    return found if isinstance(found, str) else ""


def keep(address: str, key: str) -> Failure | None:
    """Put it into the keychain; the failure says why it is not there."""
    if keychain.TOKEN.fullmatch(key) is None:
        what = tr("The {keychain} can't keep a key with such characters in it.").format(keychain=keychain.name())
        return Failure(what, tr("It is used until Sluice quits."), kind=keychain.KIND)
    return keychain.keep(key, account_of(address))


def forget(address: str) -> Failure | None:
    """Take it out of the keychain."""
    return keychain.forget(account_of(address))


def account_of(address: str) -> str:
    """Without a character that `security` reads as its own."""
    return quote(address, safe=":/.[]")
