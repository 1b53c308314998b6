"""The point “security” in full: its tests."""

from tests.faults import by_pytest
from tests.faults.table import Row


def rows() -> list[Row]:
    return by_pytest.rows("security")
