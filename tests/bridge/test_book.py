"""What the playground does is in the journal, and comes back out of it so that it goes on."""

import shutil
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from app.bridge.book import Book
from app.controls import Controls, Mode
from app.engine.types import Limits, Prompted, Reason, Role, Shown, Token, Voice
from app.leaving import moment
from app.records.early import PREFIX, adopt
from app.records.journal import Journal, open_journal
from app.records.opening import FILE
from app.records.types import RunId, RunStart, RunState, SessionId
from app.state import Phase, Turn
from tests.bridge.playing import ENDLESS_TEXT, QUICK, Player, keeping, playing, reading
from tests.late import held_back


def texts(folder: Path, session: SessionId) -> list[str]:
    with reading(folder) as journal:
        return [turn.text for turn in journal.sessions.turns(session)]


def reopen(player: Player, session: SessionId) -> None:
    assert player.playground.open_session(session)
    player.until(lambda: player.state.session == session)


class Number(int):
    """Counts how often it is compared with another one."""

    compared = 0
    __hash__ = int.__hash__

    def __eq__(self, other: object) -> bool:
        Number.compared += 1
        return int(self) == other


def test_a_thousand_branches_are_not_gone_through_for_each_turn(qapp: QCoreApplication) -> None:
    book = Book()
    book.open()
    try:
        line = tuple(Turn(Role.USER, "", id=Number(number)) for number in range(1, 101))
        others = tuple(Turn(Role.USER, "", id=Number(number), parent=50) for number in range(1001, 2001))
        session, turns = book.keep(0, line, others, Controls())
        assert session and len(turns[50].siblings) == 1001
        Number.compared = 0
        book.keep(session, turns, others, Controls())
        assert Number.compared < 10 * (len(line) + len(others))
    finally:
        book.close(moment())


def test_a_run_is_recorded_token_by_token(qtbot: QtBot, tmp_path: Path) -> None:
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


def test_a_session_comes_back_and_goes_on(qtbot: QtBot, tmp_path: Path) -> None:
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


def test_older_runs_come_back_briefly_and_whole_when_asked_for(qtbot: QtBot, tmp_path: Path) -> None:
    with keeping(qtbot, tmp_path) as player:
        first = player.send("One")
        last = player.send("Two")
        session = player.state.session
    with keeping(qtbot, tmp_path) as player:
        reopen(player, session)
        old, new = player.state.turns[1].runs[0], player.state.turns[3].runs[0]
        assert (old.brief, new.brief) == (True, False)
        assert (new.ids, new.prompt) == (last.ids, last.prompt)
        assert old.summary.figures.tokens == first.summary.figures.tokens
        whole = player.playground.whole(old)
        assert (whole.ids, whole.prompt, whole.request) == (first.ids, first.prompt, first.request)
        assert player.playground.delete(2)
        assert player.state.last_run is not None and player.state.last_run.ids == first.ids


def test_every_change_of_mind_is_kept(qtbot: QtBot, tmp_path: Path) -> None:
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


def test_a_run_that_was_cut_off_is_marked_and_goes_on(qtbot: QtBot, tmp_path: Path) -> None:
    with keeping(qtbot, tmp_path, ENDLESS_TEXT) as player:
        player.playground.set_controls(Controls(limits=Limits(8), seed=1))
        run = player.send("Go")
        session = player.state.session
    _cut_off(tmp_path, session, run.id)
    with keeping(qtbot, tmp_path, ENDLESS_TEXT) as player:
        journal = player.playground.book.journal
        assert journal is not None and journal.sessions.rows()[0].interrupted
        reopen(player, session)
        cut = player.state.last_run
        assert cut is not None and cut.interrupted
        assert cut.ids == run.ids
        assert player.state.turns[-1].text == run.text
        assert player.playground.continue_run()
        assert player.last().finish.reason is Reason.LENGTH
        journal.flush()
        assert not journal.sessions.rows()[0].interrupted


def _cut_off(folder: Path, session: SessionId, run: RunId) -> None:
    """The same run once more, but its last word never comes."""
    with reading(folder) as journal:
        whole = journal.runs.whole(run)
        assert whole is not None
        record = whole.run
        kept = journal.sessions.turns(session)
        answer = journal.sessions.add_turn(session, Role.ASSISTANT, "")
        journal.sessions.arrange(session, [kept[0].id, answer])
        recorder = journal.begin(session, answer, RunStart(record.mode, record.request, record.model, 0.0))
        assert record.prompt is not None
        recorder.put(Prompted(record.prompt, 0, len(record.prompt.ids)))
        for token in whole.tokens:
            shown = (Shown(Voice.NORMAL, token.text),)
            recorder.put(Token(token.index, token.id, token.text, shown, token.at))
        journal.flush()


