"""Tokenizers of the families, and a server to talk to."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.engine import made_tokenizers
from tests.engine.remote.faults import Faults, serving
from tests.standins.samples import Samples


@pytest.fixture
def faults() -> Iterator[Faults]:
    """A server that does what its `answer` says."""
    with serving() as faults:
        yield faults


@pytest.fixture(scope="module", params=made_tokenizers.NAMES)
def tokenizer(request: pytest.FixtureRequest, samples: Samples) -> Any:
    return made_tokenizers.load(samples.path(f"tokenizers/{request.param}"))


@pytest.fixture(scope="module", params=made_tokenizers.BYTE_NAMES)
def byte_tokenizer(request: pytest.FixtureRequest, samples: Samples) -> Any:
    """One of those that can write any bytes."""
    return made_tokenizers.load(samples.path(f"tokenizers/{request.param}"))


@pytest.fixture(scope="module")
def llama(samples: Samples) -> Any:
    return made_tokenizers.load(samples.path("tokenizers/llama3.2-instruct"))


@pytest.fixture(scope="module")
def qwen(samples: Samples) -> Any:
    return made_tokenizers.load(samples.path("tokenizers/qwen3"))
