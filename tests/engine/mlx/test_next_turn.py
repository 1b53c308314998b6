from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import pytest

from app.engine.next_turn import LEAST_AGAIN, RewriteFinder, earlier_tokens
from app.engine.templates.rendering import TEMPLATES
from app.engine.types import (
    CacheMissReason,
    ChatPrompt,
    ExactPrompt,
    Failure,
    Limits,
    Message,
    PromptSource,
    Request,
    Reusable,
    Rewrite,
    Role,
    Sampling,
)
from tests.engine.made_templates import TEMPLATES as NAMES
from tests.engine.mlx.conftest import Player
from tests.standins.samples import Samples

THOUGHT = "<think>\nIt is late and the sea is calm, so the boat can leave at once.\n</think>\n\n"
KEEPS = """{%- for each in messages %}
{%- set text = each.content %}
{%- if each.role == 'assistant' and not keep_past_thinking %}
{%- set text = text.split('</think>')[-1] %}
{%- endif %}
{{- '<|' + each.role + '|>' }}
{{- text + '<|end|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|assistant|>' }}{%- endif %}
{%- if keep_past_thinking is true %}{{- '' }}{%- endif %}
"""


@dataclass(frozen=True, slots=True)
class NextTurn:
    """A turn: its prompt, the prediction, and the tokens that its run reused."""

    prompt: ExactPrompt
    found: Reusable
    rewrite: Rewrite | None
    reused: int


class Talk:
    """A conversation with a model whose chat template is replaced. Its answers begin with a given text."""

    def __init__(self, player: Player, template: str, arguments: tuple[tuple[str, bool], ...] = ()) -> None:
        self.player, self.arguments = player, arguments
        player.main.tokenizer._tokenizer.chat_template = template
        self.model = replace(player.model, template_arguments=TEMPLATES.inspect(template))
        self.messages: tuple[Message, ...] = ()

    def ask(self, text: str, answer: str) -> NextTurn | None:
        """Predict the turn, run it, and then give it this answer; None if the template refuses it."""
        messages = (*self.messages, Message(Role.USER, text))
        plain = ChatPrompt(messages, "", self.arguments)
        exact, found = self.look(plain)
        if isinstance(exact, Failure):
            return None
        rewrite = RewriteFinder().find(plain, exact, found, self.model, self.look)
        run = self.player.play(self.request(plain))
        answered = self.player.play(self.request(replace(plain, reply_start=answer)))
        self.messages = (*messages, Message(Role.ASSISTANT, answer + answered.shown))
        return NextTurn(exact, found, rewrite, run.finish.reused)

    def look(self, source: PromptSource) -> tuple[ExactPrompt | Failure, Reusable]:
        exact = self.player.engine.render(source)
        request = self.request(source)
        return exact, self.player.engine.reusable(exact.ids, request) if isinstance(exact, ExactPrompt) else Reusable()

    def request(self, source: PromptSource) -> Request:
        return Request(source, Sampling(temperature=0), Limits(2))


def assert_equal(turn: NextTurn) -> None:
    assert turn.found.count == turn.reused
    earlier = earlier_tokens(turn.prompt)
    if turn.rewrite is not None:
        assert turn.rewrite.again == earlier - turn.reused >= LEAST_AGAIN
    elif turn.found.hindrance is CacheMissReason.DIFFERS:
        assert turn.found.same >= earlier or earlier - turn.reused < LEAST_AGAIN


def test_next_turn_names_the_line_and_the_argument_that_keeps_reasoning(demo: Player) -> None:
    talk = Talk(demo, KEEPS)
    first, second = talk.ask("Go?", THOUGHT + "Yes."), talk.ask("So?", "Yes")
    assert first is not None and first.rewrite is None, "nothing was cached"
    assert second is not None and second.rewrite is not None
    assert_equal(second)
    assert second.rewrite.line == 7 and second.rewrite.argument == ("keep_past_thinking", True)
    assert second.rewrite.seconds == pytest.approx(second.rewrite.again / second.found.prefill_speed)


@pytest.mark.slow
def test_next_turn_with_the_argument_prefills_nothing_again(demo: Player) -> None:
    talk = Talk(demo, KEEPS, (("keep_past_thinking", True),))
    talk.ask("Go?", THOUGHT + "Yes.")
    second = talk.ask("Really?", "Yes.")
    assert second is not None and second.rewrite is None and second.reused > 20


def conversations(count: int) -> Iterator[list[tuple[str, str]]]:
    """Questions and the beginnings of answers, some with reasoning, whitespace or nothing."""
    random = Random(7)
    for _ in range(count):
        texts = ["Yes.", " Yes, of course.\n", "\nNo\n\n", "1, 2, 3", "```\ncode\n```"]
        thoughts = ["", "", THOUGHT, "<think>\n\n</think>\n\n"]
        yield [
            (f"Question {turn}: why?", random.choice(thoughts) + random.choice(texts))
            for turn in range(random.randint(2, 4))
        ]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_next_turn_of_real_templates_equals_the_prefill(demo: Player, samples: Samples, name: str) -> None:
    """In 9 conversations with each of 12 templates, of which there are two versions."""
    compared = 0
    for turns in conversations(9):
        talk = Talk(demo, samples.template(name))
        predicted = [talk.ask(question, answer) for question, answer in turns]
        for each in filter(None, predicted[1:]):
            assert_equal(each)
            compared += 1
    assert compared > 9
