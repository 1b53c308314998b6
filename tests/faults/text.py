"""Text: what is hostile goes in wherever text goes in, and comes out as it was; nothing in it is ever followed."""

import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from app.engine.echo.engine import EchoEngine, Knobs
from app.engine.protocol import Engine
from app.engine.types import ENDLESS, Failure
from app.json_values import clean
from app.records.export import as_markdown, as_plain_text
from app.records.session_file import read_session, session_text
from app.ui.conversation.transcript import Transcript
from tests.faults.hostile import ABSENT, REAL_DATA, own_and_naughty
from tests.faults.markup import seen_as_markup
from tests.faults.parrot import Parrot
from tests.faults.soak.parts import part
from tests.faults.table import Row
from tests.faults.windows import Scene, scene
from tests.standins.samples import REAL, STAND_IN, Samples

POINT = "text"
BEAT_MS = 5
HANG_MS = 10_000
"""Even of a window that is given ten megabytes at once."""
PASTED = 10_000_000
LINES = 100_000
HALF = re.compile("[\ud800-\udfff]")
A_SESSION = 20
"""So many strings are said in one session."""


def rows() -> list[Row]:
    """In full."""
    texts = own_and_naughty()
    skipped = "" if REAL_DATA.is_dir() else ABSENT
    with tempfile.TemporaryDirectory() as folder:
        ours = imported(Samples(STAND_IN, Path(folder)).stress_files())
    return [
        said_and_kept(texts),
        ours,
        *(Row(POINT, "files that are no UTF-8, said and imported", 0, (), skipped),) * bool(skipped),
        *((imported(Samples(REAL, REAL_DATA).stress_files()),) if not skipped else ()),
        titled_and_sought(texts),
        pasted(PASTED),
        answered(LINES),
        Row(POINT, "markup wherever a text is shown", 1, tuple(seen_as_markup())),
    ]


def said_and_kept(texts: Sequence[str]) -> Row:
    """Said, answered with the same, read on the page, in the journal, in each export, and imported again."""
    lost: list[str] = []
    for at in range(0, len(texts), A_SESSION):
        with _scene(Parrot) as made:
            for text in texts[at : at + A_SESSION]:
                lost += (f"{text[:60]!r}: {what}" for what in _say(made, text))
            lost += _export_and_import(made)
    return Row(POINT, "said, answered, kept, exported, imported", len(texts), tuple(lost))


def imported(files: Sequence[Path]) -> Row:
    """As what is said, with what is no UTF-8 replaced, and as a file that pretends to be a session."""
    lost: list[str] = []
    with _scene(Parrot) as made:
        for file in files:
            made.playground.new_session()
            content = file.read_bytes()
            lost += (f"{file.name}: {what}" for what in _say(made, content.decode("utf-8", "replace")))
            if not isinstance(read_session(content, file.name), Failure):
                lost.append(f"{file.name} was taken for a session")
    return Row(POINT, "files that are no UTF-8, said and imported", len(files), tuple(lost))


def titled_and_sought(texts: Sequence[str]) -> Row:
    """As the title of a session, and as what is sought."""
    lost: list[str] = []
    with _scene(Parrot) as made:
        made.say("the sluice gate")
        sessions = made.journal.sessions
        for text in texts:
            sessions.rename(made.state.session, text)
            sessions.search(text)
            if made.journal.failure is not None:
                lost.append(f"{text[:60]!r}: {made.journal.failure}")
                made.journal.dismiss()
        if not sessions.search("sluice"):
            lost.append("what was said before is not found any more")
    return Row(POINT, "titles, and words to look for", len(texts), tuple(lost))


