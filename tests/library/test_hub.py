import errno
import os
import subprocess
import sys

import pytest

from app.engine.types import Failure
from app.library import hub as library
from app.library.hub_requests import disk_failure, hub_failure
from app.library.types import HubDetails, HubModel, Layer, Shape, Sort
from tests.hub import DEMO, Hub, Shelf


def found(answer: tuple[HubModel, ...] | Failure) -> list[str]:
    assert not isinstance(answer, Failure), answer
    return [model.id for model in answer]


def failed(answer: object) -> Failure:
    assert isinstance(answer, Failure)
    assert answer.what.endswith(".") and answer.todo.endswith(".")
    return answer


@pytest.fixture
def shelves(hub: Hub) -> Hub:
    config = b'{"model_type": "llama"}'
    plain = ("safetensors", "text-generation")
    hub.models |= {
        "somebody/demo-big": Shelf({"config.json": config}, plain, 900, 1, "2026-05-01T00:00:00.000Z"),
        "somebody/demo-mlx": Shelf({"config.json": config}, (*plain, "mlx"), 50, 2, "2026-04-01T00:00:00.000Z"),
        "mlx-community/demo-two": Shelf({"config.json": config}, (*plain, "mlx"), 70, 1, "2026-03-01T00:00:00.000Z"),
        "somebody/demo-gguf": Shelf({"demo.gguf": b""}, ("gguf",), 9999),
    }
    hub.models[DEMO].downloads, hub.models[DEMO].likes = 60, 9
    return hub


def test_search_models_for_mlx_come_first(shelves: Hub) -> None:
    assert found(library.search(" demo ")) == [
        "mlx-community/demo-two",
        "mlx-community/demo",
        "somebody/demo-mlx",
        "somebody/demo-big",
    ]


@pytest.mark.parametrize(
    ("sort", "first"),
    [(Sort.LIKES, DEMO), (Sort.DATE, "mlx-community/demo-two"), (Sort.DOWNLOADS, "mlx-community/demo-two")],
)
def test_search_sort_is_passed_on(shelves: Hub, sort: Sort, first: str) -> None:
    assert found(library.search("demo", sort))[0] == first


def test_search_author_is_passed_on(shelves: Hub) -> None:
    assert found(library.search("somebody")) == ["somebody/demo-mlx", "somebody/demo-big"]


@pytest.mark.parametrize("text", ["somebody/demo-gguf", "https://huggingface.co/somebody/demo-gguf/tree/main?x=1"])
def test_search_pasted_id_is_found(shelves: Hub, text: str) -> None:
    assert found(library.search(text)) == ["somebody/demo-gguf"]


def test_search_without_matches_is_empty(shelves: Hub) -> None:
    assert library.search("no/such") == ()


@pytest.mark.parametrize(
    ("text", "model_id"),
    [
        ("a/b", "a/b"),
        (" https://huggingface.co/mlx-community/Q-3.5_4bit ", "mlx-community/Q-3.5_4bit"),
        ("hf.co/a/b/blob/main/config.json", "a/b"),
        ("https://example.com/a/b", None),
        ("llama", None),
        ("two words/b", None),
        ("../../etc", None),
    ],
)
def test_model_id_of_ids_and_addresses(text: str, model_id: str | None) -> None:
    assert library.model_id_of(text) == model_id


def test_search_result_has_its_fields(hub: Hub) -> None:
    hub.models[DEMO].parameters = {"U32": 1_000, "F16": 500}
    answer = library.search("demo")
    assert isinstance(answer, tuple)
    model = answer[0]
    assert (model.author, model.mlx, model.gated, model.license) == ("mlx-community", True, False, "mit")
    assert (model.bits, model.parameters, model.weights) == (4, 8_500, 5_000)
    assert model.dtype == "float16"
    assert model.changed == 1767225600.0


def test_details_have_sizes_files_and_card(hub: Hub) -> None:
    told = library.details(DEMO)
    assert isinstance(told, HubDetails)
    names = [file.name for file in told.files]
    assert "model.safetensors" in names and "tokenizer.json" in names
    assert not {"README.md", "model.py", "onnx/model.onnx"} & set(names)
    assert told.weights == len(hub.models[DEMO].files["model.safetensors"])
    assert told.size == sum(len(hub.models[DEMO].files[name]) for name in names)
    assert told.shape == Shape((Layer(3, 320),), heads=5, width=10 * 160 + 3 * 448)
    assert (told.model_type, told.context, told.unusable) == ("llama", 2048, None)
    assert told.card.lstrip().startswith("#")
    assert hub.fetched() == []


def test_details_of_a_gated_model_have_sizes_only(hub: Hub) -> None:
    hub.models[DEMO].gated = True
    told = library.details(DEMO)
    assert isinstance(told, HubDetails)
    assert told.model.gated and told.weights and told.shape is None
    assert told.unusable is not None and "is gated" in told.unusable.what
    opened = library.details(DEMO, hub.token)
    assert isinstance(opened, HubDetails) and opened.unusable is None and opened.shape is not None


