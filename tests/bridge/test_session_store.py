import sys
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.bridge.session_store import SessionStore
from app.controls import Controls, Mode
from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Cancellation, Failure, Limits, LoadRequest, Model, Role
from app.platform import shutdown
from app.platform.shutdown import JOURNAL_S, deadline
from app.records.journal import Journal, open_journal
from app.records.types import Outcome, SessionId
from app.state import Conversation, Phase, Turn
from tests.bridge.playing import ENDLESS_TEXT, QUICK, Player, keeping, playing, read_late, reading
from tests.late import held_back
from tests.patience import WAIT_S


def texts(folder: Path, session: SessionId) -> list[str]:
    with reading(folder) as journal:
        return [turn.text for turn in journal.sessions.turns(session)]


def reopen(player: Player, session: SessionId) -> None:
    assert player.playground.open_session(session)
    player.until(lambda: player.state.session == session)


def test_store_records_a_run_token_by_token(qtbot: QtBot, tmp_path: Path) -> None:
    with keeping(qtbot, tmp_path) as player:
        run = player.send("Hello")
        session = player.state.session
        player.until(lambda: player.state.title.startswith("Hello"))
    with reading(tmp_path) as journal:
        kept = journal.runs.get(run.id)
        assert kept is not None
        assert (kept.ids, kept.text, kept.request, kept.prompt) == (run.ids, run.text, run.request, run.prompt)
        assert kept.finish is not None and kept.finish.reason is run.finish.reason
        assert kept.versions.app and kept.versions.mlx_lm and kept.versions.system
        assert [turn.text for turn in journal.sessions.turns(session)] == ["Hello", run.text]
        assert len(journal.runs.tokens(run.id)) == len(run.ids)


def test_store_reads_a_session_that_can_be_continued(qtbot: QtBot, tmp_path: Path) -> None:
    with keeping(qtbot, tmp_path, ENDLESS_TEXT) as player:
        player.playground.set_controls(Controls(mode=Mode.RAW, system="Be kind.", limits=Limits(5), seed=3))
        player.send("One")
        player.send("Two")
        before = player.state
    with keeping(qtbot, tmp_path, ENDLESS_TEXT) as player:
        reopen(player, before.session)
        assert [turn.text for turn in player.state.turns] == [turn.text for turn in before.turns]
        assert player.state.controls == before.controls
        assert player.state.title.startswith("Two: "), "the page that is open now"
        assert player.playground.continue_run()
        run = player.last()
        assert player.state.turns[-1].text == before.turns[-1].text + run.text
        assert player.state.turns[-1].id == before.turns[-1].id
    assert texts(tmp_path, before.session)[-1] == before.turns[-1].text + run.text


def test_store_reads_earlier_runs_partially_and_fully_on_request(qtbot: QtBot, tmp_path: Path) -> None:
    with keeping(qtbot, tmp_path) as player:
        first = player.send("One")
        last = player.send("Two")
        session = player.state.session
    with keeping(qtbot, tmp_path) as player:
        reopen(player, session)
        old, new = player.state.turns[1].runs[0], player.state.turns[3].runs[0]
        assert (old.is_partial, new.is_partial) == (True, False)
        assert (new.ids, new.prompt) == (last.ids, last.prompt)
        assert old.summary.figures.tokens == first.summary.figures.tokens
        whole = player.playground.load_full(old)
        assert (whole.ids, whole.prompt, whole.request) == (first.ids, first.prompt, first.request)
        assert player.playground.delete(2)
        assert player.state.last_run is not None and player.state.last_run.ids == first.ids


def test_store_keeps_each_version_of_a_turn(qtbot: QtBot, tmp_path: Path) -> None:
    steps: list[tuple[str, ...]] = []
    with keeping(qtbot, tmp_path) as player:
        playground = player.playground

        def note() -> None:
            journal = playground.book.journal
            assert journal is not None
            journal.flush()
            state = player.state
            assert [turn.text for turn in journal.sessions.turns(state.session)] == [turn.text for turn in state.turns]
            steps.append(tuple(turn.text for turn in state.turns))

        for text in ("One", "Two"):
            player.send(text)
            note()
        assert playground.regenerate()
        player.last()
        note()
        assert playground.edit(0, "Uno")
        player.last()
        note()
        assert playground.undo()
        note()
        assert playground.edit(1, "My own answer")
        note()
        assert playground.delete(0)
        note()
        assert playground.undo()
        note()
    assert len(set(steps)) > 4


