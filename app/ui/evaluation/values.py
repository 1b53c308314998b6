"""What the window of prompt sets is given, and what it hands out."""

from dataclasses import dataclass

from app.evaluation.types import Check, EvaluationAnswer, EvaluationVerdict, Outcome


@dataclass(frozen=True, slots=True)
class ArmLine:
    """An arm as its table has it."""

    name: str
    model: str
    differs: str


@dataclass(frozen=True, slots=True)
class Setup:
    """The form of the second page as it stands."""

    check: Check
    repeats: int
    together: int


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """What there is to show: an outcome, whole or so far, and what follows from it."""

    outcome: Outcome
    verdict: EvaluationVerdict
    order: tuple[int, ...]
    """Rows, those first in which the arms differ most."""
    answers: dict[tuple[int, int], tuple[EvaluationAnswer, ...]]
    """By arm and row."""
