import subprocess
import sys
from typing import Any

import pytest

from app.platform import app_nap
from app.platform.app_nap import SleepBlocker


class Recorder:
    """Every message gives an address of its own."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, str, list[Any]]] = []
        self.addresses = {"NSString": 1, "NSProcessInfo": 2}
        self.answers = {"stringWithUTF8String:": 11, "processInfo": 12, "beginActivityWithOptions:reason:": 13}
        self.answers["retain"] = 13

    def class_named(self, name: str) -> int:
        return self.addresses[name]

    def send(self, to: int, selector: str, *arguments: tuple[Any, Any]) -> int:
        self.sent.append((to, selector, [value for _, value in arguments]))
        return self.answers.get(selector, 0)


def test_activity_is_begun_and_ended_once() -> None:
    runtime = Recorder()
    sleep_blocker = SleepBlocker(runtime)
    for _ in range(2):
        sleep_blocker.begin("A model is generating")
    assert runtime.sent == [
        (1, "stringWithUTF8String:", [b"A model is generating"]),
        (2, "processInfo", []),
        (12, "beginActivityWithOptions:reason:", [app_nap.USER_INITIATED, 11]),
        (13, "retain", []),
    ]
    runtime.sent.clear()
    for _ in range(2):
        sleep_blocker.end()
    assert runtime.sent == [(2, "processInfo", []), (12, "endActivity:", [13]), (13, "release", [])]


def test_activity_prevents_sleep() -> None:
    """NSActivityIdleSystemSleepDisabled; the screen may, which has a bit of its own."""
    assert app_nap.USER_INITIATED & 1 << 20
    assert not app_nap.USER_INITIATED & 1 << 40


def test_activity_refused_is_not_ended() -> None:
    runtime = Recorder()
    runtime.answers["beginActivityWithOptions:reason:"] = 0
    sleep_blocker = SleepBlocker(runtime)
    sleep_blocker.begin("A model is generating")
    sleep_blocker.end()
    assert "endActivity:" not in [selector for _, selector, _ in runtime.sent]


def test_sleep_blocker_on_linux_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert app_nap.sleep_blocker() is None


def test_sleep_blocker_without_runtime_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(app_nap, "FOUNDATION", "/nowhere/Foundation")
    assert app_nap.sleep_blocker() is None


def test_program_name_without_bundle_is_set() -> None:
    runtime = Recorder()
    runtime.addresses["NSBundle"] = 3
    runtime.answers |= {"mainBundle": 21, "infoDictionary": 22}
    app_nap.set_program_name("Sluice", runtime)
    assert runtime.sent == [
        (3, "mainBundle", []),
        (21, "localizedInfoDictionary", []),
        (21, "infoDictionary", []),
        (1, "stringWithUTF8String:", [b"Sluice"]),
        (1, "stringWithUTF8String:", [b"CFBundleName"]),
        (22, "setObject:forKey:", [11, 11]),
    ]
    runtime.answers["infoDictionary"] = 0
    runtime.sent.clear()
    app_nap.set_program_name("Sluice", runtime)
    assert "setObject:forKey:" not in [selector for _, selector, _ in runtime.sent]


UNBUNDLED = """
import sys
import app.__main__ as program
from app.platform import app_nap

sys.platform = "darwin"
if sys.argv[1] == "bundled":
    sys._MEIPASS = "."
app_nap.mac_runtime = lambda: "the runtime"
app_nap.set_program_name = lambda name, runtime: print(name, runtime)
program.has_screen = lambda environment: True
print(program._application().windowIcon().isNull())
"""


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "said"), [("unbundled", ["Sluice the runtime", "False"]), ("bundled", ["True"])])
def test_application_without_bundle_has_name_and_icon(kind: str, said: list[str]) -> None:
    command = [sys.executable, "-c", UNBUNDLED, kind]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout.splitlines()) == ("", said)
