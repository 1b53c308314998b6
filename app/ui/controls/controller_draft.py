"""The choice of a draft model: the candidates, and loading the chosen one."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.library.drafts import drafts_around
from app.library.types import FolderChoice
from app.state import Phase, State
from app.ui.controls import ControlsPanel

KIND = "drafts"
Offers = tuple[FolderChoice, ...]


class DraftController(QObject):
    """Looks for draft models when the section is opened. `bundled` is the folder of the program's own models."""

    def __init__(self, playground: Playground, panel: ControlsPanel, bundled: Path | None, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._part, self._section = panel.rare.draft, panel.sections["draft"]
        self._offers: Offers | None = ()
        self._known: Path | None = None
        """The model for which the candidates were searched."""
        self._bundled = bundled
        self._tasks = Tasks(self)
        playground.changed.connect(self._on_changed)
        self._section.unfolded.connect(self._on_unfolded)
        self._part.picked.connect(self._load)
        self._on_unfolded()

    def _on_changed(self, old: State, new: State) -> None:
        if (new.model, new.phase) != (old.model, old.phase):
            self._look(new)
            self._show(new)

    def _on_unfolded(self) -> None:
        self._look(self._playground.state)
        self._show(self._playground.state)

    def _look(self, state: State) -> None:
        model = state.model
        if model is None or model.folder == self._known or not self._section.is_open:
            return
        self._known = model.folder
        if model.folder.is_dir():
            self._offers = None
            self._tasks.start(self._find(model.folder), KIND)
        else:
            self._tasks.cancel(KIND)
            self._offers = ()

    async def _find(self, model: Path) -> None:
        """Search for draft models; files that can't be read mean no candidates."""
        offers = await self._tasks.try_in_thread(look_for, model, self._bundled)
        self._offers = () if isinstance(offers, Failure) else offers
        self._show(self._playground.state)

    def _show(self, state: State) -> None:
        model = state.model
        if model is None:
            self._part.show_offers(())
            return
        known = self._offers if model.folder == self._known else ()
        offers, loaded = known or (), model.draft.folder if model.draft else None
        if model.draft is not None and model.draft.folder not in {offer.folder for offer in offers}:
            offers = (FolderChoice(model.draft.name, model.draft.folder), *offers)
        refusal = model.can.refusal("draft")
        self._part.show_offers(offers, loaded, state.phase is Phase.READY, refusal)
        if known is None and not refusal:
            self._part.show_looking()

    def _load(self, folder: Path | None) -> None:
        model = self._playground.state.model
        if model is not None:
            self._playground.load(replace(model.opened_by, draft=str(folder) if folder else None))


def look_for(model: Path, bundled: Path | None) -> Offers:
    """Return the possible draft models for the panel, on a worker thread."""
    choices = drafts_around(model, bundled)
    return tuple(FolderChoice(choice.model.name, choice.model.folder, choice.why_not) for choice in choices)
