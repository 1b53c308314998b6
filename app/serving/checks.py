"""Checks of requests to the local server: sender, host name, size and content.

Browsers let every page send requests to this computer, and a page's host name can resolve to it. So a request must
address this server by its IP address, must not come from a page, and must be JSON, which needs a CORS preflight.
"""

import hmac
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message

from app.engine.templates.arguments import CALLS_OWN
from app.files import json_reader
from app.files.json_reader import JsonLimits
from app.serving.types import DEFAULT_MODEL, LOOPBACK

NAMES = (LOOPBACK, "localhost")
HEALTH, MODELS = "/health", "/v1/models"
COMPLETIONS = frozenset({"/v1/completions", "/v1/chat/completions", "/chat/completions"})
BODY_LIMIT = 16 << 20
"""The largest body in bytes: a prompt of four million tokens, or a few pictures."""
BRACKETS_LIMIT = 1 << 18
"""The most brackets in a body: each list or object takes sixty times its size in memory."""
LARGEST, LARGEST_COUNT = 2**63, 2**31
STOPS_LIMIT, STOP_LIMIT = 64, 1_000
XTC_LIMIT = 0.5
LENGTH = re.compile(r"[0-9]{1,15}")
PATH = re.compile(r"(?:file:/*)?(?:[A-Za-z]:)?[/\\][^\s'\",:;)\]}]*[/\\][^\s'\",:;)\]}]*")
IMAGES = ("image_url", "input_image", "image")


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """Address of the server, the name of its model, and the API key that it requires; empty: none."""

    port: int
    model: str
    key: str = field(default="", repr=False)

    def has_model(self, name: object) -> bool:
        """Return whether the name is the model's, or mlx_lm.server's name for the model that it was started with."""
        return name in (self.model, DEFAULT_MODEL)


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """An error in OpenAI's form."""

    status: int
    message: str
    code: str | None = None


def check_head(method: str, path: str, headers: Message, policy: AccessPolicy) -> ErrorResponse | None:
    """Return why a request is refused before its body is read; None if it isn't."""
    return _check_sender(headers, policy) or _check_path(method, path) or _check_key(path, headers, policy)


def body_length(headers: Message) -> int | ErrorResponse:
    if headers.get_all("Transfer-Encoding"):
        return ErrorResponse(501, "A chunked body is not supported; send its Content-Length.")
    lengths = headers.get_all("Content-Length") or []
    if not lengths:
        return ErrorResponse(411, "The Content-Length is missing.")
    if len(lengths) > 1 or LENGTH.fullmatch(lengths[0].strip()) is None:
        return ErrorResponse(400, "The Content-Length is not a number.")
    length = int(lengths[0])
    return length if length <= BODY_LIMIT else ErrorResponse(413, f"The body is longer than {BODY_LIMIT} bytes.")


def check_content_type(headers: Message) -> ErrorResponse | None:
    """Refuse text and forms, which a page may send anywhere. JSON needs a CORS preflight, which is refused."""
    kinds = headers.get_all("Content-Type") or [""]
    if len(kinds) == 1 and kinds[0].partition(";")[0].strip().lower() == "application/json":
        return None
    return ErrorResponse(415, "The body has to be application/json.")


def read_body(content: bytes, policy: AccessPolicy) -> dict[str, object] | ErrorResponse:
    """Return the request for mlx_lm.server: for the served model, without values that crash it."""
    if content.count(b"[") + content.count(b"{") > BRACKETS_LIMIT:
        return ErrorResponse(413, "The body has too many lists and objects.")
    try:
        body = json_reader.parse(content, JsonLimits(BODY_LIMIT, finite=True))
        usable = _is_usable(body)
    except ValueError:
        return ErrorResponse(400, "The body is not JSON.")
    if not usable:
        return ErrorResponse(400, "The body has a number that is infinite or too large.")
    if not isinstance(body, dict):
        return ErrorResponse(400, "The body is not a JSON object.")
    # In the OpenAI API, null means absent.
    body = {name: value for name, value in body.items() if value is not None}
    return _check_model(body, policy) or _check_numbers(body) or _check_fields(body) or body


def check_vocabulary(body: Mapping[str, object], size: int) -> ErrorResponse | None:
    """Refuse token ids beyond the vocabulary: mlx would read out of bounds, and mlx-lm would crash."""
    top_k, bias = body.get("top_k"), body.get("logit_bias")
    if not size and (top_k or bias):
        return ErrorResponse(503, "The model is still being loaded.")
    if isinstance(top_k, int) and top_k >= max(1, size):
        return ErrorResponse(400, f"top_k has to be below {size}, the size of the vocabulary.")
    if bias is not None and (not isinstance(bias, dict) or not all(_is_bias(*each, size) for each in bias.items())):
        return ErrorResponse(400, f"logit_bias has to give numbers to tokens from 0 to {size - 1}.")
    return None


def hide_paths(message: str, folder: str) -> str:
    """Remove paths from an error of the library."""
    return PATH.sub("…", message.replace(folder, "…") if len(folder) > 1 else message)


