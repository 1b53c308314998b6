"""A token as the inspector shows it."""

from dataclasses import dataclass

from app.engine.meter.trace import TraceToken
from app.engine.types import Sampling
from app.ui.inspector.form_state import FormState


@dataclass(frozen=True, slots=True)
class InspectedToken:
    """A token to show. `index` is the index of its turn on the page, `of` the number of tokens of its answer so far."""

    index: int
    token: TraceToken
    of: int
    group: tuple[TraceToken, ...] = ()
    """All tokens of the character that it is part of; empty for complete characters."""
    sampling: Sampling | None = None
    """Settings of its run; None if unknown."""
    ends: frozenset[int] = frozenset()
    """EOS and stop tokens, which XTC doesn't remove."""
    end_text: str = ""
    """Name of the token if it is an EOS token."""
    precision: str = ""
    """The dtype of its run."""
    unavailable: str = ""
    """Reason that a rerun can't record its alternatives; empty if it can."""
    form: FormState | None = None
    """State within the output format; None without one."""
    growing: bool = False
    """The answer is still streaming."""

    @property
    def key(self) -> tuple[int, int]:
        return self.index, self.token.place

    @property
    def name(self) -> str:
        """Its text, or a name if it has no text or is part of a character."""
        if not self.group:
            return self.token.name or self.end_text
        return self.token.observed.chosen.text if self.token.observed is not None else self.token.text

    @property
    def character(self) -> str:
        return "".join(token.text for token in self.group)
