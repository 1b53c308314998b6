import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QSpinBox, QTableView, QWidget
from pytestqt.qtbot import QtBot

from app.definitions import DEFINITIONS
from app.ui.runs.table import RunsTable
from app.ui.shell.main_window import MainWindow
from tests.journeys.journey import journey
from tests.ui.desk import Desk, act, make_pages, named
from tests.ui.experiments.form_window import conclusion, start
from tests.ui.whole import show_panes

# The settings have sentences, each of which says itself what its number is.
WINDOWS = ("open_model", "show_runs", "show_tables", "show_branches", "experiment_length", "stop_steps", "serve_model")
NAMES = "hosts"
"""A table of names and addresses, which measure nothing."""
NUMBER = re.compile(r"(?<![\w.])\d")
ROLE = Qt.ItemDataRole


def is_defined(tip: str) -> bool:
    return any(each.text in tip for each in DEFINITIONS.values())


def tip_of(widget: QWidget) -> str:
    """Return the tooltip of a widget or of its nearest parent."""
    above: QWidget | None = widget
    while above is not None and not above.toolTip() and not above.isWindow():
        above = above.parentWidget()
    return above.toolTip() if above is not None else ""


def undefined(window: MainWindow) -> Iterator[str]:
    for label in window.findChildren(QLabel):
        inside = label.parentWidget()
        name = inside.objectName() if inside is not None else ""
        is_text = name.startswith("offer_") or name == "model_suggestions" or name.endswith("_first_column")
        if is_text or label.objectName() == "experiment_empty" or isinstance(label.buddy(), QComboBox):
            continue  # a prompt to be sent, a model to download, text on an empty page, the name of a field
        if NUMBER.search(re.sub("<[^>]*>", "", label.text())) and not is_defined(tip_of(label)):
            yield f"{label.objectName() or name}: {label.text()!r} has {tip_of(label)!r}"
    for table in window.findChildren(QTableView):
        if table.objectName() != NAMES:
            yield from _undefined_columns(table)


def _undefined_columns(table: QTableView) -> Iterator[str]:
    model: QAbstractItemModel | None = table.model()
    if model is None:
        return
    for column in range(model.columnCount()):
        cells = [str(model.index(row, column).data() or "") for row in range(model.rowCount())]
        roles = (ROLE.ToolTipRole, ROLE.WhatsThisRole)
        tip, answer = (str(model.headerData(column, Qt.Orientation.Horizontal, role) or "") for role in roles)
        if any(map(NUMBER.match, cells)) and not (is_defined(tip) and is_defined(answer)):
            title = model.headerData(column, Qt.Orientation.Horizontal)
            yield f"{table.objectName()}, {title}: {cells[0]!r} has {tip!r}"


@pytest.mark.slow
def test_numbers_of_the_windows_have_definitions(qtbot: QtBot, tmp_path: Path) -> None:
    with journey(qtbot, ["--engine", "echo", "--data-dir", str(tmp_path)]) as user:
        user.until_ready()
        window = user.window
        window.resize(1600, 1000)
        show_panes(window)
        user.send("hello")
        user.button("more_about_run").setChecked(True)
        for each in WINDOWS:
            act(window, each).trigger()
        make_pages(window)
        user.until(lambda: window.findChild(RunsTable) is not None)
        user.until(lambda: user.find(RunsTable, "runs").model().rowCount() > 0)
        assert "\n".join(undefined(window)) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stops", "cache"])
def test_results_of_experiments_have_definitions(desk: Desk, name: str) -> None:
    window = desk.ready()
    act(window, f"experiment_{name}").trigger()
    named(window, QSpinBox, "experiment_max_tokens").setValue(8)
    named(window, QSpinBox, "experiment_repeats").setValue(2)
    start(window)
    assert conclusion(desk, window)
    make_pages(window)
    which = named(window, QComboBox, "experiment_which_detail")
    assert which.count()
    for number in range(which.count()):
        which.setCurrentIndex(number)
        assert "\n".join(undefined(window)) == ""