def test_what_comes_before_the_journal_is_open_is_moved_into_it(qtbot: QtBot, tmp_path: Path) -> None:
    may_open, opener = held_back(partial(open_journal, tmp_path))
    with playing(qtbot, QUICK, opener=opener) as player:
        player.load()
        run = player.send("Early")
        moved: list[object] = []
        player.playground.book.moved.connect(moved.append)
        may_open.set()
        player.until(lambda: bool(moved))
        late = player.send("Late")
        state = player.state
        assert state.phase is Phase.READY
    assert texts(tmp_path, state.session) == ["Early", run.text, "Late", late.text]
    with reading(tmp_path) as journal:
        assert journal.sessions.count() == 1
        assert journal.runs.count() == 2


def test_looks_at_a_run_go_with_it_into_the_journal(qtbot: QtBot, tmp_path: Path) -> None:
    """One of them is still being told in words when it gets its number there."""
    with playing(qtbot, QUICK, opener=lambda: open_journal(tmp_path)) as player:
        player.load()
        player.until(lambda: not player.playground.book.is_early)
        others = [player.send(text).id for text in ("One", "Two")]
    may_open, opener = held_back(partial(open_journal, tmp_path))
    with playing(qtbot, QUICK, opener=opener) as player:
        player.load()
        book, looks = player.playground.book, player.playground.looks
        early = player.send("Early").id
        assert early in others, "its number is that of another run there"
        kept = looks.at(early)
        kept["states"] = {"position": 3}
        may_open.set()
        player.until(lambda: not book.is_coming)
        kept["layers"] = {"position": 4}
        run = player.state.turns[-1].runs[0].id
        assert run not in others and [each["look"] for each in looks.of(run)] == ["states", "layers"]
        assert not any(map(looks.of, others))


def test_a_slow_disk_takes_over_without_a_turn_being_lost(qtbot: QtBot, tmp_path: Path) -> None:
    """What was moved may not be written yet when the turns get the numbers that they have there."""
    may_write, write = held_back(lambda: None)

    def slow() -> Journal:
        journal = open_journal(tmp_path)
        journal._writer.do(write)
        return journal

    may_open, opener = held_back(slow)
    with playing(qtbot, QUICK, opener=opener) as player:
        player.load()
        run = player.send("Early")
        moved: list[object] = []
        player.playground.book.moved.connect(moved.append)
        may_open.set()
        player.until(lambda: bool(moved))
        turns = player.state.turns
        assert [turn.text for turn in turns] == ["Early", run.text]
        assert all(turn.id for turn in turns)
        assert turns[-1].runs[0].id
        may_write.set()
        late = player.send("Late")
        state = player.state
    assert texts(tmp_path, state.session) == ["Early", run.text, "Late", late.text]


