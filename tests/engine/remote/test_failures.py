"""What is said where a server is not reached: a Mac keeps programs from the local network until its user allows it."""

import errno
import os
import sys

import httpx2
import pytest

from app.engine.remote.failures import network_failure

PRIVACY = "Allow Sluice in System Settings → Privacy & Security → Local Network, or check the address."
USUAL = "Check the network and the address."


@pytest.mark.parametrize(
    ("system", "number", "todo"),
    [
        ("darwin", errno.EHOSTUNREACH, PRIVACY),
        ("darwin", errno.ENETUNREACH, USUAL),
        ("linux", errno.EHOSTUNREACH, USUAL),
    ],
)
def test_no_route_to_host_names_the_setting_of_a_mac(
    monkeypatch: pytest.MonkeyPatch, system: str, number: int, todo: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    error = httpx2.ConnectError("All connection attempts failed")
    error.__cause__ = OSError(number, os.strerror(number))
    failure = network_failure(error, "http://192.168.1.20:8080/v1")
    assert (failure.what, failure.todo) == ("192.168.1.20:8080 can't be reached.", todo)
    assert failure.kind == "unreachable"
