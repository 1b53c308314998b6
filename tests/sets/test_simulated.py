"""Ranges hold what they promise, and chance tells no differences: simulated, in the program's own functions.

`make faults POINTS=set_verdicts` has the long form.
"""

from tests.faults.set_verdicts import rows

STUDIES = 200


def test_ranges_alarms_and_promises_hold() -> None:
    assert [(row.tried, row.lost) for row in rows(STUDIES) if not row.held] == []
