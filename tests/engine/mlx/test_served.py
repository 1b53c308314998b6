import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import mlx.core as mx
import pytest

import app
from app.engine.mlx.loaded import arrays_of
from app.engine.mlx.served import SingleModelProvider
from app.engine.remote import server_probe
from app.engine.remote.answer import Timeouts
from app.engine.types import Failure, Server
from app.platform.startup import SERVE_SWITCH
from app.serving.types import KEY_VARIABLE
from tests.engine.remote.playing import chat, opened, play
from tests.engine.remote.real import until_answers
from tests.ports import free_port

pytestmark = pytest.mark.slow

ROOT = Path(app.__file__).parents[1]
SERVER = [sys.executable, "-m", "app", SERVE_SWITCH, "mlx_lm.server"]
KEY = "sk-very-secret-123"
HEADERS = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
CHAT = {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 2}
FATAL = [
    {"prompt": ""},
    {"prompt": ["a", "b"]},
    {"top_k": 100_000},
    {"logit_bias": {"99999999": 1.0}},
    {"repetition_penalty": 1.2, "repetition_context_size": 10**12},
    {"stop": [5]},
    {"messages": []},
    {"seed": -1},
    {"chat_template_kwargs": {"chat_template": "{% for a in range(10**9) %}{% endfor %}"}},
]
"""Each of them ends or occupies the generation thread of mlx-lm's own server."""
ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


