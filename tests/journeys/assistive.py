"""A screen reader's way through the program: what has a name is found by it, read and pressed; nothing else is known.

The system's own Python runs it, on a session bus and a screen of its own: `assistive.py COMMAND…` starts the program.
It prints what it does and hears; whatever can't be done ends it with exit code 1.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator

import gi

gi.require_version("Atspi", "2.0")

from gi.repository import Atspi, GLib  # noqa: E402

PATIENCE_S = 90.0
"""For each step. A first import of mlx-lm on a machine that is busy with something else takes most of it."""
LOOK_MS = 50
ANSWER_MS = 60_000
"""A program that is late has heard nevertheless, and mustn't be asked twice."""
TRIES = 3
MODELS = "Models on this computer"
OPEN_ENDED = "Once upon a time"
EVERY_TOKEN = 1_000_000
ATTACHED = "note.txt"
IN_MENUS = (
    *("Undo", "Redo", "Cut", "Copy", "Paste", "Select All", "Find…", "Find Next", "Find Previous"),
    *("Open Recent Session", "Open Recent Model", "Copy Session as Markdown", "Window", "Minimize", "Stop Everything"),
    "Saved system prompts",
)
"""To be found in a closed menu, or in a folded part of the controls."""
DOWN_KEY, ENTER_KEY = 0xFF54, 0xFF0D
LINES = 20
"""More than any small menu has."""


class LostError(Exception):
    """Something isn't there, or says something else than it should."""


class Reader:
    """One program as a screen reader knows it."""

    def __init__(self, program: subprocess.Popen[bytes]) -> None:
        self._program = program
        self._listener = Atspi.EventListener.new(self._hear)
        self.heard: list[str] = []
        self._listener.register("object:announcement")
        self._focus = Atspi.EventListener.new(self._follow)
        self.focused: list[str] = []
        """What the keyboard came to: the lines of a small menu are known by that alone."""
        self._focus.register("object:state-changed:focused")
        desktop = Atspi.get_desktop(0)
        # What is asked for is asked of the program, not of what was known of it a moment ago.
        desktop.set_cache_mask(Atspi.Cache.NONE)
        self._root = desktop
        self._root = self.until("the program", lambda: _child(desktop, "Sluice"))

    def until(self, what: str, look: Callable[[], object]) -> object:
        """What `look` finds as soon as it finds something."""
        deadline = time.monotonic() + PATIENCE_S
        tick = GLib.timeout_add(LOOK_MS, lambda: True)
        try:
            while not (found := _seen(look)):
                if self._program.poll() is not None:
                    raise LostError(f"waiting for {what}: the program has ended")
                if time.monotonic() > deadline:
                    raise LostError(f"waited for {what} in vain; to be seen: {_seen(self.names)}")
                GLib.MainContext.default().iteration(True)
            return found
        finally:
            GLib.source_remove(tick)

    def find(self, name: str, role: str = "", hidden: bool = False) -> Atspi.Accessible | None:
        """The thing of this name, where there is one now; a read-out's name goes on with its value."""
        return next((each for each in _all(self._root) if _is(each, name, role, hidden)), None)

    def press(self, name: str, role: str = "", hidden: bool = False) -> None:
        """What a screen reader does on Enter: the first of the actions that are offered."""
        self.until(f"{name} to be pressed", lambda: self.try_press(name, role, hidden))
        say(f"press {name}")

    def click(self, name: str) -> None:
        """Press a button that stays, and wait for it to be up again: before that it has done nothing yet."""
        self.press(name, "push button")

        def is_up() -> bool:
            thing = self.find(name, "push button")
            return thing is not None and not _has(thing, Atspi.StateType.PRESSED)

        self.until(f"{name} to be up again", is_up)

    def type(self, name: str, text: str) -> None:
        self.until(
            f"{name} to be written in",
            lambda: (field := self.find(name, "text")) and Atspi.EditableText.set_text_contents(field, text),
        )
        say(f"type into {name}: {text}")

    def set(self, name: str, value: float) -> None:
        self.until(f"{name} to be {value:g}", lambda: self._set(name, value))
        say(f"set {name} to {value:g}")

    def read(self, name: str, starts: str = "") -> str:
        """The value in a read-out's name, once it begins like this."""
        words = str(self.until(f"{name} to begin with “{starts}”", lambda: self._value(name, starts)))
        say(f"read {name}: {words}")
        return words

    def description(self, name: str, role: str, starts: str) -> str:
        """What is said of something beside its name, once it begins like this."""

        def look() -> str:
            thing = self.find(name, role)
            words = str(thing.get_description()) if thing else ""
            return words if words.startswith(starts) else ""

        words = str(self.until(f"{name} to be described as “{starts}”", look))
        say(f"read {name}: {words}")
        return words

    def choose(self, table: str, row: str = "") -> None:
        """The row of this name, or the first one."""
        self.until(f"{row or 'a row'} to be chosen", lambda: _choose(self.find(table, "table"), row))
        say(f"choose {row or 'the first row'} of {table}")

    def text(self, name: str, role: str) -> str:
        """All that is written in something that is not empty."""

        def look() -> str:
            thing = self.find(name, role, hidden=True)
            return str(Atspi.Text.get_text(thing, 0, Atspi.Text.get_character_count(thing))) if thing else ""

        return str(self.until(f"{name} to have a text", look))

    def hears(self, words: str) -> None:
        """Waits for an announcement with these words."""
        self.until(f"“{words}” to be announced", lambda: any(words in said for said in self.heard))

    def names(self) -> list[str]:
        return [each.get_name() for each in _all(self._root) if each.get_name() and _shows(each)]

    def has_all(self, wanted: Iterable[str]) -> bool:
        """Of these names, in sight or not; in one walk, since each takes a good while."""
        return {*wanted} <= {each.get_name() for each in _all(self._root)}

    def try_press(self, name: str, role: str, hidden: bool) -> bool:
        thing = self.find(name, role, hidden)
        return thing is not None and _has(thing, Atspi.StateType.ENABLED) and _press(thing)

    def take_line(self, menu: str, name: str) -> None:
        """Of the small menu behind a button: down to it, and Enter."""
        self.press(menu, "push button")
        for _ in range(LINES):
            before = len(self.focused)
            _key(DOWN_KEY)
            self.until("the next line", lambda before=before: len(self.focused) > before)  # type: ignore[misc]
            if self.focused[-1] == name:
                _key(ENTER_KEY)
                say(f"take {name}")
                return
        raise LostError(f"{name} is not in the menu: {self.focused[-LINES:]}")

    def _set(self, name: str, value: float) -> bool:
        field = self.find(name, "spin button")
        if field is not None:
            Atspi.Value.set_current_value(field, value)
        return field is not None and bool(Atspi.Value.get_current_value(field) == value)

    def _value(self, name: str, starts: str) -> str:
        thing = self.find(f"{name}:", hidden=True)
        words = str(thing.get_name()).removeprefix(f"{name}:").strip() if thing else ""
        return words if words.startswith(starts) else ""

    def _hear(self, event: Atspi.Event) -> None:
        words = str(event.any_data)
        self.heard.append(words)
        say(f"hear: {words}")

    def _follow(self, event: Atspi.Event) -> None:
        if event.detail1 and (name := _seen(event.source.get_name)):
            self.focused.append(str(name))


