"""The one table of actions; the menu bar, shortcuts, context menus and the command palette are read from it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QAction

MenuRole = QAction.MenuRole


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
    submenu: str = ""
    """The menu within the menu, where it stands in one."""


FILE, EDIT, RUN, ASK, VIEW, HELP = "&File", "&Edit", "&Run", "E&xperiments", "&View", "&Help"
APPEARANCE = "Appearance"

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
    Action("change_shortcuts", "Keyboard Shortcuts…", EDIT),
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
    Action("command_palette", "Command Palette…", VIEW, ("Ctrl+K",)),
    Action("appearance_system", "Follow the System", VIEW, checkable=True, line_above=True, submenu=APPEARANCE),
    Action("appearance_light", "Light", VIEW, checkable=True, submenu=APPEARANCE),
    Action("appearance_dark", "Dark", VIEW, checkable=True, submenu=APPEARANCE),
    Action("high_contrast", "High Contrast", VIEW, checkable=True, line_above=True, submenu=APPEARANCE),
    Action("larger_text", "Larger Text", VIEW, ("Ctrl++", "Ctrl+=")),
    Action("smaller_text", "Smaller Text", VIEW, ("Ctrl+-",)),
    Action("usual_text", "Usual Text Size", VIEW, ("Ctrl+0",)),
    Action("full_screen", "Full Screen", VIEW, ("F11", "Meta+Ctrl+F"), checkable=True, line_above=True),
    Action("minimise", "Minimise", VIEW, ("Ctrl+M",)),
    Action("check_updates", "Check for Updates…", HELP),
    Action("report_problem", "Report a Problem…", HELP),
    Action("licences", "Licences", HELP),
    Action("about", "About Sluice", HELP, role=MenuRole.AboutRole),
)

BY_NAME = {action.name: action for action in ACTIONS}