def test_playground_whose_model_is_loaded_first_is_ready_when_the_journal_is_open(qtbot: QtBot, tmp_path: Path) -> None:
    may_open, opener = held_back(partial(open_journal, tmp_path))
    with playing(qtbot, QUICK, opener=opener) as player:
        load_before_journal(player)
        assert player.state.phase is Phase.LOADING and not player.playground.send("Too early")
        may_open.set()
        player.until_phase(Phase.READY)
        run = player.send("Hello")
        session = player.state.session
    assert texts(tmp_path, session) == ["Hello", run.text]


@pytest.mark.parametrize("intent", ["stop", "load"])
def test_playground_that_waits_for_the_journal_can_let_its_model_go(qtbot: QtBot, tmp_path: Path, intent: str) -> None:
    may_open, opener = held_back(partial(open_journal, tmp_path))
    with playing(qtbot, QUICK, opener=opener) as player:
        load_before_journal(player)
        if intent == "stop":
            assert player.playground.stop()
            player.until_phase(Phase.EMPTY)
            may_open.set()
            player.until(lambda: player.playground.book.journal is not None)
            assert player.state.phase is Phase.EMPTY
        else:
            assert player.playground.load(LoadRequest("other"))
            may_open.set()
            player.until_phase(Phase.READY)
            assert player.state.model is not None and player.state.model.opened_by.model == "other"


class StubbornEngine(EchoEngine):
    """Ends no load early: each stop comes too late."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        return super().load(request, emit, StopFlag())


def test_playground_that_waits_for_the_journal_loads_the_next_model_meanwhile(qtbot: QtBot) -> None:
    may_open, opener = held_back(partial(open_journal, None))
    with playing(qtbot, factory=lambda _collect: StubbornEngine(QUICK), opener=opener) as player:
        player.playground.open()
        with qtbot.waitSignals([player.playground._runner.settled] * 2):
            assert player.playground.load(LoadRequest("first")) and player.playground.load(LoadRequest("next"))
        assert (player.state.wanted, player.state.phase) == ("next", Phase.LOADING)
        may_open.set()
        player.until_phase(Phase.READY)
        assert player.state.model is not None and player.state.model.opened_by.model == "next"


def load_before_journal(player: Player) -> None:
    player.playground.open()
    with player.qtbot.waitSignal(player.playground._runner.settled):
        assert player.playground.load(LoadRequest("demo"))


def test_store_that_goes_on_unsaved_leaves_the_journal_unchanged(qtbot: QtBot, tmp_path: Path) -> None:
    may_open, opener = held_back(partial(open_journal, tmp_path))
    with playing(qtbot, QUICK, opener=opener) as player:
        load_before_journal(player)
        book = player.playground.book
        book.go_on_unsaved()
        assert player.state.phase is Phase.READY and book.is_in_memory
        assert book.failure is not None and book.failure.kind == "unsaved"
        run = player.send("Hello")
        may_open.set()
        player.until(lambda: not book.tasks.count)
        assert player.state.turns[-1].text == run.text
        with reading(tmp_path) as journal:
            assert journal.failure is None and journal.sessions.count() == 0


def test_store_is_slow_until_its_journal_is_open(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.bridge.session_store.SLOW_MS", 0)
    may_open, opener = held_back(partial(open_journal, tmp_path))
    book = SessionStore(opener)
    with qtbot.waitSignal(book.slow):
        book.open()
    assert book.is_slow and book.is_opening and book.journal is None
    with qtbot.waitSignal(book.ready):
        may_open.set()
    assert not book.is_slow and book.journal is not None
    book.close(deadline())


def test_store_whose_opener_raises_works_in_memory(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: raised.append(kind))

    def broken() -> Journal:
        raise ZeroDivisionError

    book = SessionStore(broken)
    with qtbot.waitSignal(book.ready):
        book.open()
    assert book.failure is not None and book.failure.kind == "unsaved" and not book.is_opening
    qtbot.waitUntil(lambda: raised == [ZeroDivisionError])
    book.close(deadline())


def test_store_whose_journal_is_locked_works_in_memory(qtbot: QtBot, tmp_path: Path) -> None:
    with reading(tmp_path):
        book = SessionStore(partial(open_journal, tmp_path))
        with qtbot.waitSignal(book.ready):
            book.open()
        assert book.is_in_memory and book.failure is not None and book.failure.kind == "locked"
        book.close(deadline())


def test_store_keeps_a_draft_in_its_own_session(qtbot: QtBot, tmp_path: Path) -> None:
    with keeping(qtbot, tmp_path) as player:
        player.playground.keep_draft("   ")
        assert player.state.session == 0
        player.playground.keep_draft("Not sent y")
        session = player.state.session
        player.playground.keep_draft("Not sent yet")
        player.playground.set_controls(Controls(system="Be kind."))
        player.playground.keep_controls()
        assert player.state.session == session
    with reading(tmp_path) as journal:
        kept = journal.sessions.get(session)
        assert kept is not None and (kept.draft, kept.settings.system) == ("Not sent yet", "Be kind.")


@pytest.mark.parametrize("intent", ["send", "new_session"])
def test_forget_of_the_open_session_empties_the_page(journaled: Player, intent: str) -> None:
    journaled.send("One")
    turns = journaled.state.turns
    assert journaled.playground.open_session(99)
    assert not journaled.playground.send("Meanwhile")
    journaled.until(lambda: journaled.state.opening == 0)
    assert journaled.state.turns == turns
    assert getattr(journaled.playground, intent)(*(["Two"] if intent == "send" else []))


def test_forget_of_a_session_being_read_shows_nothing(journaled: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    may_come = read_late(monkeypatch)
    journaled.send("One")
    deleted = journaled.state.session
    journaled.playground.new_session()
    journaled.send("Two")
    kept, turns = journaled.state.session, journaled.state.turns
    assert journaled.playground.open_session(deleted)
    journaled.playground.forget(deleted)
    may_come.set()
    journaled.until(lambda: not journaled.state.opening and not journaled.playground.book.tasks.count)
    assert journaled.state.session == kept and journaled.state.turns == turns


SECRET = "zanzibar"


def found(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if SECRET.encode() in path.read_bytes()]


def test_erase_empties_both_modes_and_saves_later_turns(qtbot: QtBot, tmp_path: Path) -> None:
    with keeping(qtbot, tmp_path) as player:
        play = player.playground
        player.send(f"Where is {SECRET}?")
        play.set_controls(Controls(mode=Mode.RAW))
        player.send(f"Once in {SECRET}")
        journal = play.book.journal
        assert journal is not None and journal.flush()
        assert found(tmp_path)
        told: list[Outcome] = []
        assert play.erase(told.append)
        assert (player.state.turns, player.state.session, player.state.inactive.turns) == ((), 0, ())
        # Said before the disk has done it: it is no part of what goes.
        player.send("Something new")
        player.until(lambda: told == [None])
        assert found(tmp_path) == []
        play.set_controls(Controls())
        assert player.state.turns == ()
    with reading(tmp_path) as kept:
        assert [row.title for row in kept.sessions.rows()] == ["Something new"]
        assert kept.failure is None


def test_close_with_a_hanging_file_read_still_writes_the_journal(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As large a share as a busy disk may need, and no longer than the read hangs."""
    monkeypatch.setattr(shutdown, "JOURNAL_S", WAIT_S / 2)
    ends, look = held_back(lambda: None)
    book = SessionStore(lambda: open_journal(tmp_path))
    with qtbot.waitSignal(book.ready):
        book.open()
    book.keep(Conversation(), (Turn(Role.USER, "Late"),), (), Controls())
    book.tasks.start(book.tasks.in_thread(look))
    try:
        assert book.close(deadline(WAIT_S / 2))
    finally:
        ends.set()
    with reading(tmp_path) as journal:
        assert [info.title for info in journal.sessions.rows()] == ["Late"]


