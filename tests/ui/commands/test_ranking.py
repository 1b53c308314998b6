"""In which order commands are offered."""

from app.ui.commands.ranking import ranked
from app.ui.commands.values import Command

COMMANDS = (
    Command("new", "New Session", "File"),
    Command("stop", "Stop", "Run", enabled=False, needs="Needs something that is going on"),
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
    assert COMMANDS[1].told == "Stop, Run, not available, Needs something that is going on"
