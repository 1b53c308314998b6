from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from app.number_format import chance
from tests.journeys.journey import Journey

pytestmark = pytest.mark.slow


def recording(demo: Journey) -> None:
    demo.window.playground.set_controls(replace(demo.state.controls, observe=10))


def said(demo: Journey, heading: str) -> str:
    """What the details say under this heading."""
    details = demo.find(QWidget, "run_details")
    if not details.isVisible():
        demo.press("more_about_run")
    names = [label.accessibleName() for label in details.findChildren(QLabel) if label.isVisible()]
    return next(name for name in names if name.startswith(f"{heading}: ")).removeprefix(f"{heading}: ")


def test_raise_the_limit_doubles_it_and_continues(demo: Journey) -> None:
    demo.limit(5)
    demo.send("Count 1 to 9")
    demo.press("step_raise_the_limit")
    demo.last()
    assert demo.state.controls.limits.max_tokens == 10
    assert len(demo.state.turns[-1].runs) == 2


def test_finish_reason_shows_the_eos_probability(demo: Journey) -> None:
    demo.cold()
    recording(demo)
    run = demo.send("Count 1 to 5")
    last = demo.trace.token(len(demo.trace) - 1)
    assert last.probability is not None
    assert demo.reason == f"stop, EOS token <|im_end|>, probability {chance(last.probability)}"
    assert f"<|im_end|> (id {run.finish.stop_id}), with a probability of {chance(last.probability)}" in said(
        demo, "Why it stopped"
    )

    demo.limit(6)
    demo.send("Tell me a story")
    ends = [seen.eos_probability for index in range(6) if (seen := demo.trace.logprobs_at(index)) is not None]
    assert len(ends) == 6
    assert demo.reason == f"length, the limit of 6 tokens; EOS probability {chance(ends[-1])}"
    story = said(demo, "Why it stopped")
    assert f"EOS probability at the last token: {chance(ends[-1])}." in story
    nearest = f"token {1 + ends.index(max(ends))}: {chance(max(ends))}."
    assert nearest in story or chance(max(ends)) == chance(ends[-1])
    assert "“Continue” or “Raise the limit”" in said(demo, "Next steps")
