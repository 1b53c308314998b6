"""The boundaries of the program: what comes in, from whom, within which limit, and what an attack on it came to.

An attack prepares what it needs (files, a server in a child) and gives a blow, which is struck at a real window until
the time is over. A blow waits by `Scene.until`, so that the window lives on; what is heavy about it belongs into the
preparation or into a child, for the harness can't tell the window's standstill from the attacker's own.
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Engine
from app.records.types import SessionId
from app.ui.widgets.notice_bar import NoticeBar
from tests.faults.soak.parts import part
from tests.faults.strain import Strain
from tests.faults.windows import QUICK, Scene, scene

LAG_MS = 50.0
"""How long the window may keep somebody waiting, in 99 of 100 moments."""
GROWN_MB = 64.0
SAID = "What was said before the attack"

Blow: TypeAlias = Callable[[], object]
Attack: TypeAlias = Callable[[Scene], AbstractContextManager[Blow]]


def echo() -> Engine:
    return EchoEngine(QUICK)


@dataclass(frozen=True, slots=True)
class Boundary:
    """One attack on one boundary."""

    incoming: str
    sender: str
    limit: str
    attack: str
    made: Attack
    grown_mb: float = GROWN_MB
    """So much more memory than before the program may take, at any moment of the attack."""
    engine: Callable[[], Engine] = echo
    lag_ms: float | None = LAG_MS
    """None where there is no window yet to stand still: what comes in is read while the program starts."""


@dataclass(frozen=True, slots=True)
class Result:
    """What an attack came to. Each loss says what was seen."""

    times: int = 0
    lag_ms: float = 0.0
    longest_ms: float = 0.0
    grown_mb: float = 0.0
    lost: tuple[str, ...] = ()

    def told(self) -> str:
        figures = f"{self.times:,} times, lag p99 {self.lag_ms:.0f} ms, longest {self.longest_ms:.0f} ms"
        return f"{'**lost**' if self.lost else 'held'}: {figures}, {self.grown_mb:+.0f} MB"


def told(made: Scene, act: Callable[[], object]) -> str:
    """Do this, and wait until the window's notice says something of it."""
    notice = part(made.window, NoticeBar, "notice")
    notice.clear()
    said: list[str] = []
    hear = said.append
    notice.told.connect(hear)
    try:
        act()
        made.until(lambda: bool(said), notice.told)
    finally:
        notice.told.disconnect(hear)
    return said[0]


def attacked(boundary: Boundary, folder: Path, seconds: float) -> Result:
    """Make the attack on a window of its own."""
    with scene(folder, boundary.engine) as made:
        return endured(made, boundary, seconds)


def endured(made: Scene, boundary: Boundary, seconds: float) -> Result:
    """Make the attack for so long, at least once. How long the window stood still counts only if it lasts."""
    lost: list[str] = []
    strain = Strain()
    made.playground.new_session()
    made.say(SAID)
    session, before = made.state.session, _kept(made, made.state.session)
    with boundary.made(made) as blow:
        times = _struck(made, strain, blow, seconds, lost)
    lost += _spoiled(made, session, before)
    if seconds and boundary.lag_ms is not None and strain.lag_ms > boundary.lag_ms:
        lost.append(f"lag p99 {strain.lag_ms:.0f} ms, over {boundary.lag_ms:.0f}")
    if strain.grown_mb > boundary.grown_mb:
        lost.append(f"{strain.grown_mb:+.0f} MB, over {boundary.grown_mb:.0f}")
    return Result(times, strain.lag_ms, strain.longest_ms, strain.grown_mb, tuple(lost))


def table(results: list[tuple[Boundary, Result]]) -> str:
    """Markdown that reads well as it stands."""
    head = ["| what comes in | from whom | limit | attack | result |", "| --- | --- | --- | --- | --- |"]
    lines = [
        f"| {each.incoming} | {each.sender} | {each.limit} | {each.attack} | {result.told()} |"
        for each, result in results
    ]
    lost = [f"- {each.incoming}, {each.attack}: {told}" for each, result in results for told in result.lost]
    return "\n".join([*head, *lines, "", *(lost or ["Nothing was lost."])])


def _struck(made: Scene, strain: Strain, blow: Blow, seconds: float, lost: list[str]) -> int:
    times = 0
    with strain:
        end = time.monotonic() + seconds
        while not times or (time.monotonic() < end and not lost):
            times += 1
            try:
                blow()
            except AssertionError as error:
                lost.append(f"blow {times}: {error}")
            made.live(0)
    return times


def _spoiled(made: Scene, session: SessionId, before: list[str]) -> list[str]:
    """The conversation is as it was, and goes on."""
    lost: list[str] = []
    kept = _kept(made, session)
    if kept[: len(before)] != before:
        lost.append(f"the journal had {before!r}, and has {kept!r:.200}")
    if made.state.session != session and not made.playground.open_session(session):
        lost.append("the session can't be opened again")
    with suppress(AssertionError):
        made.until(lambda: made.state.session == session and not made.state.opening)
        # That a model was refused is told a moment before the engine says which one is open now.
        made.until_ready()
    shown = [turn.text for turn in made.state.turns]
    text = made.window._parts.transcript.plain_text()
    if shown[: len(before)] != before or SAID not in text:
        lost.append(f"the window had {before!r}, and shows {text!r:.200}")
    if not made.say("And after it?") or made.state.last_run is None or not made.state.last_run.text:
        lost.append("the program answers no more")
    return lost


def _kept(made: Scene, session: SessionId) -> list[str]:
    made.journal.flush()
    return [turn.text for turn in made.journal.sessions.turns(session)]
