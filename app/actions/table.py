"""The table of actions with their texts: source of the menu bar, shortcuts, context menus and the command palette."""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

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
    Action("new_raw_page", tr("New Raw Page"), FILE),
    Action("open_model", tr("Open Model…"), FILE, ("Ctrl+O", "Ctrl+L")),
    Action("recent_sessions", tr("Open Recent Session"), FILE, line_above=True),
    Action("recent_models", tr("Open Recent Model"), FILE),
    Action("attach_files", tr("Attach Files…"), FILE, ("Ctrl+Shift+A",), line_above=True),
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
    Action("questions", tr("Choose by Question…"), ASK),
    Action("experiment_cache", tr("Measure KV Cache Gain"), ASK, line_above=True),
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
    Action("compare_bits", tr("Compare Quantizations…"), ASK),
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
    Action("inside_window", tr("Inside the Model…"), VIEW),
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
    Action("lessons", tr("Lessons"), HELP),
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


def without_mnemonic(text: str) -> str:
    """Return a menu text without its “&”, which marks the access key."""
    return OPENER.sub("", text)


def on(system: str) -> tuple[Action, ...]:
    if system != "darwin":
        return USUAL
    return tuple(replace(each, shortcuts=MAC_KEYS.get(each.name, each.shortcuts)) for each in USUAL)


ACTIONS = on(sys.platform)
BY_NAME = {action.name: action for action in ACTIONS}


TIPS = {
    "new_session": tr("Start an empty session; the previous one stays in the list."),
    "new_raw_page": tr("Start an empty page in raw mode; the model continues its text without the chat template."),
    "open_model": tr("Open a model on this machine or on a server, or download one from the hub."),
    "recent_sessions": tr("Open one of the sessions that were changed last."),
    "recent_models": tr("Open one of the models that were used last."),
    "attach_files": tr("Attach text files to the prompt; in raw mode, insert their text."),
    "import_session": tr("Import sessions from files."),
    "export_session": tr("Save this session with all runs, as text or as a web page."),
    "copy_markdown": tr("Copy the conversation to the clipboard as Markdown."),
    "close_window": tr("Close the window and quit; sessions are saved."),
    "quit": tr("Quit Sluice; sessions are saved and open again at the next start."),
    "undo": tr("Undo the last edit, deletion or new answer."),
    "copy_answer": tr("Copy the model's last answer to the clipboard, unformatted."),
    "find": tr("Find text in the conversation, or in the focused part of the window."),
    "find_next": tr("Go to the next match."),
    "find_previous": tr("Go to the previous match."),
    "enter_sends": tr("Enter sends the prompt; without this, Enter makes a new line."),
    "change_shortcuts": tr("Show all keyboard shortcuts, and change them."),
    "settings": tr("Change appearance, language, folders, privacy and memory limits."),
    "stop": tr("Stop the run, the loading of a model, or the playback; the text so far stays."),
    "stop_all": tr("Stop the run or experiment, and pause the downloads; finished parts stay."),
    "continue_run": tr("Continue the last answer from its end."),
    "regenerate": tr("Answer the last prompt again; the previous answer stays as a branch."),
    "previous_branch": tr("Show the previous version of this turn."),
    "next_branch": tr("Show the next version of this turn."),
    "show_branches": tr("Show the tree of this conversation, and compare its branches."),
    "watch_again": tr("Play back the answer, its curve and its numbers, slowly; nothing is generated."),
    "replay": tr("Run the last request again, and compare it token by token."),
    "measure_closely": tr("Run the last request again, and measure the time per part and layer."),
    "measure_speed": tr("Measure the memory-bandwidth limit of the open model on this computer."),
    "view_code": tr("Show a Python script that does the same with mlx-lm."),
    "copy_python": tr("Copy the run's Python script to the clipboard."),
    "serve_model": tr("Start an OpenAI-compatible server for the open model, or run it on several machines."),
    "questions": tr("List questions, such as “Which temperature?”, with the tools that answer them."),
    "experiment_cache": tr("Measure the same run with and without the KV cache."),
    "experiment_length": tr("Measure the same prompt with a small and a large token limit."),
    "experiment_template": tr("Send the same text with the chat template and without it."),
    "experiment_draft": tr("Measure the speed without draft tokens, with a draft model, and with prompt lookup."),
    "experiment_sampling": tr("Compare the answers of two settings, with several seeds each."),
    "experiment_form": tr("Measure answers with and without structured output."),
    "experiment_reuse": tr("Measure the time that the prompt cache saves in the second turn."),
    "experiment_kv-bits": tr("Measure the memory that a quantized KV cache saves, and the changed tokens."),
    "experiment_models": tr("Run one prompt on two models, loaded one after the other."),
    "experiment_determinism": tr("Find which settings change the tokens, and how close the logits were."),
    "experiment_stops": tr("Show step by step which text is held back and which is shown."),
    "stop_steps": tr(
        "Step through an answer: the bytes of each token, text held back, and stop strings that may have begun."
    ),
    "experiment_sweep": tr("Run every combination of the chosen values, several times each."),
    "prompt_sets": tr(
        "Evaluate many prompts with several settings or models, and test the difference for significance."
    ),
    "compare_bits": tr("Compare the open model with its quantizations to 8 and 4 bits per weight, or to others."),
    "weigh_text": tr("Measure a model's perplexity on a text, and its KL divergence from another model."),
    "weigh_demo": tr("Quantize the bundled model to 4 bits, and compare it with the original."),
    "view_markdown": tr("Show answers with headings, lists and colored code."),
    "view_plain": tr("Show answers exactly as the model wrote them."),
    "view_mono": tr("Show answers as written, in a monospace font."),
    "view_tokens": tr("Show answers as tokens, with the numbers of each."),
    "toggle_sessions": tr("Show or hide the sessions on the left."),
    "search_sessions": tr("Search the titles and texts of all sessions."),
    "show_runs": tr("Show all runs as a table, compare them, rerun one."),
    "show_tables": tr("Show every graph and gauge as a table of numbers."),
    "toggle_side": tr("Show or hide the inspector on the right."),
    "toggle_controls": tr("Show or hide the controls on the right."),
    "toggle_inspector": tr("Show or hide the details of each token."),
    "toggle_inside": tr("Show or hide the logit lens, attention and hidden states of a token."),
    "inside_window": tr("Show the logit lens, attention patterns, residual stream and attribution of an answer."),
    "toggle_exact_prompt": tr("Show or hide the exact prompt that the model gets, token by token."),
    "focus_prompt": tr("Put the cursor into the prompt field."),
    "command_palette": tr("Find any action by its name, and run it."),
    "appearance_system": tr("Follow the light or dark mode of the system."),
    "appearance_light": tr("Use the light colors."),
    "appearance_dark": tr("Use the dark colors."),
    "high_contrast": tr("Use stronger colors, even if the system doesn't ask for them."),
    "larger_text": tr("Make all text larger, up to 200 %."),
    "smaller_text": tr("Make all text smaller."),
    "usual_text": tr("Reset all text to 100 %."),
    "full_screen": tr("Enter or leave full screen."),
    "minimise": tr("Minimize the window; a run continues."),
    "help": tr("Open the help page, which is on this machine."),
    "lessons": tr("Show the lessons: predict, run and measure what a model does."),
    "whats_this": tr("Explain the part of the window that is clicked next, or the focused one."),
    "check_updates": tr("Check for a newer version in the browser."),
    "report_problem": tr("Copy what a report needs, without your texts."),
    "licences": tr("Show the licenses of the software in this program."),
    "about": tr("Show the version of this program."),
}
"""Tooltips by action. The palette and the keyboard shortcuts show them, and screen readers read them."""

