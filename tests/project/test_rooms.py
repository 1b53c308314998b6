"""The rooms of the window: views take values and hand out intents; controllers alone know the playground."""

import ast
from pathlib import Path

import pytest

UI = Path(__file__).parents[2] / "app" / "ui"
FLOORS = ("look", "widgets", "document", "tokens", "graph")
BEHIND = ("app.bridge", "app.engine.protocol", "app.engine.echo", "app.engine.mlx", "app.engine.remote")
"""What views know nothing of."""


def is_view(file: Path) -> bool:
    """Neither a controller nor of the shell, and of no floor, for which the contracts in pyproject.toml are."""
    room = file.relative_to(UI).parts[0]
    return not file.name.startswith("controller") and room not in (*FLOORS, "shell")


VIEWS = sorted(file for file in UI.rglob("*.py") if is_view(file))


def imported(source: str) -> set[str]:
    """The modules that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
    return found


def beyond(source: str) -> list[str]:
    """What a view must not import: the bridge, an engine, a controller."""
    names = imported(source)
    behind = {name for name in names if any(name == each or name.startswith(f"{each}.") for each in BEHIND)}
    controllers = {name for name in names if name.startswith("app.ui.") and name.split(".")[3:4] != []}
    return sorted(behind | {name for name in controllers if name.split(".")[3].startswith("controller")})


@pytest.mark.parametrize("file", VIEWS, ids=lambda file: file.relative_to(UI).as_posix())
def test_a_view_knows_neither_the_bridge_nor_a_controller(file: Path) -> None:
    assert beyond(file.read_text("utf-8")) == []


def test_a_view_that_knows_more_is_found() -> None:
    assert beyond("from app.bridge.playground import Playground") != []
    assert beyond("def late():\n    from app.bridge import conversation") != []
    assert beyond("from app.ui.picker.controller_hub import HubController") != []
    assert beyond("from app.ui.picker import controller") != []
    assert beyond("import app.engine.mlx.loading.load") != []
    assert beyond("from app.ui.picker.dialog import ModelDialog\nfrom app.state import State") == []


MARKED = {"prompt/legend.py": "its colours, in words of its own"}
"""Labels that are made without `plain_label`, and what stands in them. Not yet there: the rooms named in UNDRESSED."""
UNDRESSED = ("widgets",)


def bare_labels(source: str) -> int:
    """How many labels it makes that take markup for markup."""
    calls = (node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return sum(isinstance(made, ast.Name) and made.id == "QLabel" for made in calls)


def test_a_label_shows_text_as_it_stands() -> None:
    files = {file.relative_to(UI).as_posix(): file for file in UI.rglob("*.py")}
    rooms = {name: file for name, file in files.items() if name.split("/")[0] not in UNDRESSED}
    assert [name for name, file in rooms.items() if bare_labels(file.read_text("utf-8"))] == list(MARKED)


def test_a_bare_label_is_found() -> None:
    assert bare_labels('label = QLabel("<b>")\nother = plain_label("", "<b>")') == 1
