"""The keychain, by stand-ins for `security` and `secret-tool`: kept, read, forgotten, refused; keys of servers."""

import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine.types import Failure
from app.library import keychain
from app.library.keychain import ServerKeys, account_of

TOKEN = "hf_" + "aB3" * 11
SECRET_TOOL = """
case $1 in
store) cat > "$here/said"; cp "$here/said" "$here/kept" ;;
lookup) test -f "$here/kept" || exit 1; cat "$here/kept" ;;
clear) rm -f "$here/kept" ;;
*) exit 2 ;;
esac
"""
SECURITY = """
case $1 in
-i) cat > "$here/said"; read -r line < "$here/said"; printf %s "${line##* }" > "$here/kept" ;;
find-generic-password) test -f "$here/kept" || exit 44; cat "$here/kept"; echo ;;
delete-generic-password) test -f "$here/kept" || { echo "security: no such item" >&2; exit 44; }; rm "$here/kept" ;;
*) exit 2 ;;
esac
"""


class Tool:
    """A stand-in for the system's program, which notes what it is told."""

    def __init__(self, program: Path, script: str) -> None:
        self.program = program
        self.does(script)

    def does(self, script: str) -> None:
        self.program.write_text(f'#!/bin/sh\nhere=${{0%/*}}\necho "$@" >> "$here/arguments"\n{script}')
        self.program.chmod(0o755)

    def noted(self, name: str) -> str:
        file = self.program.parent / name
        return file.read_text() if file.exists() else ""


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Somebody who listens where the session bus should be, under an address as short as a socket's has to be."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        place = Path(folder) / "bus"
        listener.bind(str(place))
        listener.listen()
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={place},guid=1")
        yield place


@pytest.fixture
def linux(tmp_path: Path, bus: Path, monkeypatch: pytest.MonkeyPatch) -> Tool:
    monkeypatch.setattr(keychain, "ON_A_MAC", False)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return Tool(tmp_path / "secret-tool", SECRET_TOOL)


@pytest.fixture
def mac(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tool:
    monkeypatch.setattr(keychain, "ON_A_MAC", True)
    monkeypatch.setattr(keychain, "SECURITY", str(tmp_path / "security"))
    return Tool(tmp_path / "security", SECURITY)


@pytest.fixture(params=["linux", "mac"])
def tool(request: pytest.FixtureRequest) -> Tool:
    """Each of the two systems."""
    found: Tool = request.getfixturevalue(request.param)
    return found


def refused(answer: object) -> Failure:
    """It is a Failure, and nothing in it is the token."""
    assert isinstance(answer, Failure)
    assert TOKEN not in repr(answer)
    return answer


def test_keychain_stores_reads_and_deletes(tool: Tool) -> None:
    assert keychain.unavailable() == ""
    assert keychain.read() is None
    assert keychain.keep("hf_earlier") is None
    assert keychain.keep(TOKEN) is None
    assert keychain.read() == TOKEN
    assert keychain.forget() is None
    assert keychain.read() is None
    assert keychain.forget() is None, "what is not there is forgotten"
    arguments = tool.noted("arguments")
    assert arguments.count("Sluice") >= 5 and arguments.count("huggingface") >= 5
    assert "hf_" not in arguments


def test_keychain_security_gets_the_token_on_stdin(mac: Tool) -> None:
    assert keychain.keep(TOKEN) is None
    assert mac.noted("said") == f"add-generic-password -U -s Sluice -a huggingface -w {TOKEN}\n"
    assert mac.noted("arguments").splitlines()[0] == "-i"


def test_keychain_secret_tool_gets_the_token_on_stdin(linux: Tool) -> None:
    assert keychain.keep(TOKEN) is None
    assert linux.noted("said") == TOKEN


def test_keychain_has_the_systems_name(tool: Tool) -> None:
    assert keychain.name() == {"security": "Keychain", "secret-tool": "keyring"}[tool.program.name]


def test_keychain_missing_program_is_a_reason(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    tool.program.unlink()
    monkeypatch.setenv("PATH", str(tool.program.parent))
    why = keychain.unavailable()
    assert why in ("secret-tool is not installed", f"{tool.program} is missing")
    for answer in (keychain.read(), keychain.keep(TOKEN), keychain.forget()):
        assert why in refused(answer).what


@pytest.mark.parametrize("address", ["unix:path=/nowhere/bus", "unix:abstract=sluice-tests-nobody", ""])
def test_keychain_without_session_bus_runs_nothing(
    linux: Tool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, address: str
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "empty"))
    assert keychain.unavailable() == "the D-Bus session bus doesn't answer"
    refused(keychain.keep(TOKEN))
    assert linux.noted("arguments") == ""


def test_keychain_finds_the_session_bus(linux: Tool, monkeypatch: pytest.MonkeyPatch, bus: Path) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(bus.parent))
    assert keychain.unavailable() == ""
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert keychain.unavailable() == "the D-Bus session bus doesn't answer"
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "tcp:host=localhost,port=1")
    assert keychain.unavailable() == ""


