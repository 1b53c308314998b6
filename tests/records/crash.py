"""Kills a program that streams into its journal, again and again, and looks at what is left.

`python -m tests.records.crash 50` does it fifty times; the tests do it a few times.
"""

import random
import resource
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path

from app.engine.types import Channel, PromptEvent, Role, VisibleText
from app.records.journal import Journal, open_journal
from app.records.journal_file import FILE
from app.records.types import Fork, RunState
from tests.records import builders

OLD_S = 0.5
"""A token older than this must be there."""
LONGEST_S = 1.2
SURELY_S = 0.3
PATIENCE_S = 120
TOKENS_A_RUN = 250
TOKENS_BEFORE = 3
"""Of the answer that is forked then."""
KEPT = "Kept before"
PAUSE_S = 0.002
SIGNALS = (signal.SIGKILL, signal.SIGABRT)
PUT = struct.Struct("<qqd")
"""A line of the log: which run, how many tokens it has, and when the last one was put."""
LOG = "log"
PROGRAM = "tests.records.crash"
LONGEST_END = 100
"""Characters: a token or two at the end may hold nothing that can be seen."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was there after one kill."""

    signal: signal.Signals
    due: int
    """Tokens that had to be there."""
    there: int
    lost: tuple[str, ...]
    """What is older than half a second and is not there."""
    wrong: tuple[str, ...]


def stream_for_ever(folder: Path) -> None:
    """The program that is killed: one run after the other, each token told to the log as well."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    journal = open_journal(folder / "data")
    with (folder / LOG).open("ab", buffering=0) as log:
        while True:
            session, turn = builders.conversation(journal)
            _stream(journal, log, session, turn, PromptEvent(builders.PROMPT, 0, 3), TOKENS_BEFORE)
            # Most is written into a fork, which begins with what was kept.
            fork = journal.sessions.add_turn(session, Role.ASSISTANT, "", forked=Fork(turn, 1, KEPT))
            assert journal.flush(PATIENCE_S), "the first question is not on the disk"
            journal.sessions.arrange(session, [journal.sessions.turns(session, 0, 1)[0].id, fork])
            kept = (VisibleText(Channel.NORMAL, KEPT),)
            _stream(journal, log, session, fork, PromptEvent(builders.PROMPT, 0, 3, shown=kept), TOKENS_A_RUN)


def _stream(journal: Journal, log: RawIOBase, session: int, turn: int, prompted: PromptEvent, tokens: int) -> None:
    begun = builders.start()
    recorder = journal.begin(session, turn, begun)
    recorder.put(prompted)
    for index in range(tokens):
        time.sleep(PAUSE_S)
        now = time.monotonic()
        recorder.put(builders.token(index, f" {index}", now, observed=True))
        log.write(PUT.pack(recorder.run, index + 1, now))
    recorder.finish(builders.finish(begun.sent, tokens))


def kill_once(folder: Path, number: int, chance: random.Random, program: str) -> Found:
    """Let it stream for a while, kill it, and look."""
    log = folder / LOG
    log.unlink(missing_ok=True)
    child = subprocess.Popen([sys.executable, "-m", program, "--stream", str(folder)])
    try:
        _wait_for(log, child)
        # The first one so late that there is something to lose.
        time.sleep(chance.uniform(0.0 if number else OLD_S + SURELY_S, LONGEST_S))
    finally:
        killed_at = time.monotonic()
        child.send_signal(SIGNALS[number % len(SIGNALS)])
        child.wait()
    return _look(folder, SIGNALS[number % len(SIGNALS)], killed_at)


def _wait_for(log: Path, child: subprocess.Popen[bytes]) -> None:
    enough = time.monotonic() + PATIENCE_S
    while not log.exists() or not log.stat().st_size:
        assert child.poll() is None, "the program ended by itself"
        assert time.monotonic() < enough, "the program streams nothing"
        time.sleep(0.01)


def _look(folder: Path, sent: signal.Signals, killed_at: float) -> Found:
    content = (folder / LOG).read_bytes()
    lines = PUT.iter_unpack(content[: len(content) // PUT.size * PUT.size])
    due = {run: tokens for run, tokens, at in lines if at <= killed_at - OLD_S}
    journal = open_journal(folder / "data")
    try:
        there = {run: len(journal.runs.arrivals(run)) for run in due}
        wrong = _wrong(journal)
    finally:
        journal.close()
    with sqlite3.connect(folder / "data" / FILE) as connection:
        if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            wrong.append("integrity_check fails")
    connection.close()
    lost = tuple(f"run {run}: {there[run]} of {due[run]} tokens" for run in due if there[run] < due[run])
    return Found(sent, sum(due.values()), sum(there.values()), lost, tuple(wrong))


def _wrong(journal: Journal) -> list[str]:
    wrong = [journal.failure.what] if journal.failure is not None else []
    rows = journal.runs.rows()
    wrong += [f"run {row.id} still goes on" for row in rows if row.state is RunState.RUNNING]
    for run in (row.id for row in rows[:2]):
        record = journal.runs.get(run)
        assert record is not None
        texts = "".join(token.text for token in journal.runs.tokens(run, 0, 100_000))
        turns = (*journal.sessions.turns(record.session, 0, 100_000), *journal.sessions.branches(record.session))
        turn = journal.sessions.turn(record.turn)
        if turn is not None and turn.forked is not None:
            texts = KEPT + texts
            origin = journal.sessions.turn(turn.forked.turn)
            if origin is None or origin.parent != turn.parent:
                wrong.append(f"run {run}: the answer that it was forked from is no branch beside it")
        if not texts.startswith(record.text) or len(texts) > len(record.text) + LONGEST_END:
            wrong.append(f"run {run}: the text is not that of its tokens")
        if record.text not in [turn.text for turn in turns]:
            wrong.append(f"run {run}: its text is in no turn")
    return wrong


def kill(times: int, seed: int, program: str = PROGRAM) -> list[Found]:
    """One journal, killed so many times. `program` is a module that streams when it is told `--stream FOLDER`."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        return [kill_once(Path(folder), number, chance, program) for number in range(times)]


def killed_well(times: int, seeds: tuple[int, ...], program: str = PROGRAM) -> bool:
    """Whether nothing is lost at one of several tries, and nothing ever wrong.

    Another program may hold up the processor or the disk for longer than half a second.
    """
    for seed in seeds:
        found = kill(times, seed, program)
        assert [one.wrong for one in found] == [()] * times
        assert sum(one.due for one in found) > 0
        if not any(one.lost for one in found):
            return True
    return False


def report(times: int, program: str = PROGRAM) -> int:
    """Kill it, say how each went; tells how many did not go well."""
    found = kill(times, random.SystemRandom().randrange(2**31), program)
    for one in found:
        said = "; ".join(one.lost + one.wrong) or "well"
        sys.stdout.write(f"{one.signal.name}: {one.there} tokens, {one.due} due {said}\n")
    bad = sum(1 for one in found if one.lost or one.wrong)
    sys.stdout.write(f"{len(found) - bad} of {len(found)} well\n")
    return bad


if __name__ == "__main__":
    if sys.argv[1] == "--stream":
        stream_for_ever(Path(sys.argv[2]))
    sys.exit(report(int(sys.argv[1])))
