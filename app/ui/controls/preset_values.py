"""Texts for the values of a preset."""

from collections.abc import Callable, Sequence
from typing import Any

from app.engine.types import ENDLESS
from app.i18n import tr
from app.ui.controls.stop_strings import listed
from app.ui.widgets.number_field import number_text


def written(name: str, value: Any) -> str:  # noqa: ANN401
    """Return the value as the setting's control shows it."""
    return IN_WORDS.get(name, _number)(value)


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else number_text(value)


def _limit(most: int) -> str:
    return tr("no limit") if most == ENDLESS else f"{most:,}"


def _ids(tokens: Sequence[int]) -> str:
    return ", ".join(f"#{token}" for token in tokens) or tr("none")


def _biases(biases: Sequence[tuple[int, float]]) -> str:
    return ", ".join(f"#{token} {number_text(bias)}" for token, bias in biases) or tr("none")


IN_WORDS: dict[str, Callable[[Any], str]] = {
    "max_tokens": _limit,
    "think_budget": _limit,
    "stop_strings": listed,
    "stop_ids": _ids,
    "logit_bias": _biases,
}
