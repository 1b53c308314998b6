"""Takes out of a text whose machine it is from: names, folders, serial numbers, addresses.

For any Python since 3.9, which is what a Mac has before anything is set up.
"""

import ipaddress
import json
import os
import re
import socket
import subprocess
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

NOBODYS = frozenset(("root", "user", "users", "admin", "runner", "build", "guest", "localhost", "home"))
"""Names that name nobody."""
OF_MACS = frozenset(("mac", "macbook", "imac", "book", "pro", "air", "mini", "max", "ultra", "studio", "local", "the"))
"""What a computer's name has in it beside its owner's."""
SHORTEST = 3
TOLD_BY = (
    (("id", "-F"), r"(.+)"),
    (("hostname",), r"(.+)"),
    (("scutil", "--get", "ComputerName"), r"(.+)"),
    (("scutil", "--get", "LocalHostName"), r"(.+)"),
    (("ioreg", "-rd1", "-c", "IOPlatformExpertDevice"), r'"IOPlatform(?:SerialNumber|UUID)" = "([^"]+)"'),
)
"""Programs, and what of their words names the machine or its user; some of them only a Mac has."""
LIMIT_S = 20
MANY_COLONS = re.compile(r"(?<![\w:.])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])", re.IGNORECASE)
PATTERNS = (
    (re.compile(r"(/Users|/home|/var/folders/\w\w)/[^/\s\"':;,)]+"), r"\1/…"),
    (re.compile(r"\b[\w.+-]+@[\w-]+(\.[\w-]+)+\b"), "[address]"),
    (re.compile(r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", re.IGNORECASE), "[network card]"),
    (re.compile(r"\b(?!127\.)(?:\d{1,3}\.){3}\d{1,3}\b(?!\.\d)"), "[network address]"),
    (re.compile(r"\b[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}\b", re.IGNORECASE), "[identity]"),
    (re.compile(r"\b(serial number[^:\n]*): *\S+", re.IGNORECASE), r"\1: [serial number]"),
    (re.compile(r"\bhf_\w{8,}"), "[token]"),
)


class Nameless:
    """What names this machine and its user is looked for once."""

    def __init__(self, project: Path, results: Path) -> None:
        folders = {Path.home(): "~", project: "[project]", results: "[results]", Path(tempfile.gettempdir()): "[tmp]"}
        known = ((str(place), word) for path, word in folders.items() for place in (path, path.resolve()))
        places = [(form, word) for place, word in known if len(place) > 1 for form in _forms(place)]
        self._places = sorted(places, key=lambda each: -len(each[0]))
        wanted = {name for name in _names() if _is_long(name) and name.lower() not in NOBODYS}
        names = sorted({form for name in wanted for form in _forms(name)}, key=len)
        written = "|".join(re.escape(name) for name in reversed(names))
        self._names = re.compile(rf"(?<![^\W_])(?:{written})(?![^\W_])", re.IGNORECASE) if names else None

    def text(self, text: str) -> str:
        for place, word in self._places:
            text = text.replace(place, word)
        text = MANY_COLONS.sub(_without_address, text)
        for pattern, word in PATTERNS:
            text = pattern.sub(word, text)
        return self._names.sub("[name]", text) if self._names else text


def _is_long(name: str) -> bool:
    """Enough to be somebody's. In Korean and Chinese a sign or two are."""
    return len(name) >= SHORTEST or (name != "" and not name.isascii())


def _forms(text: str) -> set[str]:
    """As it is, as a Mac's Finder writes it, in JSON and in a link."""
    written = {unicodedata.normalize(form, text) for form in ("NFC", "NFD")} | {text}
    return written.union(*((json.dumps(each)[1:-1], quote(each)) for each in written))


def _without_address(found: re.Match[str]) -> str:
    """Times and names of C++ have colons too."""
    try:
        address = ipaddress.IPv6Address(found[0])
    except ValueError:
        return found[0]
    return found[0] if address.is_loopback or address.is_unspecified else "[network address]"


def _names() -> Iterator[str]:
    yield Path.home().name
    yield from (os.environ.get(name, "") for name in ("USER", "LOGNAME"))
    yield from _hosts(socket.gethostname())
    for command, pattern in TOLD_BY:
        for told in re.findall(pattern, _said(command)):
            yield from _hosts(told.strip())
    with suppress(ImportError, KeyError, OSError):
        import pwd

        yield from _people(pwd.getpwuid(os.getuid()).pw_gecos.partition(",")[0])


def _hosts(name: str) -> Iterable[str]:
    """“Anna’s MacBook” names Anna too, and so does the name of the host that is made of it."""
    yield name.partition(".")[0]
    yield from _people(name)


def _people(name: str) -> Iterable[str]:
    yield name
    words = (re.sub(r"[’']s$", "", word) for word in re.split(r"[\s.-]+", name))
    yield from (word for word in words if word.lower() not in OF_MACS)


def _said(command: tuple[str, ...]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_S).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
