"""The table of actions: source of the menu bar, shortcuts, context menus and the command palette."""

import re
import sys
from dataclasses import dataclass, replace

from PySide6.QtGui import QAction

from app.i18n import tr

MenuRole = QAction.MenuRole


@dataclass(frozen=True, slots=True)
class Action:
    """An action of the program. `menu`: the menu that contains it."""

    name: str
    text: str
    menu: str
    shortcuts: tuple[str, ...] = ()
    role: MenuRole = MenuRole.NoRole
    checkable: bool = False
    line_above: bool = False
    submenu: str = ""
    """The submenu of `menu` that contains it."""


FILE, EDIT, RUN = tr("&File"), tr("&Edit"), tr("&Run")
ASK, VIEW, HELP = tr("E&xperiments"), tr("&View"), tr("&Help")
APPEARANCE, WINDOW = tr("Appearance"), tr("&Window")
OPENER = re.compile(r"\(&\w\)|&")
"""Pattern of the mnemonic in a menu's name."""

# On a Mac Qt reads Ctrl as ⌘.
USUAL = (
    Action("new_session", tr("New Session"), FILE, ("Ctrl+N",)),
    Action("open_model", tr("Open Model…"), FILE, ("Ctrl+O", "Ctrl+L")),
    Action("recent_sessions", tr("Open Recent Session"), FILE, line_above=True),
    Action("recent_models", tr("Open Recent Model"), FILE),
    Action("import_session", tr("Import Session…"), FILE, ("Ctrl+Shift+O",), line_above=True),
    Action("export_session", tr("Export Session…"), FILE, ("Ctrl+S",)),
    Action("copy_markdown", tr("Copy Session as Markdown"), FILE),
    Action("close_window", tr("Close Window"), FILE, ("Ctrl+W",), line_above=True),
    Action("quit", tr("Quit Sluice"), FILE, ("Ctrl+Q",), role=MenuRole.QuitRole),
    Action("undo", tr("Undo Conversation Change"), EDIT, ("Ctrl+Alt+Z",)),
    Action("copy_answer", tr("Copy Last Answer"), EDIT, ("Ctrl+Shift+C",)),
    Action("find", tr("Find…"), EDIT, ("Ctrl+F",), line_above=True),
    Action("find_next", tr("Find Next"), EDIT, ("Ctrl+G", "F3")),
    Action("find_previous", tr("Find Previous"), EDIT, ("Ctrl+Shift+G", "Shift+F3")),
    Action("enter_sends", tr("Enter Sends"), EDIT, checkable=True, line_above=True),
    Action("change_shortcuts", tr("Keyboard Shortcuts…"), EDIT),
    Action("settings", tr("Settings…"), EDIT, ("Ctrl+,",), role=MenuRole.PreferencesRole, line_above=True),
    Action("stop", tr("Stop"), RUN, ("Esc", "Ctrl+.")),
    Action("stop_all", tr("Stop Everything"), RUN, ("Ctrl+Alt+.",)),
    Action("continue_run", tr("Continue"), RUN, ("Ctrl+Shift+Return",)),
    Action("regenerate", tr("Regenerate"), RUN, ("Ctrl+R",)),
    Action("previous_branch", tr("Previous Branch"), RUN, ("Alt+Left",), line_above=True),
    Action("next_branch", tr("Next Branch"), RUN, ("Alt+Right",)),
    Action("show_branches", tr("Branches…"), RUN, ("Ctrl+Alt+B",)),
    Action("watch_again", tr("Play Back"), RUN, ("Ctrl+Shift+W",), line_above=True),
    Action("replay", tr("Rerun and Compare…"), RUN),
    Action("measure_closely", tr("Profile Last Run…"), RUN),
    Action("measure_speed", tr("Speed Limits…"), RUN),
    Action("view_code", tr("View Code…"), RUN, ("Ctrl+Alt+C",)),
    Action("copy_python", tr("Copy as Python"), RUN),
    Action("serve_model", tr("Serve This Model…"), RUN, line_above=True),
    Action("experiment_cache", tr("Measure KV Cache Gain"), ASK),
    Action("experiment_length", tr("Measure Speed by Length"), ASK),
    Action("experiment_template", tr("Compare Chat Template and Raw"), ASK),
    Action("experiment_draft", tr("Measure Draft Model Gain"), ASK),
    Action("experiment_sampling", tr("Compare Sampling Settings"), ASK),
    Action("experiment_form", tr("Measure Structured Output Cost"), ASK),
    Action("experiment_reuse", tr("Measure Cache Reuse in Turn 2"), ASK),
    Action("experiment_kv-bits", tr("Measure KV Cache Quantization"), ASK),
    Action("experiment_models", tr("Compare Two Models"), ASK),
    Action("experiment_stops", tr("Stop Strings and Characters"), ASK),
    Action("experiment_determinism", tr("Find Settings That Change Tokens"), ASK),
    Action("stop_steps", tr("Step Through Stop Strings…"), ASK),
    Action("experiment_sweep", tr("Sweep Settings…"), ASK, line_above=True),
    Action("prompt_sets", tr("Evaluate Prompt Sets…"), ASK),
    Action("weigh_text", tr("Measure Perplexity and KL…"), ASK),
    Action("weigh_demo", tr("Compare Demo Model with 4-Bit Copy…"), ASK),
    Action("view_markdown", tr("Formatted"), VIEW, ("Ctrl+1",), checkable=True),
    Action("view_plain", tr("Plain"), VIEW, ("Ctrl+2",), checkable=True),
    Action("view_mono", tr("Monospace"), VIEW, ("Ctrl+3",), checkable=True),
    Action("view_tokens", tr("Tokens"), VIEW, ("Ctrl+4",), checkable=True),
    Action("toggle_sessions", tr("Sessions"), VIEW, ("Ctrl+B",), checkable=True, line_above=True),
    Action("search_sessions", tr("Search the Sessions"), VIEW, ("Ctrl+Shift+F",)),
    Action("show_runs", tr("Runs"), VIEW, ("Ctrl+Shift+R",)),
    Action("show_tables", tr("Show Numbers as Tables…"), VIEW),
    Action("toggle_side", tr("Inspector"), VIEW, ("Ctrl+Alt+I",), checkable=True),
    Action("toggle_controls", tr("Controls"), VIEW, ("Ctrl+Shift+B",), checkable=True),
    Action("toggle_inspector", tr("Token"), VIEW, ("Ctrl+Shift+I",), checkable=True),
    Action("toggle_inside", tr("Inside the Token"), VIEW, checkable=True),
    Action("toggle_exact_prompt", tr("Exact Prompt"), VIEW, ("Ctrl+Shift+E",), checkable=True),
    Action("focus_prompt", tr("Go to the Prompt"), VIEW, ("Ctrl+J",)),
    Action("command_palette", tr("Command Palette…"), VIEW, ("Ctrl+K",)),
    Action("appearance_system", tr("Follow the System"), VIEW, checkable=True, line_above=True, submenu=APPEARANCE),
    Action("appearance_light", tr("Light"), VIEW, checkable=True, submenu=APPEARANCE),
    Action("appearance_dark", tr("Dark"), VIEW, checkable=True, submenu=APPEARANCE),
    Action("high_contrast", tr("High Contrast"), VIEW, checkable=True, line_above=True, submenu=APPEARANCE),
    Action("larger_text", tr("Larger Text"), VIEW, ("Ctrl++", "Ctrl+=")),
    Action("smaller_text", tr("Smaller Text"), VIEW, ("Ctrl+-",)),
    Action("usual_text", tr("Reset Text Size"), VIEW, ("Ctrl+0",)),
    Action("full_screen", tr("Full Screen"), VIEW, ("F11",), checkable=True, line_above=True),
    Action("minimise", tr("Minimize"), WINDOW, ("Ctrl+M",)),
    Action("help", tr("Sluice Help"), HELP, ("F1",)),
    Action("tour", tr("Tour"), HELP),
    Action("gallery", tr("Gallery…"), HELP),
    Action("whats_this", tr("What's This?"), HELP, ("Shift+F1",)),
    Action("check_updates", tr("Check for Updates…"), HELP, line_above=True),
    Action("report_problem", tr("Report a Problem…"), HELP),
    Action("licences", tr("Licenses"), HELP),
    Action("about", tr("About Sluice"), HELP, role=MenuRole.AboutRole),
)

MAC_KEYS = {
    "previous_branch": ("Ctrl+[",),  # ⌥ and an arrow key moves by words
    "next_branch": ("Ctrl+]",),
    "full_screen": ("Meta+Ctrl+F",),  # F11 shows the desktop
    "help": ("Ctrl+?",),
}
"""Shortcuts that differ on macOS."""


def plain(text: str) -> str:
    """Remove the mnemonic from a menu's name."""
    return OPENER.sub("", text)


def on(system: str) -> tuple[Action, ...]:
    """Return the table of a system."""
    if system != "darwin":
        return USUAL
    return tuple(replace(each, shortcuts=MAC_KEYS.get(each.name, each.shortcuts)) for each in USUAL)


ACTIONS = on(sys.platform)
BY_NAME = {action.name: action for action in ACTIONS}
