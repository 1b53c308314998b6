"""The field for the access token of gated models. The keychain can store it; it is never shown or written to a file."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.i18n import tr
from app.library import keychain
from app.ui.look import Size, Theme
from app.ui.widgets import SmallPrint, in_column, in_row, named, push_button

TIP = tr("Required by gated and private models; never written to a file")
LOOKING = tr("it hasn't answered yet")
WITHOUT = tr("Without a token, your Hugging Face login (hf auth login) is used.")
UNKNOWN = ""
"""Placeholder for a token: the keychain's content is unknown, and must not be changed."""


class TokenLine(QWidget):
    """The field for the access token.

    The keychain is changed in a thread, one change at a time, so that the user's last choice is applied last. The
    program doesn't wait for the keychain, which may ask for a password.
    """

    changed = Signal()
    """The token has changed."""

    def __init__(self, theme: Theme, tasks: Tasks) -> None:
        super().__init__()
        self.setObjectName("token_line")
        self.token: str | None = None
        """The token in use; never written to a file or log. None: there is none."""
        self._tasks = tasks
        self._stored: str | None = UNKNOWN
        """The token in the keychain."""
        self._wanted: str | None = UNKNOWN
        """The token that the keychain should contain."""
        self._is_requested = self._busy = False
        self._unavailable: str | None = None
        """The reason why the keychain can't be used; empty: it can; None: not known yet."""
        self._waiting: list[Callable[[str | None], None]] = []
        name = tr("Token for gated models")
        self._field = named(QLineEdit(), "hub_token", name, TIP, font=theme.font(Size.NORMAL))
        self._field.setPlaceholderText(tr("Token for gated models (hf_…)"))
        self._field.setEchoMode(QLineEdit.EchoMode.Password)
        self._field.returnPressed.connect(self._use_typed)
        self._field.textChanged.connect(self._enable_use)
        self._save = named(QCheckBox(), "keep_token")
        self._save.clicked.connect(self._on_save_clicked)
        self._use = push_button("use_token", tr("Use"), tr("Use this token for the hub (Enter)"), press=self._use_typed)
        tip = tr("Remove this token, also from the keychain")
        self._forget = push_button("forget_token", tr("Forget"), tip, press=self._forget_token)
        self._message = SmallPrint(theme, "token_words")
        in_column(in_row((self._field, 1), self._save, self._use, self._forget), self._message, on=self)
        self._refresh()
        self._enable_use()
        self.hide()

    def ask(self) -> None:
        """Show the field and focus it."""
        self.show()
        self._field.setFocus()

    def read_keychain(self) -> None:
        """Read the token from the keychain, once."""
        if not self._is_requested:
            self._is_requested = True
            self._tasks.start(self._read())

    def when_known(self, act: Callable[[str | None], None]) -> None:
        """Call `act` with the token, after the keychain was read."""
        if self.token is not None or self._unavailable is not None:
            act(self.token)
            return
        self._waiting.append(act)
        self.read_keychain()

    async def _read(self) -> None:
        self._refresh()
        answer = await self._tasks.try_in_thread(_read_keychain)
        self._unavailable, found = (answer.what.rstrip("."), None) if isinstance(answer, Failure) else answer
        failure = None
        if self._wanted == UNKNOWN:
            failure = found if isinstance(found, Failure) else None
            self._wanted = self._stored = UNKNOWN if isinstance(found, Failure) else found
            if self._stored and self.token is None:
                self.token = self._stored
                self.changed.emit()
        self._settle(failure)
        waiting, self._waiting = self._waiting, []
        for act in waiting:
            act(self.token)

    def _settle(self, failure: Failure | None = None) -> None:
        """Change the keychain as wanted, when no other change is running."""
        if self._wanted != self._stored and not (self._unavailable or self._busy):
            self._tasks.start(self._store())
        self._refresh(failure)

    async def _store(self) -> None:
        self._busy = True
        wanted = self._wanted
        work = partial(keychain.keep, wanted) if wanted else keychain.forget
        failure = await self._tasks.complete(work)
        self._busy = False
        self._stored = wanted if failure is None else UNKNOWN
        if failure is not None and self._wanted == wanted:
            self._wanted = UNKNOWN
        self._settle(failure)

    def _refresh(self, failure: Failure | None = None) -> None:
        """Show the state. While there is no token, the check box applies to the next token."""
        unavailable = LOOKING if self._unavailable is None else self._unavailable
        has_token = self.token is not None
        is_saved = has_token and self._wanted == self.token
        show_keychain(self._save, unavailable)
        if has_token or unavailable:
            self._save.setChecked(is_saved)
        self._forget.setEnabled(has_token or (self._stored is not None and not unavailable))
        if failure is not None:
            self._message.say(failure.sentence, "warning")
        elif self._busy or (self._is_requested and self._unavailable is None):
            self._message.say(tr("Asking the {keychain} …").format(keychain=keychain.name()), "muted")
        else:
            self._message.say(_state_text(has_token, is_saved, unavailable), "muted")

    def _enable_use(self) -> None:
        self._use.setEnabled(bool(self._field.text().strip()))

    def _use_typed(self) -> None:
        if token := self._field.text().strip():
            self.token = token
            if self._save.isChecked():
                self._wanted = token
            self._settle()
            self.changed.emit()

    def _on_save_clicked(self, is_saved: bool) -> None:
        if self.token is not None:
            self._wanted = self.token if is_saved else None
            self._settle()

    def _forget_token(self) -> None:
        self._field.clear()
        self._save.setChecked(False)
        self.token = self._wanted = None
        self._settle()
        self.changed.emit()


def _read_keychain() -> tuple[str, str | Failure | None]:
    """Return why the keychain can't be used, and the stored token."""
    unavailable = keychain.unavailable()
    return unavailable, None if unavailable else keychain.read()


def show_keychain(box: QCheckBox, unavailable: str) -> None:
    """Name the keychain on the check box that saves in it; `unavailable`: why it can't be used, or empty."""
    title = tr("Save in the {keychain}").format(keychain=keychain.name())
    box.setText(title)
    box.setAccessibleName(title)
    box.setEnabled(not unavailable)
    text = tr("The {keychain} can't be used: {why}").format(keychain=keychain.name(), why=unavailable)
    box.setToolTip(text if unavailable else tr("Available at the next start; never written to a file"))


def _state_text(has_token: bool, is_saved: bool, unavailable: str) -> str:
    name = keychain.name()
    if is_saved:
        return tr("Your token is in the {keychain}, and in no file.").format(keychain=name)
    if has_token:
        text = tr("Your token is used until Sluice quits; it is never written to a file.")
    elif unavailable:
        text = tr("Stays in memory until Sluice quits; never written to a file.")
    else:
        text = tr("Stays in memory until Sluice quits, unless it is saved in the {keychain}; never written to a file.")
    reason = tr("The {keychain} can't be used: {why}.").format(keychain=name, why=unavailable) if unavailable else ""
    return " ".join(filter(None, (text.format(keychain=name), reason, "" if has_token else WITHOUT)))
