"""Short of memory, in children of their own."""

import sys
from pathlib import Path

import pytest

from tests import models
from tests.faults import memory


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("starved") / "model"
    return models.tiny_llama(folder, max_position_embeddings=memory.CONTEXT)


def test_a_low_limit_is_foreseen(model: Path) -> None:
    assert memory.limited(model).lost == ()


def test_what_is_smaller_opens_under_the_same_limit() -> None:
    assert memory.smaller().lost == ()


def test_the_cache_grows_to_the_end_of_the_context(model: Path) -> None:
    assert memory.to_the_end_of_the_context(model).lost == ()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process's addresses")
def test_without_addresses_a_run_ends_and_the_program_goes_on(model: Path) -> None:
    assert memory.out_of_addresses(model).lost == ()
