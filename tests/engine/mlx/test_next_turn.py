"""The cost of the next turn equals what its run really prefills."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from app.engine.next_turn import LEAST_AGAIN, Rewrite, earlier_tokens, find_rewrite
from app.engine.templates.rendering import TEMPLATES
from app.engine.types import (
    ChatPrompt,
    ExactPrompt,
    Failure,
    Limits,
    Message,
    PromptSource,
    Request,
    Reusable,
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


class Talk:
    """A conversation with a model whose chat template is replaced. Its answers begin with a given text."""

    def __init__(self, player: Player, template: str, arguments: tuple[tuple[str, bool], ...] = ()) -> None:
        self.player, self.arguments = player, arguments
        player.main.tokenizer._tokenizer.chat_template = template
        self.model = replace(player.model, template_arguments=TEMPLATES.inspect(template))
        self.messages: tuple[Message, ...] = ()

    def ask(self, text: str, answer: str) -> tuple[ExactPrompt, Rewrite | None, int] | None:
        """Return the prompt, the predicted rewrite and the reused tokens of a run; None if it is refused."""
        messages = (*self.messages, Message(Role.USER, text))
        plain, prompt = ChatPrompt(messages, "", self.arguments), ChatPrompt(messages, answer, self.arguments)
        exact, found = self.look(plain)
        if isinstance(exact, Failure):
            return None
        rewrite = find_rewrite(plain, exact, found, self.model, self.look)
        run = self.player.play(self.request(prompt))
        if run.finish.failure is not None:
            return None
        self.messages = (*messages, Message(Role.ASSISTANT, answer + run.shown))
        return exact, rewrite, run.finish.reused

    def look(self, source: PromptSource) -> tuple[ExactPrompt | Failure, Reusable]:
        exact = self.player.engine.render(source)
        request = self.request(source)
        return exact, self.player.engine.reusable(exact.ids, request) if isinstance(exact, ExactPrompt) else Reusable()

    def request(self, source: PromptSource) -> Request:
        return Request(source, Sampling(temperature=0), Limits(2))


def assert_equal(told: tuple[ExactPrompt, Rewrite | None, int]) -> None:
    """A turn after the first one."""
    prompt, rewrite, reused = told
    again = earlier_tokens(prompt) - reused
    assert again < LEAST_AGAIN if rewrite is None else again == rewrite.again


def test_next_turn_names_the_line_and_the_argument_that_keeps_reasoning(demo: Player) -> None:
    talk = Talk(demo, KEEPS)
    first, second = talk.ask("Go?", THOUGHT + "Yes."), talk.ask("So?", "Yes")
    assert first is not None and first[1] is None, "nothing was cached"
    assert second is not None and second[1] is not None
    assert_equal(second)
    assert second[1].line == 7 and second[1].argument == ("keep_past_thinking", True)
    assert second[1].seconds == pytest.approx(second[1].again / demo.main.pace.tokens_per_s, rel=0.5)


@pytest.mark.slow
def test_next_turn_with_the_argument_prefills_nothing_again(demo: Player) -> None:
    talk = Talk(demo, KEEPS, (("keep_past_thinking", True),))
    talk.ask("Go?", THOUGHT + "Yes.")
    second = talk.ask("Really?", "Yes.")
    assert second is not None and second[1] is None and second[2] > 20


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
    """In 17 conversations with each of 12 templates."""
    compared = 0
    for turns in conversations(17):
        talk = Talk(demo, samples.template(name))
        told = [talk.ask(question, answer) for question, answer in turns]
        for each in filter(None, told[1:]):
            assert_equal(each)
            compared += 1
    assert compared > 17
