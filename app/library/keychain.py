"""The hub's token and the servers' API keys: in memory, and in the system's keychain.

`security` on macOS and `secret-tool` on Linux get a token through a pipe, never as an argument, and no message quotes
it. The macOS code follows Apple's documentation; it has not been run on a Mac.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from app.engine.errors import details_of
from app.engine.types import Failure
from app.i18n import tr

SERVICE, ACCOUNT = "Sluice", "huggingface"
ON_A_MAC = sys.platform == "darwin"
SECURITY = "/usr/bin/security"
SECRET_TOOL = "secret-tool"
TIMEOUT_S = 60.0
"""Timeout in seconds, since the user may have to type the password of a locked keychain."""
BUS_TIMEOUT_S = 1.0
TOKEN = re.compile(r"[!#-&(-\[\]-~]{1,1000}")
"""Pattern of a token: printable, without characters that `security` interprets, and within its line length."""
ANY_TOKEN = re.compile(r"\bhf_\w+")
ABSENT = 44
"""Exit code of `security` for a missing item."""
UNASKED = -1
CAUSE_CHARACTERS = 160
KIND = "keychain"

Done = subprocess.CompletedProcess[str]


class _Commands(NamedTuple):
    read: tuple[str, ...]
    keep: tuple[str, ...]
    forget: tuple[str, ...]


def name() -> str:
    return tr("Keychain") if ON_A_MAC else tr("keyring")


def unavailable() -> str:
    """Return why the keychain can't be used, as a clause; empty if it can."""
    if ON_A_MAC:
        return "" if Path(SECURITY).is_file() else tr("{program} is missing").format(program=SECURITY)
    if shutil.which(SECRET_TOOL) is None:
        return tr("secret-tool is not installed")
    return "" if _bus_answers() else tr("the D-Bus session bus doesn't answer")


def read(account: str = ACCOUNT) -> str | Failure | None:
    """Return the stored token; None if there is none; a Failure if reading fails."""
    done = _run(_commands(account).read)
    token = done.stdout.strip()
    if _absent(done) or (done.returncode == 0 and not token):
        return None
    if done.returncode != 0:
        what = tr("The {keychain} could not be read ({why}).")
        return _failure(what, tr("A token that you enter is used until Sluice quits."), done)
    if TOKEN.fullmatch(token) is None:
        what = tr("The {keychain} item of Sluice is not a token.").format(keychain=name())
        return Failure(what, tr("Press Forget, and enter a token."), kind=KIND)
    return token


def keep(token: str, account: str = ACCOUNT) -> Failure | None:
    """Store a token, and read it back to verify."""
    if TOKEN.fullmatch(token) is None:
        what = tr("This is not a valid token, so it is not stored.")
        return Failure(what, tr("Copy it from the hub again."), kind=KIND)
    order = f"add-generic-password -U -s {SERVICE} -a {account} -w {token}\n"
    done = _run(_commands(account).keep, order if ON_A_MAC else token)
    todo = tr("It is used until Sluice quits.")
    if done.returncode != 0:
        return _failure(tr("The {keychain} did not store the token ({why})."), todo, done, token)
    back = read(account)
    if isinstance(back, Failure):
        return back
    what = tr("The {keychain} has not stored the token.").format(keychain=name())
    return None if back == token else Failure(what, todo, kind=KIND)


def forget(account: str = ACCOUNT) -> Failure | None:
    """Delete the token; a missing one is no failure."""
    done = _run(_commands(account).forget)
    if done.returncode == 0 or _absent(done):
        return None
    what = tr("The {keychain} did not delete the token ({why}).")
    return _failure(what, tr("Press Forget again, or delete the item “Sluice” in the keychain."), done)


