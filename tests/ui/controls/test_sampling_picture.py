import math
from dataclasses import replace

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.engine.sampling_filters import SamplingFilter, shape
from app.engine.types import Alternative, Sampling, TokenLogprobs
from app.ui.controls.sampling_picture import EXAMPLE, ROWS, BarPair, Bars, SamplingPicture
from app.ui.look.palette import DARK, LIGHT, Color
from app.ui.look.theme import Theme
from app.ui.tokens import sampling_words as words
from tests.ui.conftest import go_dark
from tests.ui.desk import named

WIDTH_PX = 236


def observed(*shares: float, texts: str = "abcdefghijklmnop") -> TokenLogprobs:
    top = tuple(Alternative(index, texts[index], math.log(share), 0.0) for index, share in enumerate(shares))
    entropy = -sum(share * math.log(share) for share in shares)
    return TokenLogprobs(top[0], 1, top, entropy, 0.0, max(0.0, 1 - sum(shares)))


@pytest.fixture
def picture(qtbot: QtBot, theme: Theme) -> SamplingPicture:
    made = SamplingPicture(theme)
    qtbot.addWidget(made)
    made.setFixedWidth(WIDTH_PX)
    made.show()
    return made


def text(picture: SamplingPicture, name: str) -> str:
    label = named(picture, QLabel, name)
    return label.text() if label.isVisible() else ""


def test_picture_before_a_recorded_run_shows_an_example(picture: SamplingPicture) -> None:
    assert text(picture, "sampling_source") == EXAMPLE
    assert picture.accessibleDescription().startswith("Example")
    picture.show_observed(observed(0.6, 0.4))
    assert "(chosen: “a”)" in text(picture, "sampling_source")
    picture.show_observed(None)
    assert text(picture, "sampling_source") == EXAMPLE


def test_picture_removed_alternatives_are_in_caption_and_description(picture: SamplingPicture) -> None:
    picture.show_observed(observed(0.6, 0.3, 0.06, 0.04))
    picture.show_sampling(Sampling(1.0, top_k=2))
    assert text(picture, "sampling_caption") == "Top-k removes 2 of 4. “a” rises from 60 to 67 %."
    assert "“c” 6.0 % before, removed by top-k" in picture.accessibleDescription()
    assert text(picture, "sampling_note") == ""


def test_picture_unrecorded_tokens_are_others(picture: SamplingPicture) -> None:
    picture.show_observed(observed(0.5, 0.2))
    picture.show_sampling(Sampling(1.0))
    assert text(picture, "sampling_note") == "“others” is the sum of all tokens below the top 2."
    picture.show_sampling(Sampling(0.5))
    assert "estimates" in text(picture, "sampling_note")
    picture.show_observed(observed(0.3, 0.2, *[0.5 / 14] * 14))
    assert f"below the top {ROWS}" in text(picture, "sampling_note")
    bars = picture.findChild(Bars)
    assert bars is not None and bars.toolTip().count("\n") == ROWS


def test_picture_of_top_n_sigma_needs_the_deviation_of_the_logits(picture: SamplingPicture) -> None:
    recorded = observed(0.6, 0.3, 0.06, 0.04)
    picture.show_observed(replace(recorded, deviation=2.0))
    picture.show_sampling(Sampling(1.0, top_n_sigma=1.0))  # exp(-2) of the best one's 60 % is 8.1 %
    assert text(picture, "sampling_caption") == "Top-nσ removes 2 of 4. “a” rises from 60 to 67 %."
    assert text(picture, "sampling_note") == ""
    picture.show_observed(recorded)
    assert text(picture, "sampling_note") == "Top-nσ is left out: the run did not record what it needs."
    picture.show_sampling(Sampling(0.0, top_n_sigma=1.0))
    assert text(picture, "sampling_note") == ""


def test_picture_of_xtc_spares_ends_and_line_ends(picture: SamplingPicture) -> None:
    picture.show_sampling(Sampling(1.0, xtc_probability=0.5, xtc_threshold=0.1))
    picture.show_observed(observed(0.5, 0.3, 0.2, texts="a\nb"), frozenset({0}))
    assert "passes" not in text(picture, "sampling_caption")
    picture.show_observed(observed(0.5, 0.3, 0.2, texts="a\nb"))
    assert text(picture, "sampling_caption").startswith("XTC removes 1 at 50 % of the tokens.")
    assert "“⏎” 30 %" in picture.accessibleDescription()


def colors(image: QImage) -> set[str]:
    return {QColor(image.pixel(x, y)).name() for x in range(image.width()) for y in range(image.height())}


def test_bars_removed_alternative_has_no_second_bar(theme: Theme, qtbot: QtBot) -> None:
    bars = Bars(theme)
    qtbot.addWidget(bars)
    bars.show_rows([BarPair("a", 0.6, 0.9, "60 → 90 %", False)])
    bars.resize(WIDTH_PX, bars.sizeHint().height())
    assert LIGHT[Color.DECODE] in colors(bars.grab().toImage())
    bars.show_rows([BarPair("a", 0.6, 0.0, "60 %, top-p", True)])
    assert LIGHT[Color.DECODE] not in colors(bars.grab().toImage())
    go_dark(theme)
    bars.show_rows([BarPair("a", 0.6, 0.9, "60 → 90 %", False)])
    assert DARK[Color.DECODE] in colors(bars.grab().toImage())


def test_figures_small_share_is_not_0() -> None:
    assert words.probability_change(0.00001, 0.99999, None) == "< 0.01 → > 99.99 %"
    assert words.probability_change(0.2, 0.0, SamplingFilter.GREEDY) == "20 %, T = 0"
    assert words.probability_change(0.2, 0.1, None, passed_over=True) == "20 → 10 %, XTC"


@pytest.mark.parametrize(
    ("sampling", "caption"),
    [
        (Sampling(0), "At temperature 0 the top token “a” is always sampled."),
        (Sampling(1.0), "These settings change no probability."),
        (Sampling(1.0, top_p=0.5), "Top-p removes 2 of 3 and all others. “a” rises from 60 to 100 %."),
        (Sampling(1.0, top_k=3), "Top-k removes all others. “a” rises from 60 to 67 %."),
        (
            Sampling(1.0, min_p=0.3, top_k=1),
            "Min-p removes 1 of 3 and all others, top-k removes 1 of 3. “a” rises from 60 to 100 %.",
        ),
    ],
)
def test_caption_names_what_each_filter_removes(sampling: Sampling, caption: str) -> None:
    recorded = observed(0.6, 0.25, 0.05)
    assert words.caption(shape(recorded.top, recorded.rest, sampling), sampling) == caption


def test_picture_cost_of_recording_is_a_share_of_the_run(picture: SamplingPicture) -> None:
    for share, shown in (
        (0.0214, "Recording took 2.1 % of the last run."),
        (0.0001, "Recording took less than 0.1 % of the last run."),
        (None, ""),
    ):
        picture.show_cost(share)
        assert text(picture, "recording_cost") == shown
