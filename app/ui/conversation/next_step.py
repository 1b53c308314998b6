"""What a user most likely wants when a run has ended."""

from __future__ import annotations

from enum import StrEnum

from app.words import tr


class Step(StrEnum):
    """Each is a button beside the ending."""

    CONTINUE = "Continue"
    RAISE_LIMIT = "Raise the limit"
    USE_TEMPLATE = "Use the chat template"
    RETRY = "Retry"
    STEPS = "Step by step"

    @property
    def words(self) -> str:
        """What its button says."""
        return _STEP_WORDS[self]


_STEP_WORDS = {
    Step.CONTINUE: tr("Continue"),
    Step.RAISE_LIMIT: tr("Raise the limit"),
    Step.USE_TEMPLATE: tr("Use the chat template"),
    Step.RETRY: tr("Retry"),
    Step.STEPS: tr("Step by step"),
}
