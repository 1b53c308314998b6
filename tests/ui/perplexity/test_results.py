"""Tables, curves and sentences of perplexity results made by hand."""

import math
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from app.engine.types import KV, CacheVariant, ExactPrompt, PromptPart, PromptSpan, TokenDifference, TokenScore
from app.perplexity.cache_result import CacheResult, NeedleResult, VariantResult
from app.perplexity.result import PerplexityResult, as_text, number, sentence, with_margin
from app.perplexity.statistics import STRETCH, margin, model_difference, perplexity_metrics
from app.ui.look.theme import Theme
from app.ui.perplexity.cache_findings import cache_findings
from app.ui.perplexity.results import (
    ALL,
    MOST_POINTS,
    PerplexityResults,
    PlotCurve,
    TokenRows,
    collected,
    findings,
)
from app.ui.widgets.word_table import WordTable

NAMES = ("large", "small")


def result(count: int, compared: bool = True) -> PerplexityResult:
    """Of words, each 2 nats for the first model and 3 for the second, the last stretch worst."""
    text = " fox" * (count + 1)
    offsets = tuple((4 * at, 4 * at + 4) for at in range(count + 1))
    prompt = ExactPrompt(text, tuple(range(count + 1)), offsets, (PromptSpan(PromptPart.USER, 0, len(text)),), raw=True)
    weights = tuple(TokenScore(-2.0, 1, 7, " fox", -2.0) for _ in range(count))
    made = PerplexityResult(
        prompt,
        tuple(range(1, count + 1)),
        weights,
        tuple(range(1, count + 1)),
        perplexity_metrics([2.0] * count, 4 * count),
    )
    if not compared:
        return made
    kl = [0.5 if at >= count - STRETCH else 0.1 for at in range(count)]
    differences = [TokenDifference(each, each, each, each / 2, True, 1.0) for each in kl]
    others = tuple(TokenScore(-3.0, 2, 8, " hen", -0.5) for _ in range(count))
    second = perplexity_metrics([3.0] * count, 4 * count)
    return replace(made, second=second, between=model_difference(differences, [1.0] * count), others=others)


def lines(found: object) -> TokenRows:
    assert isinstance(found, TokenRows)
    return found


def test_findings_of_one_model_compare_nothing() -> None:
    found = findings(result(4 * STRETCH, compared=False), NAMES, whole=True)
    assert list(found.pages) == ["Figures", "Worst passages", "By token type", "Over the text", "By context"]
    assert lines(found.pages["Figures"]).head == ("Figure", "large")
    assert found.sentence.startswith("2.000 ± 0 nats per token over 256 tokens: perplexity 7.389 ×/÷ 1.000")
    assert found.caution == ""


def test_findings_of_two_models_begin_with_the_worst() -> None:
    count = 4 * STRETCH
    found = findings(result(count), NAMES, whole=True)
    between, figure = (
        {row[0]: row[1:] for row in lines(found.pages[title]).rows} for title in ("Comparison", "Figures")
    )
    assert next(iter(found.pages)) == "Comparison"
    assert between["Log-prob difference"] == ("1.000 ± 0",)
    assert figure["Nats/token"] == ("2.000 ± 0", "3.000 ± 0")
    assert all(all(row) for row in (*between.values(), *figure.values())), "no cell is empty"
    worst = lines(found.pages["Worst passages"])
    assert worst.positions[0] == count - STRETCH + 1
    assert worst.rows[0][:3] == (f"{count - STRETCH + 2:,}", "2.000", "0.500")
    changed = lines(found.pages["Largest differences"])
    assert changed.head[-2:] == ("Top token of large", "Top token of small")
    assert changed.rows[0][3:] == ("1.000", "␣fox 14 %", "␣hen 61 %")
    assert len(changed.rows) == len(changed.positions) == 100


def test_findings_curves_are_thinned() -> None:
    count = 40 * MOST_POINTS
    found = findings(result(count), NAMES, whole=True)
    summed, context = found.pages["Cumulative KL"], found.pages["By context"]
    assert isinstance(summed, PlotCurve) and isinstance(context, PlotCurve)
    assert len(summed.xs) == len(summed.ys) == MOST_POINTS
    assert math.isclose(summed.ys[-1], 0.1 * (summed.xs[-1] + 1), rel_tol=1e-2)
    assert context.ticks[:4] == ("0", "16", "32", "64")


def test_findings_caution_names_windows_and_vocabularies() -> None:
    half = findings(replace(result(STRETCH), windows=3), NAMES, whole=False)
    assert half.caution.startswith("Stopped") and "3 windows" in half.caution and "both models" in half.caution
    assert "both" not in findings(result(STRETCH, compared=False), NAMES, whole=False).caution
    other = replace(result(STRETCH), between=None, others=())
    assert "different vocabularies" in findings(other, NAMES, whole=True).caution
    assert sentence(other) == "0.721 and 1.082 bits per byte."
    assert len(as_text(other).splitlines()) == 4


def test_with_margin_of_bounds_gives_a_range() -> None:
    between = model_difference([TokenDifference(0.1, 0.3, None, None, True, 1.0)], [0.0])
    assert with_margin(between, "kl_mean", 1) == "0.100 to 0.300"
    assert with_margin(between, "kl_back", 1) == ""
    assert [number(each) for each in (0.0, 0.00123, -2.5, 20.48, 1234.5)] == [
        *("0.000", "0.0012", "−2.500"),
        *("20.48", "1,234.5"),
    ]


