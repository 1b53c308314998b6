"""Some letters find what was meant, and what fits better is found before what fits worse."""

import pytest

from app.ui.commands.ranking import Command, find, ranked

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


COMMANDS = (
    Command("new", "New Session", "File"),
    Command("stop", "Stop", "Run", enabled=False, needs="Nothing is running"),
    Command("sessions", "Sessions", "View", checked=True, keys="Ctrl+B"),
    Command("search", "Search the Sessions", "View"),
    Command("undo", "Undo", "Edit", enabled=False),
)


def names(typed: str = "", recent: tuple[str, ...] = ()) -> list[str]:
    return [hit.command.name for hit in ranked(COMMANDS, typed, recent)]


def test_with_nothing_typed_what_was_used_last_comes_first_and_what_can_t_be_used_last() -> None:
    assert names() == ["new", "sessions", "search", "stop", "undo"]
    assert names(recent=("search", "undo", "gone")) == ["search", "new", "sessions", "undo", "stop"]


def test_what_fits_best_comes_first_and_of_those_alike_what_was_used_last() -> None:
    assert names("sess") == ["sessions", "new", "search"]
    assert names("s", recent=("search",)) == ["search", "sessions", "new", "stop"]
    assert names("nothing") == []


def test_a_command_is_found_by_its_name_after_those_that_are_found_by_their_words() -> None:
    commands = (Command("open_model", "모델 열기…", "파일"), Command("about", "Model One", "도움말"))
    hits = ranked(commands, "mo", ())
    assert [(hit.command.name, hit.marks) for hit in hits] == [("about", (0, 1)), ("open_model", ())]
    assert [hit.command.name for hit in ranked(commands, "om", ())] == ["open_model"]
    assert [(hit.command.name, hit.marks) for hit in ranked(commands, "모델", ())] == [("open_model", (0, 1))]


def test_a_line_stands_above_what_is_not_recent_and_above_what_can_t_be_used() -> None:
    hits = ranked(COMMANDS, "", ("search",))
    assert [hit.command.name for hit in hits if hit.line_above] == ["new", "stop"]
    assert [hit.command.name for hit in ranked(COMMANDS, "s", ("search",)) if hit.line_above] == ["stop"]


def test_a_command_is_told_with_its_place_its_state_and_its_keys() -> None:
    assert COMMANDS[2].told == "Sessions, View, on, Ctrl+B"
    assert COMMANDS[1].told == "Stop, Run, not available, Nothing is running"
