"""Where a token for gated models is typed: held for this session or kept by the system's keychain, as its words say."""

from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from app.i18n import tr
from app.ui.look import Size, Theme
from app.ui.widgets import SmallPrint, in_column, in_row, named, push_button

TIP = tr("Asked for by gated and private models; no file of Sluice's ever holds it")
LOOKING = tr("it is still being asked")
WITHOUT = tr("A login of the hub's own (hf auth login) is used without a token.")


@dataclass(frozen=True, slots=True)
class TokenState:
    """What there is to show. `kept`: the token in use is in the keychain, or on its way there."""

    keychain: str = tr("keychain")
    unavailable: str = LOOKING
    """Why the keychain can't be used; empty if it can."""
    held: bool = False
    kept: bool = False
    forgettable: bool = False
    busy: bool = False
    warning: str = ""


class TokenLine(QWidget):
    """`given` with the token, and whether to keep it; what is in use or kept is never shown itself."""

    given = Signal(str, bool)
    keep_chosen = Signal(bool)
    forget_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("token_line")
        self._field = _field(theme)
        self._field.returnPressed.connect(self._give)
        self._field.textChanged.connect(self._offer)
        self._keep = named(QCheckBox(), "keep_token")
        self._keep.clicked.connect(self.keep_chosen)
        self._use = push_button("use_token", tr("Use"), tr("Ask the hub with this token (Enter)"), press=self._give)
        tip = tr("Use this token no longer, and take it out of the keychain")
        self._forget = push_button("forget_token", tr("Forget"), tip, press=self._drop)
        self._words = SmallPrint(theme, "token_words")
        in_column(in_row((self._field, 1), self._keep, self._use, self._forget), self._words, on=self)
        self.show_state(TokenState())
        self._offer()
        self.hide()

    def show_state(self, state: TokenState) -> None:
        """Where the token stands. Without one the box is the user's own, ticked for the token that he will give."""
        title = tr("Keep in the {keychain}").format(keychain=state.keychain)
        self._keep.setText(title)
        self._keep.setAccessibleName(title)
        self._keep.setEnabled(not state.unavailable)
        cant = tr("The {keychain} can't be used: {why}").format(keychain=state.keychain, why=state.unavailable)
        kept = tr("It is there at the next start, in no file of Sluice's")
        self._keep.setToolTip(cant if state.unavailable else kept)
        if state.held or state.unavailable:
            self._keep.setChecked(state.kept)
        self._forget.setEnabled(state.forgettable)
        self._words.say(state.warning or _said(state), "warning" if state.warning else "muted")

    @Slot()
    def ask(self) -> None:
        """Let it be typed."""
        self.show()
        self._field.setFocus()

    @Slot()
    def _offer(self) -> None:
        self._use.setEnabled(bool(self._field.text().strip()))

    @Slot()
    def _give(self) -> None:
        if token := self._field.text().strip():
            self.given.emit(token, self._keep.isChecked())

    @Slot()
    def _drop(self) -> None:
        self._field.clear()
        self._keep.setChecked(False)
        self.forget_wanted.emit()


def _field(theme: Theme) -> QLineEdit:
    field = named(QLineEdit(), "hub_token", tr("Token for gated models"), TIP, font=theme.font(Size.NORMAL))
    field.setPlaceholderText(tr("Token for gated models (hf_…)"))
    field.setEchoMode(QLineEdit.EchoMode.Password)
    return field


def _said(state: TokenState) -> str:
    if state.busy:
        return tr("Asking the {keychain} …").format(keychain=state.keychain)
    if state.kept:
        return tr("Your token is in the {keychain}, and in no file of Sluice's.").format(keychain=state.keychain)
    sentences = [tr("Your token is used until Sluice quits; it is in no file.")]
    if not state.held and state.unavailable:
        sentences = [tr("Kept in memory until Sluice quits, in no file of Sluice's.")]
    elif not state.held:
        words = tr("Kept in memory until Sluice quits unless the {keychain} keeps it, in no file of Sluice's.")
        sentences = [words.format(keychain=state.keychain)]
    if state.unavailable:
        words = tr("The {keychain} can't be used: {why}.")
        sentences.append(words.format(keychain=state.keychain, why=state.unavailable))
    return " ".join((*sentences, *(() if state.held else (WITHOUT,))))
