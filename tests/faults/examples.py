"""Examples: the tests that make up their own, with other ones each time; `make test` has the same ones each time."""

from __future__ import annotations

from tests.faults import by_pytest
from tests.faults.table import Row

POINT = "examples"
ROUNDS = 10


def rows() -> list[Row]:
    """In full. What is lost goes into its test as an @example, and is then tried in `make test` too."""
    lost: list[str] = []
    names: set[str] = set()
    for _ in range(ROUNDS):
        for row in by_pytest.run(POINT, "-m", "hypothesis"):
            names.add(row.tried)
            lost += (f"{row.tried}: {told}" for told in row.lost)
    return [Row(POINT, f"{len(names)} tests that make up their own, with other examples", ROUNDS, tuple(lost))]
