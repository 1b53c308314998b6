"""The tags of a model's channels: those that mlx-lm's state machine uses."""

from types import SimpleNamespace
from typing import Any

import pytest
from mlx_lm.generate import TextStateMachine, make_text_state_machine

from app.engine.mlx.loading.load import markers_of
from app.engine.stop_strings import Marker, Markers, ReplyReader, merge_texts
from app.engine.types import Channel, VisibleText
from tests.engine import made_tokenizers as tokenizers
from tests.standins.samples import Samples

REPLY = "Hm.<think>I see</think>\n\nYes.<tool_call>{}</tool_call> Done</tool_call><think>again<tool_call>x"


def marked(
    think: tuple[str, str] | tuple[None, None] = (None, None),
    tool: tuple[str, str] | tuple[None, None] = (None, None),
    structural: tuple[str, ...] = (),
    transitions: dict[str, list[tuple[str, str]]] | None = None,
    initial: str | None = None,
) -> Any:
    """Make the tags of a tokenizer wrapper, with mlx-lm's names."""
    return SimpleNamespace(
        has_thinking=think[0] is not None,
        think_start=think[0],
        think_end=think[1],
        has_tool_calling=tool[0] is not None,
        tool_call_start=tool[0],
        tool_call_end=tool[1],
        structural_markers=structural,
        response_transitions=transitions or {},
        response_initial_state=initial,
    )


THINK = ("<think>", "</think>")
HEADER = [("to=self<|message|>", "reasoning"), ("to=user<|message|>", "normal"), ("<atem:function_calls>", "tool")]
MUSE = marked(
    tool=("<atem:function_calls>", "</atem:function_calls>"),
    transitions={
        "header": HEADER,
        "reasoning": [("<|eom|>", "header")],
        "normal": [("<|eom|>", "header"), ("<|eot|>", "normal")],
    },
    initial="header",
)
CASES = [
    (marked(), REPLY),
    (marked(THINK), REPLY),
    (marked(THINK, ("<tool_call>", "</tool_call>")), REPLY),
    (marked(tool=("[TOOL_CALLS]", "")), 'I call [TOOL_CALLS][{"a": 1}] and on'),
    (marked(("<t>", "</t>"), structural=("<|sep|>",)), "a<|sep|>b<t>c<|sep|></t>d"),
    (MUSE, "to=self<|message|>hm<|eom|><|start|>assistant to=user<|message|>Hello<|eot|>!<|eom|>rest"),
]


def by_library(tokenizer: Any, text: str) -> tuple[VisibleText, ...]:
    state = make_text_state_machine(tokenizer).make_state(tokenizer.response_initial_state or "normal")
    state, pieces = TextStateMachine.split(state, text)
    _, rest, last = TextStateMachine.flush(state)
    shown = [(name, piece) for name, piece in [*pieces, (last, rest)] if piece and name in set(Channel)]
    return merge_texts(VisibleText(Channel(name), piece) for name, piece in shown)


def by_us(markers: Markers, text: str) -> tuple[VisibleText, ...]:
    reader = ReplyReader([], markers)
    shown = [piece for character in text for piece in reader.read(character)]
    return merge_texts([*shown, *reader.finish()])


@pytest.mark.parametrize(("tokenizer", "text"), CASES)
def test_markers_split_channels_like_mlx_lm(tokenizer: Any, text: str) -> None:
    assert by_us(markers_of(tokenizer), text) == by_library(tokenizer, text)


def test_markers_are_read_from_the_tokenizer(samples: Samples) -> None:
    qwen = tokenizers.load(samples.path("tokenizers/qwen3"))
    assert by_us(markers_of(qwen), REPLY) == by_library(qwen, REPLY)
    assert Marker(Channel.REASONING, "</think>", Channel.NORMAL) in markers_of(qwen).edges