def _commands(account: str) -> _Commands:
    if ON_A_MAC:
        item = ("-s", SERVICE, "-a", account)
        read = (SECURITY, "find-generic-password", *item, "-w")
        return _Commands(read, (SECURITY, "-i"), (SECURITY, "delete-generic-password", *item))
    item = ("service", SERVICE, "account", account)
    label = tr("Sluice: token for the Hugging Face hub")
    if account != ACCOUNT:
        label = tr("Sluice: key for {server}").format(server=account)
    store = (SECRET_TOOL, "store", f"--label={label}", *item)
    return _Commands((SECRET_TOOL, "lookup", *item), store, (SECRET_TOOL, "clear", *item))


def _run(command: tuple[str, ...], text: str = "") -> Done:
    if reason := unavailable():
        return Done(command, UNASKED, "", reason)
    try:
        return subprocess.run(
            command, input=text, capture_output=True, encoding="utf-8", errors="replace", timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return Done(command, UNASKED, "", tr("no answer within {seconds} seconds").format(seconds=f"{TIMEOUT_S:g}"))
    except OSError as error:
        return Done(command, UNASKED, "", details_of(error))


def _absent(done: Done) -> bool:
    """Return whether the item is missing: `secret-tool` then exits with 1 and no output."""
    return done.returncode == ABSENT if ON_A_MAC else done.returncode == 1 and not done.stderr.strip()


def _failure(what: str, todo: str, done: Done, token: str = "") -> Failure:
    """Return the failure `what` with the program's last line of output, without the token."""
    text = done.stderr.replace(token, "…") if token else done.stderr
    text = ANY_TOKEN.sub("hf_…", text).strip()
    code = tr("it ended with {code}").format(code=done.returncode)
    why = text.splitlines()[-1][:CAUSE_CHARACTERS].rstrip(".") if text else code
    return Failure(what.format(keychain=name(), why=why), todo, text, KIND)


def _bus_answers() -> bool:
    """Return whether a process listens at the session bus's address; rare kinds aren't checked."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    address = os.environ.get("DBUS_SESSION_BUS_ADDRESS") or (f"unix:path={runtime}/bus" if runtime else "")
    place = re.match(r"unix:(path|abstract)=([^,;]+)", address)
    if place is None:
        return bool(address)
    where = unquote(place[2]) if place[1] == "path" else "\0" + unquote(place[2])
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(BUS_TIMEOUT_S)
        try:
            probe.connect(where)
        except OSError:
            return False
    return True


OWN = "http://127.0.0.1/v1"
"""URL under which the local server's key is stored, for any port."""


class ServerKeys:
    """API keys by server URL. The engine's thread reads, the UI thread changes them; they are never shown or logged."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entered: dict[str, str] = {}
        self._read: dict[str, str] = {}
        """Cached answers of the keychain, which is a separate program."""

    def of(self, address: str, reread: bool = False) -> str:
        """Return the key of the server; empty if unknown. `reread`: read the keychain again."""
        with self._lock:
            known = self._entered.get(address)
            if known is None and not reread:
                known = self._read.get(address)
        if known is not None:
            return known
        found = stored_key(address)
        with self._lock:
            self._read[address] = found
        return found

    def give(self, address: str, key: str) -> None:
        with self._lock:
            self._entered[address] = key

    def forget(self, address: str) -> None:
        with self._lock:
            self._entered.pop(address, None)
            self._read.pop(address, None)


def stored_key(address: str) -> str:
    """Return the keychain's key; empty if it can't be read."""
    found = read(account_of(address))
    return found if isinstance(found, str) else ""


def store_key(address: str, key: str) -> Failure | None:
    if TOKEN.fullmatch(key) is None:
        what = tr("The {keychain} can't store a key with these characters.").format(keychain=name())
        return Failure(what, tr("It is used until Sluice quits."), kind=KIND)
    return keep(key, account_of(address))


def delete_key(address: str) -> Failure | None:
    return forget(account_of(address))


def account_of(address: str) -> str:
    """Return an account name without characters that `security` interprets."""
    return quote(address, safe=":/.[]")
