"""What differs is named with its place and with how near a tie it was; what is the same is named too."""

import math
from dataclasses import replace
from pathlib import Path

from app.engine.types import (
    Candidate,
    ChatPrompt,
    DraftModel,
    Message,
    Observed,
    RawPrompt,
    Request,
    Role,
    TokenPrompt,
    Top,
)
from app.experiments.questions.determinism import EXPERIMENT, OBSERVED, _half, plan
from app.experiments.types import Arm, Batch, Outcome, Plan, Result
from tests.experiments.making import MODEL, REQUEST, basis, even, result


def written(arm: int, *ids: int, observed: Observed | None = None) -> Result:
    run = result(arm, 1, even(len(ids), 10.0))
    tokens = (replace(token, id=own, observed=observed) for token, own in zip(run.tokens, ids, strict=True))
    return replace(run, tokens=tuple(tokens))


def close(own: float, other: float) -> Observed:
    first, second = (Candidate(at, "x", math.log(likely), 0.0) for at, likely in ((3, own), (7, other)))
    return Observed(first, 1, Top.of((first, second)), 0.5, 0.0, 1 - own - other)


def test_the_place_and_how_near_a_tie_it_was() -> None:
    names = ("as usual", "once more", "without the cache", "8 bits")
    arms = tuple(Arm(name, REQUEST) for name in names)
    runs = (
        written(0, 1, 2, 3, observed=close(0.40, 0.38)),
        written(1, 1, 2, 3),
        written(2, 1, 2, 7),
        written(3, 5, 2, 3),
    )
    batch = Batch((1, 1), 1, (written(1, 1, 2, 3), written(1, 1, 2, 9)))
    found = EXPERIMENT.conclude(Outcome(Plan("", "", "", arms, 1), MODEL, runs, batches=(batch,)))
    assert found.sentence == (
        "The same tokens: once more; without the cache: others from token 3 on, 2.0 % apart; "
        "8 bits: others from token 1 on, ? apart; two at once: others from token 3 on, ? apart."
    )
    assert [row[1] for row in found.details[0].rows] == [None, 3, 1, 3]


def test_all_ways_ask_the_same_at_temperature_nought() -> None:
    """But for how the prompt comes into the cache; the first run alone is looked at."""
    made = plan(basis())
    assert isinstance(made, Plan)
    requests = [arm.request for arm in made.arms]
    assert {each.sampling.temperature for each in requests} == {0.0}  # type: ignore[union-attr]
    assert [each.observe for each in requests] == [OBSERVED, *(0 for _ in requests[1:])]  # type: ignore[union-attr]
    assert {each.prompt for each in requests} == {made.arms[0].request.prompt}  # type: ignore[union-attr]
    before = [arm.before for arm in made.arms if arm.before is not None]
    assert {each.limits.max_tokens for each in before} == {1} and not any(each.kv.reuse for each in before)


def test_each_way_to_read_is_tried_with_each_way_to_write() -> None:
    made = plan(replace(basis(), model=replace(MODEL, draft=DraftModel("small", Path("small"), 1, 1))))
    assert isinstance(made, Plan)
    ways = [each.request for each in made.arms if isinstance(each.request, Request)]
    found = {(each.draft_tokens > 0, each.kv.bits, each.kv.reuse) for each in ways}
    assert found == {
        (drafted, bits, reuse) for drafted, bits in ((False, None), (True, None), (False, 8)) for reuse in (False, True)
    }
    again = [(arm.request, arm.before) for arm in made.arms if arm.before is not None]
    assert all(replace(request.kv, reuse=False) == before.kv for request, before in again)  # type: ignore[union-attr]


def test_half_of_a_prompt_is_its_beginning() -> None:
    assert _half(RawPrompt("abcd")) == RawPrompt("ab") and _half(TokenPrompt((1, 2, 3))) == TokenPrompt((1,))
    chat = ChatPrompt((Message(Role.SYSTEM, "be"), Message(Role.USER, "abcd")))
    assert _half(chat) == ChatPrompt((Message(Role.SYSTEM, "be"), Message(Role.USER, "ab")))
