"""What the disk answers, in the user's words; what the hub answers is tested against a hub."""

import errno
import os

import pytest

from app.library.failures import disk_failure, hub_failure


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk(number: int) -> None:
    failure = hub_failure(OSError(number, os.strerror(number)), "a/b")
    assert (failure.kind, failure.what) == ("disk", "The disk is full.")


def test_a_cache_that_is_not_ours() -> None:
    failure = disk_failure(PermissionError(errno.EACCES, "Permission denied"))
    assert failure.what == "The Hugging Face cache could not be written to (Permission denied)."


def test_something_else_altogether() -> None:
    assert hub_failure(ValueError("no JSON"), "a/b").kind == "hub"
