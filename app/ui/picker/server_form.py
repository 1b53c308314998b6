"""The form for a server: address, name and API key, which only memory and the keychain store."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from app.engine.remote.address import tidy
from app.engine.types import Failure, Server
from app.i18n import tr
from app.library import keychain
from app.ui.look import Size, Theme
from app.ui.picker.token_line import LOOKING, show_keychain
from app.ui.widgets import SmallPrint, field_label, in_grid, in_row, named, push_button

if TYPE_CHECKING:
    from app.ui.picker.controller import PickerController

NEW_KEY = tr("Only if the server asks for one")
SAME_KEY = tr("Leave it empty to keep the current key")
MOVED_KEY = tr("Enter the key again: it is never sent to another address")
FIELDS = (
    ("server_address", tr("Address"), tr("Address: host:port, or a URL with https")),
    ("server_name", tr("Name"), tr("Name of the server, shown on the model button")),
    ("server_key", tr("Key"), tr("Sent only to this server; never written to a file")),
)
"""Object name, accessible name, tooltip."""
WIDE = {1: 2, 3: 1}
"""Stretch of the columns."""


class ServerForm(QWidget):
    """The form for a server. It stays open until the address is valid. The keychain is read in threads."""

    saved = Signal(str)
    """The address of a server that was added or changed."""
    closed = Signal()

    def __init__(self, theme: Theme, picker: PickerController, show_failure: Callable[[str], object]) -> None:
        super().__init__()
        self.setObjectName("server_form")
        self._tasks, self._servers, self._show_failure = picker.tasks, picker.servers, show_failure
        self._edited: Server | None = None
        font = theme.font(Size.NORMAL)
        self._address, self._name, self._key = (named(QLineEdit(), *each, font=font) for each in FIELDS)
        self._address.setPlaceholderText("http://192.168.1.20:8080")
        self._name.setPlaceholderText(tr("Default: the address"))
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._save_key = named(QCheckBox(), "keep_server_key")
        tip = tr("Remove the key, also from the keychain")
        self._forget = push_button("forget_server_key", tr("Remove key"), tip, press=self._forget_key)
        tip = tr("Add the server to the list and ask it for its models (Enter)")
        self._save = push_button("save_server", tr("Save"), tip, kind="primary", press=self._save_server)
        tip = tr("Cancel (Esc)")
        self._cancel = push_button("leave_server", tr("Cancel"), tip, press=self.cancel)
        self._message = SmallPrint(theme, "server_form_words")
        self._address.textChanged.connect(self._update)
        for each in (self._address, self._name, self._key):
            each.returnPressed.connect(self._save_server)
        self._lay_out(theme)
        self.show_keychain(LOOKING)
        self.hide()

    def ask(self, server: Server | None) -> None:
        """Open the form for a new server, or for one of the list."""
        self._edited = server
        self._address.setText(server.address if server is not None else "")
        self._name.setText(server.name if server is not None else "")
        self._key.clear()
        self._forget.setVisible(server is not None)
        self._update()
        self.show()
        self._address.setFocus()
        self._tasks.start(self._check_keychain(), "server keychain")

    def suggest(self, address: str) -> None:
        """Open the form for a new server at this address."""
        self.ask(None)
        self._address.setText(address)

    def show_keychain(self, unavailable: str) -> None:
        """Show the reason why the keychain can't be used; empty: it can."""
        show_keychain(self._save_key, unavailable)
        self._save_key.setChecked(not unavailable)
        memory = tr("The key stays in memory until Sluice quits. The {keychain} can't be used: {why}.")
        self._message.say(memory.format(keychain=keychain.name(), why=unavailable) if unavailable else "", "muted")

    def cancel(self) -> None:
        self._key.clear()
        self.hide()
        self.closed.emit()

    def forget_stored_key(self, address: str) -> None:
        """Remove a server's key from the keychain."""
        self._tasks.start(self._change_keychain(partial(_forget, address)))

    def _lay_out(self, theme: Theme) -> None:
        keys = [field_label(theme, tr("&Key"), self._key), self._key]
        names = [field_label(theme, tr("&Name"), self._name), self._name]
        grid = in_grid(
            [field_label(theme, tr("A&ddress"), self._address), self._address, *names], keys, on=self, wide=WIDE
        )
        grid.addWidget(self._save_key, 1, 2, 1, 2)
        grid.addWidget(self._message, 2, 0, 1, 4)
        grid.addLayout(in_row(self._forget, ..., self._cancel, self._save), 3, 0, 1, 4)

    def _update(self) -> None:
        address = self._address.text().strip()
        self._save.setEnabled(bool(address))
        if self._edited is None:
            self._key.setPlaceholderText(NEW_KEY)
        else:
            self._key.setPlaceholderText(SAME_KEY if address == self._edited.address else MOVED_KEY)

    async def _check_keychain(self) -> None:
        answer = await self._tasks.try_in_thread(keychain.unavailable)
        self.show_keychain(answer.what.rstrip(".") if isinstance(answer, Failure) else answer)

    def _save_server(self) -> None:
        """Save the server if the address is valid. A confirmed warning counts for the same address only."""
        if not self._save.isEnabled():
            return
        address = tidy(self._address.text().strip())
        if isinstance(address, Failure):
            self._message.say(address.sentence, "warning")
            return
        old, name, key = self._edited, self._name.text().strip(), self._key.text().strip()
        is_own = old is not None and old.own and old.address == address
        if old is not None and old.address != address:
            self._servers.keys.forget(old.address)
            self.forget_stored_key(old.address)
        if key:
            is_stored = self._save_key.isEnabled() and self._save_key.isChecked()
            self._servers.keys.give(address, key)
            work = partial(keychain.store_key, address, key) if is_stored else partial(_forget, address)
            self._tasks.start(self._change_keychain(work))
        server = Server(address, name, self._servers.at(address).accepted, is_own)
        self._servers.put(server, old.address if old is not None else "")
        self.cancel()
        self.saved.emit(address)

    def _forget_key(self) -> None:
        if self._edited is not None:
            self._servers.keys.give(self._edited.address, "")
            self.forget_stored_key(self._edited.address)
            self._message.say(tr("The key was removed."), "muted")

    async def _change_keychain(self, work: Callable[[], Failure | None]) -> None:
        """Change the keychain. The task is never canceled, since each key has to be stored or removed."""
        failure = await self._tasks.complete(work)
        if failure is not None:
            self._show_failure(failure.sentence)


def _forget(address: str) -> Failure | None:
    """Remove a key from the keychain, if that can be used."""
    return None if keychain.unavailable() else keychain.delete_key(address)
