from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.engine.remote.address import host_of, is_loopback, is_unencrypted, reference, server_model, tidy
from app.engine.types import Failure, ServerModel


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("localhost:8080", "http://localhost:8080/v1"),
        (" http://Box.local:1234/ ", "http://box.local:1234/v1"),
        ("https://example.org/api/v2", "https://example.org/api/v2"),
        ("http://127.0.0.1:11434/v1/chat/completions", "http://127.0.0.1:11434/v1"),
        ("http://[::1]:8080/v1/models", "http://[::1]:8080/v1"),
        ("::1", "http://[::1]/v1"),
        ("https://api.mistral.ai", "https://api.mistral.ai/v1"),
        ("https://api.groq.com/openai", "https://api.groq.com/openai/v1"),
        ("https://openrouter.ai/api/v1/models", "https://openrouter.ai/api/v1"),
        ("https://api.z.ai/api/paas/v4/", "https://api.z.ai/api/paas/v4"),
        ("https://vendor.example/v1beta/openai/", "https://vendor.example/v1beta/openai"),
        ("https://vendor.example/v1beta/openai/chat/completions", "https://vendor.example/v1beta/openai"),
        ("https://vendor.example/v1/openai", "https://vendor.example/v1/openai"),
        ("http://box.local/v1-openai", "http://box.local/v1-openai"),
        ("https://vendor.example/v1/projects/p/endpoints/openapi",) * 2,
        ("http://box.local/vllm", "http://box.local/vllm/v1"),
    ],
)
def test_tidy_address_is_completed(typed: str, address: str) -> None:
    assert tidy(typed) == address
    assert tidy(address) == address


@pytest.mark.parametrize(
    "typed",
    [
        *("", "  ", "ftp://host", "http://", "http://a b", "http://host:99999", "http://host:x"),
        *("http://me:secret@host", "http://host/?key=secret", "http://[::1"),
    ],
)
def test_tidy_invalid_address_is_refused(typed: str) -> None:
    refused = tidy(typed)
    assert isinstance(refused, Failure) and refused.what.endswith(".") and refused.todo.endswith(".")
    assert "secret" not in refused.what + refused.todo + refused.details


@pytest.mark.slow
@settings(max_examples=20)
@given(st.text(min_size=1))
@example("/.")
@example("org//model/")
def test_reference_through_a_path_keeps_its_model(model: str) -> None:
    named = reference("http://127.0.0.1:8080/v1", model)
    for name in (named, str(Path(named))):
        assert server_model(name) == ServerModel("http://127.0.0.1:8080/v1", model)


@pytest.mark.parametrize("name", ["", "/models/demo", "mlx-community/Qwen3-4B", "http://host/v1", "http://host/v1#"])
def test_server_model_of_a_local_path_is_none(name: str) -> None:
    assert server_model(name) is None


def test_is_unencrypted_only_for_remote_http() -> None:
    assert all(is_loopback(f"http://{host}/v1") for host in ("127.0.0.5:80", "[::1]", "localhost"))
    assert not is_loopback("http://127.example.org/v1")
    assert is_unencrypted("http://192.168.1.20:8080/v1")
    assert not is_unencrypted("https://192.168.1.20:8080/v1") and not is_unencrypted("http://localhost:8080/v1")
    assert (ServerModel("http://h/v1", "/models/demo/").name, ServerModel("h", "org/demo").name) == ("demo", "org/demo")


def test_host_of_an_invalid_address_is_the_text() -> None:
    named = server_model("http://[::1/#m")
    assert named is not None
    assert host_of(named.address) == named.address == "http://[::1/"
    assert not is_loopback(named.address)
