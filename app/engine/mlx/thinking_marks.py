"""The tags of a model's reasoning and tool calls, as mlx-lm inferred them from the tokenizer."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from app.engine.stop_strings import Marker, Markers
from app.engine.types import Channel


class MarkedTokenizer(Protocol):
    """The part of mlx-lm's `TokenizerWrapper` with the tags."""

    has_thinking: bool
    think_start: str | None
    think_end: str | None
    has_tool_calling: bool
    tool_call_start: str | None
    tool_call_end: str | None
    structural_markers: Sequence[str]
    response_transitions: Mapping[str, Sequence[tuple[str, str]]]
    response_initial_state: str | None


def markers_of(tokenizer: MarkedTokenizer) -> Markers:
    """Return the same transitions, with the same precedence, as mlx-lm's `make_text_state_machine`."""
    edges = [*_thinking(tokenizer), *_tools(tokenizer)]
    edges += [Marker(Channel.NORMAL, text, Channel.NORMAL) for text in tokenizer.structural_markers]
    for state, transitions in tokenizer.response_transitions.items():
        edges += [Marker(state, text, then) for text, then in transitions]
    return Markers(tuple(edges), tokenizer.response_initial_state or Channel.NORMAL)


def _thinking(tokenizer: MarkedTokenizer) -> list[Marker]:
    if not (tokenizer.has_thinking and tokenizer.think_start and tokenizer.think_end):
        return []
    return list(Markers.reasoning(tokenizer.think_start, tokenizer.think_end).edges)


def _tools(tokenizer: MarkedTokenizer) -> list[Marker]:
    start, end = tokenizer.tool_call_start, tokenizer.tool_call_end
    if not (tokenizer.has_tool_calling and start):
        return []
    edges = [Marker(Channel.REASONING, start, Channel.TOOL)] if tokenizer.has_thinking else []
    told = {then for transitions in tokenizer.response_transitions.values() for _, then in transitions}
    if Channel.TOOL not in told:
        edges.append(Marker(Channel.NORMAL, start, Channel.TOOL))
    return [*edges, Marker(Channel.TOOL, end, Channel.NORMAL)] if end else edges
