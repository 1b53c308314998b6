"""Interpretability results as JSON values; the latest ones of each run are stored for its export."""

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
"""The most runs with results; the oldest ones are dropped. The journal doesn't store results."""
JsonObject = dict[str, object]


class InspectionResults:
    """The latest result of each kind for each run, since the window opened."""

    def __init__(self) -> None:
        self._of: dict[RunId, dict[str, JsonObject]] = {}

    def at(self, run: RunId) -> dict[str, JsonObject]:
        """Return the mutable mapping of a run's results by kind."""
        known = self._of[run] = self._of.pop(run, {})
        for other in list(self._of)[:-MOST_RUNS]:
            del self._of[other]
        return known

    def of(self, run: RunId) -> tuple[JsonObject, ...]:
        return tuple({"look": kind, **result} for kind, result in self._of.get(run, {}).items())


def lens_json(found: LensResult) -> JsonObject:
    return {"places": [position_json(depth) for depth in found.positions], "max_difference": found.max_difference}


def position_json(depth: LensPosition) -> JsonObject:
    """Return a lens result as JSON: each layer's top tokens."""
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


def attention_json(prompt: ExactPrompt, attention: Attention) -> JsonObject:
    """Return attention as JSON: the strongest positions of each head."""
    heads = [_head(prompt, each) for each in attention.heads]
    return {"position": attention.position, "attention": heads, "attention_difference": attention.max_difference}


def matrix_json(matrix: AttentionMatrix) -> JsonObject:
    """Return a matrix as JSON: the strongest positions for each token. `head` None: the layer's mean."""
    size = matrix.size
    rows = (matrix.weights[at * size : at * size + at + 1] for at in range(size))
    found = [[(position, row[position]) for position in strongest(row, STRONGEST)] for row in rows]
    return {"layer": matrix.layer, "head": matrix.head, "size": size, "strongest": found}


def states_json(states: HiddenStates) -> JsonObject:
    """Return hidden states as JSON: norms, nearest tokens, and the repetition loop."""
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


def attribution_json(
    prompt: ExactPrompt, found: AblationResult, of: Callable[[AnswerLogprob], float]
) -> list[JsonObject]:
    """Return the effect of each prompt part as JSON, strongest first, template parts last."""
    from app.engine.prompt_parts import by_effect, text_of

    return [
        {"position": part.start, "tokens": len(part), "text": text_of(prompt, part), "template": own, "effect": effect}
        for own, part, effect in by_effect(prompt, found.parts, found.effects(of))
    ]


def _head(prompt: ExactPrompt, head: Head) -> JsonObject:
    found = [
        {"position": position, "text": prompt.text_of(position), "weight": head.weights[position]}
        for position in strongest(head.weights, STRONGEST)
    ]
    kinds = {"here": head.here, "here_share": head.here_share, "kind": head.kind, "share": head.share}
    return {"layer": head.layer, "head": head.head, "strongest": found} | kinds


def _candidate(each: Alternative) -> JsonObject:
    return {"id": each.id, "text": each.text, "probability": each.probability}
