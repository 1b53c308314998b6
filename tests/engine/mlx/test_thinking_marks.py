"""The tags of a model's channels: those that mlx-lm's state machine uses."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from app.engine.mlx.loading.load import markers_of
from app.engine.stop_strings import Marker, Markers, ReplyReader, joined
from app.engine.types import Channel, VisibleText
from tests.engine import made_tokenizers as tokenizers
from tests.standins.samples import Samples

REPLY = "Hm.<think>I see</think>\n\nYes.<tool_call>{}</tool_call> Done</tool_call><think>again<tool_call>x"


@dataclass
class Marked:
    """The tags of a tokenizer wrapper, with mlx-lm's names."""

    think_start: str | None = None
    think_end: str | None = None
    tool_call_start: str | None = None
    tool_call_end: str | None = None
    structural_markers: tuple[str, ...] = ()
    response_transitions: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    response_initial_state: str | None = None

    @property
    def has_thinking(self) -> bool:
        return self.think_start is not None

    @property
    def has_tool_calling(self) -> bool:
        return self.tool_call_start is not None


MUSE: Any = Marked(
    tool_call_start="<atem:function_calls>",
    tool_call_end="</atem:function_calls>",
    response_transitions={
        "header": [
            ("to=self<|message|>", "reasoning"),
            ("to=user<|message|>", "normal"),
            ("<atem:function_calls>", "tool"),
        ],
        "reasoning": [("<|eom|>", "header")],
        "normal": [("<|eom|>", "header"), ("<|eot|>", "normal")],
    },
    response_initial_state="header",
)

CASES = [
    (Marked(), REPLY),
    (Marked("<think>", "</think>"), REPLY),
    (Marked("<think>", "</think>", "<tool_call>", "</tool_call>"), REPLY),
    (Marked(None, None, "[TOOL_CALLS]", ""), 'I call [TOOL_CALLS][{"a": 1}] and on'),
    (Marked("<t>", "</t>", structural_markers=("<|sep|>",)), "a<|sep|>b<t>c<|sep|></t>d"),
    (MUSE, "to=self<|message|>hm<|eom|><|start|>assistant to=user<|message|>Hello<|eot|>!<|eom|>rest"),
]


def by_library(marked: Any, text: str) -> tuple[VisibleText, ...]:
    from mlx_lm.generate import TextStateMachine, make_text_state_machine

    state = make_text_state_machine(marked).make_state(marked.response_initial_state or "normal")
    state, told = TextStateMachine.split(state, text)
    _, rest, last = TextStateMachine.flush(state)
    return joined(
        VisibleText(Channel(name), said) for name, said in [*told, (last, rest)] if said and name in set(Channel)
    )


def by_us(markers: Markers, text: str) -> tuple[VisibleText, ...]:
    reader = ReplyReader([], markers)
    shown = [piece for character in text for piece in reader.read(character)]
    return joined([*shown, *reader.finish()])


@pytest.mark.parametrize(("marked", "text"), CASES)
def test_markers_split_channels_like_mlx_lm(marked: Any, text: str) -> None:
    assert by_us(markers_of(marked), text) == by_library(marked, text)


def test_markers_are_read_from_the_tokenizer(samples: Samples) -> None:
    qwen = tokenizers.load(samples.path("tokenizers/qwen3"))
    assert by_us(markers_of(qwen), REPLY) == by_library(qwen, REPLY)
    assert Marker(Channel.REASONING, "</think>", Channel.NORMAL) in markers_of(qwen).edges


def test_markers_hide_headers() -> None:
    assert by_us(markers_of(MUSE), "to=user<|message|>Hi<|eom|>to=nobody") == (VisibleText(Channel.NORMAL, "Hi"),)
