import math
from dataclasses import replace

import pytest

from app.engine.sampling_filters import SamplingFilter
from app.engine.types import Alternative, ConstraintStats, Sampling, SamplingStats
from app.number_format import bits
from app.ui.inspector.facts import FACTS, logprob
from app.ui.inspector.rows import ESTIMATED, WHOLE_REST, rows_after, rows_before
from tests.ui.inspector.choices import choice, token


def test_logprob_near_zero_has_four_digits() -> None:
    assert [logprob(math.log(likely)) for likely in (0.3, 0.9996, 1.0)] == ["−1.204", "−0.0004", "0.0000"]


def test_bits_convert_nats() -> None:
    assert bits(math.log(8)) == "3.00 bits"
    assert bits(-1e-12) == "0.00 bits"


def test_facts_have_text_with_and_without_logprobs() -> None:
    recorded = {fact.key: fact.format(token(observed=choice(1))) for fact in FACTS}
    assert recorded == {
        "probability": "30 %",
        "surprise": "1.74 bits",
        "rank": "2",
        "logprob": "−1.204",
        "entropy": "1.38 bits",
        "raw_logit": "4.00",
        "arrival": "1.23 s",
        "gap": "4.1 ms",
        "end": "1.2 %",
        "id": "101",
        "origin": "model",
    }
    unknown = {fact.key: fact.format(token()) for fact in FACTS}
    assert {key for key, words in unknown.items() if words != "–"} == {"arrival", "gap", "id", "origin"}


def test_rows_before_are_sorted_with_the_rest_last() -> None:
    rows = rows_before(choice(1))
    assert [row.name for row in rows] == ["a", "b", "c", WHOLE_REST]
    assert [row.chosen for row in rows] == [False, True, False, False]
    assert rows[-1].before == pytest.approx(0.2)
    assert sum(row.before for row in rows) == pytest.approx(1)


def test_caption_names_filters_in_the_order_of_their_application() -> None:
    sampling = Sampling(1.5, top_p=0.9, top_k=2, min_p=0.01, xtc_probability=0.25, top_n_sigma=1.5)
    words = rows_after(choice(1), sampling, frozenset())[1]
    assert words.startswith("After top-nσ 1.5, top-p 0.9, min-p 0.01, XTC 0.25, top-k 2 and temperature 1.5, as this")
    assert "Top-nσ is left out" in words


def test_rows_before_with_a_sampled_token_below_top_k_subtract_it_from_the_rest() -> None:
    rows = rows_before(choice(9))
    assert [row.name for row in rows] == ["a", "b", "c", "z", WHOLE_REST]
    assert rows[3].chosen
    assert rows[-1].before == pytest.approx(0.15)


def test_rows_after_name_the_filter() -> None:
    rows, words = rows_after(choice(1), Sampling(1.0, top_k=2), frozenset())
    assert [row.removed_by for row in rows] == [None, None, SamplingFilter.TOP_K, SamplingFilter.TOP_K]
    assert [row.fate for row in rows] == ["", "", "top-k", "top-k"]
    assert rows[1].share == pytest.approx(3 / 7)
    assert rows[2].share == 0
    assert words.startswith("After top-k 2 and temperature 1, as this run had them. Top-k removes 1 of 3 and all oth")
    assert ESTIMATED not in words


def test_rows_after_with_a_sampled_token_below_top_k_mark_the_rest() -> None:
    rows, words = rows_after(choice(9), Sampling(0.5), frozenset())
    assert [row.chosen for row in rows] == [False, False, False, True]
    assert words.endswith(ESTIMATED)


def test_rows_after_of_exact_figures_are_no_estimate() -> None:
    """The sampled token has 5 %, fifteen others have 1 % each."""
    shares = (0.4, 0.3, 0.1, 0.05, *[0.01] * 15)
    weights = [share**2 for share in shares]
    own = weights[3] / sum(weights)
    seen = replace(choice(9), drawn=SamplingStats(own, 400, math.log(sum(weights)), math.log(sum(weights))))
    rows, words = rows_after(seen, Sampling(0.5), frozenset())
    assert ESTIMATED not in words
    assert [row.name for row in rows] == ["a", "b", "c", "z", WHOLE_REST]
    assert [row.chosen for row in rows] == [False, False, False, True, False]
    expected = [*(weight / sum(weights) for weight in weights[:4]), sum(weights[4:]) / sum(weights)]
    assert [row.after for row in rows] == pytest.approx(expected)
    assert sum(row.before for row in rows) == pytest.approx(1)


def test_rows_after_keep_eos_from_xtc() -> None:
    sampling = Sampling(1.0, xtc_probability=1.0, xtc_threshold=0.2)
    assert rows_after(choice(), sampling, frozenset())[0][0].removed_by is SamplingFilter.XTC
    assert rows_after(choice(), sampling, frozenset({100}))[0][0].removed_by is None


def test_rows_before_include_invalid_tokens() -> None:
    formed = ConstraintStats(
        0.75, False, (Alternative(7, "x", math.log(0.6), 9.0), Alternative(8, "y", math.log(0.05), 8.0))
    )
    seen = replace(choice(1), formed=formed)
    rows = rows_before(seen)
    assert [(row.name, row.forbidden, row.out) for row in rows[:3]] == [
        ("x", True, True),
        ("a", False, False),
        ("b", False, False),
    ]
    assert [row.before for row in rows[:3]] == pytest.approx([0.6, 0.4 * 0.25, 0.3 * 0.25])
    assert rows[1].logprob == pytest.approx(math.log(0.1))
    assert sum(row.before for row in rows) == pytest.approx(1)
    after, _ = rows_after(seen, Sampling(1.0), frozenset())
    assert [(row.name, row.fate, row.after) for row in after if row.forbidden] == [
        ("x", "output format", 0.0),
        ("y", "output format", 0.0),
    ]
    assert sum(row.after or 0 for row in after) == pytest.approx(1)
