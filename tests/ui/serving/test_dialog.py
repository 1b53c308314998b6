"""The window in which a model is served: what it says, offers and wishes for; and the table of hosts."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPlainTextEdit, QSpinBox, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from app.serving.types import Host, ServerStage, ServerStatus
from app.ui.look.theme import Theme
from app.ui.serving.dialog import LINES, CopyRow, ServingDialog
from tests.ui.desk import named

ADDRESS = "http://127.0.0.1:8080/v1"


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> Iterator[ServingDialog]:
    behind = QWidget()
    qtbot.addWidget(behind)
    made = ServingDialog(theme, behind)
    made.show_model("demo")
    made.show_commands(ADDRESS, "mlx_lm.server --model demo", "curl it")
    made.enable("", "")
    made.show()
    yield made
    behind.close()


def button(dialog: ServingDialog, name: str) -> QAbstractButton:
    return named(dialog, QAbstractButton, name)


def state(dialog: ServingDialog) -> str:
    return named(dialog, QLabel, "serving_state").text()


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (ServerStatus(), "Not running."),
        (ServerStatus(ServerStage.STARTING), "Starting …"),
        (ServerStatus(ServerStage.READY), f"Ready at {ADDRESS}"),
        (ServerStatus(ServerStage.SILENT), "doesn't answer"),
        (ServerStatus(ServerStage.WAITING, "oh", 4.0), "restarts in 4 s. Last line of its log: oh"),
        (ServerStatus(ServerStage.FAILED, "oh no"), "doesn't restart. Last line of its log: oh no"),
    ],
)
def test_dialog_status_is_a_sentence_with_buttons(dialog: ServingDialog, condition: ServerStatus, said: str) -> None:
    dialog.show_status(condition, ADDRESS)
    assert said in state(dialog)
    assert button(dialog, "start_serving").isEnabled() is not condition.is_on
    assert button(dialog, "stop_serving").isEnabled() is condition.is_on
    assert named(dialog, QSpinBox, "serving_port").isEnabled() is not condition.is_on


def test_dialog_disabled_button_has_a_reason(dialog: ServingDialog) -> None:
    dialog.enable("Open a model.", "Start it first.")
    assert button(dialog, "start_serving").toolTip() == "Open a model."
    assert button(dialog, "connect_to_served").toolTip() == "Start it first."
    dialog.show_status(ServerStatus(ServerStage.READY), ADDRESS)
    dialog.enable("", "")
    assert not button(dialog, "start_serving").isEnabled(), "it runs already"
    assert button(dialog, "connect_to_served").isEnabled()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("serving_address", ADDRESS),
        ("serving_curl", "curl it"),
        ("serving_command", "mlx_lm.server --model demo"),
    ],
)
def test_dialog_copy_button_copies_the_text(dialog: ServingDialog, name: str, text: str) -> None:
    assert named(dialog, QPlainTextEdit, name).toPlainText() == text
    copy = button(dialog, f"copy_{name}")
    copy.click()
    assert QGuiApplication.clipboard().text() == text
    dialog.show_commands(ADDRESS, "mlx_lm.server --model demo", "curl it")
    assert copy.text() == "Copied"
    dialog.show_commands("other", "other", "other")
    assert copy.text() == "Copy"


def test_dialog_stored_key_keeps_the_typed_one(dialog: ServingDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(dialog.edited):
        dialog.show_key("kept")
    assert dialog.key == "kept"
    field = named(dialog, QLineEdit, "serving_key")
    field.selectAll()
    QTest.keyClicks(field, "typed ")
    dialog.show_key("kept")
    assert dialog.key == "typed"


def test_dialog_without_key_has_a_note(dialog: ServingDialog, theme: Theme) -> None:
    theme.resize(200)
    words = named(dialog, QLabel, "serving_keyless")
    assert words.isVisible() and "any program on this computer" in words.text()
    assert words.wordWrap(), "no part of it is cut off"
    named(dialog, QLineEdit, "serving_key").setText("secret")
    assert not words.isVisible()


def test_dialog_command_has_a_warning(dialog: ServingDialog) -> None:
    words = named(dialog, QLabel, "serving_plain")
    assert words.isVisible() and "Any web page can use it" in words.text()


def test_dialog_port_emits_only_when_edited(dialog: ServingDialog, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(dialog.edited):
        dialog.show_port(9000)
    with qtbot.waitSignal(dialog.edited):
        named(dialog, QSpinBox, "serving_port").setValue(9001)
    assert dialog.port == 9001


def test_log_view_is_bounded_and_follows(dialog: ServingDialog) -> None:
    log = named(dialog, QPlainTextEdit, "serving_log")
    bar = log.verticalScrollBar()
    for number in range(LINES + 10):
        dialog.append(f"line {number}")
    assert log.blockCount() == LINES
    assert bar.value() == bar.maximum() > 0
    dialog.resize(dialog.width(), dialog.minimumHeight())
    assert bar.value() == bar.maximum()
    bar.setValue(0)
    dialog.append("one more")
    assert bar.value() < bar.maximum()


def test_hosts_table_adds_edits_and_removes(dialog: ServingDialog, qtbot: QtBot) -> None:
    assert not dialog.shared_by
    dialog.hosts.show_hosts((Host(), Host()))
    with qtbot.waitSignal(dialog.edited):
        button(dialog, "across_machines").setChecked(True)
    assert list(dialog.shared_by) == [Host(), Host()] and dialog.hosts.isVisible()
    table = named(dialog, QTableWidget, "hosts")
    name, ips = table.item(1, 0), table.item(1, 1)
    assert name is not None and ips is not None
    with qtbot.waitSignal(dialog.edited):
        name.setText(" studio ")
    ips.setText("10.0.0.2, 10.0.1.2")
    studio = Host("studio", ("10.0.0.2", "10.0.1.2"))
    assert list(dialog.hosts.hosts) == [Host(), studio]
    with qtbot.waitSignal(dialog.edited):
        button(dialog, "add_host").click()
    assert list(dialog.hosts.hosts) == [Host(), studio, Host()]
    table.setCurrentCell(1, 0)
    with qtbot.waitSignal(dialog.edited):
        button(dialog, "remove_host").click()
    assert list(dialog.hosts.hosts) == [Host(), Host()]


def test_dialog_small_window_shrinks_fields(qtbot: QtBot, dialog: ServingDialog, theme: Theme) -> None:
    """In large text they stuck out of their rows, without their lower edge."""
    theme.resize(200)
    dialog.resize(800, 700)
    rows = dialog.findChildren(CopyRow)
    qtbot.waitUntil(lambda: all(row.rect().contains(row.field.geometry()) for row in rows))
    theme.resize(100)
    dialog.resize(760, 640)
    (curl,) = [row.field for row in rows if row.field.objectName() == "serving_curl"]
    qtbot.waitUntil(lambda: curl.height() == curl.maximumHeight())
    assert curl.height() > 3 * curl.fontMetrics().lineSpacing(), "where there is room"
