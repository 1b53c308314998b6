"""The section of the draft model: the models that fit, why others don't, and the number of draft tokens."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.engine.catalogue import SETTINGS
from app.engine.ranges import RANGES
from app.i18n import tr
from app.library.types import FolderChoice
from app.ui.controls.number_rows import allowed, row_for
from app.ui.look import Theme
from app.ui.widgets import ChoiceBox, SmallPrint, WholeField, add_entry, as_tip, in_column, push_button

NONE = tr("None")
NO_DRAFT = tr("No effect while no draft model is loaded.")
MOST_REASONS = 4


class DraftPart(QWidget):
    """`picked` carries a folder, or None; `browse_wanted`: the user wants to see the whole list of models."""

    picked = Signal(object)
    browse_wanted = Signal()
    edited = Signal(object)
    """The number of draft tokens."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._offers: tuple[FolderChoice, ...] = ()
        self._loaded: Path | None = None
        self._choice = ChoiceBox("draft_model", SETTINGS["draft"].words, "", narrow=True)
        self._choice.activated.connect(self._pick)
        self._row = row_for(theme, "draft", self._choice, below=True)
        self._reasons = SmallPrint(theme, "draft_reasons")
        tip = tr("Choose among all models on this computer; unsuitable ones show the reason")
        self._browse = push_button(
            "browse_drafts", tr("All models…"), tip, tr("All models"), kind="small", press=self.browse_wanted
        )
        self._tokens = WholeField("draft_tokens", RANGES["draft_tokens"])
        self._tokens.chosen.connect(self.edited.emit)
        self._tokens_row = row_for(theme, "draft_tokens", self._tokens, allowed("draft_tokens"))
        self._tokens.refused.connect(self._tokens_row.refuse)
        in_column(self._row, self._reasons, self._browse, self._tokens_row, on=self)
        self.show_offers(())

    def show_value(self, tokens: int) -> None:
        """Set the number without a signal."""
        self._tokens.show_value(tokens)

    def show_offers(
        self, offers: Sequence[FolderChoice], loaded: Path | None = None, settled: bool = False, refusal: str = ""
    ) -> None:
        """Show the available draft models, the loaded one, and whether it can be changed now.

        `refusal`: why this model can have none.
        """
        self._offers, self._loaded = tuple(offers), loaded
        self._choice.show_entries({None: NONE})
        for offer in sorted(offers, key=lambda offer: bool(offer.why_not)):
            tip = as_tip(offer.why_not or str(offer.folder))
            add_entry(self._choice, offer.name, offer.folder, tip, not offer.why_not)
        self._choice.show_value(loaded)
        self._browse.setEnabled(settled and not refusal)
        self._row.grey(refusal or ("" if settled else tr("A model has to be open, and no run in progress.")))
        self._tokens_row.grey("" if loaded else NO_DRAFT)
        self._reasons.say(refusal or reasons(self._offers))

    def show_looking(self) -> None:
        """Show that candidates are still being searched."""
        self._reasons.say(tr("Searching for models on this computer…"))

    def _pick(self) -> None:
        folder = self._choice.currentData()
        if folder != self._loaded:
            self.picked.emit(folder)


def reasons(offers: Sequence[FolderChoice]) -> str:
    """Return the reasons why other models can't be chosen, a line each."""
    refused = [f"{offer.name}: {offer.why_not}" for offer in offers if offer.why_not]
    rest = len(refused) - MOST_REASONS
    more = [tr("… and %n more; the list shows the reasons.", "", rest)] if rest > 0 else []
    if not offers:
        return tr("There is no other model on this computer.")
    return "\n".join([*refused[:MOST_REASONS], *more])
