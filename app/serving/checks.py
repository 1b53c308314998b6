"""What a request to a server of one's own has to keep to: who asks, by which name, how much, and for what.

A browser lets every page that it shows send requests to this machine, and a page's own name may be made to lead here.
So a request has to mean this server by its address, to come from no page, and to be JSON, for which a browser asks
first.
"""

import hmac
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message
from urllib.parse import unquote

from app.engine.templates.arguments import CALLS_OWN
from app.files import json_reader
from app.files.json_reader import Bounds
from app.serving.types import DEFAULT_MODEL, LOOPBACK

NAMES = (LOOPBACK, "localhost")
HEALTH, MODELS = "/health", "/v1/models"
QUESTIONS = frozenset({"/v1/completions", "/v1/chat/completions", "/chat/completions"})
BODY_LIMIT = 16 << 20
"""A prompt of four million tokens, or a few pictures."""
BRACKETS_LIMIT = 1 << 18
"""Each is a list or an object, which takes sixty times its place."""
LARGEST, LARGEST_COUNT = 2**63, 2**31
STOPS_LIMIT, STOP_LIMIT = 64, 1_000
XTC_LIMIT = 0.5
LENGTH = re.compile(r"[0-9]{1,15}")
PATH = re.compile(r"(?:file:/*)?(?:[A-Za-z]:)?[/\\][^\s'\",:;)\]}]*[/\\][^\s'\",:;)\]}]*")
"""What may be a place on this disk."""
IMAGES = ("image_url", "input_image", "image")


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """Where the server listens, what it serves by which name, and the key that is asked for; none where it is empty."""

    port: int
    model: str
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """An answer that is none. `code` as OpenAI has it."""

    status: int
    said: str
    code: str | None = None


def of_head(method: str, target: str, headers: Message, terms: AccessPolicy) -> ErrorResponse | None:
    """Why what asks is not let in, before any of its body is read."""
    return _of_asker(headers, terms) or _of_target(method, path_of(target)) or _of_key(path_of(target), headers, terms)


def length_of(headers: Message) -> int | ErrorResponse:
    """How long the body is that follows, said once and plainly."""
    if headers.get_all("Transfer-Encoding"):
        return ErrorResponse(501, "A body in chunks is not taken; give its Content-Length.")
    lengths = headers.get_all("Content-Length") or []
    if not lengths:
        return ErrorResponse(411, "The Content-Length is missing.")
    if len(lengths) > 1 or LENGTH.fullmatch(lengths[0].strip()) is None:
        return ErrorResponse(400, "The Content-Length is none.")
    length = int(lengths[0])
    return length if length <= BODY_LIMIT else ErrorResponse(413, f"The body is longer than {BODY_LIMIT} bytes.")


def body_of(content: bytes, terms: AccessPolicy) -> dict[str, object] | ErrorResponse:
    """What is asked, as it may be passed on: for the model that is served, and in values that can be meant."""
    if content.count(b"[") + content.count(b"{") > BRACKETS_LIMIT:
        return ErrorResponse(413, "The body has too many lists and objects.")
    try:
        said = json_reader.parse(content, Bounds(BODY_LIMIT, finite=True))
        usable = _is_usable(said)
    except (ValueError, RecursionError):
        return ErrorResponse(400, "The body is no JSON.")
    if not usable:
        return ErrorResponse(400, "The body has a number, a text or a depth that nothing can be made of.")
    if not isinstance(said, dict):
        return ErrorResponse(400, "The body is no JSON object.")
    # As OpenAI has it, null is said of what nothing is said of.
    said = {name: value for name, value in said.items() if value is not None}
    return _of_model(said, terms) or _of_numbers(said) or _of_fields(said) or said


def of_vocabulary(said: Mapping[str, object], size: int) -> ErrorResponse | None:
    """Beyond its vocabulary mlx reads memory that is none of the model's, and mlx-lm ends."""
    top_k, bias = said.get("top_k"), said.get("logit_bias")
    if not size and (top_k or bias):
        return ErrorResponse(503, "The model is still being loaded.")
    if isinstance(top_k, int) and top_k >= max(1, size):
        return ErrorResponse(400, f"top_k has to be below {size}, the size of the vocabulary.")
    if bias is not None and (not isinstance(bias, dict) or not all(_is_bias(*each, size) for each in bias.items())):
        return ErrorResponse(400, f"logit_bias has to give numbers to tokens from 0 to {size - 1}.")
    return None


def path_of(target: str) -> str:
    return target.partition("?")[0]


def names_model(name: object, terms: AccessPolicy) -> bool:
    """The served model's, or the one by which mlx-lm's server calls the model that it was started with."""
    return name in (terms.model, DEFAULT_MODEL)


def hushed(said: str, folder: str) -> str:
    """What the library says of an error, without the places on this disk."""
    return PATH.sub("…", said.replace(folder, "…") if len(folder) > 1 else said)


def _of_asker(headers: Message, terms: AccessPolicy) -> ErrorResponse | None:
    hosts, origins = headers.get_all("Host") or [], headers.get_all("Origin") or []
    if len(hosts) != 1:
        return ErrorResponse(400, "A request names one host.")
    if hosts[0].strip().lower() not in {f"{name}:{terms.port}" for name in NAMES}:
        return ErrorResponse(403, f"This server answers to {LOOPBACK}:{terms.port} alone.", "host")
    own = f"http://{hosts[0].strip().lower()}"
    sites = headers.get_all("Sec-Fetch-Site") or []
    if any(each != own for each in origins) or any(each not in ("same-origin", "none") for each in sites):
        return ErrorResponse(403, "No web page may use this server.", "origin")
    return None


