from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QSpinBox, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from app.serving.types import RingHost, ServerStage, ServerStatus
from app.ui.look.theme import Theme
from app.ui.serving.dialog import LINES, CopyRow, ServingDialog
from tests.ui.desk import button, named

ADDRESS = "http://127.0.0.1:8080/v1"
COMMAND = "mlx_lm.server --model demo"


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> Iterator[ServingDialog]:
    behind = QWidget()
    qtbot.addWidget(behind)
    made = ServingDialog(theme, behind)
    made.show_model("demo")
    made.show_commands(ADDRESS, COMMAND, "curl it")
    made.enable("", "")
    made.show()
    yield made
    behind.close()


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (ServerStatus(), "Not running."),
        (ServerStatus(ServerStage.STARTING), "Starting …"),
        (ServerStatus(ServerStage.READY), f"Ready at {ADDRESS}"),
        (ServerStatus(ServerStage.SILENT), "doesn't answer"),
        (ServerStatus(ServerStage.WAITING, "oh", 4.0), "restarts in 4 s. Last line of its log: oh"),
        (ServerStatus(ServerStage.FAILED, "oh no"), "doesn't restart. Last line of its log: oh no"),
    ],
)
def test_dialog_status_is_a_sentence_with_buttons(dialog: ServingDialog, status: ServerStatus, text: str) -> None:
    dialog.show_status(status, ADDRESS)
    assert text in named(dialog, QLabel, "serving_state").text()
    assert button(dialog, "start_serving").isEnabled() is not status.is_on
    assert button(dialog, "stop_serving").isEnabled() is status.is_on
    assert named(dialog, QSpinBox, "serving_port").isEnabled() is not status.is_on


def test_dialog_disabled_button_has_a_reason(dialog: ServingDialog) -> None:
    dialog.enable("Open a model.", "Start it first.")
    assert button(dialog, "start_serving").toolTip() == "Open a model."
    assert button(dialog, "connect_to_served").toolTip() == "Start it first."
    dialog.show_status(ServerStatus(ServerStage.READY), ADDRESS)
    dialog.enable("", "")
    assert not button(dialog, "start_serving").isEnabled(), "it runs already"
    assert button(dialog, "connect_to_served").isEnabled()


@pytest.mark.parametrize(
    ("name", "text"), [("serving_address", ADDRESS), ("serving_curl", "curl it"), ("serving_command", COMMAND)]
)
def test_dialog_copy_button_copies_the_text(dialog: ServingDialog, name: str, text: str) -> None:
    copy = button(dialog, f"copy_{name}")
    copy.click()
    assert QGuiApplication.clipboard().text() == text
    dialog.show_commands(ADDRESS, COMMAND, "curl it")
    assert copy.text() == "Copied"
    dialog.show_commands("other", "other", "other")
    assert copy.text() == "Copy"


def test_dialog_stored_key_or_port_does_not_replace_the_typed_one(dialog: ServingDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(dialog.edited):
        dialog.show_key("stored")
    assert dialog.key == "stored"
    field = named(dialog, QLineEdit, "serving_key")
    field.selectAll()
    QTest.keyClicks(field, "typed ")
    dialog.show_key("stored")
    assert dialog.key == "typed"
    with qtbot.assertNotEmitted(dialog.edited):
        dialog.show_port(9000)
    with qtbot.waitSignal(dialog.edited):
        named(dialog, QSpinBox, "serving_port").setValue(9001)
    assert dialog.port == 9001


def test_dialog_warns_of_a_missing_key_and_proxy(dialog: ServingDialog, theme: Theme) -> None:
    theme.resize(200)
    keyless, plain = named(dialog, QLabel, "serving_keyless"), named(dialog, QLabel, "serving_plain")
    assert keyless.isVisible() and "any program on this computer" in keyless.text()
    assert plain.isVisible() and "Any web page can use it" in plain.text()
    assert keyless.wordWrap(), "no part of it is cut off"
    named(dialog, QLineEdit, "serving_key").setText("secret")
    assert not keyless.isVisible()


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
    dialog.hosts.show_hosts((RingHost(), RingHost()))
    with qtbot.waitSignal(dialog.edited):
        button(dialog, "across_machines").setChecked(True)
    assert dialog.shared_by == (RingHost(), RingHost()) and dialog.hosts.isVisible()
    table = named(dialog, QTableWidget, "hosts")
    name, ips = table.item(1, 0), table.item(1, 1)
    assert name is not None and ips is not None
    with qtbot.waitSignal(dialog.edited):
        name.setText(" studio ")
    ips.setText("10.0.0.2, 10.0.1.2")
    studio = RingHost("studio", ("10.0.0.2", "10.0.1.2"))
    assert list(dialog.hosts.hosts) == [RingHost(), studio]
    with qtbot.waitSignal(dialog.edited):
        button(dialog, "add_host").click()
    assert list(dialog.hosts.hosts) == [RingHost(), studio, RingHost()]
    table.setCurrentCell(1, 0)
    with qtbot.waitSignal(dialog.edited):
        button(dialog, "remove_host").click()
    assert list(dialog.hosts.hosts) == [RingHost(), RingHost()]


def test_dialog_small_window_shrinks_fields(qtbot: QtBot, dialog: ServingDialog, theme: Theme) -> None:
    """In large text they were larger than their rows."""
    theme.resize(200)
    dialog.resize(800, 700)
    rows = dialog.findChildren(CopyRow)
    qtbot.waitUntil(lambda: all(row.rect().contains(row.field.geometry()) for row in rows))
    theme.resize(100)
    dialog.resize(760, 640)
    (curl,) = [row.field for row in rows if row.field.objectName() == "serving_curl"]
    qtbot.waitUntil(lambda: curl.height() == curl.maximumHeight())
    assert curl.height() > 3 * curl.fontMetrics().lineSpacing()
