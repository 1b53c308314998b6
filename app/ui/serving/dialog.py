"""The window “Serve This Model”: start and stop the server, its address, commands and log."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.i18n import tr
from app.number_format import size
from app.serving.types import FIRST_PORT, LAST_PORT, RingHost, ServerStage, ServerStatus
from app.ui.look import MARGIN_PX, Size, Theme, scaled, show_lines
from app.ui.widgets import (
    PlainText,
    SmallPrint,
    begin_window,
    button_row,
    field_label,
    named,
    plain_label,
    push_button,
)
from app.ui.widgets.number_field import with_text_margins
from app.ui.widgets.plain_text import copy_text
from app.ui.widgets.rows import Cell, in_column, in_grid, in_row

COPY, COPIED = tr("Copy"), tr("Copied")
TITLES = (tr("Name for ssh"), tr("IP addresses"))
TIPS = (
    tr("Host name as in “ssh NAME”. 127.0.0.1 is this computer; it may have several rows."),
    tr("Addresses at which the other hosts reach it, separated by commas"),
)
HEIGHT_PX, ROW_PX = 132, 26
ADDRESS = re.compile(r"[^\s,;]+")
LINES = 2_000
FIRST_PX = (760, 640)
SMALLEST_PX = (520, 460)
KINDS = {
    ServerStage.READY: "text",
    ServerStage.SILENT: "warning",
    ServerStage.WAITING: "warning",
    ServerStage.FAILED: "error",
}


class CopyRow(QWidget):
    """A read-only text with a Copy button."""

    def __init__(self, theme: Theme, name: str, title: str, tip: str, lines: int) -> None:
        super().__init__()
        text = PlainText(readOnly=True, tabChangesFocus=True)
        self.field = named(text, name, title, tip, font=theme.font(Size.SMALL, mono=True))
        """The text field, for a label's buddy."""
        self.field.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.field.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.field.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        show_lines(theme, self.field, lines, least=1)
        words = tr("Copy: {what}").format(what=title)
        self._copy = push_button(f"copy_{name}", COPY, words, words, press=self._copy_all)
        in_row((self.field, 1), (self._copy, 0, Qt.AlignmentFlag.AlignTop), on=self)

    def show_text(self, text: str) -> None:
        if self.field.show_text(text):
            self._copy.setText(COPY)
            self._copy.setEnabled(bool(text))

    def _copy_all(self) -> None:
        """Copy, and show that on the button."""
        copy_text(self.field.toPlainText())
        self._copy.setText(COPIED)


class HostsTable(QWidget):
    """The hosts of a ring. `edited` when a host has changed."""

    edited = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        description = tr("One row for each process; the first is this computer. F2 edits a cell.")
        self._table = named(
            QTableWidget(0, len(TITLES)), "hosts", tr("Hosts"), description=description, font=theme.font(Size.NORMAL)
        )
        self._table.setTabKeyNavigation(False)
        self._table.setShowGrid(False)
        self._table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._table.verticalHeader().hide()
        self._table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self._table.horizontalHeader().setHighlightSections(False)
        for column, (title, tip) in enumerate(zip(TITLES, TIPS, strict=True)):
            item = QTableWidgetItem(title)
            item.setToolTip(tip)
            item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            self._table.setHorizontalHeaderItem(column, item)
        scaled(theme, self._table, QWidget.setFixedHeight, HEIGHT_PX)
        scaled(theme, self._table.verticalHeader(), QHeaderView.setDefaultSectionSize, ROW_PX)
        self._table.itemChanged.connect(self.edited)
        tip = tr("Add a host that runs one process; at first it is this computer")
        add = push_button("add_host", tr("Add host"), tip, press=self._add_one)
        tip = tr("Remove the selected row")
        self._remove = push_button("remove_host", tr("Remove host"), tip, press=self._remove_one)
        self._table.itemSelectionChanged.connect(self._enable_remove)
        in_row((self._table, 1), in_column(add, self._remove, ...), on=self)
        self._enable_remove()

    @property
    def hosts(self) -> tuple[RingHost, ...]:
        rows = range(self._table.rowCount())
        return tuple(RingHost(self._cell(row, 0).strip(), tuple(ADDRESS.findall(self._cell(row, 1)))) for row in rows)

    def show_hosts(self, hosts: Sequence[RingHost]) -> None:
        """Show these hosts, without `edited`."""
        self._table.blockSignals(True)
        self._table.setRowCount(len(hosts))
        for row, host in enumerate(hosts):
            self._table.setItem(row, 0, QTableWidgetItem(host.ssh))
            self._table.setItem(row, 1, QTableWidgetItem(", ".join(host.ips)))
        self._table.blockSignals(False)
        self._enable_remove()

    def _cell(self, row: int, column: int) -> str:
        item = self._table.item(row, column)
        return item.text() if item is not None else ""

    def _add_one(self) -> None:
        self.show_hosts((*self.hosts, RingHost()))
        self.edited.emit()
        self._table.setCurrentCell(self._table.rowCount() - 1, 0)

    def _remove_one(self) -> None:
        chosen = self._table.currentRow()
        self.show_hosts([host for row, host in enumerate(self.hosts) if row != chosen])
        self.edited.emit()

    def _enable_remove(self) -> None:
        self._remove.setEnabled(self._table.currentRow() >= 0 and self._table.rowCount() > 1)


