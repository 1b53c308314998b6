import pytest

from app.ui.commands.ranking import Command, match_text, ranked

TEXTS = ("New Session", "Search the Sessions", "Export Session…", "Sessions", "Close Window", "Copy as Python", "Runs")


def best(typed: str) -> str:
    found = [(match.score, text) for text in TEXTS if (match := match_text(typed, text)) is not None]
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
def test_match_text_few_letters_match_the_intended_text(typed: str, meant: str) -> None:
    assert best(typed) == meant


def test_match_text_marks_the_matched_letters() -> None:
    def marked(typed: str, text: str) -> str:
        found = match_text(typed, text)
        return "".join(text[at] for at in found.marks) if found is not None else ""

    assert marked("ns", "New Session") == "NS"
    assert marked("se", "Enter Sends") == "Se"
    assert marked("win", "Close Window") == "Win"
    assert marked("ind", "Close Window") == "ind"
    assert match_text("ns", "New Session") == match_text("NS", "New Session")


def test_match_text_word_of_the_menu_counts_less() -> None:
    beside, within = match_text("view", "Plain", "View"), match_text("view", "View Code…", "Run")
    assert beside is not None
    assert within is not None
    assert beside.marks == ()
    assert beside.score < within.score
    assert match_text("iew", "Plain", "View") is None


def test_match_text_letters_that_fold_into_several_keep_their_positions() -> None:
    found = match_text("straß", "Große Straße")
    assert found is not None
    assert found.marks == (6, 7, 8, 9, 10)
    assert match_text("새", "새 세션") is not None


COMMANDS = (
    Command("new", "New Session", "File"),
    Command("stop", "Stop", "Run", enabled=False, needs="Nothing is running"),
    Command("sessions", "Sessions", "View", checked=True, keys="Ctrl+B"),
    Command("search", "Search the Sessions", "View"),
    Command("undo", "Undo", "Edit", enabled=False),
)


def names(typed: str = "", recent: tuple[str, ...] = ()) -> list[str]:
    return [hit.command.name for hit in ranked(COMMANDS, typed, recent)]


def test_ranked_empty_search_puts_recent_first_and_disabled_last() -> None:
    assert names() == ["new", "sessions", "search", "stop", "undo"]
    assert names(recent=("search", "undo", "gone")) == ["search", "new", "sessions", "undo", "stop"]


def test_ranked_best_match_comes_first_then_the_most_recent() -> None:
    assert names("sess") == ["sessions", "new", "search"]
    assert names("s", recent=("search",)) == ["search", "sessions", "new", "stop"]
    assert names("nothing") == []


def test_ranked_match_of_the_english_name_comes_after_matches_of_the_text() -> None:
    commands = (Command("open_model", "모델 열기…", "파일"), Command("about", "Model One", "도움말"))
    hits = ranked(commands, "mo", ())
    assert [(hit.command.name, hit.marks) for hit in hits] == [("about", (0, 1)), ("open_model", ())]
    assert [hit.command.name for hit in ranked(commands, "om", ())] == ["open_model"]
    assert [(hit.command.name, hit.marks) for hit in ranked(commands, "모델", ())] == [("open_model", (0, 1))]


def test_ranked_line_separates_recent_and_disabled_commands() -> None:
    hits = ranked(COMMANDS, "", ("search",))
    assert [hit.command.name for hit in hits if hit.line_above] == ["new", "stop"]
    assert [hit.command.name for hit in ranked(COMMANDS, "s", ("search",)) if hit.line_above] == ["stop"]


def test_command_spoken_has_place_state_and_keys() -> None:
    assert COMMANDS[2].spoken == "Sessions, View, on, Ctrl+B"
