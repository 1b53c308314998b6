"""The commands are those that mlx-lm and mlx take; rings of hosts, and ports that are free."""

import json
import os
import shlex
import socket
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from app.platform.startup import SERVE_SWITCH
from app.serving import commands, hosts
from app.serving.types import KEY_VARIABLE, RingHost, ServerConfig

SECRET = "sk-very-secret-123"
ALONE = ServerConfig("/models/a model", 8081)
RING = ServerConfig("/models/a model", 8081, (RingHost(), RingHost("me@studio", ("192.168.1.2", "10.0.0.2"))), 4000)
LISTENING = ["--host", "127.0.0.1", "--port", "8081", "--allowed-origins", "http://127.0.0.1:8081"]
HOSTFILE = Path("/data folder/hostfile.json")


def test_shown_one_process_is_read_by_a_shell() -> None:
    words = shlex.split(commands.shell_command(ALONE, HOSTFILE))
    assert words == ["mlx_lm.server", "--model", "/models/a model", *LISTENING]


def test_shown_adapter_is_in_the_command() -> None:
    words = shlex.split(commands.shell_command(replace(ALONE, adapter="/adapters/a fox"), HOSTFILE))
    assert words[1:5] == ["--model", "/models/a model", "--adapter-path", "/adapters/a fox"]


def test_shown_ring_is_read_by_a_shell() -> None:
    before, after = commands.shell_command(RING, HOSTFILE).split(" -- ")
    ring = ["--backend", "ring", "--starting-port", "4000", "--hostfile", "/data folder/hostfile.json"]
    assert shlex.split(before) == ["mlx.launch", *ring]
    assert after == commands.shell_command(ALONE, HOSTFILE)
    usual = ServerConfig(RING.folder, RING.port, RING.hosts)
    assert "--starting-port" not in commands.shell_command(usual, HOSTFILE)


def test_hostfile_text_is_read_by_mlx(tmp_path: Path) -> None:
    from mlx._distributed_utils.common import Hostfile

    file = tmp_path / "hosts.json"
    file.write_text(commands.hostfile_text(RING), "utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # it leaves the file open
        read = Hostfile.from_file(str(file))
    assert read.backend == "ring"
    assert [(host.rank, host.ssh_hostname, host.ips) for host in read.hosts] == [
        (0, "127.0.0.1", ["127.0.0.1"]),
        (1, "me@studio", ["192.168.1.2", "10.0.0.2"]),
    ]


def test_curl_sends_a_chat() -> None:
    words = shlex.split(commands.curl(ALONE))
    assert words[:2] == ["curl", "http://127.0.0.1:8081/v1/chat/completions"]
    assert json.loads(words[-1])["messages"] == [{"role": "user", "content": "Hello"}]


def test_key_is_in_no_command() -> None:
    order = replace(RING, key=SECRET)
    words = [commands.shell_command(order, HOSTFILE), *commands.child(order, HOSTFILE), commands.hostfile_text(order)]
    assert SECRET not in " ".join([*words, commands.curl(order), repr(order)])
    assert shlex.split(commands.curl(order))[-1] == f"Authorization: Bearer ${KEY_VARIABLE}"
    assert commands.environment(order)[KEY_VARIABLE] == SECRET
    assert KEY_VARIABLE not in commands.environment(RING)


@pytest.mark.parametrize(
    ("folder", "name"), [("/models/a model", "a model"), ("org/name", "org/name"), ("/models/ends/", "ends")]
)
def test_name_of_a_model_has_no_path(folder: str, name: str) -> None:
    assert ServerConfig(folder, 8081).name == name


def test_child_gets_the_folder_and_shown_the_id() -> None:
    """By the id it would take whichever came last."""
    order = ServerConfig("/hub/models--org--name/snapshots/0123", 8081)
    assert order.name == "org/name"
    assert shlex.split(commands.shell_command(order, HOSTFILE))[2] == "org/name"
    assert order.folder in commands.child(order, HOSTFILE) and "org/name" not in commands.child(order, HOSTFILE)


@pytest.mark.parametrize("frozen", [False, True])
def test_child_is_this_program_frozen_or_not(frozen: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", frozen, raising=False)
    myself = [sys.executable, *([] if frozen else ["-m", "app"]), SERVE_SWITCH]
    server = [*myself, *shlex.split(commands.shell_command(ALONE, HOSTFILE))]
    assert commands.child(ALONE, HOSTFILE) == server
    ring = commands.child(RING, HOSTFILE)
    assert ring[: len(myself) + 1] == [*myself, "mlx.launch"]
    assert ring[ring.index("--") + 1 :] == server


def test_environment_finds_the_program_and_is_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/mine")
    made = commands.environment(ALONE)
    root, mine = made["PYTHONPATH"].split(os.pathsep)
    assert (Path(root) / "app" / "__main__.py").is_file() and mine == "/mine"
    assert made["HF_HUB_OFFLINE"] == "1"


HERE = RingHost()


def test_refusal_two_local_processes_are_a_ring() -> None:
    assert hosts.hosts_failure((HERE, HERE)) is None
    assert hosts.remote_hosts((HERE, HERE)) == ()
    assert hosts.remote_hosts((HERE, RingHost("studio", ("10.0.0.2",)))) == ("studio",)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ((HERE,), "two processes"),
        ((HERE, RingHost("two words", ("10.0.0.2",))), "“two words” is not a valid ssh host name"),
        ((HERE, RingHost("-oProxyCommand=x", ("10.0.0.2",))), "is not a valid ssh host name"),
        ((HERE, RingHost("studio", ())), "IP address of studio"),
        ((HERE, RingHost("studio", ("studio.local",))), "IP address of studio"),
        ((RingHost("studio", ("10.0.0.2",)), HERE), "this computer"),
    ],
)
def test_refusal_invalid_ring_has_a_reason(wrong: tuple[RingHost, ...], said: str) -> None:
    refusal = hosts.hosts_failure(wrong)
    assert refusal is not None and said in refusal.what and refusal.todo


def test_is_free_while_a_server_listens_is_false() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        assert not hosts.is_free(port)
        assert hosts.free_port(port) > port
    assert hosts.is_free(port)


def test_is_free_with_a_server_on_all_addresses_is_false() -> None:
    with socket.create_server(("0.0.0.0", 0)) as listening:
        assert not hosts.is_free(int(listening.getsockname()[1]))


def test_free_consecutive_ports_skip_a_used_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        first = hosts.free_port(max(1024, port - 1), 3)
        assert first > port and all(map(hosts.is_free, range(first, first + 3)))


def test_free_beyond_the_last_port_is_zero() -> None:
    assert hosts.free_port(65_536) == 0


def test_free_for_ring_does_not_connect() -> None:
    """A process of a ring takes whoever calls first for its neighbour, and hears no other."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        assert not hosts.is_unused(port)
        assert hosts.free_ring_port(2, max(1024, port - 1)) > port
        listening.settimeout(0)
        with pytest.raises(BlockingIOError):
            listening.accept()
    assert hosts.is_unused(port)


def test_is_free_with_a_server_like_mlxs_is_false() -> None:
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        assert not hosts.is_unused(int(listening.getsockname()[1]))
