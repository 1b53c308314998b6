"""The table of an attack: what was tried, how often, and what was lost."""

from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parent.parent / "output" / "faults.md"
"""Where the last full run is kept; git ignores it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of attack. Each loss says how to repeat it: a seed or a name, and what was seen."""

    point: str
    tried: str
    times: int
    lost: tuple[str, ...] = ()
    skipped: str = ""
    """Why it could not be tried on this machine; empty where it was."""

    @property
    def held(self) -> bool:
        return not self.lost


def table(rows: list[Row]) -> str:
    """Markdown that reads well as it stands."""
    head = ["| point | what was tried | times | lost |", "| --- | --- | ---: | ---: |"]
    lines = [f"| {row.point} | {row.tried} | {_times(row)} | {len(row.lost)} |" for row in rows]
    lost = [f"- {row.point}, {row.tried}: {each}" for row in rows for each in row.lost]
    return "\n".join([*head, *lines, "", *(lost or ["Nothing was lost."])])


def keep(rows: list[Row]) -> None:
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(table(rows) + "\n", encoding="utf-8")


def _times(row: Row) -> str:
    return f"not here: {row.skipped}" if row.skipped else f"{row.times:,}"