def test_sentence_has_the_precision_of_the_table() -> None:
    """A perplexity of 676.5 beside 680 ± 170 was told so finely once."""
    count = 5 * STRETCH
    one, other = (perplexity_metrics([at % 7 * part for at in range(count)], 4 * count) for part in (1.0, 2.0))
    alone = replace(result(count, compared=False), first=one)
    told = [with_margin(one, name) for name in ("nats_per_token", "perplexity", "bits_per_byte")]
    assert all(each in sentence(alone) for each in told) and ["±" in each for each in told] == [True, False, True]
    assert "×/÷" in told[1]
    between = model_difference(
        [TokenDifference(0.1, 0.1, 0.1, 0.1, True, 1.0)] * count, [at % 7 - 3.0 for at in range(count)]
    )
    both = replace(alone, second=other, between=between)
    assert with_margin(between, "own_difference", one.tokens) in sentence(both)
    assert with_margin(other, "bits_per_byte") in sentence(replace(both, between=None))


def test_with_margin_of_a_perplexity_is_the_factor_of_its_cross_entropy() -> None:
    one = perplexity_metrics([at % 7 for at in range(5 * STRETCH)], 4)
    value, factor = map(float, with_margin(one, "perplexity").split(" ×/÷ "))
    assert one.standard_error is not None
    assert math.log(factor) == pytest.approx(margin(one.standard_error, one.tokens), abs=1e-3)
    assert value == pytest.approx(one.perplexity, abs=1e-2)


def test_findings_of_a_short_text_have_no_interval() -> None:
    found = findings(result(3 * STRETCH), NAMES, whole=True)
    assert "±" not in found.sentence and "too short for a confidence interval" in found.caution
    assert "too short" not in findings(result(4 * STRETCH), NAMES, whole=True).caution


def test_sentence_of_infinite_perplexity() -> None:
    assert "perplexity inf," in sentence(
        replace(result(3 * STRETCH, compared=False), first=perplexity_metrics([1e4] * 3 * STRETCH, 4))
    )


def cache_result(count: int) -> CacheResult:
    """Two KV caches, of which the second one breaks and loses the fact."""
    whole = result(count)
    variants = [
        VariantResult(CacheVariant(KV(bits=bits)), compared, size, at)
        for bits, compared, size, at in (
            (8, replace(whole, between=model_difference([TokenDifference(0, 0, 0, 0, True, 1)] * count)), 500, None),
            (2, whole, 200, count // 2),
        )
    ]
    return CacheResult(whole, 1_000, tuple(variants), (NeedleResult(50, 10, 30, (True, True, False), ()),), 257, False)


def test_results_of_kv_caches_are_chosen_and_share_a_scale(qtbot: QtBot, theme: Theme) -> None:
    found = cache_findings(cache_result(4 * STRETCH), whole=True)
    caches, facts = (lines(found[0].pages[title]) for title in ("KV caches", "Planted facts"))
    assert [row[3:5] for row in caches.rows] == [("50 %", "none"), ("80 %", "token 129")]
    assert facts.rows == [("50 %", "30", "found", "found", "lost")]
    shown = PerplexityResults(theme)
    qtbot.addWidget(shown)
    shown.show_findings(*found)
    scale = shown._top
    chooser = shown.findChild(QComboBox, "weigh_cache")
    assert isinstance(chooser, QComboBox)
    chooser.setCurrentIndex(1)
    chooser.activated.emit(1)
    sentence = shown.findChild(QLabel, "weigh_sentence")
    assert isinstance(sentence, QLabel) and sentence.text().startswith("2-bit, groups of 64: KL divergence 0.2")
    assert shown._top == scale > 0.1


def test_collected_findings_of_one_text_have_a_table_of_all_comparisons() -> None:
    """A repeated comparison replaces the earlier one."""
    count = 4 * STRETCH
    first, again = (findings(result(count), ("large", "small"), whole=True) for _ in range(2))
    assert ALL not in collected((), [first])[0].pages
    found = collected(collected((), [first]), cache_findings(cache_result(count), whole=True))
    table = lines(found[0].pages[ALL])
    assert [row[0] for row in table.rows] == [
        *("Full cache", "large", "8-bit, groups of 64", "2-bit, groups of 64", "small")
    ]
    assert table.rows[-1] == (
        *("small", "20.09 (20.09–20.09)", "0.200 (0.041–0.971)", "2.718 (2.718–2.718)", "100 %", "1.082 (1.082–1.082)"),
    )
    assert [each.names[1] for each in collected(found, [again])] == [
        *("small", "8-bit, groups of 64", "2-bit, groups of 64")
    ]
    stopped = findings(result(count // 2), ("large", "other"), whole=False)
    names = [row[0] for row in lines(collected(found, [stopped])[0].pages[ALL]).rows]
    assert names[:3] == ["large", "Full cache", "other (first 128 tokens)"] and names[-1] == "small"


LONG_NAMES = ("Llama-3.2-3B-Instruct-4bit", "Llama-3.2-3B-Instruct-8bit")


@pytest.mark.parametrize("names", [("demo", "demo-draft"), LONG_NAMES])
@pytest.mark.parametrize("page", [0, 1])
def test_results_compared_columns_are_visible(qtbot: QtBot, theme: Theme, names: tuple[str, str], page: int) -> None:
    """At 1000×700 and 200 % two of three columns were behind “+2”."""
    theme.resize(200)
    shown = PerplexityResults(theme)
    qtbot.addWidget(shown)
    shown.show_findings(findings(result(200), names, whole=True))
    shown._tabs.setCurrentIndex(page)
    shown.resize(540, 676)
    shown.show()
    table = shown._tabs.currentWidget()
    assert isinstance(table, WordTable)
    columns = range(table.model().columnCount())
    assert len(columns) == (2, 3)[page]
    assert not [position for position in columns if table.isColumnHidden(position)]
    assert table.horizontalHeader().length() <= table.viewport().width()
