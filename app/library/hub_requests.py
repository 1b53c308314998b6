"""Requests to the hub through huggingface_hub, with limits of size and time, and messages about their failures.

The library itself would read responses of any length, and the bodies of redirects.
"""

import errno
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import quote

import httpx2  # the HTTP client that huggingface_hub is built on
from huggingface_hub import DatasetInfo, ModelInfo, constants, get_session, get_token
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
)
from huggingface_hub.utils import hf_raise_for_status, parse_ratelimit_headers

from app import __version__
from app.engine.errors import details_of
from app.engine.remote.exchange import shut
from app.engine.types import Failure
from app.files import json_reader
from app.files.json_reader import Json, JsonLimits
from app.i18n import tr

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
BUSY = 429
LONGEST_WAIT_S = 3_600.0
PASSING = (408, BUSY, 500, 502, 503, 504)
"""Status codes of temporary failures."""
ERRORS = (
    httpx2.HTTPError,
    httpx2.InvalidURL,
    HFValidationError,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""Exceptions of a request to the hub, whose answers aren't trusted."""
LATER = tr("Try again later; models on this computer still work.")


class InvalidTokenError(ValueError):
    """A token with characters that are invalid in a header. The message doesn't quote it."""


def hub_failure(error: BaseException, name: str) -> Failure:
    details = details_of(error)
    if isinstance(error, OfflineModeIsEnabled):
        what = tr("Offline mode is on (HF_HUB_OFFLINE), so Sluice sends no requests to the hub.")
        return Failure(what, tr("To search and download, start Sluice without HF_HUB_OFFLINE."), details, "offline")
    if isinstance(error, GatedRepoError):
        what = tr("“{name}” is gated: it needs a login and accepted terms.").format(name=name)
        return Failure(what, tr("Accept the terms on its page on the hub, then enter a token."), details, "gated")
    if isinstance(error, RepositoryNotFoundError | HFValidationError):
        what = tr("The hub has no model “{name}”, or it is private.").format(name=name)
        return Failure(what, tr("Check the name, or enter a token with access."), details, "absent")
    if isinstance(error, InvalidTokenError):
        return _token_failure(details)
    if isinstance(error, HfHubHTTPError):
        return _status_failure(error, name)
    if isinstance(error, httpx2.TimeoutException):
        return Failure(tr("The hub did not answer in time."), LATER, details, "offline")
    if isinstance(error, httpx2.RemoteProtocolError | httpx2.ReadError):
        return Failure(tr("The connection to the hub keeps breaking."), LATER, details, "offline")
    if isinstance(error, httpx2.TransportError | ConnectionError):
        what = tr("The hub can't be reached.")
        return Failure(what, tr("Check the connection. {later}").format(later=LATER), details, "offline")
    if isinstance(error, OSError):
        return disk_failure(error)
    return Failure(tr("The hub's answer has an unknown format."), LATER, details, "hub")


def disk_failure(error: OSError) -> Failure:
    if error.errno in NO_ROOM:
        todo = tr("Free disk space, then resume; the downloaded part is still there.")
        return Failure(tr("The disk is full."), todo, details_of(error), "disk")
    what = tr("The Hugging Face cache could not be written to ({why}).").format(why=error.strerror or error)
    return Failure(what, tr("Check your write permission, then resume."), details_of(error), "disk")


def is_temporary(error: BaseException) -> bool:
    if isinstance(error, HfHubHTTPError):
        return error.response.status_code in PASSING
    return isinstance(error, httpx2.TransportError)


def retry_after_s(error: BaseException) -> float | None:
    """Return the seconds of the header Retry-After; None if it is missing or too large."""
    if not isinstance(error, HfHubHTTPError):
        return None
    text = error.response.headers.get("Retry-After", "").strip()
    try:
        limit = parse_ratelimit_headers(error.response.headers)
        is_spent = error.response.status_code == BUSY and limit is not None and limit.remaining == 0
        seconds = float(limit.reset_in_seconds if is_spent and limit is not None else int(text))
    except (ValueError, OverflowError):
        return None
    return seconds if 0 <= seconds <= LONGEST_WAIT_S else None


def _status_failure(error: HfHubHTTPError, name: str) -> Failure:
    status, details = error.response.status_code, details_of(error)
    if status == BUSY:
        seconds = retry_after_s(error)
        todo = (
            tr("Try again later.")
            if seconds is None
            else tr("Try again in %n seconds.", "Try again in %n second.", round(seconds))
        )
        return Failure(tr("The hub has a rate limit and refuses more requests for now."), todo, details, "busy")
    if status == 401:
        return _token_failure(details)
    if status == 403:
        what = tr("This login has no access to “{name}”.").format(name=name)
        return Failure(what, tr("Enter another token."), details, "gated")
    if status in (400, 404, 410):
        return Failure(tr("The hub has no “{name}”.").format(name=name), tr("Check the name."), details, "absent")
    what = tr("The hub reports an internal error (HTTP {status}).").format(status=status)
    return Failure(what, LATER, details, "hub")


def _token_failure(details: str) -> Failure:
    what = tr("The hub did not accept the token.")
    return Failure(what, tr("Log in to the hub again, or enter another token."), details, "token")


TIMEOUT_S = 10.0
"""Timeout in seconds between two bytes."""
WHOLE_S = 30.0
"""Timeout in seconds of an entire response."""
LARGEST_BYTES = 16_000_000
"""The largest response in bytes; the longest known list of files has 3 MB."""
REFUSAL_BYTES = 100_000
MOST_REDIRECTS = 5
MOST_RESULTS = 50

PAST_THE_END = 416
"""HTTP status for a range that begins after the end of the file."""
ABOUT_THE_BODY = frozenset({"content-encoding", "content-length", "transfer-encoding"})

Params = Mapping[str, str | int | Sequence[str]]
Answer = httpx2.Response
Trace = Callable[[str, dict[str, Any]], None]
"""Callback of the HTTP client for each of its steps."""


class ResponseTooLongError(ValueError):
    """A response that is too large or too slow."""


def models(params: Params, token: str | None) -> list[ModelInfo]:
    """Return one page of search results. The library's `list_models` retries for minutes."""
    answer = _json(f"{constants.ENDPOINT}/api/models", {"limit": MOST_RESULTS, **params}, token)
    if not isinstance(answer, list):
        raise ValueError("the answer to a search is no list")
    return [ModelInfo(**{"siblings": None, **item}) for item in answer[:MOST_RESULTS]]


def model(model_id: str, token: str | None) -> ModelInfo:
    """Return the hub's information on a model, with sizes and checksums of its files."""
    answer: dict[str, Any] = _json(f"{constants.ENDPOINT}/api/models/{model_id}", {"blobs": "true"}, token)
    return ModelInfo(**answer)


def dataset(dataset_id: str, token: str | None) -> DatasetInfo:
    """Return the hub's information on a dataset, with sizes and checksums of its files."""
    answer: dict[str, Any] = _json(f"{constants.ENDPOINT}/api/datasets/{dataset_id}", {"blobs": "true"}, token)
    return DatasetInfo(**answer)


def text(model_id: str, commit: str, name: str, token: str | None, largest: int = LARGEST_BYTES) -> str:
    return _get(file_address(model_id, commit, name), {}, token, largest).decode("utf-8", "replace")


def file_address(model_id: str, commit: str, name: str) -> str:
    """Return the URL of a file, which may redirect."""
    return f"{constants.ENDPOINT}/{model_id}/resolve/{commit}/{quote(name)}"


def headers(token: str | None) -> dict[str, str]:
    """Return headers with the token, else with that of the hub's login, if any.

    The library's function first requests a list of agent programs from the hub.
    """
    known = token or (None if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN else get_token())
    if known and not (known.isascii() and known.isprintable()):
        raise InvalidTokenError("no token has such characters")
    built = {"User-Agent": f"sluice/{__version__}"}
    return built | {"Authorization": f"Bearer {known}"} if known else built


class _Deadline:
    """Deadline that closes a request's connections, since headers may arrive byte by byte."""

    def __init__(self, seconds: float) -> None:
        self._streams: list[Any] = []
        self._over = threading.Event()
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    @contextmanager
    def enforced(self) -> Iterator[None]:
        self._timer.start()
        try:
            yield
        except httpx2.TransportError as error:
            if self._over.is_set():
                raise ResponseTooLongError("an answer that takes too long") from error
            raise
        finally:
            self._timer.cancel()

    def watch(self, name: str, info: dict[str, Any]) -> None:
        """Store the connection of each step of the HTTP client."""
        if name.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._streams.append(info["return_value"])
            if self._over.is_set():
                self._end()

    def _end(self) -> None:
        self._over.set()
        for stream in self._streams:
            shut(stream)


@contextmanager
def opened(
    address: str, sent: Mapping[str, str], silence_s: float, params: Params | None = None, trace: Trace | None = None
) -> Iterator[Answer]:
    """Follow redirects and yield the response with its body unread; raise an error for a refusal."""
    client = get_session()
    # A few compressed bytes may be gigabytes, and a file's size is that of its uncompressed bytes.
    plain = {**sent, "Accept-Encoding": "identity"}
    request = client.build_request("GET", address, params=dict(params or {}), headers=plain, timeout=silence_s)
    request.extensions |= {"trace": trace} if trace is not None else {}
    for _ in range(1 + MOST_REDIRECTS):
        with closing(client.send(request, stream=True, follow_redirects=False)) as answer:
            if (following := answer.next_request) is None:
                _refuse(answer)
                yield answer
                return
        if request.url.scheme == "https" != following.url.scheme:
            raise httpx2.UnsupportedProtocol("a redirect to where everybody can listen", request=request)
        request = following
    raise httpx2.TooManyRedirects(f"more than {MOST_REDIRECTS} redirects", request=request)


def _json(address: str, params: Params, token: str | None) -> Json:
    return json_reader.parse(_get(address, params, token, LARGEST_BYTES), JsonLimits(LARGEST_BYTES))


def _get(address: str, params: Params, token: str | None, largest: int) -> bytes:
    deadline = _Deadline(WHOLE_S)
    # On a new connection: a reused one can't be identified.
    sent = headers(token) | {"Connection": "close"}
    with deadline.enforced(), opened(address, sent, TIMEOUT_S, params, deadline.watch) as answer:
        return _content(answer, largest)


def _content(answer: Answer, largest: int) -> bytes:
    end, content = time.monotonic() + WHOLE_S, bytearray()
    for piece in answer.iter_raw():
        content += piece
        if len(content) > largest or time.monotonic() > end:
            raise ResponseTooLongError(f"an answer of more than {largest} bytes, or {WHOLE_S:.0f} s")
    return bytes(content)


def _refuse(answer: Answer) -> None:
    """Raise the library's exception for a refusal; only the start of its body is read."""
    if answer.status_code < 400 or answer.status_code == PAST_THE_END:
        return
    sent = httpx2.Headers([(name, value) for name, value in answer.headers.items() if name not in ABOUT_THE_BODY])
    try:
        content = _content(answer, REFUSAL_BYTES)
    except ResponseTooLongError:
        content = b""
    hf_raise_for_status(httpx2.Response(answer.status_code, headers=sent, content=content, request=answer.request))
