"""A token as the inspector shows it."""

from dataclasses import dataclass

from app.engine.meter.trace import TraceToken
from app.engine.types import Sampling
from app.ui.inspector.form_state import FormState


@dataclass(frozen=True, slots=True)
class InspectedToken:
    """`index` is the turn's on the page; `of` the number of tokens of its answer so far."""

    index: int
    token: TraceToken
    of: int
    group: tuple[TraceToken, ...] = ()
    """All tokens of a character that this one is part of; empty for a complete token."""
    sampling: Sampling | None = None
    """Settings of its run; None if unknown."""
    ends: frozenset[int] = frozenset()
    """EOS and stop tokens, which XTC doesn't remove."""
    end_text: str = ""
    """Name of the token if it is an EOS token."""
    precision: str = ""
    """dtype of its run."""
    unavailable: str = ""
    """Why a rerun couldn't record its alternatives; empty if it could."""
    form: FormState | None = None
    """State within the output format; None without one."""
    growing: bool = False
    """The answer is still streaming."""

    @property
    def key(self) -> tuple[int, int]:
        return self.index, self.token.place

    @property
    def name(self) -> str:
        """Its text, or a name for a token without text or with part of a character."""
        if not self.group:
            return self.token.name or self.end_text
        return self.token.observed.chosen.text if self.token.observed is not None else self.token.text

    @property
    def character(self) -> str:
        return "".join(token.text for token in self.group)
