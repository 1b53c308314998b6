"""Pytest hooks that record the processor time of each test, and that fail a test of the fast tier which takes too long.

Processor time, not wall time: other programs change it less.
"""

import faulthandler
import resource
import signal
import time
from collections.abc import Iterator

import hypothesis
import pytest
from hypothesis import strategies

FAST_TIER = "not slow"
"""The marker expression of `make test`."""
LIMIT_S = 2.0
"""Most processor time of a test function and of the child processes that it reaped.

A test should take at most 1 s. The limit is twice that, because the same test took 0.8 s on one computer and 1.1 s on
another.
"""

_start = pytest.StashKey[tuple[float, float]]()
_call = pytest.StashKey[float]()
_modules_seen = set[str]()
"""The first test of a module isn't held to the limit: it also pays for what is imported or made on first use."""


@pytest.fixture(scope="session", autouse=True)
def first_uses_done(request: pytest.FixtureRequest) -> None:
    """Do what takes long on first use before the first test that is timed, so that it isn't charged to that test."""
    if request.config.option.markexpr == FAST_TIER:
        import llguidance  # noqa: F401
        import mlx_lm  # noqa: F401
        import pyqtgraph  # noqa: F401
        import transformers.models.auto.tokenization_auto  # noqa: F401

        # In a fresh clone, Hypothesis computes its table of characters for the first text: 2.8 s.
        hypothesis.settings(max_examples=1, database=None)(hypothesis.given(strategies.text())(lambda text: None))()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.stash[_start] = (time.process_time(), _children_s())
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    started = time.process_time() + _children_s()
    faulthandler.register(signal.SIGPROF, file=2)  # prints what each thread executes
    signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
    try:
        result = yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    item.stash[_call] = took_s = time.process_time() + _children_s() - started
    is_first = str(item.path) not in _modules_seen
    _modules_seen.add(str(item.path))
    is_held_to_it = item.config.option.markexpr == FAST_TIER and not is_first
    if is_held_to_it and took_s > LIMIT_S:
        pytest.fail(f"took {took_s:.2f} s of processor time: make it faster, or mark it slow", pytrace=False)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    if call.when == "teardown":
        own, children = item.stash[_start]
        item.user_properties += [
            ("file", str(item.path.relative_to(item.config.rootpath))),
            ("processor_s", f"{time.process_time() - own:.4f}"),
            ("children_s", f"{_children_s() - children:.4f}"),
            ("call_s", f"{item.stash.get(_call, 0.0):.4f}"),
            ("fixtures", " ".join(getattr(item, "fixturenames", ()))),
        ]
    return (yield)


def _children_s() -> float:
    """Return the processor time of the child processes that were reaped so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