@pytest.fixture(scope="module")
def served(demo_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a child that asks for a key."""
    with serving(demo_model, tmp_path_factory.mktemp("home")) as address:
        yield address


@contextmanager
def serving(model: Path, home: Path) -> Iterator[str]:
    port = free_port()
    address, pipe = f"http://127.0.0.1:{port}/v1", subprocess.PIPE
    command, env = [*SERVER, "--model", str(model), "--port", str(port)], {KEY_VARIABLE: KEY, "HF_HOME": str(home)}
    with (
        (home / "log").open("wb") as log,
        subprocess.Popen(command, cwd=ROOT, env=os.environ | env, stdin=pipe, stdout=log, stderr=log) as child,
    ):
        try:
            assert until_answers(address, child, KEY), (home / "log").read_text()
            yield address
        finally:
            child.kill()
    written = (home / "log").read_text()
    assert KEY not in written and "sluice: " not in written


def ask(address: str, content: object, path: str = "/chat/completions") -> tuple[int, str]:
    asking = urllib.request.Request(address + path, json.dumps(content).encode() if content else None, HEADERS)
    try:
        with urllib.request.urlopen(asking, timeout=60) as answer:
            assert not [name for name in answer.headers if name.lower().startswith("access-control")]
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_completion_ends_when_its_client_disconnects(demo_model: Path, tmp_path: Path) -> None:
    """Otherwise an answer that isn't streamed would keep the model busy to its end."""
    end = json.loads((demo_model / "config.json").read_text())["eos_token_id"]
    endless = {"prompt": "Once", "max_tokens": 50_000, "logit_bias": {str(end): -100.0}}
    with serving(demo_model, tmp_path) as address:
        host, until = address.removeprefix("http://").removesuffix("/v1"), time.monotonic() + 60
        while ask(address, CHAT)[0] == 503:
            assert time.monotonic() < until, "the model is still loading"
        asking = http.client.HTTPConnection(host)
        asking.request("POST", "/v1/completions", json.dumps(endless), HEADERS)
        asking.close()
        while "ConnectionAbortedError" not in (tmp_path / "log").read_text():
            assert time.monotonic() < until
            server_probe.health_failure(address)
        assert ask(address, CHAT)[0] == 200


def test_model_list_has_only_the_name(served: str, demo_model: Path) -> None:
    models = server_probe.list_models(Server(served), KEY)
    assert isinstance(models, tuple) and [each.id for each in models] == ["demo"]
    status, said = ask(served, None, "/models")
    assert status == 200 and str(demo_model.parent) not in said
    refused = server_probe.list_models(Server(served), "another")
    assert isinstance(refused, Failure) and refused.kind == "key"
    assert server_probe.health_failure(served) is None


def test_request_for_another_model_is_refused(served: str, demo_draft: Path) -> None:
    for field in ("model", "adapters", "draft_model"):
        status, said = ask(served, {**CHAT, field: str(demo_draft)})
        assert status == 404 and str(demo_draft) not in said
        assert json.loads(said)["error"]["code"] == "model_not_found"
    for name in ("demo", "default_model"):
        status, said = ask(served, {**CHAT, "model": name})
        assert status == 200 and json.loads(said)["model"] == name


@pytest.mark.parametrize("fatal", FATAL, ids=str)
def test_request_that_mlx_lm_would_fail_at_is_refused(served: str, fatal: dict[str, object]) -> None:
    path = "/completions" if "prompt" in fatal else "/chat/completions"
    status, said = ask(served, {**CHAT, **fatal}, path)
    assert status == 400 and json.loads(said)["error"]["message"]
    assert server_probe.health_failure(served) is None


@pytest.mark.parametrize(
    ("template", "content", "reason"),
    [(ENDLESS, "Hi", "takes too long"), ("{% for each in messages %}{{ each.content }}{% endfor %}", "", "no tokens")],
)
def test_template_without_end_or_tokens_does_not_end_the_server(
    demo_model: Path, tmp_path: Path, template: str, content: str, reason: str
) -> None:
    """It is rendered in its own process, within the limits of the window."""
    model = Path(shutil.copytree(demo_model, tmp_path / "model"))
    (model / "chat_template.jinja").write_text(template, "utf-8")
    with serving(model, tmp_path) as address:
        for _ in range(2):
            status, said = ask(address, {**CHAT, "messages": [{"role": "user", "content": content}]})
            assert status == 400 and reason in said
        assert ask(address, {"prompt": "Hi", "max_tokens": 2}, "/completions")[0] == 200


def test_refusals_of_mlx_lm_have_the_same_format(served: str) -> None:
    for wrong in ({"temperature": "hot"}, {"messages": [{"role": "user", "content": 5}]}):
        status, said = ask(served, {**CHAT, **wrong})
        assert status == 400 and set(json.loads(said)["error"]) == {"message", "type", "param", "code"}


def test_remote_engine_can_use_the_server(served: str) -> None:
    engine, model = opened(served, "demo", Timeouts(), KEY)
    assert model.name == "demo" and model.can.chat and model.can.raw
    assert play(engine, chat("Say hello.", tokens=4)).finish.failure is None


def test_server_refuses_another_host_name(served: str) -> None:
    port = int(served.rpartition(":")[2].partition("/")[0])
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(f"GET /v1/models HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.0 403")


@pytest.mark.parametrize("arguments", [["--host", "0.0.0.0", "--model", "x"], []])
def test_server_needs_a_model_and_this_computer(arguments: list[str]) -> None:
    done = subprocess.Popen([*SERVER, *arguments], cwd=ROOT, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with done:
        assert done.stderr is not None
        assert "sluice: a model is served on 127.0.0.1 alone" in done.stderr.read()
    assert done.returncode == 1


def test_server_computes_in_float32_on_the_cpu_as_the_window_does(demo_model: Path) -> None:
    """The demo model's files are in float16, with which mlx's CPU backend is many times slower."""
    arguments = Namespace(
        model=str(demo_model),
        adapter_path=None,
        draft_model=None,
        trust_remote_code=False,
        chat_template="",
        use_default_chat_template=False,
        pipeline=False,
    )
    provider = SingleModelProvider(arguments)
    model, _ = provider.load("someone/other")
    assert {array.dtype for array in arrays_of(model)} == {mx.float32}
    assert provider.load("someone/other")[0] is model
