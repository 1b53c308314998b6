"""The comparison of several columns: differences, alignment and export."""

import csv
import io
from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from app.comparison.alignment import align, first_difference
from app.comparison.columns import column_of_run, columns_of_experiment, surprisal_points
from app.comparison.comparison import compare
from app.comparison.differences import compare_columns
from app.comparison.export import as_html, as_markdown, table_csv
from app.engine.types import Limits, RawPrompt, Request, Sampling, WeightFormat
from tests.comparison.columns import RUN, column, tokens, whole
from tests.experiments.builders import at_speeds, even, outcome, result

WORDS = st.lists(st.sampled_from("abcde"), max_size=8)
HOSTILE = '=HYPERLINK("http://x")<img src=x onerror=y>|[a](b)\n```\n# end'


def cells(*columns: object) -> dict[str, tuple[str, ...]]:
    return {row.name: row.cells for row in compare_columns(columns)}  # type: ignore[arg-type]


def test_compare_columns_has_settings_speed_memory_and_text() -> None:
    other = Request(RawPrompt("Hello"), Sampling(0.0, seed=9), Limits(64, ("END",)))
    model = replace(RUN.model, format=WeightFormat(dtype="float16"))
    first = column_of_run(whole(("one", " two")), "A")
    second = column_of_run(whole(("one", " three"), 24.0, 500, other, model=model), "B")
    found = cells(first, second)
    assert found["temperature"] == ("1.0", "0.0") and found["Precision"] == ("–", "float16")
    assert found["Mean speed (tok/s)"] == ("10.0", "24.0 (2.4× faster)")
    assert found["Total time"] == ("1.00 s", "417 ms (2.4× shorter)")
    assert found["Memory of the KV cache"] == ("1.00 kB", "500 bytes (2.0× less)")
    assert found["First different token"] == ("–", "2")
    assert cells(second, first)["Mean speed (tok/s)"] == ("24.0", "10.0 (2.4× slower)")


def test_compare_columns_has_the_rows_that_differ_first() -> None:
    rows = compare_columns((column("one"), column("one"), column("two")))
    assert [row.is_equal for row in rows] == sorted(row.is_equal for row in rows)
    equal = {row.name for row in rows if row.is_equal}
    assert {"temperature", "Prompt", "Mean speed (tok/s)"} <= equal and "Answer" not in equal


def test_compare_columns_of_an_interrupted_run_has_dashes() -> None:
    unknown = replace(whole(("one",)), run=replace(RUN, text="one"))
    found = cells(column_of_run(unknown, "A"), column("one"))
    assert found["Mean speed (tok/s)"] == ("–", "10.0") and found["Finish reason"][0] == "–"


def test_compare_columns_has_no_ratio_to_a_value_shown_as_zero() -> None:
    certain, likely = ({1: {"surprisal": nats}} for nats in (1e-5, 0.4))
    found = cells(column("one", rounds=certain), column("one", rounds=likely))
    assert found["Mean surprisal"] == ("0.00 bits", "0.58 bits")


def test_excerpts_of_different_texts_show_the_difference() -> None:
    same = "The same beginning of both answers, then "
    found = cells(column(same, "one"), column(same, "two"))
    assert found["Answer"][0].endswith("one") and found["Answer"][1].endswith("two")


def test_variants_with_enough_rounds_have_intervals() -> None:
    speeds = (
        [100.0 + at % 3 for at in range(8)],
        [50.0 + at % 2 for at in range(8)],
        [101.0 - at % 3 for at in range(8)],
    )
    columns = columns_of_experiment(at_speeds(("base", "slow", "same"), speeds))
    found = cells(*columns)["Mean speed (tok/s)"]
    assert found[1] == "50.5 (2.0× slower; 0.49–0.51×)" and found[2].endswith("(not significant; 0.97–1.01×)")
    assert cells(*columns)["Tokens"] == ("40", "40 (the same)", "40 (the same)")
    few = columns_of_experiment(at_speeds(("base", "slow"), [row[:3] for row in speeds[:2]]))
    assert cells(*few)["Mean speed (tok/s)"][1] == "50.0 (2.0× slower)"
    assert compare(few).note.startswith("Medians of 3 rounds. 6 rounds are needed")


def test_variants_are_compared_in_the_first_round_that_all_have() -> None:
    runs = [result(arm, at, even(3, 10.0), texts=(f"{arm}", f"{at}", "")) for arm, at in ((0, 1), (0, 2), (1, 2))]
    assert [each.text for each in columns_of_experiment(outcome(("one", "two"), runs))] == ["02", "12"]


