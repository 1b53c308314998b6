"""The report is one file that loads nothing, runs nothing, and shows text as text."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from app.sets.html_report import MOST_ROWS, as_html
from tests.sets.making import nasty, outcome

VOID = {"meta", "br"}


class Reading(HTMLParser):
    """Which tags there are, that each is closed, and all attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(html: str) -> Reading:
    reading = Reading()
    reading.feed(html)
    assert not reading.open
    return reading


@pytest.mark.parametrize("marks", [("+-" * 20, "++" * 20), ("+",), (" ", " "), ("+-", "-+", "++")])
def test_nothing_is_loaded_and_nothing_runs(marks: tuple[str, ...]) -> None:
    html = as_html(nasty(outcome(*marks)))
    reading = read(html)
    assert not {"script", "img", "link", "iframe", "a", "use", "image"} & set(reading.tags)
    assert not [name for name, _ in reading.attributes if name.startswith("on") or name in ("href", "src", "style")]
    assert "http:" not in html and "https:" not in html and "url(" not in html and "@import" not in html
    assert "default-src 'none'" in html
    html.encode()


def test_a_picture_shows_the_range_where_it_is() -> None:
    html = as_html(outcome("+" * 50 + "-" * 50))
    low, high, middle = (
        float(each) for each in re.findall(r'd="M([\d.]+) 11.0H([\d.]+)"/><circle class="middle" cx="([\d.]+)', html)[0]
    )
    assert [round((each - 6) / 228, 2) for each in (low, middle, high)] == [0.4, 0.5, 0.6]


def test_differences_have_0_in_the_middle() -> None:
    html = as_html(outcome("+" * 50 + "-" * 50, "+" * 50 + "-" * 50))
    assert 'cx="120.0"' in html and "B minus A" in html


def test_answers_stand_side_by_side_and_what_the_first_did_not_say_is_marked() -> None:
    made = outcome("+", "-")
    first, second = made.answers
    told = replace(made, answers=(replace(first, text="it is four"), replace(second, text="it is five")))
    assert "it is <mark>five</mark>" in as_html(told) and "✗" in as_html(told)


def test_of_a_thousand_rows_that_part_a_few_are_shown() -> None:
    html = as_html(outcome("+" * 1_000, "-" * 1_000))
    assert html.count("<mark>") == MOST_ROWS and "950 more rows are in the other exports." in html


def test_long_texts_are_cut() -> None:
    made = outcome("+", "-")
    assert (
        len(
            as_html(
                replace(
                    made, answers=tuple(replace(each, text="x" * 10**6 + str(each.place.arm)) for each in made.answers)
                )
            )
        )
        < 20_000
    )
