"""A conversation of several turns: reuse, limits, changes of mind."""

import pytest

from app.engine.types import Reason, TokenPrompt
from tests.journeys.journey import Journey

pytestmark = pytest.mark.slow


def test_second_turn_reuses_the_cached_prefix(demo: Journey) -> None:
    demo.cold()
    first = demo.send("Count 1 to 5")
    second = demo.send("And now to 7")
    assert first.finish.reused == 0
    assert second.finish.reused >= first.finish.new
    assert demo.details["Prompt"].startswith(f"{second.finish.reused} reused, {second.finish.new} new")
    assert demo.page.index("Count 1 to 5") < demo.page.index("And now to 7")
    demo.picture("two_turns")


def test_continue_after_the_token_limit_needs_no_prefill(demo: Journey) -> None:
    demo.cold()
    whole = demo.send("Count 1 to 9").text
    demo.act("new_session")
    demo.limit(6)
    first = demo.send("Count 1 to 9")
    assert first.finish.reason is Reason.LENGTH
    assert first.finish.tokens == 6
    assert demo.reason.startswith("length, the limit of 6 tokens")
    demo.picture("length")
    demo.limit(100)
    demo.press("step_continue")
    second = demo.last()
    assert isinstance(second.request.prompt, TokenPrompt)
    assert second.finish.new <= 1
    assert demo.state.turns[-1].text == first.text + second.text == whole
    assert whole.strip() in demo.page


def test_raise_the_limit_doubles_it_and_continues(demo: Journey) -> None:
    demo.limit(5)
    demo.send("Count 1 to 9")
    demo.press("step_raise_the_limit")
    demo.last()
    assert demo.state.controls.limits.max_tokens == 10
    assert len(demo.state.turns[-1].runs) == 2
