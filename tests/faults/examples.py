"""Examples: the tests that make up their own, with other ones each time; `make test` has the same ones each time.

What others may write has a family of its own, which goes on for half an hour: `make faults POINTS=examples/settings`
tries one of them alone, and `SLUICE_EXAMPLES_MINUTES` says for how long.
"""

import os
import time
from unittest import mock

from tests.faults import by_pytest
from tests.faults.table import Row

POINT = "examples"
ROUNDS = 10
MINUTES = 30.0
MANY = 5_000
"""Examples of each test in a round of a family, and less where each takes long: see `tests.examples`."""
FAMILIES = {
    "sessions": "tests/records/test_session_file.py",
    "settings": "tests/test_settings.py",
    "presets": "tests/test_presets.py",
    "hub": "tests/library/test_hub_limits.py",
    "json": "tests/test_json_reader.py",
    "servers": "tests/engine/remote/test_fuzz.py",
    "config": "tests/engine/mlx/test_load_blame.py",
    "templates": "tests/engine/templates/test_rendering.py",
    "script": "tests/engine/test_script_fuzz.py",
    "front": "tests/serving/test_front.py",
}
"""Where a family's tests stand."""


def rows(*parts: str) -> list[Row]:
    """In full. What is lost goes into its test as an @example, and is then tried in `make test` too."""
    return [*(_all() if not parts else ()), *(family(name) for name in parts or FAMILIES)]


def family(name: str) -> Row:
    """One family, for so many minutes, or until something is lost."""
    minutes = float(os.environ.get("SLUICE_EXAMPLES_MINUTES", MINUTES))
    end, rounds = time.monotonic() + 60 * minutes, 0
    lost: list[str] = []
    with mock.patch.dict(os.environ, SLUICE_EXAMPLES_COUNT=str(MANY)):
        while not rounds or (time.monotonic() < end and not lost):
            rounds += 1
            for row in by_pytest.run(POINT, "-m", "hypothesis", FAMILIES[name]):
                lost += (f"{row.tried}: {told}" for told in row.lost)
    return Row(POINT, f"{name}, up to {MANY:,} examples of each test a round", rounds, tuple(lost))


def _all() -> list[Row]:
    lost: list[str] = []
    names: set[str] = set()
    for _ in range(ROUNDS):
        for row in by_pytest.run(POINT, "-m", "hypothesis"):
            names.add(row.tried)
            lost += (f"{row.tried}: {told}" for told in row.lost)
    return [Row(POINT, f"{len(names)} tests that make up their own, with other examples", ROUNDS, tuple(lost))]
