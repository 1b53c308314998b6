"""What was seen inside a model, for programs; and what was seen of each run, which its export has too."""

from collections.abc import Callable

from app.engine.types import (
    AblationResult,
    Alternative,
    AnswerLogprob,
    Attention,
    AttentionMatrix,
    ExactPrompt,
    Head,
    HiddenStates,
    LensPosition,
    LensResult,
    strongest,
)
from app.records.types import RunId

STRONGEST = 5
MOST_RUNS = 64
"""Looks at others are let go, the oldest first; the journal has none."""
Told = dict[str, object]


class InspectionResults:
    """The latest look of each kind at each run, since the window was opened."""

    def __init__(self) -> None:
        self._of: dict[RunId, dict[str, Told]] = {}

    def at(self, run: RunId) -> dict[str, Told]:
        """Those at a run by their kinds, to be added to."""
        known = self._of[run] = self._of.pop(run, {})
        for other in list(self._of)[:-MOST_RUNS]:
            del self._of[other]
        return known

    def of(self, run: RunId) -> tuple[Told, ...]:
        return tuple({"look": kind, **told} for kind, told in self._of.get(run, {}).items())


def lens_told(found: LensResult) -> Told:
    return {"places": [depth_told(depth) for depth in found.places], "max_difference": found.max_difference}


def depth_told(depth: LensPosition) -> Told:
    """What each layer would have said."""
    return {
        "position": depth.position,
        "layers": [
            {"layer": layer, "top": [_candidate(each) for each in guess.top], "entropy": guess.entropy}
            for layer, guess in enumerate(depth.guesses)
        ],
        "real": {"top": [_candidate(each) for each in depth.real.top], "entropy": depth.real.entropy},
        "leads_at": depth.leads_at,
        "stays_from": depth.stays_from,
    }


def attention_told(prompt: ExactPrompt, attention: Attention) -> Told:
    """What each head attends to most."""
    heads = [_head(prompt, each) for each in attention.heads]
    return {"position": attention.position, "attention": heads, "attention_difference": attention.max_difference}


def matrix_told(matrix: AttentionMatrix) -> Told:
    """What one head attends to most from each token, as places and weights; no head: the mean of the layer's."""
    size = matrix.size
    rows = (matrix.weights[at * size : at * size + at + 1] for at in range(size))
    found = [[(place, row[place]) for place in strongest(row, STRONGEST)] for row in rows]
    return {"layer": matrix.layer, "head": matrix.head, "size": size, "strongest": found}


def states_told(states: HiddenStates) -> Told:
    """What each layer hands on, the nearest tokens, and where the text says the same over and over."""
    loop, near = states.loop, states.near
    layers = [
        {"layer": layer, "norm": each.norm, "change": each.change, "cosine": each.cosine}
        for layer, each in enumerate(states.layers)
    ]
    return {
        "position": states.position,
        "states": layers,
        "near": [{"id": each.id, "text": each.text, "cosine": each.cosine} for each in near] if near else None,
        "loop": None
        if loop is None
        else {"start": loop.start, "period": loop.period, "end": loop.end, "agree_from": states.agree_from(loop)},
    }


def words_told(prompt: ExactPrompt, found: AblationResult, of: Callable[[AnswerLogprob], float]) -> list[Told]:
    """What each part of the prompt does for something, the strongest first, those that nobody said last."""
    from app.engine.prompt_parts import by_effect, text_of

    return [
        {"position": part.start, "tokens": len(part), "text": text_of(prompt, part), "template": own, "effect": effect}
        for own, part, effect in by_effect(prompt, found.parts, found.effects(of))
    ]


def _head(prompt: ExactPrompt, head: Head) -> Told:
    found = [
        {"position": place, "text": prompt.text_of(place), "weight": head.weights[place]}
        for place in strongest(head.weights, STRONGEST)
    ]
    kinds = {"here": head.here, "here_share": head.here_share, "kind": head.kind, "share": head.share}
    return {"layer": head.layer, "head": head.head, "strongest": found} | kinds


def _candidate(each: Alternative) -> Told:
    return {"id": each.id, "text": each.text, "probability": each.probability}
