"""One measured figure, the bar it is held to, and whether it holds."""

from dataclasses import dataclass, field
from typing import Any, Literal

Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Row:
    """`value` None: too few clean measurements on this machine to say anything."""

    name: str
    value: float | None
    unit: str
    bar: float
    better: Better
    detail: dict[str, Any] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        if self.value is None:
            return False
        return self.value >= self.bar if self.better == "higher" else self.value <= self.bar

    @property
    def verdict(self) -> str:
        return "inconclusive" if self.value is None else "holds" if self.holds else "does not hold"

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "bar": self.bar,
            "better": self.better,
            "holds": self.holds,
            "detail": self.detail,
        }


def table(rows: list[Row]) -> str:
    """The rows as a person reads them."""
    width = max((len(row.name) for row in rows), default=0)
    return "\n".join(_line(row, width) for row in rows)


def _line(row: Row, width: int) -> str:
    value = "–" if row.value is None else f"{row.value:.3f}"
    sign = "≥" if row.better == "higher" else "≤"
    return f"{row.name:<{width}}  {value:>10} {row.unit:<10} {sign} {row.bar:<8g} {row.verdict}"
