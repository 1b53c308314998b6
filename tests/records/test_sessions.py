import time
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from app.controls import Controls, Mode
from app.engine.types import Channel, PromptEvent, Role, Sampling, VisibleText
from app.records.database import SqlWrite
from app.records.journal import Journal, open_journal
from app.records.journal_file import FILE
from app.records.session_file import read_session, session_text
from app.records.store import Store
from app.records.types import Fork, RunState, SessionId, TurnId, WholeSession
from tests import earlier_files
from tests.records import builders
from tests.records.conftest import Opener


def titles(journal: Journal) -> list[str]:
    assert journal.flush()
    return [row.title for row in journal.sessions.rows()]


def test_title_follows_first_words_until_renamed(journal: Journal) -> None:
    session = journal.sessions.new()
    assert titles(journal) == ["New session"]
    question = journal.sessions.add_turn(session, Role.USER, "Why is\nthe sky blue?")
    assert titles(journal) == ["Why is the sky blue?"]
    journal.sessions.set_text(question, "Why is grass green?")
    assert titles(journal) == ["Why is grass green?"]
    journal.sessions.rename(session, "  Colours ")
    journal.sessions.set_text(question, "And blood?")
    assert titles(journal) == ["Colours"]
    journal.sessions.rename(session, "")
    assert titles(journal) == ["And blood?"]


def test_title_of_a_short_question_has_the_answer(journal: Journal) -> None:
    session, _, _ = builders.answered(journal, "hi", ("A reason ", "for it"))
    assert titles(journal) == ["hi: A reason for it"]
    journal.sessions.rename(session, "Greetings")
    journal.sessions.add_turn(session, Role.USER, "and then?")
    journal.sessions.set_text(journal.sessions.turns(session)[0].id, "hello")
    assert titles(journal) == ["Greetings"], "it stays the user's"


