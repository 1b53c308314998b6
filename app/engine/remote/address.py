"""Addresses of servers, and names of models on them.

A model on a server is named `http://host:port/v1#model`, the model percent-encoded. Presets, runs and sessions store it
as a model's folder: a `Path` of it loses one of the two slashes, which is accepted.
"""

import ipaddress
import re
from urllib.parse import quote, unquote, urlsplit

from app.engine.types import Failure, ServerModel
from app.i18n import tr

NAMED = re.compile(r"(https?):/{1,2}([^#]+)#(.+)", re.DOTALL | re.IGNORECASE)
VERSION = re.compile(r"/v\d[^/]*(/|$)")
"""A version anywhere in the path: mostly last (`/v1`, `/api/paas/v4`), sometimes not (`/v1beta/openai`)."""
ENDPOINTS = ("/chat/completions", "/completions", "/models")
"""Paths that are often copied with an address."""
KIND = "address"


def reference(address: str, model_id: str) -> str:
    """Return the name under which a model on a server is opened."""
    return f"{address}#{quote(model_id, safe=':@')}"


def server_model(name: str) -> ServerModel | None:
    found = NAMED.fullmatch(name)
    return ServerModel(f"{found[1].lower()}://{found[2]}", unquote(found[3])) if found else None


def tidy(typed: str) -> str | Failure:
    """Complete an address such as `localhost:8080`; one without a version gets `/v1`."""
    text = typed.strip()
    if not text:
        return Failure(tr("The address is missing."), tr("Enter one like http://192.168.1.20:8080."), kind=KIND)
    address = text if "://" in text else f"http://{_bracketed(text)}"
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if parts.scheme not in ("http", "https") or not host or re.search(r"\s", address) or port == 0:
        what = tr("“{address}” is not the address of a server.").format(address=text)
        return Failure(what, tr("Enter one like http://192.168.1.20:8080."), kind=KIND)
    if "@" in parts.netloc or parts.query or parts.fragment:
        what = tr("This address contains more than a server.")
        todo = tr("Remove the user name, the query and the fragment; the key has its own field.")
        return Failure(what, todo, kind=KIND)
    path = parts.path.rstrip("/")
    for endpoint in ENDPOINTS:
        path = path.removesuffix(endpoint)
    path = path.rstrip("/")
    return f"{parts.scheme}://{parts.netloc.lower()}{path if VERSION.search(path) else f'{path}/v1'}"


def host_of(address: str) -> str:
    """Return host and port for display; the text itself if it is no address."""
    try:
        return urlsplit(address).netloc
    except ValueError:
        return address


def is_loopback(address: str) -> bool:
    """Return whether it is this computer."""
    try:
        host = (urlsplit(address).hostname or "").lower()
        if host == "localhost" or host.endswith(".localhost"):
            return True
        found = ipaddress.ip_address(host)
        return found.is_loopback or found.is_unspecified  # 0.0.0.0, which servers print as their address
    except ValueError:
        return False


def _bracketed(text: str) -> str:
    try:
        return f"[{ipaddress.IPv6Address(text)}]"
    except ValueError:
        return text


def is_unencrypted(address: str) -> bool:
    """Return whether prompts, answers and the key go unencrypted to another computer."""
    return address.startswith("http://") and not is_loopback(address)
