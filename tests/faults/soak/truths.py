"""What holds whatever the user does: the phase, the buttons, the page, the journal."""

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QPushButton

from app.bridge.conversation import can_continue, is_answer, page_of
from app.controls import Mode
from app.files.json_values import clean
from app.state import READY, SETTLED, STOPPABLE, State
from app.ui.conversation.transcript import Transcript
from app.ui.prompt.editor import PromptEditor
from app.ui.shell.main_window import MainWindow
from tests.faults.windows import part
from tests.ui.desk import act

MANY = 100_000


def broken(window: MainWindow) -> Iterator[str]:
    """What does not hold at this moment."""
    state = window.playground.state
    yield from _buttons(window, state)
    yield from _actions(window, state)
    if state.phase in SETTLED and window.playground.request and not state.is_background:
        yield f"a run goes on in the phase {state.phase}"
    if state.model is None and state.phase in READY:
        yield "ready without a model"
    if state.turns and state.turns[-1].open and state.phase in SETTLED:
        yield "the last turn is open and nothing goes on"


def broken_at_rest(window: MainWindow) -> Iterator[str]:
    """What does not hold when nothing goes on any more."""
    state = window.playground.state
    page = part(window, Transcript, "transcript")
    for index, turn in enumerate(state.turns):
        if page.turn_text(index) != turn.text:
            yield f"turn {index} reads {page.turn_text(index)[:60]!r} on the page and is {turn.text[:60]!r}"
    prompt = window.findChild(PromptEditor)
    if prompt is not None and state.controls.mode is Mode.RAW and state.turns and not prompt.page_is_touched:
        said, page_text = _as_typed(page_of(state.turns)), _as_typed(prompt.text())
        if said != page_text:
            at = _parting(said, page_text)
            near = slice(max(0, at - 20), at + 40)
            yield f"the raw page differs at {at} of {len(said)}: {page_text[near]!r} for {said[near]!r}"
    yield from _journal(window, state)


def _journal(window: MainWindow, state: State) -> Iterator[str]:
    journal = window.playground.book.journal
    if journal is None or not state.session or state.opening:
        return
    journal.flush()
    kept = [(turn.role, turn.text, turn.reasoning) for turn in journal.sessions.turns(state.session, 0, MANY)]
    shown = [(turn.role, clean(turn.text), clean(turn.reasoning)) for turn in state.turns]
    if kept != shown:
        at = _parting(kept, shown)
        both = f"{kept[at : at + 1]}, {shown[at : at + 1]}"
        yield f"turn {at} of {len(kept)} in the journal and {len(shown)} on the page: {both}"
    if journal.failure is not None:
        yield f"the journal says {journal.failure}"


def _buttons(window: MainWindow, state: State) -> Iterator[str]:
    stop, send = part(window, QPushButton, "stop"), part(window, QPushButton, "send")
    if stop.isEnabled() != (state.phase in STOPPABLE):
        yield f"Stop is {'' if stop.isEnabled() else 'not '}enabled in {state.phase}"
    if stop.isHidden() and send.isHidden():
        yield "neither Send nor Stop is shown"
    if send.isEnabled() and not (state.phase in READY or state.can_queue):
        yield f"Send is enabled in {state.phase}"


def _actions(window: MainWindow, state: State) -> Iterator[str]:
    run = state.last_run
    ready = state.phase in READY
    expected = {
        "stop": state.phase in STOPPABLE or bool(window.playground.shown.now.slowed),
        "new_session": state.can_leave and bool(state.session or state.turns),
        "undo": state.phase in SETTLED and state.undoable is not None,
        "continue_run": ready and run is not None and can_continue(run),
        "regenerate": ready and is_answer(state.turns, len(state.turns) - 1),
    }
    for name, value in expected.items():
        enabled = act(window, name).isEnabled()
        if enabled != value:
            yield f"{name} is {'' if enabled else 'not '}enabled in {state.phase}"


def _parting(one: Sequence[object], other: Sequence[object]) -> int:
    """The first place in which they differ."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _as_typed(text: str) -> str:
    """Qt's documents have one kind of paragraph."""
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2029", "\n")
