"""The keys that parts of the window use themselves. They can't be changed, and no action can have them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fixed:
    """What keys do while the keyboard is in one place of the program."""

    where: str
    text: str
    keys: tuple[str, ...]


TEXT, PROMPT, PAGE, SESSIONS = "Wherever text is typed", "Prompt", "Transcript", "Sessions"
GRAPH, EXACT, INSPECTOR = "Speed graph", "Exact prompt", "Inspector"
TABLES, RUNS, ASK, WINDOWS = "Lists and tables", "Runs", "Experiments", "Sheets and other windows"

FIXED = (
    Fixed(TEXT, "Copy, cut, paste", ("Ctrl+C", "Ctrl+X", "Ctrl+V")),
    Fixed(TEXT, "Undo and redo the typing", ("Ctrl+Z", "Ctrl+Shift+Z")),
    Fixed(TEXT, "Select everything", ("Ctrl+A",)),
    Fixed(TEXT, "Move by large steps", ("Ctrl+Left", "Ctrl+Right", "Ctrl+Home", "Ctrl+End")),
    Fixed(TEXT, "Delete by large steps", ("Ctrl+Backspace", "Ctrl+Del")),
    Fixed(PROMPT, "Send", ("Return", "Ctrl+Return")),
    Fixed(PROMPT, "New line", ("Shift+Return",)),
    Fixed(PAGE, "Go to the end", ("End",)),
    Fixed(PAGE, "From token to token, in the view Tokens", ("Left", "Right", "Up", "Down")),
    Fixed(PAGE, "First and last token of the line, in the view Tokens", ("Home", "End")),
    Fixed(SESSIONS, "Open the session", ("Return",)),
    Fixed(SESSIONS, "Rename it", ("F2",)),
    Fixed(SESSIONS, "Pin it, or unpin it", ("Ctrl+P",)),
    Fixed(SESSIONS, "Duplicate it", ("Ctrl+D",)),
    Fixed(SESSIONS, "Delete it", ("Del", "Ctrl+Backspace")),
    Fixed(SESSIONS, "Bring back what was deleted", ("Ctrl+Z",)),
    Fixed(SESSIONS, "From the search to what it found", ("Down",)),
    Fixed(SESSIONS, "Leave the search, or the title as it was", ("Esc",)),
    Fixed(GRAPH, "One token on, one back", ("Left", "Right")),
    Fixed(GRAPH, "Ten tokens on, ten back", ("PgUp", "PgDown")),
    Fixed(GRAPH, "First and last token", ("Home", "End")),
    Fixed(GRAPH, "Show the token in the text", ("Return",)),
    Fixed(GRAPH, "Leave the chosen stretch", ("Esc",)),
    Fixed(EXACT, "One token on, one back", ("Left", "Right")),
    Fixed(INSPECTOR, "Go on from here with another token", ("Return",)),
    Fixed(RUNS, "Filter the runs", ("Ctrl+F",)),
    Fixed(RUNS, "Copy the selected rows", ("Ctrl+C",)),
    Fixed(ASK, "Stop the experiment, or leave the window", ("Esc",)),
    Fixed(ASK, "Copy the selected cells of a table", ("Ctrl+C",)),
    Fixed(TABLES, "Choose what the cursor is on", ("Return",)),
    Fixed(TABLES, "Move while a filter is typed", ("Up", "Down", "PgUp", "PgDown")),
    Fixed(WINDOWS, "Leave a question, a name that is typed, or the window", ("Esc",)),
)
"""Esc stands here and in the table of actions: it stops a run first of all, and does these while there is none."""