@settings(max_examples=30)
@given(WORDS, WORDS, WORDS)
def test_alignment_has_each_token_once_and_in_order(first: list[str], second: list[str], third: list[str]) -> None:
    columns = [column(*words) for words in (first, second, third)]
    found = align(columns)
    for number, each in enumerate(columns):
        assert [slot[number] for slot in found.slots if slot[number] is not None] == list(range(len(each.tokens)))
    assert all(any(index is not None for index in slot) for slot in found.slots)
    for slot, different in zip(found.slots, found.different, strict=True):
        texts = [None if at is None else columns[of].tokens[at].text for of, at in enumerate(slot)]
        assert different == {of for of, text in enumerate(texts) if text != texts[0]}


def test_alignment_continues_after_an_inserted_word() -> None:
    found = align((column(*"abcdefg"), column(*"abxycdefg"), column(*"abcdefg")))
    assert [at for at, each in enumerate(found.different) if each] == [2, 3]
    assert found.starts == (2,) and found.firsts == {1: 2}
    assert found.slots[4] == (2, 4, 2)
    repeated = align((column(*"abcdefgh" * 4), column(*"abcdXfgh", *"abcdefgh" * 3)))
    assert [at for at, each in enumerate(repeated.different) if each] == [4], "the nearest shared words count"


def test_tokens_of_other_vocabularies_are_compared_by_text() -> None:
    other = column("one", " two", settings={"Model": "other"}, prompt_ids=(7,))
    other = replace(other, tokens=tuple(replace(token, id=token.id + 1) for token in other.tokens))
    assert not any(align((column("one", " two"), other)).different)
    assert all(align((column("one", " two"), replace(other, settings={"Model": "demo"}))).different)


def test_first_difference_has_the_probability_gap() -> None:
    first = replace(column(), tokens=tuple(tokens(("one", " cat"), 0.6, ((" dog", 0.25),))))
    second = column("one", " dog", " and")
    assert first_difference(("A", "B"), first, second) == (
        "A and B differ from token 2 on: “ cat” (60 %) and “ dog” (50 %). "
        "In A, “ dog” had 25 %: a gap of 35 percentage points."
    )
    ended = replace(second, tokens=(second.tokens[0], replace(second.tokens[1], text="")))
    assert "(60 %) and a token without text (50 %)" in first_difference(("A", "B"), first, ended)
    assert first_difference(("A", "C"), first, first) == "A and C have the same tokens."
    short = replace(second, tokens=second.tokens[:2])
    assert first_difference(("B", "C"), second, short).endswith("same tokens up to token 2, where C ends.")
    assert first_difference(("C", "B"), short, second).endswith("same tokens up to token 2, where C ends.")
    assert first_difference(("B", "C"), second, replace(short, tokens=())) == "C has no tokens."


def test_surprisal_points_are_means_in_bits() -> None:
    points = surprisal_points(replace(column(), tokens=tuple(tokens(("a", "b", "c"), 0.25))))
    assert [(point.tokens, round(point.speed, 6)) for point in points] == [(1, 2.0), (2, 2.0), (3, 2.0)]
    assert all(later.seconds > earlier.seconds for earlier, later in pairwise(points))


def test_exports_of_hostile_texts_have_no_markup_and_no_formula() -> None:
    found = compare((column(HOSTILE, " too", " end", name=HOSTILE), column("plain", " too", " end")))
    page = as_html(found)
    assert page.count("<polyline") == 4, "speed and surprisal of both"
    assert "<img" not in page and "&lt;img src=x" in page and page.count('class="other"') == 1
    text = as_markdown(found)
    assert "| temperature | 1.0 |" in text.partition("## Equal in all columns")[2]
    assert "\n````text\n" in text and "\n# end too end\n````" in text
    assert "<img" not in text.partition("````")[0].replace("\\<img", "")
    rows = list(csv.reader(io.StringIO(table_csv(found))))
    assert rows[-1][1].startswith("'=HYPERLINK") and len({len(row) for row in rows}) == 1


def test_comparison_has_at_most_six_columns_and_says_so() -> None:
    found = compare([column("one")] * 8)
    assert len(found.columns) == 6 and found.note.startswith("The first 6 of 8 variants are compared. Single runs: ")
