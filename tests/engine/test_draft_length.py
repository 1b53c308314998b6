from app.engine.draft_length import (
    BASE_STEPS,
    BY_MODEL,
    COST_OF_EACH,
    IDLE_STEPS,
    MOST_DRAFTS,
    RETRY_STEPS,
    DraftLength,
    StepCosts,
)


def measured(*ratios: tuple[int, float]) -> DraftLength:
    """A run whose passes with one token take a second, with costs of passes with more tokens."""
    costs = StepCosts()
    for tokens, ratio in 3 * ratios:
        costs.learn(tokens, ratio)
    length = DraftLength(costs)
    for _ in range(BASE_STEPS):
        length.learn(0, 0, 0, 1.0)
    return length


def test_cost_between_and_beyond_measured_numbers_follows_a_line() -> None:
    costs = StepCosts()
    for ratio in (1.4, 1.4, 9.0, 1.4):
        costs.learn(3, ratio)
    costs.learn(5, 1.6)
    assert [round(costs.ratio(tokens), 2) for tokens in (1, 2, 3, 4, 5, 9)] == [1.0, 1.2, 1.4, 1.5, 1.6, 2.2]


def test_length_is_most_where_verifying_costs_nothing_and_0_where_it_costs_all() -> None:
    assert measured((9, 1.0)).choose(3) == MOST_DRAFTS
    assert measured((2, 2.0), (9, 9.0)).choose(3) == 0


def test_length_grows_with_accepted_and_shrinks_with_rejected_tokens() -> None:
    length = measured((2, 1.15), (9, 2.2))
    before = length.choose(2)
    for _ in range(9):
        length.learn(2, 4, 4, 1.5)
    grown = length.choose(2)
    for _ in range(40):
        length.learn(2, 4, 0, 1.5)
    assert length.choose(2) == 0 < before < grown
    assert length.choose(3) > 0, "the rates of other match lengths don't change"


def test_length_without_a_match_or_a_unit_of_cost_is_0() -> None:
    assert measured().choose(0) == 0
    assert DraftLength(StepCosts()).choose(3) == 0


def test_length_is_tried_again_after_many_refusals() -> None:
    length = measured((2, 5.0), (9, 9.0))
    tries = [length.choose(3) for _ in range(3 * RETRY_STEPS + 3)]
    assert tries == [0] * RETRY_STEPS + [1] + [0] * 2 * RETRY_STEPS + [1, 0], "later tries are rarer"


def test_length_is_tried_again_while_passes_begin_early() -> None:
    length = measured((2, 5.0), (9, 9.0))
    chosen = list[int]()
    while not any(chosen) and len(chosen) < 2 * RETRY_STEPS:
        chosen.append(length.choose(3, has_begun=length.is_idle))
    assert chosen == [0] * (RETRY_STEPS + 1) + [1], "the pass that had begun is followed by one with a draft token"


def test_length_is_idle_after_steps_without_drafts_until_they_would_pay() -> None:
    length = measured((9, 1.0))
    for _ in range(IDLE_STEPS):
        assert not length.is_idle
        length.choose(0)
    assert length.is_idle
    assert length.choose(3, has_begun=True) == 0
    assert not length.is_idle


def test_length_of_a_draft_model_begins_with_its_share_of_the_weights() -> None:
    chosen = []
    for share in (0.05, 0.3, 1.0):
        length = DraftLength(StepCosts(COST_OF_EACH + share))
        assert length.choose(BY_MODEL) == 0
        for _ in range(BASE_STEPS):
            length.learn(BY_MODEL, 0, 0, 1.0)
        chosen.append(length.choose(BY_MODEL))
    assert chosen[0] > chosen[1] > chosen[2] == 0


def test_length_fixed_ignores_costs() -> None:
    assert DraftLength(StepCosts(), fixed=5).choose(1) == 5


def test_costs_are_learned_relative_to_a_pass_with_one_token() -> None:
    length = measured()
    assert length.cost(4) == 0
    length.learn(3, 3, 1, 7.0)
    assert length.cost(4) == 1.45, "one slow pass changes nothing"
    for _ in range(3):
        length.learn(3, 3, 1, 1.5)
    assert length.cost(4) == 1.5


def test_retry_interval_does_not_grow_if_drafts_pay_again() -> None:
    length = measured((2, 5.0), (9, 9.0))
    for _ in range(RETRY_STEPS):
        length.choose(3)
    for _ in range(30):
        length.learn(3, 8, 8, 1.0)
    assert length.choose(3) > 1
    assert length._retry_after == RETRY_STEPS