NEEDS = {
    "new_session": tr("The session is empty, or a run is in progress"),
    "new_raw_page": tr("A run is in progress"),
    "undo": tr("Nothing to undo"),
    "copy_answer": tr("No answer yet"),
    "stop": tr("Nothing is running"),
    "continue_run": tr("No answer was cut off"),
    "regenerate": tr("No answer yet, or no open model"),
    "previous_branch": tr("This answer has no branches"),
    "next_branch": tr("This answer has no branches"),
    "show_branches": tr("This conversation has no branches"),
    "larger_text": tr("Text is already at its largest (200 %)"),
    "smaller_text": tr("Text is already at its smallest"),
    "watch_again": tr("No finished answer, or a run is in progress"),
    "replay": tr("No finished run, or no open model"),
    "measure_closely": tr("No finished run whose model is open on this machine"),
    "view_code": tr("No open model, or a run is in progress"),
    "copy_python": tr("No open model, or a run is in progress"),
}
"""Reasons by action, for actions that can be disabled."""


Intent = Callable[[], object] | Callable[[bool], object]
"""The function of an action; a checkable action passes its state."""


def create(parent: QWidget, intents: Mapping[str, Intent]) -> dict[str, QAction]:
    """Create a QAction for each action. `intents` are methods of objects on the UI thread."""
    made: dict[str, QAction] = {}
    for action in ACTIONS:
        made[action.name] = _make(action, parent)
        made[action.name].triggered.connect(intents[action.name])
    return made


def fill(bar: QMenuBar, made: Mapping[str, QAction]) -> None:
    menus: dict[str, QMenu] = {}
    for action in ACTIONS:
        menu = menus.get(action.menu) or menus.setdefault(action.menu, bar.addMenu(action.menu))
        menu = menus.get(action.submenu, menu)
        if action.line_above:
            menu.addSeparator()
        if action.submenu and action.submenu not in menus:
            menu = menus.setdefault(action.submenu, menu.addMenu(action.submenu))
        menu.addAction(made[action.name])


def _make(action: Action, parent: QWidget) -> QAction:
    made = QAction(action.text, parent)
    made.setObjectName(f"action_{action.name}")
    made.setToolTip(TIPS.get(action.name, ""))
    made.setStatusTip(made.toolTip())
    made.setShortcuts([QKeySequence(each) for each in action.shortcuts])
    made.setMenuRole(action.role)
    made.setCheckable(action.checkable)
    parent.addAction(made)
    return made
