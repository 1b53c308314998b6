"""What a look inside found, as lines of cells: layer by candidate for one token, layer by token for a stretch."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.types import Alternative, LensPosition, LensResult
from app.i18n import tr
from app.number_format import bits, chance
from app.records.export import as_csv
from app.ui.tokens.words import legible


@dataclass(frozen=True, slots=True)
class LensCell:
    """A token that one layer would have said at one place of the answer."""

    layer: int
    place: int
    id: int
    name: str
    probability: float
    entropy: float
    """Of all that this layer could have said there, in nats."""
    said: bool
    """It is what was really said there."""
    spoken: str
    shown: str


@dataclass(frozen=True, slots=True)
class LensGrid:
    """A line for each layer, from the first to the last."""

    heads: tuple[str, ...]
    lines: tuple[tuple[LensCell, ...], ...]


def ladder(depth: LensPosition, start: int) -> LensGrid:
    """The candidates of each layer at one place; `start` is the answer's first token among all that was read."""
    heads = tuple(f"{rank}." for rank in range(1, 1 + len(depth.real.top)))
    lines = (
        tuple(_cell(depth, layer, each, start, True) for each in guess.top) for layer, guess in enumerate(depth.guesses)
    )
    return LensGrid(heads, tuple(lines))


def heat_map(places: Sequence[LensPosition], start: int) -> LensGrid:
    """What each layer would have written in place of a stretch."""
    heads = tuple(legible(depth.said_text) for depth in places)
    layers = range(len(places[0].guesses))
    return LensGrid(
        heads,
        tuple(
            tuple(_cell(each, layer, each.guesses[layer].first, start, False) for each in places) for layer in layers
        ),
    )


def _cell(depth: LensPosition, layer: int, candidate: Alternative, start: int, alone: bool) -> LensCell:
    name, share = legible(candidate.text), chance(candidate.probability)
    words = tr("Layer {layer}: “{token}”, {chance}") if alone else tr("Layer {layer}, “{said}”: “{token}”, {chance}")
    spoken = words.format(layer=layer, token=name, chance=share, said=legible(depth.said_text))
    said = candidate.id == depth.said
    if said:
        spoken = tr("{words}, what was said").format(words=spoken)
    shown = f"{name}  {share}" if alone else name
    place, entropy = depth.position + 1 - start, depth.guesses[layer].entropy
    return LensCell(layer, place, candidate.id, name, candidate.probability, entropy, said, spoken, shown)


def told_cell(cell: LensCell) -> str:
    """What is known of one of them, in a sentence."""
    words = tr("{cell}. Token {place}, entropy {bits}")
    return words.format(cell=cell.spoken, place=f"{cell.place + 1:,}", bits=bits(cell.entropy))


def told_place(place: int, count: int, name: str, before: str) -> str:
    """Which token of an answer it is."""
    before = " ".join(map(legible, before.split()))
    words = tr("Token {place} of {count}: “{token}”, after “{before}”")
    words = words if before else tr("Token {place} of {count}: “{token}”")
    return words.format(place=f"{place + 1:,}", count=f"{count:,}", token=legible(name), before=before)


def told(depth: LensPosition) -> str:
    """The same in a sentence."""
    token, last = f"“{legible(depth.said_text)}”", len(depth.guesses) - 1
    if depth.stays_from is None:
        words = tr("{token} was sampled, but is not the top token even after the last layer.")
    elif depth.leads_at == depth.stays_from == last:
        words = tr("The model settles on {token} only in its last layer, {last}.")
    elif depth.leads_at == depth.stays_from:
        words = tr("The model settles on {token} in layer {stays} of 0 to {last}.")
    else:
        words = tr("{token} leads first in layer {leads}, and the model settles on it in layer {stays} of 0 to {last}.")
    return words.format(token=token, leads=depth.leads_at, stays=depth.stays_from, last=last)


def proof(found: LensResult) -> str:
    """How near this comes to what the model really does."""
    words = tr("Check: largest difference between the last layer's logits and the model's: {difference}.")
    return words.format(difference=f"{found.max_difference:.0e}" if found.max_difference else "0")


def csv_of(found: LensResult, start: int) -> str:
    """A line for each candidate."""
    return as_csv(
        ("place", "said", "layer", "rank", "id", "text", "probability", "entropy_nats"),
        (
            (depth.position + 1 - start, depth.said_text, layer, rank, each.id, each.text, *numbers)
            for depth in found.places
            for layer, guess in enumerate(depth.guesses)
            for rank, each in enumerate(guess.top, 1)
            for numbers in [(f"{each.probability:.6g}", f"{guess.entropy:.6g}")]
        ),
    )
