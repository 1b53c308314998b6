import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTableView

from app.engine.meter.trace import TraceToken
from app.number_format import bits, chance
from app.ui.conversation.transcript import Transcript
from app.ui.inspector.panel import InspectorPanel
from app.ui.instruments.speed_graph import SpeedGraph
from tests.journeys.journey import Journey
from tests.ui.cells import cells

pytestmark = pytest.mark.slow


def shown(user: Journey) -> TraceToken:
    """The token in the inspector."""
    subject = user.find(InspectorPanel, "inspector").subject
    assert subject is not None
    return subject.token


def said(user: Journey, name: str) -> str:
    return user.find(QLabel, f"inspector_{name}").text()


def test_token_picked_by_keyboard_is_selected_in_every_view(demo: Journey) -> None:
    demo.window.resize(1600, 1000)
    demo.act("toggle_inspector")
    assert demo.state.controls.observe, "recorded without being asked for"
    demo.act("view_tokens")
    demo.cold()
    run = demo.send("Count 1 to 5")
    text, graph = demo.find(Transcript, "transcript"), demo.find(SpeedGraph, "speed_graph")
    for _ in range(3):
        QTest.keyClick(text, Qt.Key.Key_Right)
    token, position = shown(demo), shown(demo).position
    observed = demo.trace.logprobs_at(position)
    assert observed is not None
    assert token.id == run.ids[position] == observed.chosen.id
    assert said(demo, "position") == f"Token {position + 1} of {len(run.ids)}"
    assert said(demo, "probability") == chance(math.exp(observed.chosen.logprob))
    assert said(demo, "entropy") == bits(observed.entropy)
    assert said(demo, "rank") == f"{observed.rank}"
    assert said(demo, "end") == chance(observed.eos_probability)
    candidates = demo.find(QTableView, "candidates")
    rows = cells(candidates)
    assert [row[4] for row in rows[:-1]] == [str(each.id) for each in observed.top]
    assert [row[1] for row in rows] == [chance(math.exp(each.logprob)) for each in observed.top] + [
        chance(observed.rest)
    ]
    assert rows[0][0].startswith("● ")

    QTest.keyClick(text, Qt.Key.Key_Left)
    assert shown(demo).position == position - 1
    demo.press("inspector_next")
    assert shown(demo).position == position

    graph.setFocus()
    QTest.keyClick(graph, Qt.Key.Key_Home)
    assert shown(demo).position == 0
    QTest.keyClick(graph, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(graph, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert said(demo, "stretch").startswith("Tokens 1 to 3: mean ")
    QTest.keyClick(graph, Qt.Key.Key_Return)
    assert shown(demo).position == 2
    demo.press("distribution_after")
    assert cells(candidates)[0][1] == "100 %"
    assert {row[2] for row in cells(candidates)[1:]} == {"temperature 0"}
