"""Scripts of all kinds go through the whole program: typed, sent, streamed and read back in each view."""

from dataclasses import replace

import pytest

from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.conversation.view_choice import VIEWS
from app.ui.tokens.chips import TokenChips
from tests.ui.desk import QUICK, Desk, act, named
from tests.ui.document.scripts import ALL, ARABIC, SCRIPTS


@pytest.mark.parametrize("view", list(VIEWS))
def test_every_script_is_streamed_in_every_view(desk: Desk, view: str) -> None:
    window = desk.ready(knobs=replace(QUICK, replies=(ALL,)))
    act(window, view).trigger()
    desk.send(window, ARABIC)
    page = named(window, Transcript, "transcript")
    assert [page.turn_text(number) for number in (0, 1)] == [ARABIC, ALL]
    assert all(text in page.plain_text() for text in SCRIPTS.values())
    again = window.playground.state
    assert [turn.text for turn in again.turns] == [ARABIC, ALL]
    act(window, "view_plain").trigger()
    assert ALL in page.plain_text(), "another view shows the same"


def test_the_exact_prompt_has_every_script(desk: Desk) -> None:
    window = desk.ready()
    act(window, "toggle_exact_prompt").trigger()
    desk.send(window, ALL)
    desk.until(window, Phase.READY)
    tokens = named(window, TokenChips, "exact_prompt_tokens")
    desk.qtbot.waitUntil(lambda: tokens.prompt is not None and tokens.laid_out)
    assert tokens.prompt is not None
    assert ALL in tokens.prompt.text
    told = "".join(tokens.prompt.text[start:end] for start, end in tokens.prompt.offsets)
    assert ALL in told
