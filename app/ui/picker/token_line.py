"""The field for the access token of gated models. The keychain can store it; it is never shown or written to a file."""

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class TokenState:
    """The state of the field. `kept`: the token is in the keychain, or is being stored there."""

    keychain: str = tr("keychain")
    unavailable: str = LOOKING
    """Why the keychain can't be used; empty if it can."""
    held: bool = False
    kept: bool = False
    forgettable: bool = False
    busy: bool = False
    warning: str = ""


class TokenLine(QWidget):
    """The field. The keychain is changed in a thread, one change at a time, so that the user's last choice is applied
    last.

    The program doesn't wait for the keychain, which may ask for a password.
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
        self._asked = self._busy = False
        self._unavailable: str | None = None
        """The reason why the keychain can't be used; empty: it can; None: not known yet."""
        self._waiting: list[Callable[[str | None], None]] = []
        self._field = _field(theme)
        self._field.returnPressed.connect(self._use_typed)
        self._field.textChanged.connect(self._offer)
        self._keep = named(QCheckBox(), "keep_token")
        self._keep.clicked.connect(self._on_keep_clicked)
        self._use = push_button("use_token", tr("Use"), tr("Use this token for the hub (Enter)"), press=self._use_typed)
        tip = tr("Remove this token, also from the keychain")
        self._forget = push_button("forget_token", tr("Forget"), tip, press=self._forget_token)
        self._words = SmallPrint(theme, "token_words")
        in_column(in_row((self._field, 1), self._keep, self._use, self._forget), self._words, on=self)
        self._refresh()
        self._offer()
        self.hide()

    def ask(self) -> None:
        """Show the field and focus it."""
        self.show()
        self._field.setFocus()

    def read_keychain(self) -> None:
        """Read the token from the keychain, once."""
        if not self._asked:
            self._asked = True
            self._tasks.start(self._read())

    def when_known(self, act: Callable[[str | None], None]) -> None:
        """Call `act` with the token, after the keychain was read."""
        if self.token is not None or self._unavailable is not None:
            act(self.token)
            return
        self._waiting.append(act)
        self.read_keychain()

    def show_state(self, state: TokenState) -> None:
        """Show the state. While there is no token, the check box applies to the next token."""
        title = tr("Save in the {keychain}").format(keychain=state.keychain)
        self._keep.setText(title)
        self._keep.setAccessibleName(title)
        self._keep.setEnabled(not state.unavailable)
        cant = tr("The {keychain} can't be used: {why}").format(keychain=state.keychain, why=state.unavailable)
        kept = tr("Available at the next start; never written to a file")
        self._keep.setToolTip(cant if state.unavailable else kept)
        if state.held or state.unavailable:
            self._keep.setChecked(state.kept)
        self._forget.setEnabled(state.forgettable)
        self._words.say(state.warning or _state_words(state), "warning" if state.warning else "muted")

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
        has_token = self.token is not None
        is_stored = self._stored is not None and self._unavailable == ""
        state = TokenState(
            keychain.name(),
            LOOKING if self._unavailable is None else self._unavailable,
            has_token,
            kept=has_token and self._wanted == self.token,
            forgettable=has_token or is_stored,
            busy=self._busy or (self._asked and self._unavailable is None),
            warning=failure.sentence if failure is not None else "",
        )
        self.show_state(state)

    def _offer(self) -> None:
        self._use.setEnabled(bool(self._field.text().strip()))

    def _use_typed(self) -> None:
        if token := self._field.text().strip():
            self.token = token
            if self._keep.isChecked():
                self._wanted = token
            self._settle()
            self.changed.emit()

    def _on_keep_clicked(self, is_kept: bool) -> None:
        if self.token is not None:
            self._wanted = self.token if is_kept else None
            self._settle()

    def _forget_token(self) -> None:
        self._field.clear()
        self._keep.setChecked(False)
        self.token = self._wanted = None
        self._settle()
        self.changed.emit()


def _read_keychain() -> tuple[str, str | Failure | None]:
    """Return why the keychain can't be used, and the stored token."""
    unavailable = keychain.unavailable()
    return unavailable, None if unavailable else keychain.read()


def _field(theme: Theme) -> QLineEdit:
    field = named(QLineEdit(), "hub_token", tr("Token for gated models"), TIP, font=theme.font(Size.NORMAL))
    field.setPlaceholderText(tr("Token for gated models (hf_…)"))
    field.setEchoMode(QLineEdit.EchoMode.Password)
    return field


def _state_words(state: TokenState) -> str:
    if state.busy:
        return tr("Asking the {keychain} …").format(keychain=state.keychain)
    if state.kept:
        return tr("Your token is in the {keychain}, and in no file.").format(keychain=state.keychain)
    sentences = [tr("Your token is used until Sluice quits; it is never written to a file.")]
    if not state.held and state.unavailable:
        sentences = [tr("Stays in memory until Sluice quits; never written to a file.")]
    elif not state.held:
        words = tr("Stays in memory until Sluice quits, unless it is saved in the {keychain}; never written to a file.")
        sentences = [words.format(keychain=state.keychain)]
    if state.unavailable:
        words = tr("The {keychain} can't be used: {why}.")
        sentences.append(words.format(keychain=state.keychain, why=state.unavailable))
    return " ".join((*sentences, *(() if state.held else (WITHOUT,))))
