import json
import threading
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import ModelInfo
from hypothesis import example, given

from app.engine.types import Failure
from app.library import hub as library
from app.library import hub_requests, plan
from app.library.download_file import DownloadRequest, fetch, retrying
from app.library.hub_requests import ERRORS, LONGEST_WAIT_S
from app.library.memory_estimate import fit, shape_of
from app.library.types import Device, HubDetails, RetryPolicy, Sizes
from tests import hub as hub_of_tests
from tests.examples import at_most
from tests.hub import DEMO, Hub, Shelf
from tests.library.test_hub import failed
from tests.malformed_json import spoiled

LFS = {"size": 9, "sha256": "2" * 64, "pointerSize": 134}
TOLD: dict[str, Any] = {
    "id": DEMO,
    "author": "mlx-community",
    "sha": "0" * 40,
    "lastModified": "2026-01-01T00:00:00.000Z",
    "downloads": 3,
    "likes": 4,
    "gated": False,
    "tags": ["mlx", "license:mit", "4-bit"],
    "config": {"model_type": "llama", "quantization": {"bits": 4}},
    "safetensors": {"parameters": {"F16": 100, "U32": 7}, "total": 107},
    "siblings": [
        {"rfilename": "config.json", "size": 20, "blobId": "0" * 40},
        {"rfilename": "model.safetensors", "size": 9, "blobId": "1" * 40, "lfs": LFS},
    ],
}
CONFIG: dict[str, Any] = {
    "model_type": "gemma3_text",
    "num_hidden_layers": 26,
    "num_attention_heads": 8,
    "num_key_value_heads": [4, 8],
    "head_dim": 64,
    "hidden_size": 512,
    "max_position_embeddings": 32_768,
    "sliding_window": 512,
    "sliding_window_pattern": 6,
    "layer_types": ["full_attention", "sliding_attention"],
    "full_attn_idxs": [0, 4],
    "vocab_size": 9,
    "text_config": {"num_hidden_layers": 2},
    "quantization": {"bits": 4, "group_size": 64},
}
Handler = Any


@pytest.fixture
def saying(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Handler], None]], None]:
    """Every answer of the hub is this one."""
    return lambda answer: monkeypatch.setattr(hub_of_tests._Handler, "_answer", answer)


def endless(
    handler: Handler, piece: bytes = b"[]," * 50_000, status: int = 200, headers: Mapping[str, str] | None = None
) -> None:
    """For as long as somebody listens."""
    handler.close_connection = True
    handler.send_response(status)
    for name, value in (headers or {}).items():
        handler.send_header(name, value)
    handler.end_headers()
    try:
        handler.wfile.write(b"[")
        while True:
            handler.wfile.write(piece)
    except OSError:
        pass


def test_request_endless_answer_is_cut_off(saying: Callable[..., None]) -> None:
    saying(endless)
    tracemalloc.start()
    try:
        assert failed(library.search("demo")).kind == "hub"
        assert failed(library.details(DEMO)).kind == "hub"
        assert tracemalloc.get_traced_memory()[1] < 4 * hub_requests.LARGEST_BYTES
    finally:
        tracemalloc.stop()


def test_request_endless_redirect_is_not_read(saying: Callable[..., None]) -> None:
    """The client reads the body of each."""
    saying(lambda handler: endless(handler, status=302, headers={"Location": f"{handler.path}x"}))
    assert failed(library.search("demo")).kind == "hub"


def test_request_endless_refusal_is_cut(saying: Callable[..., None]) -> None:
    saying(lambda handler: endless(handler, status=500))
    assert "HTTP 500" in failed(library.search("demo")).what


def test_request_slow_answer_has_a_deadline(saying: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_requests, "WHOLE_S", 0.1)
    saying(lambda handler: endless(handler, piece=b" "))
    assert failed(library.search("demo")).kind == "hub"