class LogView(QPlainTextEdit):
    """The last lines of the server's log."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(readOnly=True, tabChangesFocus=True, maximumBlockCount=LINES)
        self._follows = True
        tip = tr("Last lines of the server's output")
        named(self, "serving_log", tr("Log"), tip, font=theme.font(Size.SMALL, mono=True))
        self.setPlaceholderText(tr("The output of the server appears here."))
        self.verticalScrollBar().valueChanged.connect(self._note)
        self.verticalScrollBar().rangeChanged.connect(self._follow)

    def _note(self, value: int) -> None:
        self._follows = value >= self.verticalScrollBar().maximum()

    def _follow(self) -> None:
        """Scroll to the end, also after a resize."""
        if self._follows:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())


class ServingDialog(QDialog):
    """The window “Serve This Model”; closing it doesn't stop the server."""

    start_wanted = Signal()
    stop_wanted = Signal()
    connect_wanted = Signal()
    edited = Signal()
    """Port, hosts or key have changed."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        spoken = tr("Serve a model")
        begin_window(theme, self, "serving_dialog", tr("Serve This Model"), FIRST_PX, SMALLEST_PX, spoken=spoken)
        self._theme = theme
        self._is_on = False
        self._model = plain_label("served_model", font=theme.font(Size.NORMAL, bold=True), wraps=True)
        self._state = SmallPrint(theme, "serving_state")
        self._state.setFont(theme.font(Size.NORMAL))
        self._port = _port(theme)
        self._key = _key(theme)
        tip = tr("Load the model into a separate process and serve it")
        self._start = push_button("start_serving", tr("Start"), tip, kind="primary", press=self.start_wanted)
        tip = tr("End the server process and its running requests")
        self._stop = push_button("stop_serving", tr("Stop"), tip, press=self.stop_wanted)
        self._address = CopyRow(theme, "serving_address", tr("Address"), tr("Base URL for other programs"), 1)
        self._curl = CopyRow(theme, "serving_curl", tr("Test command"), tr("Sends a test request from a terminal"), 3)
        tip = tr("Distribute the model over several processes, each with a part of it in memory")
        across, font = QCheckBox(tr("A&cross machines")), theme.font(Size.NORMAL)
        self._across = named(across, "across_machines", tr("Across machines"), tip, font=font)
        self.hosts = HostsTable(theme)
        self.hosts.hide()
        self._command = CopyRow(theme, "serving_command", tr("Command"), tr("Serves the same model from a terminal"), 3)
        self._keyless, self._plain = SmallPrint(theme, "serving_keyless"), SmallPrint(theme, "serving_plain")
        self._log = LogView(theme)
        self._connect = push_button("connect_to_served", tr("Connect"), press=self.connect_wanted)
        tip = tr("Close this window; the server keeps running (Esc)")
        self._close = push_button("serving_close", tr("Close"), tip, press=self.close)
        self._listen()
        self._lay_out()
        self.show_status(ServerStatus())
        self.show_duplicate(0)
        self._show_keyless()

    @property
    def port(self) -> int:
        return self._port.value()

    @property
    def key(self) -> str:
        return self._key.text().strip()

    @property
    def shared_by(self) -> tuple[RingHost, ...]:
        """Return the hosts of the ring; empty for one process."""
        return self.hosts.hosts if self._across.isChecked() else ()

    def show_model(self, name: str) -> None:
        self._model.setText(name)

    def show_duplicate(self, duplicate_bytes: int) -> None:
        """Warn that a second copy of the model takes this many bytes of memory; 0: no warning."""
        words = tr(
            "Warning: this starts mlx_lm.server without Sluice's proxy. Any web page can use it and make it "
            "load any folder."
        )
        if duplicate_bytes:
            duplicate = tr("The model is in memory twice while it is served: Sluice itself uses {size} for it.")
            words = f"{duplicate.format(size=size(duplicate_bytes))} {words}"
        self._plain.say(words, "warning" if duplicate_bytes else "muted")

    def show_port(self, port: int) -> None:
        """Show the port, without `edited`."""
        with QSignalBlocker(self._port):
            self._port.setValue(port)

    def show_key(self, key: str) -> None:
        """Show the stored key, unless the user has edited it."""
        if not self._key.isModified():
            self._key.setText(key)

    def show_commands(self, address: str, command: str, curl: str) -> None:
        self._address.show_text(address)
        self._command.show_text(command)
        self._curl.show_text(curl)

    def enable(self, start_refusal: str, connect_refusal: str) -> None:
        """Enable Start and Connect; the reasons are empty where they are possible."""
        self._start.setEnabled(not start_refusal and not self._is_on)
        self._start.setToolTip(start_refusal or tr("Load the model into a separate process and serve it"))
        self._connect.setEnabled(not connect_refusal)
        self._connect.setToolTip(connect_refusal or tr("Add it to the server list, and open its model"))

    def show_status(self, status: ServerStatus, address: str = "") -> None:
        """Show the status; the form is disabled while the server runs."""
        self._is_on = status.is_on
        self.say(_status_text(status, address), KINDS.get(status.stage, "muted"))
        self._stop.setEnabled(self._is_on)
        self._start.setEnabled(not self._is_on)
        for each in (self._port, self._key, self._across, self.hosts):
            each.setEnabled(not self._is_on)

    def say(self, words: str, kind: str = "warning") -> None:
        self._state.say(words, kind)

    def append(self, line: str) -> None:
        self._log.appendPlainText(line)

    def _show_keyless(self) -> None:
        self._keyless.say(
            "" if self.key else tr("No key: any program on this computer can use the server; web pages can't")
        )

    def _listen(self) -> None:
        self._port.valueChanged.connect(self.edited)
        self._key.textChanged.connect(self._show_keyless)
        self._key.textChanged.connect(self.edited)
        self.hosts.edited.connect(self.edited)
        self._across.toggled.connect(self.hosts.setVisible)
        self._across.toggled.connect(self.edited)

    def _lay_out(self) -> None:
        rows = ((tr("&Address"), self._address), (tr("&Test"), self._curl), (tr("Comman&d"), self._command))
        top = Qt.AlignmentFlag.AlignTop
        lines: list[list[Cell]] = [[(field_label(self._theme, title, row.field), top), row] for title, row in rows]
        grid = in_grid(
            [
                field_label(self._theme, tr("&Port"), self._port),
                in_row(self._port, self._start, self._stop, ..., self._across),
            ],
            [field_label(self._theme, tr("&Key"), self._key), self._key],
            [None, self._keyless],
            [None, self.hosts],
            *lines,
            [None, self._plain],
            wide={1: 1},
        )
        in_column(
            self._model,
            self._state,
            grid,
            (self._log, 1),
            button_row(self._close, self._connect),
            on=self,
            margins=MARGIN_PX,
        )


def _status_text(status: ServerStatus, address: str) -> str:
    match status.stage:
        case ServerStage.STARTING:
            return tr("Starting …")
        case ServerStage.READY:
            return tr("Ready at {address}, for programs on this computer only.").format(address=address)
        case ServerStage.SILENT:
            return tr("The server runs, but doesn't answer. If that continues, stop and restart it.")
        case ServerStage.WAITING:
            words = tr("The server ended and restarts in {seconds} s. Last line of its log: {said}")
            return words.format(seconds=f"{status.wait_s:g}", said=status.message)
        case ServerStage.FAILED:
            return tr("The server ended and doesn't restart. Last line of its log: {said}").format(said=status.message)
    return tr(
        "Not running. Start loads the model a second time, into the server. Connect then unloads Sluice's own copy."
    )


def _key(theme: Theme) -> QLineEdit:
    tip = tr("API key that clients have to send. It is stored in the keychain, in no file of Sluice.")
    field = named(QLineEdit(), "serving_key", tr("Key"), tip, font=theme.font(Size.NORMAL))
    field.setEchoMode(QLineEdit.EchoMode.Password)
    return field


def _port(theme: Theme) -> QSpinBox:
    tip = tr("Port at which the server listens; a free one is suggested")
    box = with_text_margins(named(QSpinBox(), "serving_port", tr("Port"), tip, font=theme.font(Size.NORMAL)))
    box.setRange(FIRST_PORT, LAST_PORT)
    box.setGroupSeparatorShown(False)
    return box