def test_keychain_failure_omits_the_token(tool: Tool) -> None:
    tool.does(f'cat > "$here/said"; echo "first" >&2; echo "{tool.program.name}: no {TOKEN} here." >&2; exit 3')
    kept = refused(keychain.keep(TOKEN))
    assert tool.noted("said"), "it was asked"
    assert kept.what == f"The {keychain.name()} did not store the token ({tool.program.name}: no … here)."
    for answer in (keychain.read(), keychain.forget()):
        assert "no hf_… here" in refused(answer).what


def test_keychain_failure_omits_other_tokens(tool: Tool) -> None:
    tool.does('cat >&2; echo " is wrong" >&2; exit 1')
    failure = keychain.keep("other.hub-1234")
    assert isinstance(failure, Failure)
    assert "1234" not in repr(failure) and "is wrong" in failure.what


def test_keychain_failure_without_output_has_the_exit_code(tool: Tool) -> None:
    tool.does("exit 7")
    assert "it ended with 7" in refused(keychain.read()).what


def test_keychain_hanging_program_is_killed(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keychain, "TIMEOUT_S", 0.1)
    tool.does("exec sleep 60")
    for answer in (keychain.read(), keychain.keep(TOKEN), keychain.forget()):
        assert "no answer within 0.1 seconds" in refused(answer).what


def test_keychain_program_that_cannot_start_fails(tool: Tool) -> None:
    tool.program.write_text("#!/nowhere/sh\n")
    assert "FileNotFoundError" in refused(keychain.keep(TOKEN)).what


def test_keychain_lost_token_is_a_failure(tool: Tool) -> None:
    tool.does('echo hf_another; cat > "$here/said"')
    assert "has not stored the token" in refused(keychain.keep(TOKEN)).what


def test_keychain_unreadable_token_is_a_failure(tool: Tool) -> None:
    tool.does('case $1 in -i|store) cat > "$here/said" ;; *) echo locked >&2; exit 5 ;; esac')
    assert "could not be read (locked)" in refused(keychain.keep(TOKEN)).what


@pytest.mark.parametrize("word", ["", "two words", 'a"b', "a'b", "a\\b", "a\nb", "ü", "x" * 1001])
def test_keychain_invalid_token_is_not_sent(tool: Tool, word: str) -> None:
    failure = keychain.keep(word)
    assert isinstance(failure, Failure)
    assert not word or word not in failure.what + failure.details
    assert tool.noted("arguments") == ""


def test_keychain_foreign_item_is_a_failure(tool: Tool) -> None:
    tool.does("echo 'not a token'")
    assert "is not a token" in refused(keychain.read()).what


ADDRESS = "http://[::1]:8080/v1"


def test_server_keys_cache_the_keychain(monkeypatch: pytest.MonkeyPatch) -> None:
    chain: dict[str, str] = {}
    asked: list[str] = []

    def read(account: str) -> str | None:
        asked.append(account)
        return chain.get(account)

    monkeypatch.setattr(keychain, "read", read)
    keys = ServerKeys()
    assert [keys.of(ADDRESS), keys.of(ADDRESS)] == ["", ""] and asked == [account_of(ADDRESS)]
    chain[account_of(ADDRESS)] = "kept"
    assert (keys.of(ADDRESS), keys.of(ADDRESS, reread=True), keys.of(ADDRESS)) == ("", "kept", "kept")
    keys.give(ADDRESS, "given")
    assert (keys.of(ADDRESS), keys.of(ADDRESS, reread=True)) == ("given", "given")
    keys.give(ADDRESS, "")
    assert keys.of(ADDRESS) == "", "forgotten by the user, whatever the keychain still has"
    keys.forget(ADDRESS)
    assert keys.of(ADDRESS) == "kept" and len(asked) == 3