@pytest.mark.parametrize("text", ["Typed", "  "])
def test_store_closed_before_its_journal_is_open_reports_a_lost_draft(qtbot: QtBot, text: str) -> None:
    opens, opener = held_back(lambda: open_journal(None))
    book = SessionStore(opener)
    book.open()
    assert book.keep_draft(0, text, Controls()) == 0
    assert book.close(deadline(JOURNAL_S)) is not bool(text.strip())
    opens.set()
    assert book.tasks.wait(deadline(WAIT_S))


def test_store_closed_when_its_journal_has_just_opened_saves_the_draft(qtbot: QtBot, tmp_path: Path) -> None:
    book = SessionStore(lambda: open_journal(tmp_path))
    book.open()
    book.keep_draft(0, "Typed", Controls())
    assert book.tasks.wait(deadline(WAIT_S)) and book.journal is None
    assert book.close(deadline(WAIT_S))
    with reading(tmp_path) as journal:
        (info,) = journal.sessions.rows()
        kept = journal.sessions.get(info.id)
        assert kept is not None and kept.draft == "Typed"


def test_store_closes_a_journal_that_opens_after_close(qtbot: QtBot, tmp_path: Path) -> None:
    opens, opener = held_back(lambda: open_journal(tmp_path))
    book = SessionStore(opener)
    book.open()
    book.close(deadline(JOURNAL_S))
    opens.set()
    assert book.tasks.wait(deadline(WAIT_S))
    with reading(tmp_path) as journal:
        assert journal.failure is None
