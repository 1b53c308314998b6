import re
from pathlib import Path

APP = Path(__file__).parents[2] / "app"
BEYOND_A_VIEW = re.compile(
    r"^ *(?:from|import) (?:app\.bridge|app\.engine\.(?:protocol|echo|mlx|remote)|app\.ui\.\w+\.controller)\b"
    r"|^ *from app\.ui\.\w+ import .*\bcontroller"
    r"|^ *from app import .*\bbridge\b"
    r"|^ *from app\.engine import .*\b(?:protocol|echo|mlx|remote)\b",
    re.MULTILINE,
)
"""The bridge, an engine, a controller: a view takes values and emits intents."""
CONTRACTS = ("look", "widgets", "document", "tokens", "graph", "shell")
"""Folders of contracts in pyproject.toml, and the shell."""
WHOLE_PANES = (
    "comparison",
    "study_window.py",
    "evaluation",
    "experiments",
    "perplexity",
    "picker",
    "profiler",
    "runs",
    "settings",
    "stop_trace",
)
"""Features in which each page or window is one class, view and controller in one."""
NO_VIEWS = CONTRACTS + WHOLE_PANES
PANES = {
    "ui/conversation/branches_dialog.py",
    "ui/conversation/call_card.py",
    "ui/conversation/finish_line.py",
    "ui/conversation/progress.py",
    "ui/conversation/welcome.py",
    "ui/interpretability/inspections.py",
    "ui/interpretability/window.py",
    "ui/sessions/column.py",
}
"""Panes that are their own controllers: each follows the playground."""
OF_NO_STRANGER = {
    "roofline/measuring.py",
    "engine/mlx/loading/blas.py",
    "engine/system_load.py",
    "engine/mlx/memory.py",
    "platform/licenses.py",
    "ui/guide/help_view.py",
    "records/run_environment.py",
}
"""They read whole files of the system, of the program, and of its packages."""


def modules_with(pattern: str | re.Pattern[str]) -> set[str]:
    """Return the modules whose source has a match."""
    files = {file.relative_to(APP).as_posix(): file.read_text("utf-8") for file in APP.rglob("*.py")}
    return {name for name, text in files.items() if re.search(pattern, text)}


def test_views_import_no_bridge_no_engine_and_no_controller() -> None:
    found = {name for name in modules_with(BEYOND_A_VIEW) if name.startswith("ui/")}
    assert any("/controller" in name for name in found)
    assert {name for name in found if "/controller" not in name and name.split("/")[1] not in NO_VIEWS} == PANES


def test_labels_are_made_by_plain_label() -> None:
    """A bare QLabel takes markup for markup."""
    found = {name for name in modules_with(r"(?<!case )\bQLabel\(") if name.startswith("ui/")}
    assert {name for name in found if not name.startswith("ui/widgets/")} == {"ui/prompt/exact_prompt.py"}


def test_texts_are_outside_f_strings() -> None:
    """`pyside6-lupdate` doesn't find all texts in f-strings. Only there the quotes are single, by ruff's format."""
    assert modules_with(r"\btr\('") == set()


def test_json_is_parsed_in_one_module() -> None:
    assert modules_with(r"\bjson\.loads?\b|\.raw_decode\b") == {"files/json_reader.py"}


def test_files_of_strangers_are_read_with_a_limit() -> None:
    """By app/files/regular_files.py."""
    assert modules_with(r"\.read_(?:text|bytes)\b") == OF_NO_STRANGER