def first_start(reader: Reader) -> None:
    """The bundled model opens by itself."""
    reader.description("Model", "push button", "demo ")


def take_out(reader: Reader) -> None:
    """The file that was attached when the program was left."""
    reader.until("the file", lambda: reader.find(ATTACHED, "label"))
    reader.press(f"Remove {ATTACHED} from the prompt", "push button")
    reader.until("no file", lambda: reader.find(ATTACHED, "label") is None)


def keep_system_prompt(reader: Reader) -> None:
    """Under a name, by the small menu beside it; the next questions go without one."""
    reader.type("System prompt", "Answer in one word.")
    reader.take_line("Saved system prompts", "Save under a Name…")
    reader.type("Name of this system prompt", "Short")
    reader.press("Use this name", "push button")
    reader.until("the line to be gone", lambda: reader.find("Use this name") is None)
    reader.type("System prompt", "")


def read_chat_template(reader: Reader) -> None:
    """The model's own, by the small menu above the exact prompt."""
    reader.press("Exact Prompt", "menu item", hidden=True)
    reader.take_line("Copy", "Chat Template…")
    reader.until("the template", lambda: "{%" in reader.text("Chat template", "text"))
    reader.press("Controls", "menu item", hidden=True)


def ask(reader: Reader) -> None:
    """Type, send, read the answer, and how it ended."""
    reader.type("Prompt", "Count 1 to 5")
    reader.press("Send", "push button")
    reader.read("Finish reason", "stop")
    answer = reader.text("Transcript", "label")
    say(f"read Transcript: {answer!r}")
    if "1, 2, 3, 4, 5" not in answer:
        raise LostError("the answer is not in the transcript")
    reader.hears("1, 2, 3, 4, 5")
    reader.hears("stop, EOS token")


def stop(reader: Reader) -> None:
    """Send what has no end, stop it, read why it ended. One that was over before the hand was there is sent again."""
    reader.press("Raw")
    reader.set("Max tokens", EVERY_TOKEN)
    for _ in range(TRIES):
        reader.type("Prompt", OPEN_ENDED)
        reader.press("Send", "push button")
        reader.until("the page to go on", lambda: reader.text("Prompt", "text") != OPEN_ENDED)
        if _seen(lambda: reader.try_press("Stop", "push button", False)):
            say("press Stop")
        reader.until("the run to be over", lambda: reader.find("Send", "push button"))
        if reader.read("Finish reason").startswith("stopped by you"):
            reader.hears("stopped by you")
            return
    raise LostError("each run was over before it could be stopped")


