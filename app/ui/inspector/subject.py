"""What the inspector is shown: one token of one answer, and what is known around it."""

from dataclasses import dataclass

from app.engine.meter.trace import TraceToken
from app.engine.types import Sampling
from app.ui.inspector.form_state import FormState


@dataclass(frozen=True, slots=True)
class InspectedToken:
    """`index` is the turn's on the page; `of` how many tokens its answer has by now."""

    index: int
    token: TraceToken
    of: int
    group: tuple[TraceToken, ...] = ()
    """All tokens of the character that this one is only a part of; empty where it is whole by itself."""
    sampling: Sampling | None = None
    """The settings of the token's own run; None where they are not known."""
    ends: frozenset[int] = frozenset()
    """The tokens that end an answer: XTC spares them."""
    end_text: str = ""
    """What the model calls the token, where it is one of those."""
    precision: str = ""
    """What the token's run was computed in."""
    silent: str = ""
    """Why nobody can say any more what else might have stood there; empty: a replay of the run would tell."""
    form: FormState | None = None
    """How far the answer was in the form that it has to have; None where it is free."""
    growing: bool = False
    """More tokens are coming."""

    @property
    def key(self) -> tuple[int, int]:
        return self.index, self.token.place

    @property
    def name(self) -> str:
        """Its text; one that wrote none, or a part of a character, may have a name all the same."""
        if not self.group:
            return self.token.name or self.end_text
        return self.token.observed.chosen.text if self.token.observed is not None else self.token.text

    @property
    def character(self) -> str:
        """What the tokens of the group form together."""
        return "".join(token.text for token in self.group)
