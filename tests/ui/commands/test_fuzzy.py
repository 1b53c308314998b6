"""Some letters find what was meant, and what fits better is found before what fits worse."""

import pytest

from app.ui.commands.ranking import find

TEXTS = ("New Session", "Search the Sessions", "Export Session…", "Sessions", "Close Window", "Copy as Python", "Runs")


def best(typed: str) -> str:
    found = [(match.score, text) for text in TEXTS if (match := find(typed, text)) is not None]
    return max(found)[1] if found else ""


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ns", "New Session"),
        ("new", "New Session"),
        ("NEW ses", "New Session"),
        ("session new", "New Session"),
        ("newses", "New Session"),
        ("sessions", "Sessions"),
        ("exp", "Export Session…"),
        ("cap", "Copy as Python"),
        ("cpy", "Copy as Python"),
        ("thon", "Copy as Python"),
        ("run", "Runs"),
        ("zzz", ""),
        ("ew", ""),
        ("new run", ""),
    ],
)
def test_a_few_letters_find_what_was_meant(typed: str, meant: str) -> None:
    assert best(typed) == meant


def test_nothing_typed_finds_everything_alike() -> None:
    assert {found.score for text in TEXTS if (found := find("  ", text)) is not None} == {0}


def test_the_letters_that_were_meant_are_marked() -> None:
    def marked(typed: str, text: str) -> str:
        found = find(typed, text)
        return "".join(text[at] for at in found.marks) if found is not None else ""

    assert marked("ns", "New Session") == "NS"
    assert marked("se", "Enter Sends") == "Se"
    assert marked("win", "Close Window") == "Win"
    assert marked("ind", "Close Window") == "ind"
    assert find("ns", "New Session") == find("NS", "New Session")


def test_a_word_may_be_that_of_the_menu_but_counts_less() -> None:
    beside, within = find("view", "Plain", "View"), find("view", "View Code…", "Run")
    assert beside is not None
    assert within is not None
    assert beside.marks == ()
    assert beside.score < within.score
    assert find("iew", "Plain", "View") is None


def test_letters_that_fold_into_several_keep_their_places() -> None:
    found = find("straß", "Große Straße")
    assert found is not None
    assert found.marks == (6, 7, 8, 9, 10)
    assert find("새", "새 세션") is not None
