"""A study goes on beside the conversation, is kept, paused and stopped, and leaves all as it was."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from weakref import ref

from pytestqt.qtbot import QtBot

from app.engine.types import LoadRequest
from app.evaluation.types import (
    Evaluation,
    EvaluationAnswer,
    EvaluationOutcome,
    EvaluationVariant,
    Preference,
    Progress,
    Vote,
)
from app.records.journal import open_journal
from app.state import Phase
from tests.bridge.playing import Player, playing
from tests.evaluation.sums import ASKED, TELLING, Adding, study, sums

SLOW = replace(TELLING, tokens_per_second=400)


class Heard:
    """What a playground says of studies."""

    def __init__(self, player: Player) -> None:
        self.answers: list[EvaluationAnswer] = []
        self.progress: list[Progress] = []
        self.ended: list[EvaluationOutcome] = []
        runner = player.playground.evaluation_runner
        runner.answered.connect(self.answers.append)
        runner.progressed.connect(self.progress.append)
        runner.ended.connect(self.ended.append)


def conducted(player: Player, heard: Heard, asked: Evaluation, from_start: bool = False) -> EvaluationOutcome:
    count = len(heard.ended)
    assert player.playground.study(asked, from_start)
    player.until(lambda: len(heard.ended) > count and player.state.phase is Phase.READY)
    return heard.ended[-1]


def test_answers_come_as_they_end_and_all_is_as_before(qtbot: QtBot) -> None:
    engine = Adding()
    with playing(qtbot, factory=lambda collect: engine) as player:
        player.load()
        heard = Heard(player)
        turns = player.state.turns
        made = conducted(player, heard, study(sums(40)))
        assert sorted(heard.answers, key=lambda each: each.place.row) == list(made.answers)
        assert len(made.answers) == 40 and heard.progress[-1].done == 40
        assert len(heard.progress) < 10, "a few a second"
        assert player.phases[-2:] == [Phase.PREFILLING, Phase.READY]
        assert (player.state.turns, player.state.experiment, player.frames) == (turns, "", [])
        player.send("Hello")


class Knot:
    """What only a collection takes away."""

    def __init__(self) -> None:
        self.itself = self


def test_what_answers_leave_behind_is_taken_away_while_it_goes_on(qtbot: QtBot) -> None:
    with playing(qtbot, factory=lambda collect: Adding()) as player:
        player.load()
        heard, knots = Heard(player), list[ref[Knot]]()
        player.playground.evaluation_runner.answered.connect(lambda answer: knots.append(ref(Knot())))
        conducted(player, heard, study(sums(4)))
        assert [knot() for knot in knots] == [None] * 4


def test_one_at_a_time_and_the_model_from_before_comes_back(qtbot: QtBot) -> None:
    engine = Adding(knobs=SLOW)
    with playing(qtbot, factory=lambda collect: engine) as player:
        player.load()
        heard = Heard(player)
        asked = study(
            sums(3), EvaluationVariant("here", ASKED), EvaluationVariant("there", ASKED, LoadRequest("second"))
        )
        assert player.playground.study(asked)
        assert player.state.experiment == "Sums"
        assert not player.playground.study(asked) and not player.playground.send("Hello")
        player.until(lambda: bool(heard.ended))
        assert len(heard.ended[0].answers) == 6
        player.until_phase(Phase.READY)
        assert engine.loads == ["demo", "second", "demo"]


def test_a_pause_and_a_stop_keep_the_place_and_a_vote_is_kept(qtbot: QtBot, tmp_path: Path) -> None:
    engine = Adding(knobs=SLOW)
    with playing(qtbot, factory=lambda collect: engine, opener=partial(open_journal, tmp_path)) as player:
        player.load()
        heard = Heard(player)
        asked, runner = study(sums(30), together=10), player.playground.evaluation_runner
        runner.answered.connect(runner.pause)
        half = conducted(player, heard, asked)
        runner.answered.disconnect(runner.pause)
        assert half.stopped and len(half.answers) in (10, 20), "whole batches"
        there = len(heard.answers)
        link = runner.answered.connect(lambda each: len(heard.answers) > 2 * there and player.playground.stop())
        conducted(player, heard, asked)
        runner.answered.disconnect(link)
        made = conducted(player, heard, asked)
        assert not made.stopped and len(made.answers) == 30
        assert len(engine.asked) <= 30 + 10, "what was there is not asked again"
        vote = Vote(0, 0, 3, Preference.LEFT, True)
        runner.vote(vote)
        assert conducted(player, heard, asked).votes == (vote,)
        before = len(engine.asked)
        assert conducted(player, heard, asked, from_start=True).votes == () and len(engine.asked) == before + 30


def test_leaving_in_the_middle_keeps_what_had_ended(qtbot: QtBot, tmp_path: Path) -> None:
    asked = study(sums(60), together=5)
    with playing(qtbot, factory=lambda collect: Adding(knobs=SLOW), opener=partial(open_journal, tmp_path)) as player:
        player.load()
        heard = Heard(player)
        assert player.playground.study(asked)
        player.until(lambda: len(heard.answers) >= 5)
    engine = Adding()
    with playing(qtbot, factory=lambda collect: engine, opener=partial(open_journal, tmp_path)) as player:
        player.load()
        made = conducted(player, Heard(player), asked)
        assert len(made.answers) == 60 and len(engine.asked) <= 55
