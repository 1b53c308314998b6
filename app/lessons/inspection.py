"""The figures of a look inside the model: logit lens, attention and attribution at one token of an answer."""

from collections.abc import Mapping, Sequence
from math import exp
from typing import Any

from app.engine.prompt_parts import by_effect, text_of
from app.engine.types import (
    AblationResult,
    Attention,
    ExactPrompt,
    Head,
    HeadKind,
    LensPosition,
    LensResult,
    of_answer,
    strongest,
)
from app.i18n import tr
from app.lessons.types import InsideView, LessonFigure
from app.records.html_export import visible

MOST_LAYERS = 8
"""Layers in the path of the logit lens; of a deeper model it has every n-th."""

Read = tuple[ExactPrompt, Attention]
Ablated = tuple[ExactPrompt, AblationResult]


def token_at(word: str, texts: Sequence[str]) -> int:
    """Return the index of the token in which a word begins; 0 if the answer doesn't contain it."""
    start, end = "".join(texts).find(word), 0
    for number, text in enumerate(texts):
        end += len(text)
        if 0 <= start < end:
            return number
    return 0


def _path(found: LensPosition, _: int) -> str:
    """Return the most likely token after each layer, or after every n-th layer and the last."""
    count = len(found.guesses)
    layers = sorted({*range(0, count, -(-count // MOST_LAYERS)), count - 1})
    return ", ".join(f"{layer}: “{visible(found.guesses[layer].first.text)}”" for layer in layers)


def _clearest(found: Read) -> Head | None:
    """Return the head that attends most to the token after an earlier occurrence of the current one."""
    heads = [head for head in found[1].heads if head.here is HeadKind.INDUCTION]
    return max(heads, key=lambda head: head.here_share, default=None)


def _head(found: Read, _: int) -> str | None:
    head = _clearest(found)
    return f"L{head.layer} H{head.head}" if head is not None else None


def _head_share(found: Read, _: int) -> float | None:
    head = _clearest(found)
    return max(head.weights) if head is not None else None


def _attended(found: Read, _: int) -> str | None:
    head, (prompt, _attention) = _clearest(found), found
    return visible(prompt.text_of(strongest(head.weights, 1)[0])) if head is not None else None


def _induction_heads(found: Read, _: int) -> int:
    return sum(head.here is HeadKind.INDUCTION for head in found[1].heads)


def _strongest_part(found: Ablated) -> tuple[str, float] | None:
    """Return text and effect of the part of the user's own prompt with the largest effect on the answer."""
    prompt, ablated = found
    ranked = by_effect(prompt, ablated.parts, ablated.effects(of_answer))
    return next(((text_of(prompt, part).strip(), effect) for is_own, part, effect in ranked if not is_own), None)


def _part(found: Ablated, _: int) -> str | None:
    part = _strongest_part(found)
    return part[0] if part is not None else None


def _effect(found: Ablated, _: int) -> float | None:
    part = _strongest_part(found)
    return part[1] if part is not None else None


def _removable(found: Ablated, _: int) -> int:
    return sum(len(found[1].parts[each]) for each in found[1].spare)


LENS_FIGURES: dict[str, LessonFigure[LensPosition]] = {
    "layers": LessonFigure(tr("Layers"), "", lambda found, _: len(found.guesses)),
    "token": LessonFigure(tr("Token"), "text", lambda found, _: visible(found.said_text)),
    "probability": LessonFigure(tr("Its probability"), "chance", lambda found, _: exp(found.real.logprob)),
    "stays_from": LessonFigure(tr("Most likely from layer"), "", lambda found, _: found.stays_from),
    "path": LessonFigure(tr("Most likely token after each layer"), "text", _path),
}
ATTENTION_FIGURES: dict[str, LessonFigure[Read]] = {
    "heads": LessonFigure(tr("Heads"), "", lambda found, _: len(found[1].heads)),
    "induction_heads": LessonFigure(tr("Induction heads"), "", _induction_heads),
    "head": LessonFigure(tr("Clearest induction head"), "text", _head),
    "attended": LessonFigure(tr("Token that it attends to most"), "text", _attended),
    "head_share": LessonFigure(tr("Its attention to that token"), "chance", _head_share),
}
ATTRIBUTION_FIGURES: dict[str, LessonFigure[Ablated]] = {
    "parts": LessonFigure(tr("Parts of the prompt"), "", lambda found, _: len(found[1].parts)),
    "part": LessonFigure(tr("Part with the largest effect"), "text", _part),
    "effect": LessonFigure(tr("Its effect"), "nats", _effect),
    "removable": LessonFigure(tr("Tokens that can be left out"), "", _removable),
}
FIGURES: dict[InsideView, Mapping[str, LessonFigure[Any]]] = {
    InsideView.LENS: LENS_FIGURES,
    InsideView.ATTENTION: ATTENTION_FIGURES,
    InsideView.ATTRIBUTION: ATTRIBUTION_FIGURES,
}


def found_in(outcome: object, prompt: ExactPrompt) -> tuple[InsideView, Any] | None:
    """Return the view of an outcome and the value that its figures read; None for a failure. `prompt`: the run's."""
    match outcome:
        case LensResult(positions=(LensPosition() as position, *_)):
            return InsideView.LENS, position
        case (ExactPrompt(), Attention()):
            return InsideView.ATTENTION, outcome
        case (_, AblationResult() as ablated):
            return InsideView.ATTRIBUTION, (prompt, ablated)
        case _:
            return None
