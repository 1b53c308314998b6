"""What was found out of a text that was weighed, as values, and as the command's JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from app.engine.types import ExactPrompt, Weight
from app.weighing.figures import Apart, Figures
from app.weighing.portions import by_context, by_kind, by_stretch

MOST_CHANGED = 100


@dataclass(frozen=True, slots=True)
class Change:
    """A token of the text, and what each of two models held likeliest in its place."""

    place: int
    """Which token of the prompt."""
    text: str
    kl: float
    own_difference: float
    """So many nats more the second model was surprised by it."""
    first: str
    first_probability: float
    second: str
    second_probability: float


@dataclass(frozen=True, slots=True)
class Result:
    """Of the first model, and of the second one where there is one; `between` only for one vocabulary."""

    prompt: ExactPrompt
    places: tuple[int, ...]
    """Which of its tokens were weighed."""
    weights: tuple[Weight, ...]
    before: tuple[int, ...]
    """How many tokens the model saw before each."""
    first: Figures
    windows: int = 1
    second: Figures | None = None
    between: Apart | None = None
    others: tuple[Weight, ...] = ()
    """The second model's weights, where both have one vocabulary."""

    @property
    def kl(self) -> tuple[float, ...]:
        return self.between.kl_each if self.between is not None else ()

    def text(self, place: int) -> str:
        """Of one token of the prompt."""
        return self.prompt.text[slice(*self.prompt.offsets[place])]

    def own(self, number: int) -> float:
        """So many nats more the second model was surprised by this of the weighed tokens."""
        return self.weights[number].logprob - self.others[number].logprob


def changed(found: Result, most: int = MOST_CHANGED) -> list[Change]:
    """The tokens at which the models are apart the most."""
    order = sorted(range(len(found.kl)), key=lambda number: -found.kl[number])
    return [_change(found, number) for number in order[:most]]


def _change(found: Result, number: int) -> Change:
    place, one, other = found.places[number], found.weights[number], found.others[number]
    return Change(
        place,
        found.text(place),
        found.kl[number],
        found.own(number),
        *(one.likeliest_text, one.likeliest_probability),
        *(other.likeliest_text, other.likeliest_probability),
    )


def as_json(found: Result) -> str:
    """All of it; figures that the two models have together stand beside those of the first."""
    nats = found.first.each
    said = asdict(found.first) | {"windows": found.windows}
    said["kinds"] = _told(by_kind(found.prompt, found.places, nats, found.kl))
    said["stretches"] = _told(by_stretch(nats, found.kl))
    said["by_context"] = _told(by_context(found.before, nats, found.kl))
    if found.second is not None:
        said["against"] = asdict(found.second)
    if found.between is not None:
        said |= asdict(found.between) | {"changed": _told(changed(found))}
    return json.dumps(said, allow_nan=False) + "\n"


def _told(each: Sequence[object]) -> list[dict[str, object]]:
    return [asdict(one) for one in each]  # type: ignore[call-overload]
