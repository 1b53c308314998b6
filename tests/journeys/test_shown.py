from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.engine.types import Limits
from app.number_format import speed, spoken_speed
from app.state import DisplayedRun, Run
from app.ui.conversation.transcript import Transcript
from app.ui.inspector.panel import InspectorPanel
from app.ui.instruments.gauges import ContextGauge
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.speed_graph.plot import SpeedPlot
from tests.journeys.journey import Journey, started

pytestmark = pytest.mark.slow

SHORT, LONG = 6, 9


@pytest.fixture
def user(demo: Journey) -> Journey:
    demo.window.resize(1600, 1000)
    demo.cold()
    demo.act("toggle_inspector")
    return demo


def ask(user: Journey, tokens: int) -> Run:
    """A run that is cut after so many."""
    user.limit(tokens)
    return user.send("Count 1 to 9")


def words(user: Journey, name: str) -> str:
    return user.find(QLabel, name).text()


def drawn_as(user: Journey) -> str:
    """What the graph calls the run."""
    return user.window.findChildren(SpeedPlot)[0].scene.name


def of_length(user: Journey) -> dict[str, str]:
    """Of how many tokens each instrument tells."""
    rows = user.find(SpeedGraph, "speed_graph").numbers().rows
    subject = user.find(InspectorPanel, "inspector").subject
    details = user.find(QWidget, "run_details").findChildren(QLabel)
    generated = [label.text().split()[0] for label in details if "generated," in label.text()]
    return {
        "graph": rows[-1][1] if rows else "",
        "cards": words(user, "token_count"),
        "ending": generated[-1] if user.reason else "",
        "inspector": str(subject.of) if subject is not None else "",
    }


def shows(user: Journey, run: Run, *, traced: bool = True) -> None:
    """All of it is of this run."""
    metrics, context = run.summary.figures, run.summary.context
    assert context is not None
    count = str(metrics.tokens)
    wanted = {"graph": count, "cards": count, "ending": count, "inspector": count if traced else ""}
    user.until(lambda: of_length(user) == wanted)
    drawn = user.find(SpeedGraph, "speed_graph").accessibleDescription()
    assert f"Mean {spoken_speed(metrics.speed_mean)}; " in drawn
    assert words(user, "speed_mean") == speed(metrics.speed_mean)
    used = user.find(ContextGauge, "context_gauge").accessibleName()
    assert used == f"Context: {context.used:,} / {context.length:,}"


def shows_nothing(user: Journey, length: int) -> None:
    assert of_length(user) == {"graph": "", "cards": "", "ending": "", "inspector": ""}
    assert user.find(SpeedGraph, "speed_graph").accessibleDescription() == "No speed yet."
    assert words(user, "speed_mean") == words(user, "first_token") == words(user, "elapsed") == ""
    assert user.find(ContextGauge, "context_gauge").accessibleName() == f"Context: 0 / {length:,}"


def open_session(user: Journey, session: int) -> None:
    user.window.playground.open_session(session)
    user.until(lambda: user.state.session == session)


def test_instruments_of_each_session_show_its_own_run(user: Journey) -> None:
    first = ask(user, SHORT)
    session = user.state.session
    shows(user, first)
    user.act("new_session")
    shows_nothing(user, 2048)
    second = ask(user, LONG)
    shows(user, second)
    other = user.state.session
    open_session(user, session)
    shows(user, first)
    assert drawn_as(user) == ""
    open_session(user, other)
    shows(user, second)


def test_instruments_change_to_another_run_at_the_same_time(user: Journey) -> None:
    first = ask(user, SHORT)
    session = user.state.session
    user.act("new_session")
    ask(user, LONG)
    seen: list[tuple[DisplayedRun, dict[str, str]]] = []
    # Made after all instruments, and so told after them.
    user.window.playground.shown.changed.connect(lambda old, new: seen.append((new, of_length(user))))
    open_session(user, session)
    (shown, told), *others = seen
    assert (shown.run is not None and shown.run.id, others) == (first.id, [])
    assert set(told.values()) == {str(SHORT)}


def test_instruments_after_a_restart_show_the_last_run(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> None:
    with started(qtbot, tmp_path) as user:
        user.cold()
        run = ask(user, SHORT)
        drawn = user.find(SpeedGraph, "speed_graph").numbers()
    with started(qtbot, tmp_path) as user:
        user.window.resize(1600, 1000)
        user.until(lambda: bool(user.state.turns))
        told = dict.fromkeys(("graph", "cards", "ending"), str(SHORT))
        user.until(lambda: of_length(user) == told | {"inspector": ""})
        user.act("toggle_inspector")
        user.until(lambda: of_length(user) == told | {"inspector": str(SHORT)})
        shows(user, run)
        assert user.find(SpeedGraph, "speed_graph").numbers() == drawn


def test_replay_is_shown_until_a_token_of_the_page_is_picked(user: Journey) -> None:
    first = ask(user, SHORT)
    playground = user.window.playground
    replayed: list[Run] = []
    playground.replayed.connect(replayed.append)
    assert playground.replay(replace(first.request, limits=Limits(LONG)))
    assert (user.reason, words(user, "token_count")) == ("", "0"), "it goes on"
    user.until(lambda: bool(replayed))
    shows(user, replayed[0], traced=False)
    assert drawn_as(user) == "rerun"
    assert user.reason.startswith("replay: length, the limit of 9 tokens")
    user.find(Transcript, "transcript").token_picked.emit(1, 2)
    shows(user, first)
    assert drawn_as(user) == ""