def test_details_large_card_is_not_read(hub: Hub) -> None:
    hub.models[DEMO].files["README.md"] = b"x" * (library.MOST_TEXT_BYTES + 1)
    told = library.details(DEMO)
    assert isinstance(told, HubDetails)
    assert (told.card, told.shape is None) == ("", False)
    assert not any(path.endswith("README.md") for _, path, _ in hub.asked)


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"config.json": b'{"model_type": "llama"}', "pytorch_model.bin": b"x"}, "no weights"),
        ({"model.safetensors": b"x"}, "no config.json"),
        ({"model.safetensors": b"x", "config.json": b"[]"}, "no config.json"),
        pytest.param({"model.safetensors": b"x", "config.json": b"[" * 50_000}, "no config.json", id="deep"),
        ({"model.safetensors": b"x", "config.json": b'{"model_type": "whisper"}'}, "type “whisper”"),
        ({"model.safetensors": b"x", "config.json": b'{"model_type": "a", "model_file": "a.py"}'}, "Python code"),
    ],
)
def test_details_unsupported_model_has_a_reason(hub: Hub, files: dict[str, bytes], why: str) -> None:
    hub.models["a/b"] = Shelf(files)
    told = library.details("a/b")
    assert isinstance(told, HubDetails) and told.unusable is not None
    assert why in told.unusable.what


STATUSES = [
    (401, {"X-Error-Code": "GatedRepo"}, "gated", "is gated"),
    (401, {}, "token", "did not accept the token"),
    (403, {}, "gated", "no access"),
    (404, {}, "absent", "has no “demo”"),
    (429, {"Retry-After": "30"}, "busy", "rate limit"),
    (500, {}, "hub", "HTTP 500"),
    (418, {}, "hub", "HTTP 418"),
]


@pytest.mark.parametrize(("status", "headers", "kind", "what"), STATUSES)
def test_hub_failure_is_a_sentence(hub: Hub, status: int, headers: dict[str, str], kind: str, what: str) -> None:
    hub.faults.statuses["/api/models"] = [(status, headers)]
    failure = failed(library.search("demo"))
    assert failure.kind == kind and what in failure.what
    assert status != 429 or "30 seconds" in failure.todo
    assert len(hub.asked) == 1


@pytest.mark.parametrize("token", ["hf_…", "hf_a\u200bb", "hf_a\nb"])
def test_hub_failure_invalid_token_is_named(hub: Hub, token: str) -> None:
    for answer in (library.search("demo", token=token), library.details(DEMO, token)):
        failure = failed(answer)
        assert (failure.kind, failure.what) == ("token", "The hub did not accept the token.")
        assert repr(token)[1:-1] not in repr(failure)
    assert hub.asked == []


def test_details_absent_model_is_a_failure(hub: Hub) -> None:
    assert failed(library.details("no/such")).kind == "absent"


def test_search_unreachable_hub_is_a_failure(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    assert failed(library.search("demo")).what == "The hub can't be reached."


def test_search_offline_mode_is_a_failure(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert "HF_HUB_OFFLINE" in failed(library.search("demo")).what
    assert hub.asked == []


@pytest.mark.parametrize("body", [b"{}", b"<html>", b'[{"id": 3}]', b"[7]"])
def test_search_malformed_answer_is_a_failure(hub: Hub, monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    monkeypatch.setattr("tests.hub._Handler._search", lambda handler, query: NotImplemented)
    monkeypatch.setattr("tests.hub._Handler._json", lambda handler, answer: handler._send(200, body, {}))
    assert failed(library.search("demo")).kind == "hub"


def test_details_invalid_checksum_is_refused(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.hub.git_sha1", lambda content: "../../evil")
    assert failed(library.details(DEMO)).kind == "hub"


@pytest.mark.slow
def test_import_of_the_library_opens_no_connection() -> None:
    code = (
        "import sys, pkgutil, importlib, app.library as package\n"
        "sys.addaudithook(lambda event, _: sys.exit(event) if event.startswith('socket.') else None)\n"
        "for module in pkgutil.iter_modules(package.__path__): importlib.import_module(f'app.library.{module.name}')\n"
        "assert not {'mlx', 'mlx_lm', 'transformers', 'PySide6'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_disk_failure_full_disk_is_named(number: int) -> None:
    failure = hub_failure(OSError(number, os.strerror(number)), "a/b")
    assert (failure.kind, failure.what) == ("disk", "The disk is full.")


def test_disk_failure_read_only_cache_is_named() -> None:
    failure = disk_failure(PermissionError(errno.EACCES, "Permission denied"))
    assert failure.what == "The Hugging Face cache could not be written to (Permission denied)."