def find(reader: Reader) -> None:
    """Words of the conversation, by the bar above it."""
    reader.until(", ".join(IN_MENUS), lambda: reader.has_all(IN_MENUS))
    reader.press("Find…", "menu item", hidden=True)
    reader.type("Find in the conversation", "3, 4")
    reader.until("what was found", lambda: reader.find("Matches: 1 of 1"))
    for button in ("Next match", "Previous match"):
        reader.click(button)
    reader.press("Close the search", "push button")
    reader.until("the bar to be gone", lambda: reader.find("Close the search") is None)


def look_at_runs(reader: Reader) -> None:
    """The table has a row for each, and a button for its menu."""
    reader.press("Runs", "menu item", hidden=True)
    reader.choose("Runs")
    reader.until("its menu", lambda: reader.find("More", "push button"))


def look_at_settings(reader: Reader) -> None:
    """When something that took long is told; a box of choices is called by its label."""
    reader.press("Settings…", "menu item", hidden=True)
    reader.until(
        "the choice", lambda: reader.find("Notifications", "label") and reader.find("Long tasks only", "combo box")
    )


def load_other(reader: Reader) -> None:
    """The other bundled model, out of the picker."""
    reader.press("Model", "push button")
    reader.choose(MODELS, "demo-draft")
    reader.press("Open", "push button")
    reader.description("Model", "push button", "demo-draft ")


STEPS = (
    *(first_start, take_out, keep_system_prompt, ask, find, read_chat_template),
    *(stop, load_other, look_at_runs, look_at_settings),
)


def leave(reader: Reader, program: subprocess.Popen[bytes]) -> None:
    """By the menu, like everybody."""
    quits = reader.until("Quit Sluice", lambda: reader.find("Quit Sluice", "menu item", hidden=True))
    # The program may be gone before it can say that it was pressed.
    _seen(lambda: Atspi.Action.do_action(quits, 0))
    say("press Quit Sluice")
    if program.wait(PATIENCE_S) != 0:
        raise LostError(f"the program left with exit code {program.returncode}")


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def _seen(look: Callable[[], object]) -> object:
    """Things go while they are being looked at."""
    try:
        return look()
    except GLib.Error:
        return None


def _child(parent: Atspi.Accessible, name: str) -> Atspi.Accessible | None:
    return next((each for each in _children(parent) if each.get_name() == name), None)


def _children(parent: Atspi.Accessible) -> Iterator[Atspi.Accessible]:
    for number in range(parent.get_child_count()):
        if (child := parent.get_child_at_index(number)) is not None:
            yield child


def _all(root: Atspi.Accessible) -> Iterator[Atspi.Accessible]:
    yield root
    for child in _children(root):
        # A table's cells are asked for by their place.
        if child.get_role() is Atspi.Role.TABLE:
            yield child
        else:
            yield from _all(child)


def _is(thing: Atspi.Accessible, name: str, role: str, hidden: bool) -> bool:
    given = thing.get_name()
    same = given.startswith(name) if name.endswith(":") else given == name
    return same and (not role or thing.get_role_name() == role) and (hidden or _shows(thing))


def _shows(thing: Atspi.Accessible) -> bool:
    return _has(thing, Atspi.StateType.SHOWING)


def _press(thing: Atspi.Accessible) -> bool:
    """A button with a menu would show that first, and not answer before it is closed."""
    names = [Atspi.Action.get_action_name(thing, number) for number in range(Atspi.Action.get_n_actions(thing))]
    return bool(Atspi.Action.do_action(thing, names.index("Press") if "Press" in names else 0))


def _key(key: int) -> None:
    Atspi.generate_keyboard_event(key, None, Atspi.KeySynthType.SYM)


def _has(thing: Atspi.Accessible, state: Atspi.StateType) -> bool:
    return bool(thing.get_state_set().contains(state))


def _choose(table: Atspi.Accessible | None, name: str) -> bool:
    """Whether the row of this name is chosen by now."""
    for row in range(Atspi.Table.get_n_rows(table) if table is not None else 0):
        if name in ("", Atspi.Table.get_accessible_at(table, row, 0).get_name()):
            return bool(Atspi.Table.is_row_selected(table, row) or Atspi.Table.add_row_selection(table, row))
    return False


def main(command: list[str]) -> int:
    Atspi.set_timeout(ANSWER_MS, ANSWER_MS)
    program = subprocess.Popen(command)
    try:
        reader = Reader(program)
        for step in STEPS:
            step(reader)
        leave(reader, program)
    except LostError as error:
        say(f"lost: {error}")
        return 1
    finally:
        program.kill()
        program.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
