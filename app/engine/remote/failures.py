"""Failures of a server or of the connection to it."""

import errno
import socket
import ssl
import sys
from collections.abc import Iterator, Sequence

from app.engine.errors import DETAILS_LIMIT
from app.engine.remote.address import host_of
from app.engine.remote.foreign_json import redact, replace_invisible, text_of, value_of
from app.engine.types import Failure
from app.i18n import tr

SAID_LIMIT = 240
HANDSHAKE = "handshake operation timed out"
"""Python's message for a server without TLS."""
UNAUTHORISED, FORBIDDEN, ABSENT, TOO_LARGE, BUSY, REDIRECTS = 401, 403, 404, 413, 429, range(300, 400)


def network_failure(error: BaseException, address: str, key: str = "") -> Failure:
    what, todo, kind = _cause(error, host_of(address))
    return Failure(what, todo, redact(f"{type(error).__name__}: {error}", key)[:DETAILS_LIMIT], kind)


def _cause(error: BaseException, host: str) -> tuple[str, str, str]:
    chain = tuple(_chain(error))
    if isinstance(error, ImportError):  # only SOCKS proxies need a missing package
        what = tr("{host} is behind a SOCKS proxy, which Sluice doesn't support.").format(host=host)
        return what, tr("Set an HTTP proxy, or add the server to NO_PROXY."), "proxy"
    import httpx2  # The import takes 0.1 s.

    if any(isinstance(each, httpx2.ProxyError) for each in chain):
        what = tr("The proxy for {host} refused the connection.").format(host=host)
        return what, tr("Check the proxy, or add the server to NO_PROXY."), "proxy"
    if any(isinstance(each, socket.gaierror) for each in chain):
        return tr("The host name {host} can't be resolved.").format(host=host), tr("Check the address."), "dns"
    if any(isinstance(each, ConnectionRefusedError) for each in chain):
        what = tr("{host} refused the connection.").format(host=host)
        return what, tr("Start the server there, or check the port."), "refused"
    if any(isinstance(each, ssl.SSLError) or HANDSHAKE in str(each) for each in chain):
        what = tr("No secure connection to {host} could be made.").format(host=host)
        return what, tr("Check its certificate, or use http:// if it has no TLS."), "tls"
    if any(isinstance(each, httpx2.ConnectTimeout | httpx2.ConnectError) for each in chain):
        return tr("{host} can't be reached.").format(host=host), _network_advice(chain), "unreachable"
    if any(isinstance(each, httpx2.UnsupportedProtocol | httpx2.InvalidURL) for each in chain):
        return tr("{host} is not the address of a server.").format(host=host), tr("Check the address."), "address"
    if any(isinstance(each, httpx2.DecodingError | httpx2.LocalProtocolError) for each in chain):
        return no_protocol(host)
    what = tr("The connection to {host} was lost.").format(host=host)
    return what, tr("Retry; if it happens again, check the server's log."), "cut"


def _network_advice(chain: Sequence[BaseException]) -> str:
    """Return the next step; on macOS the same error also means that local network access is denied."""
    if sys.platform == "darwin" and any(getattr(each, "errno", None) == errno.EHOSTUNREACH for each in chain):
        return tr("Allow Sluice in System Settings → Privacy & Security → Local Network, or check the address.")
    return tr("Check the network and the address.")


def no_protocol(host: str) -> tuple[str, str, str]:
    what = tr("{host} doesn't answer like an OpenAI-compatible server.").format(host=host)
    return what, tr("Check the address and the port; it often ends in /v1."), "protocol"


def not_model_server(address: str, said: str = "") -> Failure:
    """Return the failure for an answer from something else than a model server, such as a web page."""
    what, todo, kind = no_protocol(host_of(address))
    return Failure(what, todo, said[:DETAILS_LIMIT], kind)


def silence(address: str, seconds: float) -> Failure:
    what = tr("{host} has sent nothing for {seconds} seconds.").format(host=host_of(address), seconds=f"{seconds:g}")
    return Failure(what, tr("Retry; if it happens again, check the server's log."), kind="silent")


def idle(address: str, seconds: float) -> Failure:
    what = tr("{host} has sent only keep-alive messages for {seconds} seconds.")
    what = what.format(host=host_of(address), seconds=f"{seconds:g}")
    return Failure(what, tr("Retry; if it happens again, check the server's log."), kind="silent")


def cut_off(address: str) -> Failure:
    what = tr("The connection to {host} ended in the middle of the answer.").format(host=host_of(address))
    return Failure(what, tr("The received text stays. Retry to generate it again."), kind="cut")


def response_too_large(address: str) -> Failure:
    what = tr("{host} sent far more text than max tokens allows.").format(host=host_of(address))
    return Failure(
        what, tr("The received text stays. Lower the max tokens, or check the server's log."), kind="endless"
    )


def malformed(address: str, said: str) -> Failure:
    what = tr("{host} sent invalid data.")
    todo = tr("The received text stays. Retry; if it happens again, check the server's log.")
    return Failure(what.format(host=host_of(address)), todo, said[:DETAILS_LIMIT], "malformed")


def reported_error(address: str, message: str) -> Failure:
    what = tr("{host} reports an error: {said}")
    todo = tr("The received text stays. Retry; if it happens again, check the server's log.")
    return Failure(what.format(host=host_of(address), said=_shorten(message)), todo, message[:DETAILS_LIMIT], "server")


def refused(address: str, status: int, body: bytes, location: str, model: str, key: str = "") -> Failure:
    said = redact(_message(body), key)
    what, todo, kind = _refusal(status, host_of(address), said, redact(location, key), model, bool(key))
    return Failure(what, todo, f"HTTP {status}: {said}"[:DETAILS_LIMIT], kind)


def _refusal(status: int, host: str, said: str, location: str, model: str, key: bool) -> tuple[str, str, str]:
    if status in REDIRECTS:
        what = tr("{host} redirects to another address: {location}").format(host=host, location=_shorten(location))
        return what, tr("If you trust it, add it as the server's address."), "redirect"
    if status in (UNAUTHORISED, FORBIDDEN):
        what = tr("{host} does not accept the key.") if key else tr("{host} needs a key.")
        return what.format(host=host), tr("Enter this server's key in the model picker."), "key"
    if status == ABSENT and model:
        what = tr("{host} has no model “{model}”.").format(host=host, model=model)
        return what, tr("Choose one of the models that it lists."), "absent"
    if status == ABSENT:
        return no_protocol(host)
    if status == BUSY:
        what = tr("{host} accepts no more requests at the moment.").format(host=host)
        return what, tr("Wait a while, then retry."), "busy"
    if status == TOO_LARGE:
        return tr("The prompt is too long for {host}.").format(host=host), tr("Shorten it."), "context"
    if status >= 500:
        what = tr("{host} failed to answer this request ({status}).").format(host=host, status=status)
        return what, tr("Retry; if it happens again, check the server's log."), "server"
    what = tr("{host} refuses this request: {said}").format(host=host, said=_shorten(said) or status)
    return what, tr("Change the setting that it names, or the prompt."), "request"


def _shorten(message: str) -> str:
    line = replace_invisible(" ".join(message.split()))
    return line if len(line) <= SAID_LIMIT else f"{line[: SAID_LIMIT - 1]}…"


def _message(body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    said = value_of(text)
    if said is None:
        return text.strip()
    for name in ("error", "message", "detail"):
        if isinstance(said, dict) and name in said:
            said = said[name]
    return text_of(said)


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and at not in seen:
        seen.append(at)
        yield at
        at = at.__cause__ or at.__context__
