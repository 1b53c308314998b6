import pytest

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


def test_raise_the_limit_doubles_it_and_continues(demo: Journey) -> None:
    demo.limit(5)
    demo.send("Count 1 to 9")
    demo.press("step_raise_the_limit")
    demo.last()
    assert demo.state.controls.limits.max_tokens == 10
    assert len(demo.state.turns[-1].runs) == 2
