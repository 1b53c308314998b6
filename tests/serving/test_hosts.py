"""What can be a ring of hosts, and what is said of the rest."""

import pytest

from app.serving import hosts
from app.serving.types import Host

HERE = Host()


def test_two_processes_of_this_machine_are_a_ring() -> None:
    assert hosts.refusal((HERE, HERE)) is None
    assert hosts.elsewhere((HERE, HERE)) == ()
    assert hosts.elsewhere((HERE, Host("studio", ("10.0.0.2",)))) == ("studio",)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ((HERE,), "two processes"),
        ((HERE, Host("two words", ("10.0.0.2",))), "“two words” is not a name"),
        ((HERE, Host("-oProxyCommand=x", ("10.0.0.2",))), "is not a name"),
        ((HERE, Host("studio", ())), "IP address of studio"),
        ((HERE, Host("studio", ("studio.local",))), "IP address of studio"),
        ((Host("studio", ("10.0.0.2",)), HERE), "this machine"),
    ],
)
def test_what_is_no_ring_says_why(wrong: tuple[Host, ...], said: str) -> None:
    refusal = hosts.refusal(wrong)
    assert refusal is not None and said in refusal.what and refusal.todo
