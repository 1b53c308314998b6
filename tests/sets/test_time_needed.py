"""How long a study takes at the most: from what was measured, or nothing is said."""

from dataclasses import replace

import pytest

from app.engine.types import LoadRequest
from app.sets.time_needed import Speeds, most_seconds, time_told
from app.sets.types import Arm
from tests.sets.sums import ASKED, Adding, opened, sampled, study, sums

MODEL = opened(Adding())
SPEEDS = Speeds(MODEL.opened_by, reading=1000.0, writing=48.0)


def test_each_answer_takes_its_tokens_and_its_prompt() -> None:
    asked = study(sums(10), sampled(0), sampled(1), repeats=3)  # of 24 tokens
    assert most_seconds(asked, 500, SPEEDS) == pytest.approx(3 * 2 * (0.5 + 10 * 24 / 48))
    assert most_seconds(asked, 500, SPEEDS, done=45) == pytest.approx(3 * 2 * 5.5 / 4)


def test_it_is_a_range_where_rows_are_asked_together() -> None:
    asked = study(sums(100), together=10)
    assert time_told(asked, MODEL, 0, SPEEDS) == (
        "Takes up to 50.0 s at 48.0 tokens per second, as measured last; "
        "up to 5.00 s if 10 rows at once cost no more than one."
    )
    alone = "Takes up to 50.0 s at 48.0 tokens per second, as measured last."
    assert time_told(replace(asked, together=1), MODEL, 0, SPEEDS) == alone
    assert time_told(asked, replace(MODEL, bits=4), 0, SPEEDS) == alone


def test_of_a_model_that_was_not_measured_nothing_is_said() -> None:
    other = LoadRequest("other")
    assert time_told(study(sums(), Arm("one", ASKED, other)), MODEL, 100, SPEEDS) == ""
    assert time_told(study(), MODEL, 100, replace(SPEEDS, of=other)) == ""
    assert time_told(study(sums(), Arm("one", ASKED, MODEL.opened_by)), MODEL, 100, SPEEDS)
