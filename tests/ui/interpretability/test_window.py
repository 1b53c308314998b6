"""The window of an answer's inspections, where the model can't be inspected."""

from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QLabel

from app.state import Phase
from app.ui.interpretability.controller import InterpretabilityController, InterpretabilityPage
from app.ui.look.theme import Theme
from tests.ui.alone import Alone
from tests.ui.desk import act, named


def test_sample_is_sent_and_each_view_says_why_it_is_missing(alone: Alone, theme: Theme) -> None:
    page = InterpretabilityPage(theme)
    alone.put(page)
    inside = alone.add(InterpretabilityController(alone.playground, page, theme, Path(), alone))
    act(alone, "inside_window").trigger()
    sample, start = (named(alone, QAbstractButton, name) for name in ("inside_empty_sample", "inside_start"))
    assert sample.isVisible() and not start.isEnabled()
    sample.click()
    answer, missing = (named(alone, QLabel, name) for name in ("inside_answer", "inside_missing_ladder"))
    alone.until(lambda: bool(missing.text()) and alone.playground.state.phase is Phase.READY)
    failures = inside._inspections.results.failures
    alone.until(lambda: start.isEnabled() and len(failures) == 4)
    assert start.text() == "Compute All Views" and not sample.isVisible()
    assert missing.text() == failures["ladder"].sentence and answer.text().startswith("Answer of echo: “")
    assert not named(alone, QAbstractButton, "inside_export").isEnabled()
    alone.send("Again")
    text = " ".join(alone.playground.state.turns[-1].text.split())
    assert text and text[:20] in answer.text(), "the answer has ended"


def test_window_reads_the_answer_of_an_earlier_session(alone: Alone, theme: Theme) -> None:
    page = InterpretabilityPage(theme)
    alone.put(page)
    alone.add(InterpretabilityController(alone.playground, page, theme, Path(), alone))
    alone.send("Hello")
    alone.playground.traces.forget()
    act(alone, "inside_window").trigger()
    alone.until(lambda: named(alone, QAbstractButton, "inside_start").isEnabled())
    assert named(alone, QLabel, "inside_answer").text().startswith("Answer of echo: “")
