"""Logit-lens results as cells: layers × alternatives for one token, layers × tokens for a range."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.types import Alternative, LensPosition, LensResult
from app.i18n import tr
from app.number_format import bits, chance
from app.records.export import as_csv
from app.ui.tokens.words import legible


@dataclass(frozen=True, slots=True)
class LensCell:
    """A lens result: a token at one layer and one place of the answer."""

    layer: int
    position: int
    id: int
    name: str
    probability: float
    entropy: float
    """Entropy of the layer's distribution in nats."""
    is_sampled: bool
    """Whether it is the sampled token."""
    spoken: str
    shown: str


@dataclass(frozen=True, slots=True)
class LensGrid:
    """The lens results with a row for each layer, from first to last."""

    heads: tuple[str, ...]
    lines: tuple[tuple[LensCell, ...], ...]


def ladder(depth: LensPosition, start: int) -> LensGrid:
    """Return the alternatives of each layer at one place. `start` is the position of the answer's first token."""
    heads = tuple(f"{rank}." for rank in range(1, 1 + len(depth.real.top)))
    lines = (
        tuple(_cell(depth, layer, each, start, True) for each in guess.top) for layer, guess in enumerate(depth.guesses)
    )
    return LensGrid(heads, tuple(lines))


def heat_map(positions: Sequence[LensPosition], start: int) -> LensGrid:
    """Return the top token of each layer over a range."""
    heads = tuple(legible(depth.said_text) for depth in positions)
    layers = range(len(positions[0].guesses))
    return LensGrid(
        heads,
        tuple(tuple(cell_of(each, layer, start) for each in positions) for layer in layers),
    )


def cell_of(depth: LensPosition, layer: int, start: int) -> LensCell:
    """Return the top token of a layer, as one cell of a heat map."""
    return _cell(depth, layer, depth.guesses[layer].first, start, False)


def _cell(depth: LensPosition, layer: int, alternative: Alternative, start: int, alone: bool) -> LensCell:
    name, share = legible(alternative.text), chance(alternative.probability)
    words = tr("Layer {layer}: “{token}”, {chance}") if alone else tr("Layer {layer}, “{said}”: “{token}”, {chance}")
    spoken = words.format(layer=layer, token=name, chance=share, said=legible(depth.said_text))
    is_sampled = alternative.id == depth.said
    if is_sampled:
        spoken = tr("{words}, sampled").format(words=spoken)
    shown = f"{name}  {share}" if alone else name
    position, entropy = depth.position + 1 - start, depth.guesses[layer].entropy
    return LensCell(layer, position, alternative.id, name, alternative.probability, entropy, is_sampled, spoken, shown)


def describe_cell(cell: LensCell) -> str:
    words = tr("{cell}. Token {place}, entropy {bits}")
    return words.format(cell=cell.spoken, place=f"{cell.position + 1:,}", bits=bits(cell.entropy))


def describe_place(position: int, count: int, name: str, before: str) -> str:
    before = " ".join(map(legible, before.split()))
    words = tr("Token {place} of {count}: “{token}”, after “{before}”")
    words = words if before else tr("Token {place} of {count}: “{token}”")
    return words.format(place=f"{position + 1:,}", count=f"{count:,}", token=legible(name), before=before)


def summarize(depth: LensPosition) -> str:
    """Describe the layer from which on the token has the highest probability."""
    token, last = f"“{legible(depth.said_text)}”", len(depth.guesses) - 1
    if depth.stays_from is None:
        words = tr("{token} was sampled, but is not the top token even after the last layer.")
    elif depth.leads_at == depth.stays_from == last:
        words = tr("{token} is the top token only after the last layer, {last}.")
    elif depth.leads_at == depth.stays_from:
        words = tr("{token} is the top token from layer {stays} to the last layer, {last}.")
    else:
        words = tr(
            "{token} is the top token in layer {leads} for the first time, and from layer {stays} to the "
            "last layer, {last}."
        )
    return words.format(token=token, leads=depth.leads_at, stays=depth.stays_from, last=last)


def proof(found: LensResult) -> str:
    """Return the text of the check against the model's own logits."""
    words = tr("Check: largest difference between the last layer's logits and the model's: {difference}.")
    return words.format(difference=f"{found.max_difference:.0e}" if found.max_difference else "0")


def csv_of(found: LensResult, start: int) -> str:
    return as_csv(
        ("place", "said", "layer", "rank", "id", "text", "probability", "entropy_nats"),
        (
            (depth.position + 1 - start, depth.said_text, layer, rank, each.id, each.text, *numbers)
            for depth in found.positions
            for layer, guess in enumerate(depth.guesses)
            for rank, each in enumerate(guess.top, 1)
            for numbers in [(f"{each.probability:.6g}", f"{guess.entropy:.6g}")]
        ),
    )
