"""The conversation's controller, where the journal opens late."""

import pytest

from app.controls import Mode
from app.state import Phase
from app.ui.conversation.first_prompts import FirstPrompt
from tests.ui.program import Program, opened_late


def test_an_empty_session_is_in_the_mode_from_before_a_first_prompt_though_the_journal_opened_since(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.start()
    program.send("Long ago")
    program.quit()
    may_open = opened_late(monkeypatch)
    window = program.show()
    program.until(lambda: program.state.phase is Phase.READY)
    window._features.conversation._try(FirstPrompt("A page", "Once upon", "How it goes on", Mode.RAW))
    program.until(lambda: program.state.last_run is not None)
    early = program.state.numbering
    may_open.set()
    program.until(lambda: program.state.numbering != early)
    modes = [program.state.controls.mode]
    program.act("new_session")
    assert [*modes, program.state.controls.mode] == [Mode.RAW, Mode.CHAT]
