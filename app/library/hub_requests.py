"""The few requests that searching and looking closer make, through the hub's own client, within limits.

The client would read whatever comes, for as long as it comes, and the body of each redirect too.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import quote

import httpx2  # the HTTP client that huggingface_hub is built on
from huggingface_hub import ModelInfo, constants, get_session, get_token
from huggingface_hub.utils import hf_raise_for_status

from app import __version__
from app.engine.remote.exchange import shut
from app.files import json_reader
from app.files.json_reader import Bounds, Json
from app.library.failures import OddTokenError

TIMEOUT_S = 10.0
"""Without a byte for so long, nothing more will come."""
WHOLE_S = 30.0
"""For all of an answer, however fast each of its bytes comes."""
LARGEST_BYTES = 16_000_000
"""The longest list of files that is known has 3 MB."""
REFUSAL_BYTES = 100_000
MOST_REDIRECTS = 5
MOST_RESULTS = 50

PAST_THE_END = 416
"""What a hub says of a part that is longer than the file."""
ABOUT_THE_BODY = frozenset({"content-encoding", "content-length", "transfer-encoding"})

Params = Mapping[str, str | int | Sequence[str]]
Answer = httpx2.Response
Trace = Callable[[str, dict[str, Any]], None]
"""Hears of each step of the client's."""


class TooLongError(ValueError):
    """More than was asked for, or an answer that takes longer than anybody waits."""


def models(params: Params, token: str | None) -> list[ModelInfo]:
    """One page of a search. The client's own `list_models` would wait for minutes where the hub refuses."""
    answer = _json(f"{constants.ENDPOINT}/api/models", {"limit": MOST_RESULTS, **params}, token)
    if not isinstance(answer, list):
        raise ValueError("the answer to a search is no list")
    return [ModelInfo(**{"siblings": None, **item}) for item in answer[:MOST_RESULTS]]


def model(model_id: str, token: str | None) -> ModelInfo:
    """All that the hub knows of a model, its files' sizes and checksums included."""
    answer: dict[str, Any] = _json(f"{constants.ENDPOINT}/api/models/{model_id}", {"blobs": "true"}, token)
    return ModelInfo(**answer)


def text(model_id: str, commit: str, name: str, token: str | None, largest: int = LARGEST_BYTES) -> str:
    """A small text file of a model."""
    return _get(file_address(model_id, commit, name), {}, token, largest).decode("utf-8", "replace")


def file_address(model_id: str, commit: str, name: str) -> str:
    """Where the hub answers with a file, or sends on to where it lies."""
    return f"{constants.ENDPOINT}/{model_id}/resolve/{commit}/{quote(name)}"


def headers(token: str | None) -> dict[str, str]:
    """With the given token, else with that of the hub's own login if there is one.

    The client's own way to build them asks the hub for a list of other programs first, to tell which one is running it.
    """
    known = token or (None if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN else get_token())
    if known and not (known.isascii() and known.isprintable()):
        raise OddTokenError("no token has such characters")
    built = {"User-Agent": f"sluice/{__version__}"}
    return built | {"Authorization": f"Bearer {known}"} if known else built


class _Deadline:
    """Ends a request's connections after so long: a hub may send its headers byte by byte."""

    def __init__(self, seconds: float) -> None:
        self._streams: list[Any] = []
        self._over = threading.Event()
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    @contextmanager
    def kept(self) -> Iterator[None]:
        self._timer.start()
        try:
            yield
        except httpx2.TransportError as error:
            if self._over.is_set():
                raise TooLongError("an answer that takes too long") from error
            raise
        finally:
            self._timer.cancel()

    def watch(self, name: str, info: dict[str, Any]) -> None:
        """Called by the client at each of its steps."""
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
    address: str, told: Mapping[str, str], silence_s: float, params: Params | None = None, trace: Trace | None = None
) -> Iterator[Answer]:
    """The answer that is no redirect, its body unread; a refusal is raised."""
    client = get_session()
    # Compressed, a few bytes may be gigabytes; and a file's bytes would be counted in others than it has.
    plain = {**told, "Accept-Encoding": "identity"}
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
    return json_reader.parse(_get(address, params, token, LARGEST_BYTES), Bounds(LARGEST_BYTES))


def _get(address: str, params: Params, token: str | None, largest: int) -> bytes:
    deadline = _Deadline(WHOLE_S)
    # On a connection of its own: one that is used again can't be told from others.
    told = headers(token) | {"Connection": "close"}
    with deadline.kept(), opened(address, told, TIMEOUT_S, params, deadline.watch) as answer:
        return _content(answer, largest)


def _content(answer: Answer, largest: int) -> bytes:
    end, content = time.monotonic() + WHOLE_S, bytearray()
    for piece in answer.iter_raw():
        content += piece
        if len(content) > largest or time.monotonic() > end:
            raise TooLongError(f"an answer of more than {largest} bytes, or {WHOLE_S:.0f} s")
    return bytes(content)


def _refuse(answer: Answer) -> None:
    """Raises what the client does for a refusal, of which no more is read than a sentence takes."""
    if answer.status_code < 400 or answer.status_code == PAST_THE_END:
        return
    told = httpx2.Headers([(name, value) for name, value in answer.headers.items() if name not in ABOUT_THE_BODY])
    try:
        content = _content(answer, REFUSAL_BYTES)
    except TooLongError:
        content = b""
    hf_raise_for_status(httpx2.Response(answer.status_code, headers=told, content=content, request=answer.request))