def _of_target(method: str, path: str) -> ErrorResponse | None:
    asked = path in QUESTIONS
    if not asked and path not in (HEALTH, MODELS) and not path.startswith(f"{MODELS}/"):
        return ErrorResponse(404, "There is nothing of this name here.", "not_found")
    return None if method == ("POST" if asked else "GET") else ErrorResponse(405, "This can't be asked in this way.")


def _of_key(path: str, headers: Message, terms: AccessPolicy) -> ErrorResponse | None:
    """Whether it is well it tells everybody: nothing else is told by that."""
    if not terms.key or path == HEALTH:
        return None
    given = headers.get_all("Authorization") or [""]
    kind, _, key = given[0].partition(" ")
    fits = hmac.compare_digest(key.strip().encode("utf-8", "replace"), terms.key.encode())
    if len(given) == 1 and kind.lower() == "bearer" and fits:
        return None
    return ErrorResponse(401, "This server asks for its key.", "invalid_api_key")


def of_kind(headers: Message) -> ErrorResponse | None:
    """A page may send text, and forms, to whom it likes; for JSON a browser asks first, and is told no."""
    kinds = headers.get_all("Content-Type") or [""]
    if len(kinds) == 1 and kinds[0].partition(";")[0].strip().lower() == "application/json":
        return None
    return ErrorResponse(415, "The body has to be application/json.")


def _of_model(said: dict[str, object], terms: AccessPolicy) -> ErrorResponse | None:
    if not names_model(said.setdefault("model", DEFAULT_MODEL), terms):
        return ErrorResponse(404, f"This server has one model: {terms.model}.", "model_not_found")
    draft = said.pop("draft_model", DEFAULT_MODEL)
    if said.pop("adapters", None) is not None or draft != DEFAULT_MODEL:
        return ErrorResponse(404, "This server has neither adapters nor draft models.", "model_not_found")
    return None


def _of_numbers(said: dict[str, object]) -> ErrorResponse | None:
    """Those that mlx-lm's server would end at."""
    if any(isinstance(value, int) and abs(value) >= LARGEST_COUNT for name, value in said.items() if name != "seed"):
        return ErrorResponse(400, "A whole number has 31 bits at most.")
    seed = said.get("seed")
    if isinstance(seed, int) and seed < 0:
        return ErrorResponse(400, "seed is 0 at least; without one, chance plays.")
    if any(isinstance(said.get(name), bool) for name in ("top_k", "top_logprobs")):
        return ErrorResponse(400, "top_k and top_logprobs are whole numbers.")
    threshold = said.get("xtc_threshold")
    if said.get("xtc_probability") and isinstance(threshold, int | float) and threshold > XTC_LIMIT:
        return ErrorResponse(400, f"xtc_threshold is {XTC_LIMIT} at most.")
    return None


def _of_fields(said: dict[str, object]) -> ErrorResponse | None:
    """What mlx-lm's server would end at, and what it would fetch or read for whoever asks."""
    prompt, messages = said.get("prompt", " "), said.get("messages", [{}])
    if not (isinstance(prompt, str) and prompt and isinstance(messages, list) and messages):
        return ErrorResponse(400, "prompt is a text, messages is a list, and neither is empty.")
    if not isinstance(options := said.get("stream_options", {}), dict):
        return ErrorResponse(400, "stream_options is an object.")
    options.setdefault("include_usage", False)
    stop, arguments = said.get("stop"), said.get("chat_template_kwargs") or {}
    stops = [stop] if isinstance(stop, str) else stop or []
    if not isinstance(stops, list) or len(stops) > STOPS_LIMIT or not all(map(_is_stop, stops)):
        return ErrorResponse(
            400, f"stop is a text, or a list of {STOPS_LIMIT} at most, of {STOP_LIMIT} characters at most."
        )
    if not isinstance(arguments, dict) or not CALLS_OWN.isdisjoint(arguments):
        return ErrorResponse(400, "chat_template_kwargs has what is not for the template.")
    if any(not url.startswith("data:") for url in _pictures(said.get("messages"))):
        return ErrorResponse(400, "Nothing is fetched for an answer: a picture comes as data:.")
    return None


def _is_stop(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= STOP_LIMIT


def _pictures(messages: object) -> Iterator[str]:
    """Where the pictures of a conversation are."""
    for message in messages if isinstance(messages, list) else ():
        parts = message.get("content") if isinstance(message, dict) else None
        for part in parts if isinstance(parts, list) else ():
            for name in IMAGES if isinstance(part, dict) else ():
                url = part.get(name)
                found = url.get("url") if isinstance(url, dict) else url
                if isinstance(found, str):
                    yield found


def _is_usable(said: object) -> bool:
    """A text can be written, a number counted with. It is as deep as `json_reader` lets it be."""
    if isinstance(said, dict | list):
        return all(map(_is_usable, (*said, *said.values()) if isinstance(said, dict) else said))
    if isinstance(said, str) and not said.isascii():
        said.encode()
    if isinstance(said, float):
        return math.isfinite(said)
    return not isinstance(said, int) or -LARGEST <= said < LARGEST


def _is_bias(name: str, bias: object, size: int) -> bool:
    return LENGTH.fullmatch(name) is not None and int(name) < size and isinstance(bias, int | float)


def asked_model(path: str) -> str:
    """Which model is asked after; "" for the list of them all."""
    return unquote(path.removeprefix(MODELS).lstrip("/"))
