"""Where a server is named: its address, what it is called, and its key, which no file ever holds."""

from dataclasses import dataclass, field

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from app.engine.types import Server
from app.i18n import tr
from app.ui.look import Size, Theme
from app.ui.widgets import SmallPrint, field_label, in_grid, in_row, named, push_button

NEW_KEY = tr("Only if the server asks for one")
SAME_KEY = tr("Leave it empty to keep the key as it is")
MOVED_KEY = tr("Give it anew: a key is sent to no other address")


@dataclass(frozen=True, slots=True)
class ServerGiven:
    """What was typed. `key` empty: none, or the one there was."""

    address: str
    name: str
    key: str = field(default="", repr=False)
    keep: bool = False


FIELDS = (
    ("server_address", tr("Address"), tr("Where it listens, as host:port or with https")),
    ("server_name", tr("Name"), tr("What you call it; the model button shows it")),
    ("server_key", tr("Key"), tr("Sent to this server alone; no file of Sluice's ever holds it")),
)
"""Each by its names, and what it is for."""
WIDE = {1: 2, 3: 1}
"""How the fields share the room."""


class ServerForm(QWidget):
    """`given` with what was typed; it stays until it is told to go, since the address may be none."""

    given = Signal(object)
    forget_wanted = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("server_form")
        self._before = ""
        font = theme.font(Size.NORMAL)
        self._address, self._name, self._key = (named(QLineEdit(), *each, font=font) for each in FIELDS)
        self._address.setPlaceholderText("http://192.168.1.20:8080")
        self._name.setPlaceholderText(tr("Its address, if you give none"))
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._keep = named(QCheckBox(), "keep_server_key")
        tip = tr("Use no key, and take it out of the keychain")
        self._forget = push_button("forget_server_key", tr("Forget key"), tip, press=self.forget_wanted)
        tip = tr("Put it on the list and ask it for its models (Enter)")
        self._save = push_button("save_server", tr("Save"), tip, kind="primary", press=self._give)
        tip = tr("Leave the list as it is (Esc)")
        self._cancel = push_button("leave_server", tr("Cancel"), tip, press=self.leave)
        self._words = SmallPrint(theme, "server_form_words")
        self._address.textChanged.connect(self._offer)
        for each in (self._address, self._name, self._key):
            each.returnPressed.connect(self._give)
        self._lay_out(theme)
        self.show_keychain(tr("keychain"), tr("it is still being asked"))
        self.hide()

    def ask(self, server: Server | None) -> None:
        """For a new one, or about one that is on the list. Esc is the picker's, which leaves this first."""
        self._before = server.address if server is not None else ""
        self._address.setText(self._before)
        self._name.setText(server.name if server is not None else "")
        self._key.clear()
        self._forget.setVisible(server is not None)
        self._offer()
        self.show()
        self._address.setFocus()

    def suggest(self, address: str) -> None:
        """One to begin with."""
        self._address.setText(address)

    def show_keychain(self, keychain: str, unavailable: str) -> None:
        """What keeps keys here, and why it can't if it can't."""
        title = tr("Keep in the {keychain}").format(keychain=keychain)
        self._keep.setText(title)
        self._keep.setAccessibleName(title)
        self._keep.setEnabled(not unavailable)
        self._keep.setChecked(not unavailable)
        cant = tr("The {keychain} can't be used: {why}").format(keychain=keychain, why=unavailable)
        self._keep.setToolTip(cant if unavailable else tr("It is there at the next start, in no file of Sluice's"))
        memory = tr("A key is kept in memory until Sluice quits. The {keychain} can't be used: {why}.")
        self.say(memory.format(keychain=keychain, why=unavailable) if unavailable else "", "muted")

    def say(self, words: str, kind: str = "warning") -> None:
        """What is wrong with what was typed."""
        self._words.say(words, kind)

    @Slot()
    def leave(self) -> None:
        """Nothing of it is kept."""
        self._key.clear()
        self.hide()
        self.left.emit()

    def _lay_out(self, theme: Theme) -> None:
        keys = [field_label(theme, tr("&Key"), self._key), self._key]
        names = [field_label(theme, tr("&Name"), self._name), self._name]
        grid = in_grid(
            [field_label(theme, tr("A&ddress"), self._address), self._address, *names], keys, on=self, wide=WIDE
        )
        grid.addWidget(self._keep, 1, 2, 1, 2)
        grid.addWidget(self._words, 2, 0, 1, 4)
        grid.addLayout(in_row(self._forget, ..., self._cancel, self._save), 3, 0, 1, 4)

    @Slot()
    def _offer(self) -> None:
        address = self._address.text().strip()
        self._save.setEnabled(bool(address))
        moved = MOVED_KEY if address != self._before else SAME_KEY
        self._key.setPlaceholderText(moved if self._before else NEW_KEY)

    @Slot()
    def _give(self) -> None:
        if self._save.isEnabled():
            keep = self._keep.isEnabled() and self._keep.isChecked()
            address, name = self._address.text().strip(), self._name.text().strip()
            self.given.emit(ServerGiven(address, name, self._key.text().strip(), keep))
