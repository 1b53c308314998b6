"""Branches: turns know what they follow and what followed them, also in a copy, a file and after a kill."""

import time
from pathlib import Path

from app.engine.types import Channel, Prompted, Role, VisibleText
from app.records.journal import Journal
from app.records.session_file import read_session, session_text
from app.records.types import Fork, SessionId, TurnId, WholeSession
from tests.records import builders
from tests.records.conftest import Opener

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
    session, turn = builders.conversation(journal)
    recorder = journal.begin(session, turn, builders.start(time.monotonic()))
    recorder.put(
        Prompted(
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
