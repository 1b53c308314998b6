"""The one table of actions; the menu bar, the shortcuts and later the command palette are readings of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

MenuRole = QAction.MenuRole

Intent = Callable[[], object] | Callable[[bool], object]
"""What an action does; one that switches something is told whether that is on now."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the program can do. `menu` is where it stands."""

    name: str
    text: str
    menu: str
    shortcuts: tuple[str, ...] = ()
    role: MenuRole = MenuRole.NoRole
    checkable: bool = False
    line_above: bool = False


FILE, EDIT, RUN, ASK, VIEW, HELP = "&File", "&Edit", "&Run", "E&xperiments", "&View", "&Help"

# On a Mac Qt reads Ctrl as ⌘.
ACTIONS = (
    Action("new_session", "New Session", FILE, ("Ctrl+N",)),
    Action("open_model", "Open Model…", FILE, ("Ctrl+O", "Ctrl+L")),
    Action("import_session", "Import Session…", FILE, ("Ctrl+Shift+O",), line_above=True),
    Action("export_session", "Export Session…", FILE, ("Ctrl+S",)),
    Action("close_window", "Close Window", FILE, ("Ctrl+W",), line_above=True),
    Action("quit", "Quit Sluice", FILE, ("Ctrl+Q",), role=MenuRole.QuitRole),
    Action("undo", "Undo Change of the Conversation", EDIT, ("Ctrl+Alt+Z",)),
    Action("copy_answer", "Copy Last Answer", EDIT, ("Ctrl+Shift+C",)),
    Action("enter_sends", "Enter Sends", EDIT, checkable=True, line_above=True),
    Action("stop", "Stop", RUN, ("Esc", "Ctrl+.")),
    Action("continue_run", "Continue", RUN, ("Ctrl+Shift+Return",)),
    Action("regenerate", "Regenerate", RUN, ("Ctrl+R",)),
    Action("previous_branch", "Previous Branch", RUN, ("Alt+Left",), line_above=True),
    Action("next_branch", "Next Branch", RUN, ("Alt+Right",)),
    Action("show_branches", "Branches…", RUN, ("Ctrl+Alt+B",)),
    Action("replay", "Replay Last Run…", RUN, line_above=True),
    Action("view_code", "View Code…", RUN, ("Ctrl+Alt+C",)),
    Action("copy_python", "Copy as Python", RUN),
    Action("copy_command", "Copy as Command", RUN),
    Action("experiment_cache", "What Does the KV Cache Buy?", ASK),
    Action("experiment_length", "Does Length Cost Speed?", ASK),
    Action("experiment_template", "What Does the Chat Template Do?", ASK),
    Action("experiment_draft", "Is the Draft Model Worth It?", ASK),
    Action("experiment_sampling", "Which Sampling?", ASK),
    Action("experiment_reuse", "What Is the Cache Worth in a Second Turn?", ASK),
    Action("experiment_kv-bits", "What Does KV Quantisation Save and Cost?", ASK),
    Action("experiment_models", "Which of Two Models?", ASK),
    Action("experiment_stops", "Stop Strings and Characters", ASK),
    Action("stop_steps", "Stop Strings, Step by Step…", ASK),
    Action("experiment_sweep", "Sweep…", ASK, line_above=True),
    Action("view_markdown", "Formatted", VIEW, ("Ctrl+1",), checkable=True),
    Action("view_plain", "Plain", VIEW, ("Ctrl+2",), checkable=True),
    Action("view_mono", "Monospace", VIEW, ("Ctrl+3",), checkable=True),
    Action("view_tokens", "Tokens", VIEW, ("Ctrl+4",), checkable=True),
    Action("toggle_sessions", "Sessions", VIEW, ("Ctrl+B",), checkable=True, line_above=True),
    Action("search_sessions", "Search the Sessions", VIEW, ("Ctrl+Shift+F",)),
    Action("show_runs", "Runs", VIEW, ("Ctrl+Shift+R",)),
    Action("show_tables", "Numbers as Tables…", VIEW),
    Action("toggle_controls", "Controls", VIEW, ("Ctrl+Shift+B",), checkable=True),
    Action("toggle_inspector", "Inspector", VIEW, ("Ctrl+Shift+I",), checkable=True),
    Action("toggle_exact_prompt", "Exact Prompt", VIEW, ("Ctrl+Shift+E",), checkable=True),
    Action("focus_prompt", "Go to the Prompt", VIEW, ("Ctrl+J",)),
    Action("full_screen", "Full Screen", VIEW, ("F11", "Ctrl+Meta+F"), checkable=True, line_above=True),
    Action("minimise", "Minimise", VIEW, ("Ctrl+M",)),
    Action("check_updates", "Check for Updates…", HELP),
    Action("report_problem", "Report a Problem…", HELP),
    Action("licences", "Licences", HELP),
    Action("about", "About Sluice", HELP, role=MenuRole.AboutRole),
)


def create(parent: QWidget, intents: Mapping[str, Intent]) -> dict[str, QAction]:
    """A QAction for each line of the table. `intents` are bound methods of objects on the window's thread."""
    made: dict[str, QAction] = {}
    for action in ACTIONS:
        made[action.name] = _make(action, parent)
        made[action.name].triggered.connect(intents[action.name])
    return made


def fill(bar: QMenuBar, made: Mapping[str, QAction]) -> None:
    """The menu bar, as the table has it."""
    menus: dict[str, QMenu] = {}
    for action in ACTIONS:
        menu = menus.get(action.menu) or menus.setdefault(action.menu, bar.addMenu(action.menu))
        if action.line_above:
            menu.addSeparator()
        menu.addAction(made[action.name])


def _make(action: Action, parent: QWidget) -> QAction:
    made = QAction(action.text, parent)
    made.setObjectName(f"action_{action.name}")
    made.setShortcuts([QKeySequence(each) for each in action.shortcuts])
    made.setMenuRole(action.role)
    made.setCheckable(action.checkable)
    parent.addAction(made)
    return made