def test_request_slow_headers_have_a_deadline(saying: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a connection that was used well before."""
    assert not isinstance(library.search("demo"), Failure)
    monkeypatch.setattr(hub_requests, "WHOLE_S", 0.3)

    def answer(handler: Handler) -> None:
        handler.close_connection = True
        try:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not gone.wait(0.05):
                handler.wfile.write(b"x")
        except OSError:
            gone.set()

    gone = threading.Event()
    saying(answer)
    assert failed(library.search("demo")).kind == "hub"
    assert gone.wait(20)


def test_request_compressed_answer_is_refused(saying: Callable[..., None]) -> None:
    def answer(handler: Handler) -> None:
        assert handler.headers["Accept-Encoding"] == "identity"
        handler._send(200, b"\x1f\x8b", {"Content-Encoding": "gzip"})

    saying(answer)
    assert failed(library.search("demo")).kind == "hub"


def test_request_redirect_to_http_is_refused(monkeypatch: pytest.MonkeyPatch, hub: Hub) -> None:
    import httpx2
    from huggingface_hub import close_session, set_client_factory
    from huggingface_hub.utils._http import default_client_factory

    def answer(request: httpx2.Request) -> httpx2.Response:
        assert request.url.scheme == "https"
        return httpx2.Response(302, headers={"Location": "http://example.invalid/"})

    set_client_factory(lambda: httpx2.Client(transport=httpx2.MockTransport(answer)))
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "https://example.invalid")
    try:
        assert failed(library.search("demo")).what == "The hub can't be reached."
    finally:
        set_client_factory(default_client_factory)
        close_session()


def test_search_extra_results_are_dropped(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    many = [{"id": f"a/m{number}"} for number in range(10_000)]
    monkeypatch.setattr(hub_of_tests._Handler, "_search", lambda handler, query: many)
    answer = library.search("demo")
    assert not isinstance(answer, Failure) and len(answer) == hub_requests.MOST_RESULTS


@pytest.mark.usefixtures("hub")
def test_search_invalid_id_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("../..", "a/..", "..", "a/b/c", "a\0/b", "a" * 97, "ä/b", "", "a/\ud800", "a b/c"):
        found = [{"id": name}]
        monkeypatch.setattr(hub_of_tests._Handler, "_search", lambda *_, found=found: found)
        assert failed(library.search("demo")).kind == "hub", name


NAMES = ["../model.safetensors", "/model.safetensors", "model\0.safetensors", "model\ud800.safetensors", "model\n.json"]


@pytest.mark.parametrize("name", [*NAMES, f"model{'x' * 300}.safetensors", ".model.json", "a\\model.safetensors"])
def test_plan_file_name_outside_is_refused(name: str) -> None:
    assert not plan.is_needed(name)


@pytest.mark.parametrize("size", [-1, 2**50 + 1, 1e9, True, "7", None])
def test_plan_invalid_size_is_refused(size: object) -> None:
    told = TOLD | {"siblings": [{"rfilename": "config.json", "size": size, "blobId": "0" * 40}]}
    with pytest.raises(ValueError, match="no size"):
        plan.files_of(ModelInfo(**told))


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "30"}, 30),
        ({"Retry-After": "31536000"}, None),
        ({"Retry-After": "9" * 5_000}, None),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "Wed, 21 Oct 2099 07:28:00 GMT"}, None),
        ({"Retry-After": "\u0663"}, 3),
        ({"RateLimit": '"api";r=0;t=55'}, 55),
        ({"RateLimit": f'"api";r=0;t={"9" * 5_000}'}, None),
        ({"RateLimit": '"api";r=0;t=31536000'}, None),
    ],
    ids=lambda each: str(each)[:40],
)
def test_retry_after_beyond_an_hour_is_ignored(
    headers: dict[str, str], wait: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import httpx2
    from huggingface_hub.errors import HfHubHTTPError

    told = [(name.encode(), value.encode()) for name, value in headers.items()]
    answer = httpx2.Response(429, headers=told, request=httpx2.Request("GET", "https://example.invalid"))
    answer.headers.encoding = "utf-8"
    error = HfHubHTTPError("busy", response=answer)
    slept: list[float] = []
    monkeypatch.setattr("app.library.download_file.time.sleep", slept.append)

    def act() -> None:
        raise error

    with pytest.raises(HfHubHTTPError):
        retrying(act, lambda: 0, RetryPolicy(first_wait_s=0.5, tries=2), lambda waiting: None, DEMO)
    assert slept == [wait or 0.5] and slept[0] <= LONGEST_WAIT_S


@at_most(30)
@given(spoiled(TOLD))
@example(TOLD | {"downloads": "many", "likes": {}, "tags": ["x" * 10**6], "author": ["a"]})
@example(TOLD | {"safetensors": {"parameters": {"F16": 10**60, "U32": -1}, "total": 3}})
def test_details_any_answer_is_read_or_refused(told: Any) -> None:
    try:
        info = ModelInfo(**told)
        files, commit, model = plan.files_of(info), plan.commit_of(info), library._model(info)
    except ERRORS:
        return
    assert len(commit) == 40 and all(0 <= file.size < 2**51 and "/" not in file.name for file in files)
    assert max(map(len, (model.id, model.author, model.license, model.model_type))) <= 200
    assert all(type(each) is int and each >= 0 for each in (model.downloads, model.likes))
    assert f"{(model.parameters or 0) / 1e9:.1f}{(model.weights or 0) / 1e9:.1f}"


@at_most(50)
@given(spoiled(CONFIG))
@example(CONFIG | dict.fromkeys(("num_key_value_heads", "head_dim", "max_position_embeddings"), 10**90))
@example(CONFIG | {"layer_types": [], "full_attn_idxs": list(range(200_000)), "num_hidden_layers": 10_000})
def test_fit_any_config_has_a_sum(config: Any) -> None:
    if not isinstance(config, dict):
        return
    text = json.dumps(config)
    told = library._details(
        ModelInfo(**TOLD), plan.files_of(ModelInfo(**TOLD)), {"config.json": text, "README.md": ""}, None
    )
    assert fit(Sizes(9, shape=told.shape), told.context or 4_096, Device(10**10)).total >= 0
    assert len(told.model_type) <= 101 and (told.unusable is None or len(told.unusable.what) < 300)
    assert shape_of(config) == shape_of(json.loads(text)) or "nan" in text.lower()


def test_card_of_empty_lines_is_read_quickly(hub: Hub) -> None:
    """It was looked through once for each of them: for hours."""
    hub.models[DEMO].files["README.md"] = b"---" + b"\n" * 1_000_000
    told = library.details(DEMO)
    assert isinstance(told, HubDetails) and told.card.strip("\n") == "---"


def test_card_longer_than_announced_is_dropped(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MOST_TEXT_BYTES", 1_000)
    monkeypatch.setattr(hub_of_tests._Handler, "_content", lambda handler, *_: endless(handler))
    told = library.details(DEMO)
    assert isinstance(told, HubDetails)
    assert told.card == "" and told.unusable is not None


def test_fetch_endless_file_stops_at_its_size(hub: Hub, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.models[DEMO] = Shelf({"config.json": b"{}", "model.safetensors": b"0" * 200_000})
    monkeypatch.setattr(hub_of_tests._Handler, "_content", lambda handler, *_: endless(handler))
    messages: list[Mapping[str, Any]] = []
    fetch(DownloadRequest(DEMO, None, RetryPolicy(1.0, 0.001, 0.002, 2)), messages.append)
    assert messages[-1]["say"] == "failed" and messages[-1]["kind"] == "checksum"
    assert sum(file.stat().st_size for file in cache.rglob("*") if file.is_file()) < 1_000_000
