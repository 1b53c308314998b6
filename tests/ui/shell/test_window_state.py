"""What is shown beside the conversation is shown again the next time."""

from __future__ import annotations

from app.ui.instruments.speed_graph import SpeedGraph
from tests.ui.desk import Desk, named


def test_the_end_probability_stays_shown(desk: Desk) -> None:
    window = desk.ready()
    graph = named(window, SpeedGraph, "speed_graph")
    assert not graph.eos
    graph.set_eos(True)
    window.close()
    assert desk.kept[-1].layout.end_probability_shown
    assert named(desk.ready(desk.kept[-1]), SpeedGraph, "speed_graph").eos
