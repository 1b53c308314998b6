"""Servers to talk to."""

from collections.abc import Iterator

import pytest

from tests.engine.remote.faults import Faults, serving


@pytest.fixture
def faults() -> Iterator[Faults]:
    """A server that does what its `answer` says."""
    with serving() as faults:
        yield faults