def test_a_journal_that_opens_during_a_run_has_it_from_its_first_token_on(qtbot: QtBot, tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    may_open, opener = held_back(partial(open_journal, data))
    with playing(qtbot, ENDLESS_TEXT, opener=opener) as player:
        player.load()
        player.playground.set_controls(Controls(limits=Limits(19_000), seed=1))
        player.playground.send("Go")
        player.until(lambda: len(player.text) > 200)
        before = player.text
        may_open.set()
        player.until(lambda: written(data) > 200)
        player.playground.keep_draft("Typed meanwhile")
        player.until(lambda: draft_in(data) == "Typed meanwhile")
        player.playground.set_controls(Controls(system="Set meanwhile"))
        player.playground.keep_controls()
        player.until(lambda: "Set meanwhile" in settings_in(data))
        # As after a crash: the program still writes.
        shutil.copytree(data, copy)
        assert player.state.phase is Phase.GENERATING
        player.playground.stop()
        run = player.last()
        state = player.state
        assert run.text.startswith(before)
        assert _kept(player)
        player.until(lambda: player.state.title.startswith("Go: "))
    assert texts(data, state.session) == ["Go", run.text]
    with reading(copy) as journal:
        (row,) = journal.runs.rows()
        assert row.state is RunState.INTERRUPTED
        asked, answer = journal.sessions.turns(row.session)
        assert asked.text == "Go" and answer.text.startswith(before) and run.text.startswith(answer.text)


def written(folder: Path) -> int:
    """How many tokens have reached the file."""
    return int(_asked(folder, "SELECT coalesce(sum(tokens), 0) FROM run") or 0)


def draft_in(folder: Path) -> str:
    return str(_asked(folder, "SELECT max(draft) FROM session"))


def settings_in(folder: Path) -> str:
    return str(_asked(folder, "SELECT max(settings) FROM session"))


def _asked(folder: Path, sql: str) -> Any:
    try:
        with closing(sqlite3.connect(f"{(folder / FILE).as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute(sql).fetchone()[0]
    except sqlite3.OperationalError:  # it is not there yet
        return None


def test_a_journal_that_was_taken_when_a_run_ended_is_not_taken_again(qtbot: QtBot, tmp_path: Path) -> None:
    """Its opening is told a moment later, when it is in use already."""
    with playing(qtbot, opener=lambda: open_journal(tmp_path)) as player:
        player.load()
        player.until(lambda: _kept(player))
        player.send("Go")
        book = player.playground.book
        journal = book.journal
        assert journal is not None
        with qtbot.assertNotEmitted(book.moved):
            book._take(journal)
        assert book.journal is journal
        player.until(lambda: len(journal.sessions.rows(0, 10)) == 1)


def _kept(player: Player) -> bool:
    journal = player.playground.book.journal
    return journal is not None and journal.folder is not None


def test_what_is_said_before_the_journal_opens_is_kept_and_goes_into_it(qtbot: QtBot, tmp_path: Path) -> None:
    with closing(open_journal(None)) as never, closing(open_journal(tmp_path)) as journal:
        opens, opener = held_back(lambda: never)
        book = Book(opener, early=tmp_path)
        book.open()
        book.keep(0, (Turn(Role.USER, "Early"),), (), Controls())
        qtbot.waitUntil(lambda: not (book._slow.isActive() or book.is_opening))
        assert book.close(moment())
        opens.set()
        adopt(tmp_path, journal)
        assert [info.title for info in journal.sessions.rows()] == ["Early"]


def test_what_the_journal_has_is_nowhere_else(qtbot: QtBot, tmp_path: Path) -> None:
    opens, opener = held_back(partial(open_journal, tmp_path))
    book = Book(opener, early=tmp_path)
    book.open()
    book.keep(0, (Turn(Role.USER, "Early"),), (), Controls())
    qtbot.waitUntil(lambda: bool(list(tmp_path.glob(f"{PREFIX}*"))))
    with qtbot.waitSignal(book.ready):
        opens.set()
    qtbot.waitUntil(lambda: not list(tmp_path.glob(f"{PREFIX}*")))
    book.close(moment())
    assert texts(tmp_path, 1) == ["Early"]


def test_a_journal_that_cannot_be_opened_leaves_all_to_the_next_start(qtbot: QtBot, tmp_path: Path) -> None:
    """What was deleted stays deleted, and what was said afterwards is there."""
    with closing(open_journal(tmp_path)) as other:
        opens, opener = held_back(partial(open_journal, tmp_path))
        book = Book(opener, early=tmp_path)
        book.open()
        gone, _ = book.keep(0, (Turn(Role.USER, "Gone"),), (), Controls())
        with qtbot.waitSignal(book.ready):
            opens.set()
        assert book.failure is not None and book.journal is not None and not book.is_opening
        book.journal.sessions.delete(gone)
        book.keep(0, (Turn(Role.USER, "Later"),), (), Controls())
        assert book.close(moment())
        adopt(tmp_path, other)
        assert [info.title for info in other.sessions.rows()] == ["Later"]


def test_a_draft_is_a_session_of_its_own(qtbot: QtBot, tmp_path: Path) -> None:
    with keeping(qtbot, tmp_path) as player:
        player.playground.keep_draft("   ")
        assert player.state.session == 0
        player.playground.keep_draft("Not sent y")
        session = player.state.session
        player.playground.keep_draft("Not sent yet")
        assert player.state.session == session
    with reading(tmp_path) as journal:
        kept = journal.sessions.get(session)
        assert kept is not None and kept.draft == "Not sent yet"


@pytest.mark.parametrize("intent", ["send", "new_session"])
def test_a_session_that_is_gone_leaves_the_page(qtbot: QtBot, tmp_path: Path, intent: str) -> None:
    with keeping(qtbot, tmp_path) as player:
        player.send("One")
        turns = player.state.turns
        assert player.playground.open_session(99)
        assert not player.playground.send("Meanwhile")
        player.until(lambda: player.state.opening == 0)
        assert player.state.turns == turns
        assert getattr(player.playground, intent)(*(["Two"] if intent == "send" else []))
