"""One measured figure, and whether it holds its bar."""

from dataclasses import dataclass, field
from typing import Any

from tests.bench.promised import BY_NAME, Bar


@dataclass(frozen=True, slots=True)
class Row:
    """`value` None: too few clean measurements on this machine to say anything."""

    name: str
    value: float | None
    detail: dict[str, Any] = field(default_factory=dict)

    @property
    def bar(self) -> Bar:
        return BY_NAME[self.name]

    @property
    def holds(self) -> bool:
        if self.value is None:
            return False
        if self.bar.limit is None:
            return True
        return self.value >= self.bar.limit if self.bar.better == "higher" else self.value <= self.bar.limit

    @property
    def interval(self) -> tuple[float, float] | None:
        """The confidence interval of the value, where it was measured in pairs."""
        ends = self.detail.get("interval")
        return (min(ends), max(ends)) if ends else None

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "inconclusive"
        if self.bar.limit is not None and self.interval and self.interval[0] < self.bar.limit < self.interval[1]:
            return "inconclusive"
        return "no bar" if self.bar.limit is None else "holds" if self.holds else "does not hold"

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.bar.unit,
            "bar": self.bar.limit,
            "better": self.bar.better,
            "holds": self.holds,
            "detail": self.detail,
        }

    @staticmethod
    def of_json(content: dict[str, Any]) -> "Row":
        return Row(content["name"], content["value"], content["detail"])


def table(rows: list[Row]) -> str:
    """The rows as a person reads them."""
    width = max((len(row.name) for row in rows), default=0)
    return "\n".join(_line(row, width) for row in rows)


def _line(row: Row, width: int) -> str:
    value = "–" if row.value is None else f"{row.value:.3f}"
    sign = "≥" if row.bar.better == "higher" else "≤"
    bar = "" if row.bar.limit is None else f"{sign} {row.bar.limit:g}"
    interval = "" if row.interval is None else "{:.3f} to {:.3f}".format(*row.interval)
    return f"{row.name:<{width}}  {value:>10} {interval:<18} {row.bar.unit:<10} {bar:<10} {row.verdict}"