def _check_sender(headers: Message, policy: AccessPolicy) -> ErrorResponse | None:
    hosts, origins = headers.get_all("Host") or [], headers.get_all("Origin") or []
    if len(hosts) != 1:
        return ErrorResponse(400, "A request names one host.")
    host = hosts[0].strip().lower()
    if host not in {f"{name}:{policy.port}" for name in NAMES}:
        return ErrorResponse(403, f"This server is {LOOPBACK}:{policy.port}, and accepts no other host name.", "host")
    sites = headers.get_all("Sec-Fetch-Site") or []
    if any(each != f"http://{host}" for each in origins) or not {"same-origin", "none"}.issuperset(sites):
        return ErrorResponse(403, "Web pages can't use this server.", "origin")
    return None


def _check_path(method: str, path: str) -> ErrorResponse | None:
    is_completion = path in COMPLETIONS
    if not is_completion and path not in (HEALTH, MODELS) and not path.startswith(f"{MODELS}/"):
        return ErrorResponse(404, "This server has no such path.", "not_found")
    allowed = "POST" if is_completion else "GET"
    return None if method == allowed else ErrorResponse(405, f"This path takes {allowed} only.")


def _check_key(path: str, headers: Message, policy: AccessPolicy) -> ErrorResponse | None:
    if not policy.key or path == HEALTH:
        return None
    fields = headers.get_all("Authorization") or [""]
    kind, _, key = fields[0].partition(" ")
    is_right = hmac.compare_digest(key.strip().encode("utf-8", "replace"), policy.key.encode())
    if len(fields) == 1 and kind.lower() == "bearer" and is_right:
        return None
    return ErrorResponse(401, "This server needs its API key.", "invalid_api_key")


def _check_model(body: dict[str, object], policy: AccessPolicy) -> ErrorResponse | None:
    if not policy.has_model(body.setdefault("model", DEFAULT_MODEL)):
        return ErrorResponse(404, f"This server has one model: {policy.model}.", "model_not_found")
    draft = body.pop("draft_model", DEFAULT_MODEL)
    if body.pop("adapters", None) is not None or draft != DEFAULT_MODEL:
        return ErrorResponse(404, "This server has neither adapters nor draft models.", "model_not_found")
    return None


def _check_numbers(body: dict[str, object]) -> ErrorResponse | None:
    """Refuse numbers that crash mlx_lm.server's generation thread."""
    if any(isinstance(value, int) and abs(value) >= LARGEST_COUNT for name, value in body.items() if name != "seed"):
        return ErrorResponse(400, "A whole number has at most 31 bits.")
    seed, threshold = body.get("seed"), body.get("xtc_threshold")
    if isinstance(seed, int) and seed < 0:
        return ErrorResponse(400, "seed can't be negative; leave it out for a random one.")
    if any(isinstance(body.get(name), bool) for name in ("top_k", "top_logprobs")):
        return ErrorResponse(400, "top_k and top_logprobs are whole numbers.")
    if body.get("xtc_probability") and isinstance(threshold, int | float) and threshold > XTC_LIMIT:
        return ErrorResponse(400, f"xtc_threshold is at most {XTC_LIMIT}.")
    return None


def _check_fields(body: dict[str, object]) -> ErrorResponse | None:
    """Refuse values that crash mlx_lm.server's generation thread, and files or URLs that it would read."""
    prompt, messages = body.get("prompt", " "), body.get("messages", [{}])
    if not (isinstance(prompt, str) and prompt and isinstance(messages, list) and messages):
        return ErrorResponse(400, "prompt is a text, messages is a list, and neither is empty.")
    if not isinstance(options := body.get("stream_options", {}), dict):
        return ErrorResponse(400, "stream_options is an object.")
    options.setdefault("include_usage", False)
    stop, arguments = body.get("stop"), body.get("chat_template_kwargs") or {}
    stops = [stop] if isinstance(stop, str) else stop or []
    if not isinstance(stops, list) or len(stops) > STOPS_LIMIT or not all(map(_is_stop, stops)):
        limits = f"{STOPS_LIMIT} texts, each of at most {STOP_LIMIT} characters"
        return ErrorResponse(400, f"stop is a text or a list of at most {limits}.")
    if not isinstance(arguments, dict) or not CALLS_OWN.isdisjoint(arguments):
        return ErrorResponse(400, "chat_template_kwargs has a name that is reserved.")
    if any(not url.startswith("data:") for url in _images(messages)):
        return ErrorResponse(400, "An image has to be a data: URL; this server fetches nothing.")
    return None


def _is_stop(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= STOP_LIMIT


def _images(messages: list[object]) -> Iterator[str]:
    contents = [message.get("content") for message in messages if isinstance(message, dict)]
    for part in (part for content in contents if isinstance(content, list) for part in content):
        for name in IMAGES if isinstance(part, dict) else ():
            url = part.get(name)
            found = url.get("url") if isinstance(url, dict) else url
            if isinstance(found, str):
                yield found


def _is_usable(value: object) -> bool:
    """Return whether texts can be encoded (else UnicodeEncodeError) and numbers fit. `json_reader` limits the depth."""
    if isinstance(value, dict | list):
        return all(map(_is_usable, (*value, *value.values()) if isinstance(value, dict) else value))
    if isinstance(value, str):
        value.encode()
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or -LARGEST <= value < LARGEST


def _is_bias(name: str, bias: object, size: int) -> bool:
    return LENGTH.fullmatch(name) is not None and int(name) < size and isinstance(bias, int | float)
