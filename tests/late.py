"""Delays calls until a test allows them."""

import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from tests.patience import WAIT_S

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def held_back(call: Callable[Given, Answer]) -> tuple[threading.Event, Callable[Given, Answer]]:
    """Return a function that waits for the event before it calls."""
    may_go_on = threading.Event()

    def late(*given: Given.args, **named: Given.kwargs) -> Answer:
        assert may_go_on.wait(WAIT_S)
        return call(*given, **named)

    return may_go_on, late