def test_rows_and_title_do_not_wait_for_writes(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read anew whenever something was written, by the window, which a slow disk must not hold up."""
    session = builders.conversation(journal, "blue")[0]
    assert titles(journal) == ["blue"]
    waited: list[object] = []
    monkeypatch.setattr(journal._writer, "settle", lambda *given: waited.append(given))
    assert journal.sessions.title(session) == "blue" and journal.sessions.rows()[0].id == session
    assert waited == []
    assert journal.sessions.turns(session) and waited, "what is read of a session is whole"


def ends_while_it_is_read(journal: Journal, monkeypatch: pytest.MonkeyPatch, just_before: str) -> SessionId:
    """A session with an answer whose last word is written just before such a read."""
    session, recorder, sent = builders.begin(journal)
    builders.stream(recorder, sent)
    assert journal.flush()
    last_words, read = [builders.finish(sent)], Store.read

    def late(store: Store, sql: str, *rest: Any, **named: Any) -> list[Any]:
        if last_words and just_before in sql:
            recorder.finish(last_words.pop())
            assert journal.flush()
        return read(store, sql, *rest, **named)

    monkeypatch.setattr(Store, "read", late)
    return session


@pytest.mark.parametrize("just_before", ["FROM run WHERE turn", "FROM batch"])
def test_turn_ending_during_read_has_its_text_once(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, just_before: str
) -> None:
    session = ends_while_it_is_read(journal, monkeypatch, just_before)
    assert [turn.text for turn in journal.sessions.turns(session)] == [builders.QUESTION, "The river is wide."]


@pytest.mark.parametrize("just_before", ["FROM run WHERE turn", "FROM run JOIN detail", "FROM batch"])
def test_export_ending_during_read_has_its_text_once(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, just_before: str
) -> None:
    session = ends_while_it_is_read(journal, monkeypatch, just_before)
    whole = builders.whole_of(journal, session)
    answer = whole.turns[-1]
    assert answer.text == "The river is wide."
    assert [run.run.state for run in answer.runs] == [RunState.ENDED]


def test_rows_have_pinned_sessions_first(journal: Journal) -> None:
    numbers = [builders.conversation(journal, f"number {number}")[0] for number in range(4)]
    journal.sessions.pin(numbers[1], True)
    assert titles(journal) == ["number 1", "number 3", "number 2", "number 0"]
    assert [row.title for row in journal.sessions.rows(1, 2)] == ["number 3", "number 2"]
    assert journal.sessions.count() == 4
    journal.sessions.pin(numbers[1], False)
    assert titles(journal)[0] == "number 3"


def test_experiments_are_listed_apart_until_pinned_renamed_or_duplicated(journal: Journal) -> None:
    chat, *studies = journal.sessions.new(), *(journal.sessions.new(experiment="Experiment: x") for _ in range(4))
    journal.sessions.pin(studies[0], True)
    journal.sessions.rename(studies[1], "Mine")
    copy = journal.sessions.duplicate(studies[2])
    assert journal.flush()
    assert {row.id for row in journal.sessions.experiments()} == set(studies[2:])
    assert {row.id for row in journal.sessions.chats()} == {chat, *studies[:2], copy}
    assert {row.id for row in journal.sessions.rows()} == {chat, copy, *studies}
    assert len(journal.sessions.search("experiment")) == 4, "all but the renamed one"


def test_restored_session_is_complete(journal: Journal) -> None:
    session, _, run = builders.answered(journal)
    journal.sessions.delete(session)
    assert (journal.sessions.count(), journal.sessions.get(session), journal.runs.count()) == (0, None, 0)
    assert journal.sessions.search("river") == ()
    journal.sessions.restore(session)
    assert journal.sessions.get(session) is not None
    assert journal.runs.rows()[0].id == run


def test_duplicate_is_complete_and_independent(journal: Journal) -> None:
    session, turn, run = builders.answered(journal)
    copy = journal.sessions.duplicate(session)
    journal.sessions.set_text(turn, "changed")
    copied = journal.sessions.turns(copy)
    assert [turn.text for turn in copied] == [builders.QUESTION, "The river is wide."]
    assert len(journal.runs.tokens(copied[1].runs[0])) == 5
    assert copied[1].runs != (run,)
    info = journal.sessions.get(copy)
    assert info is not None and info.info.title == f"{builders.QUESTION} (copy)"


def test_drafts_and_settings_are_stored(journal: Journal) -> None:
    session = journal.sessions.new()
    settings = Controls(mode=Mode.RAW, arguments=(("deep", True), ("n", 3)), sampling=Sampling(temperature=0.1), seed=5)
    journal.sessions.set_draft(session, "half a thou")
    journal.sessions.set_settings(session, settings)
    kept = journal.sessions.get(session)
    assert kept is not None
    assert (kept.draft, kept.settings, kept.info.unsent) == ("half a thou", settings, True)


def test_old_settings_are_written_unchanged(tmp_path: Path) -> None:
    with closing(open_journal(tmp_path)) as journal:
        session = journal.sessions.new()
    with closing(connect(tmp_path / FILE)) as tables, tables:
        tables.execute("UPDATE session SET settings = ?", (earlier_files.SESSION_ROW,))
    with closing(open_journal(tmp_path)) as journal:
        kept = journal.sessions.get(session)
        assert kept is not None and kept.settings == earlier_files.CONTROLS
        journal.sessions.new(kept.settings)
    with closing(connect(tmp_path / FILE)) as tables:
        now = earlier_files.as_written_now(earlier_files.SESSION_ROW)
        assert tables.execute("SELECT settings FROM session").fetchall() == [(earlier_files.SESSION_ROW,), (now,)]


def test_unreadable_settings_are_the_defaults(journal: Journal) -> None:
    session = journal.sessions.new(Controls(seed=5))
    journal._writer.post([SqlWrite("UPDATE session SET settings = '[]' WHERE id = ?", [(session,)])])
    assert journal.flush()
    read = journal.sessions.get(session)
    assert read is not None and read.settings == Controls()


def test_arrange_hides_and_restores_turns(journal: Journal) -> None:
    session, turn, run = builders.answered(journal)
    question = journal.sessions.turns(session)[0].id
    other = journal.sessions.add_turn(session, Role.ASSISTANT, "Another answer.")
    journal.sessions.arrange(session, (question, other))
    assert [turn.text for turn in journal.sessions.turns(session)] == [builders.QUESTION, "Another answer."]
    assert journal.runs.rows(session)[0].id == run
    journal.sessions.arrange(session, (question, turn))
    assert [one.id for one in journal.sessions.turns(session)] == [question, turn]
    journal.sessions.arrange(session, ())
    assert journal.sessions.turns(session) == ()


def test_reorder_sets_the_order_of_pinned_sessions(journal: Journal) -> None:
    one, two, three, four = (builders.conversation(journal, f"question {number}")[0] for number in range(4))
    for session in (one, two, three):
        journal.sessions.pin(session, True)
    journal.sessions.reorder((two, three, one, four))
    assert journal.flush()
    assert [row.id for row in journal.sessions.rows()] == [two, three, one, four]
    journal.sessions.pin(four, True)
    journal.sessions.pin(two, False)
    assert journal.flush()
    listed = [(row.id, row.pinned) for row in journal.sessions.rows()]
    assert listed == [(four, True), (three, True), (one, True), (two, False)]


def test_search_finds_all_words_and_prefixes(journal: Journal) -> None:
    session, answer, _ = builders.answered(journal)
    assert journal.sessions.search("mountain") == ()
    assert journal.sessions.search(" ") == journal.sessions.search("(*)") == ()
    hits = journal.sessions.search("RIV wid")
    assert [(hit.session.id, hit.turn) for hit in hits] == [(session, answer)]
    assert [hits[0].excerpt[slice(*mark)] for mark in hits[0].marks] == ["riv", "wid"]
    everywhere = journal.sessions.search("river")
    assert [(hit.session.id, hit.turn) for hit in everywhere] == [(session, answer)]


def test_search_finds_each_session_once(journal: Journal) -> None:
    said, titled, only = (builders.conversation(journal, words)[0] for words in ("a question", "a word", "another"))
    journal.sessions.add_turn(said, Role.ASSISTANT, "an answer with a word")
    journal.sessions.rename(only, "Word")
    assert journal.flush()
    hits = journal.sessions.search("word")
    assert {hit.session.id for hit in hits[:2]} == {only, titled} and hits[2].session.id == said
    assert {hit.session.id: hit.turn is None for hit in hits} == {only: True, titled: False, said: False}
    assert journal.sessions.search("word", 1, 1) == hits[1:2]
    assert journal.sessions.search("word", 2, 5) == hits[2:]


def test_search_includes_branches_and_omits_deleted(journal: Journal) -> None:
    session, answer, _ = builders.answered(journal)
    question = journal.sessions.turns(session)[0].id
    assert [hit.aside for hit in journal.sessions.search("wide")] == [False]
    other = journal.sessions.add_turn(session, Role.ASSISTANT, "Another answer, as wide.")
    journal.sessions.arrange(session, (question, other))
    assert [(hit.turn, hit.aside) for hit in journal.sessions.search("wide")] == [(other, False)]
    journal.sessions.set_text(other, "Nothing of that.")
    assert [(hit.turn, hit.aside) for hit in journal.sessions.search("wide")] == [(answer, True)]
    journal.sessions.arrange(session, (question, other), {answer: None})
    assert journal.sessions.search("wide") == ()


def test_search_handles_scripts_and_accents(journal: Journal) -> None:
    builders.conversation(journal, "한국어를 배우기")
    builders.conversation(journal, "Où est la crème brûlée ?")
    builders.conversation(journal, "日本の川は長い")
    assert journal.flush()
    for words, number in (("배우", 2), ("creme BRULEE", 1), ("川は", 0)):
        assert journal.sessions.search(words)[0].session.title == titles(journal)[number]


def test_search_special_characters_are_plain(journal: Journal) -> None:
    builders.conversation(journal, 'say "NEAR(a b)" AND go')
    assert len(journal.sessions.search('"near( AND')) == 1
    assert journal.failure is None


def test_imported_session_is_equal(journal: Journal) -> None:
    begun = builders.start(1000.0, builders.request(observe=2))
    session, _, _ = builders.answered(journal, begun=begun)
    journal.sessions.add_turn(session, Role.USER, "hidden")
    first, second, _ = journal.sessions.turns(session)
    journal.sessions.arrange(session, (first.id, second.id))
    assert journal.flush()
    whole = builders.whole_of(journal, session)
    assert [turn.hidden for turn in whole.turns] == [False, False, True]
    again = journal.sessions.add(whole)
    assert journal.flush()
    assert builders.without_numbers(journal.sessions.whole(again)) == builders.without_numbers(whole)
    assert journal.sessions.turns(again)[1].text == "The river is wide."


Links = list[tuple[str, str, str]]


def branched(journal: Journal) -> tuple[SessionId, list[TurnId]]:
    """Two questions; the first one has an answer that was forked, and one that was deleted."""
    sessions = journal.sessions
    session = sessions.new()
    first = sessions.add_turn(session, Role.USER, "Q")
    old = sessions.add_turn(session, Role.ASSISTANT, "A")
    more = sessions.add_turn(session, Role.USER, "More")
    sessions.arrange(session, [first])
    fork = sessions.add_turn(session, Role.ASSISTANT, "F", forked=Fork(old, 3, " a", " the"))
    gone = sessions.add_turn(session, Role.ASSISTANT, "gone")
    sessions.arrange(session, [first, old, more], {gone: None})
    sessions.arrange(session, [first, fork])
    return session, [first, old, more, fork, gone]


def links(journal: Journal, session: SessionId) -> Links:
    """Text of each turn that is in sight or on a branch, of the one before it and of the one that followed it."""
    turns = (*journal.sessions.turns(session), *journal.sessions.branches(session))
    texts = {0: ""} | {turn.id: turn.text for turn in turns}
    return [(turn.text, texts[turn.parent], texts[turn.next]) for turn in turns]


LINKS = [("Q", "", "F"), ("F", "Q", ""), ("A", "Q", "More"), ("More", "A", "")]


def test_branches_know_their_position(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    session, (first, old, more, fork, gone) = branched(journal)
    assert links(journal, session) == LINKS
    journal.close()
    journal = opener(tmp_path)
    assert links(journal, session) == LINKS
    made = journal.sessions.turn(fork)
    assert made is not None and made.forked == Fork(old, 3, " a", " the")
    journal.sessions.arrange(session, [first, old, more])
    assert [turn.text for turn in journal.sessions.branches(session)] == ["F"]
    journal.sessions.arrange(session, [first, old, gone], {more: old})
    assert ("gone", "A", "") in links(journal, session)


def test_duplicate_has_its_own_branches(journal: Journal) -> None:
    session, turns = branched(journal)
    copy = journal.sessions.duplicate(session)
    assert links(journal, copy) == links(journal, session) == LINKS
    made = journal.sessions.turns(copy)[1]
    assert made.forked is not None and made.forked.turn not in turns
    origin = journal.sessions.turn(made.forked.turn)
    assert origin is not None and origin.text == "A"


def test_import_keeps_the_order_of_creation(journal: Journal) -> None:
    session, _ = branched(journal)
    whole = builders.whole_of(journal, session)
    read = read_session(session_text(whole).encode())
    assert isinstance(read, WholeSession)
    came = journal.sessions.add(read)
    assert links(journal, came) == LINKS
    by_making = sorted((*journal.sessions.turns(came), *journal.sessions.branches(came)), key=lambda turn: turn.id)
    assert [turn.text for turn in by_making] == ["Q", "A", "More", "F"]
    assert session_text(read) == session_text(whole)


def test_killed_program_keeps_the_reply_prefix(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    session, recorder, _ = builders.begin(journal)
    recorder.put(
        PromptEvent(
            builders.PROMPT, 0, 3, shown=(VisibleText(Channel.REASONING, "hm"), VisibleText(Channel.NORMAL, "The"))
        )
    )
    journal.flush()
    assert [(turn.text, turn.reasoning) for turn in journal.sessions.turns(session)][-1] == ("The", "hm")
    assert journal.runs.tokens(recorder.run) == ()
    # Nobody says how the run ended: the next start finds it going.
    recorder.put(builders.token(0, " river", time.monotonic()))
    journal.flush()
    journal.close()
    journal = opener(tmp_path)
    cut = builders.record_of(journal, recorder.run)
    assert (cut.text, cut.reasoning, len(cut.ids)) == ("The river", "hm", 1)
    assert [token.text for token in journal.runs.tokens(recorder.run)] == [" river"]