def pasted(length: int) -> Row:
    """So many characters at once into the prompt, which is told by the longest time that the window stood still."""
    with _scene(Parrot) as made, _gaps() as longest:
        field = made.window._parts.prompt
        QApplication.clipboard().setText(("a line of words\n" * (length // 16))[:length])
        made.window._parts.prompt.field.paste()
        made.live(500)
        lost = [] if len(field.text()) == length else [f"{len(field.text())} of {length} characters"]
        lost += _hang(longest())
        QApplication.clipboard().clear()
    return Row(POINT, f"{length:,} characters pasted, longest gap {longest():.0f} ms", 1, tuple(lost))


def answered(lines: int) -> Row:
    """An answer of so many lines, each a few tokens."""
    text = "".join(f"{number} of them\n" for number in range(lines))
    knobs = Knobs((text,), tokens_per_second=0, prefill_per_second=0, load_seconds=0, context=100 * lines)
    lost: list[str] = []
    with _scene(lambda: EchoEngine(knobs)) as made, _gaps() as longest:
        _without_limit(made)
        made.playground.send("Go")
        made.until_ready()
        written = part(made.window, Transcript, "transcript").turn_text(1)
        if written != text:
            lost.append(f"{len(written)} of {len(text)} characters on the page")
        made.journal.flush()
        if (kept := made.journal.sessions.turns(made.state.session)[1].text) != text:
            lost.append(f"{len(kept)} of {len(text)} characters in the journal")
        lost += _hang(longest())
    return Row(POINT, f"an answer of {lines:,} lines, longest gap {longest():.0f} ms", 1, tuple(lost))


def _say(made: Scene, text: str) -> Iterator[str]:
    """What became of a text that was put into the prompt, sent, and answered with itself."""
    _without_limit(made)
    prompt = made.window._parts.prompt
    prompt.set_text(text)
    typed = prompt.text()
    if clean(_as_qt_has_it(text)) != typed:
        yield f"typed as {_where(typed, clean(_as_qt_has_it(text)))}"
    if not made.say(typed):
        return
    question, answer = made.state.turns[-2:]
    if question.text != typed:
        yield f"said as {_where(question.text, typed)}"
    if answer.runs[-1].finish.failure is not None:
        yield f"answered with {answer.runs[-1].finish.failure.what}"
    elif answer.text != typed:
        yield f"answered as {_where(answer.text, typed)}"
    page = part(made.window, Transcript, "transcript")
    if page.turn_text(len(made.state.turns) - 1) != answer.text:
        yield "not on the page as it was answered"


def _where(text: str, wanted: str) -> str:
    """The first place in which they differ."""
    at = next((at for at, pair in enumerate(zip(text, wanted, strict=False)) if pair[0] != pair[1]), len(wanted))
    return f"{text[at : at + 20]!r} for {wanted[at : at + 20]!r} at {at}"


def _export_and_import(made: Scene) -> Iterator[str]:
    journal = made.journal
    journal.flush()
    whole = journal.sessions.whole(made.state.session)
    if whole is None:
        yield "nothing to export"
        return
    if [turn.text for turn in whole.turns if not turn.hidden] != [clean(turn.text) for turn in made.state.turns]:
        yield "the journal has another text"
    for form in (as_markdown, as_plain_text):
        form(whole).encode()
    content = session_text(whole).encode()
    again = read_session(content)
    if isinstance(again, Failure) or session_text(again).encode() != content:
        yield "the session is another one when it comes back"


def _as_qt_has_it(text: str) -> str:
    """One kind of paragraph, some characters that it keeps for itself, no half characters."""
    for mark in ("\r\n", "\r", "\u2029", "\ufdd0", "\ufdd1"):
        text = text.replace(mark, "\n")
    return HALF.sub("", text)


def _hang(gap_ms: float) -> list[str]:
    return [f"the window stood still for {gap_ms:.0f} ms"] if gap_ms > HANG_MS else []


def _without_limit(made: Scene) -> None:
    controls = made.state.controls
    made.playground.set_controls(replace(controls, limits=replace(controls.limits, max_tokens=ENDLESS)))


@contextmanager
def _scene(engine: Callable[[], Engine]) -> Iterator[Scene]:
    with tempfile.TemporaryDirectory() as folder, scene(Path(folder), engine) as made:
        yield made


@contextmanager
def _gaps() -> Iterator[Callable[[], float]]:
    """The longest time between two beats of the window's event loop, in ms."""
    times = [time.perf_counter()]
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: times.append(time.perf_counter()))
    timer.start(BEAT_MS)
    yield lambda: 1000 * max((after - before for before, after in pairwise(times)), default=0.0)
    timer.stop()
