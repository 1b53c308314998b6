"""The picker's page of this machine: what is scanned, what suits as a draft, what is deleted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.i18n import tr
from app.library import adapters, drafts, last_used, local, remove
from app.library.fit import fit_of
from app.library.types import FitVerdict, FolderChoice, LocalModel, ModelLocation, Removal
from app.number_format import size
from app.state import Phase
from app.ui.picker.columns import LocalRow
from app.ui.picker.local_page import LocalPage
from app.ui.widgets import file_opening

NO_MAIN = tr("No model is open that it could help.")
ITSELF = tr("It is the model that is open.")
IN_USE = tr("It is in use: open another model first.")


@dataclass(frozen=True, slots=True)
class Scanned:
    """What was found. Its folders are those of the models as they are listed, whichever way leads there."""

    models: tuple[LocalModel, ...] = ()
    used: frozenset[Path] = frozenset()
    """Of those that are open, or on their way."""
    main: Path | None = None
    wanted: Path | None = None


class LocalModelsController(QObject):
    """`scanned` when the list is new. `limit` is what the device allows."""

    scanned = Signal()
    deleted = Signal(str)
    """The name of a model of the cache."""

    def __init__(
        self,
        playground: Playground,
        tasks: Tasks,
        page: LocalPage,
        limit: Callable[[], int],
        *,
        data: Path,
        bundled: Path,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._tasks = tasks
        self._page = page
        self._data, self._bundled = data, bundled
        self._limit = limit
        self._for_draft = False
        self._wanted: Path | None = None
        self._folders: Sequence[str] = ()
        self._told = ("", "")
        """What is said as soon as the list is new, and as what."""
        self._planned: Removal | None = None
        self._scanned = Scanned()
        self._adapters_of: tuple[Path | None, FolderChoice | None] = (None, None)
        page.chosen.connect(self._look_whether_it_suits)
        page.chosen.connect(self._look_for_adapters)
        page.adapters.browse_wanted.connect(self._browse)
        page.fit_wanted.connect(self._reckon)
        page.delete_wanted.connect(self._plan_removal)
        page.question.confirmed.connect(self._remove)

    @property
    def models(self) -> tuple[LocalModel, ...]:
        return self._scanned.models

    @property
    def ids(self) -> frozenset[str]:
        """Names of whole models in the cache."""
        return frozenset(m.name for m in self.models if m.source is ModelLocation.CACHE and m.unusable is None)

    def refresh(self, folders: Sequence[str], wanted: Path | None = None, for_draft: bool | None = None) -> None:
        """Look again. `wanted` is the folder of the model that shall be chosen then, or a folder of models.

        Without a word of what it is `for_draft`, it is for the same as before.
        """
        model = self._playground.state.model
        self._for_draft = (self._for_draft if for_draft is None else for_draft) and model is not None
        self._wanted = wanted or self._wanted
        self._page.show_purpose(model.name if self._for_draft and model is not None else "")
        if not self.models:
            self._page.say(tr("Looking at the models on this machine …"))
        self._folders = tuple(folders)
        self._tasks.cancel("drafts")
        self._tasks.start(self._scan(self._folders), "scan")

    def tell_then(self, words: str, kind: str = "muted") -> None:
        """As soon as the list is new: what is said before goes with the choice."""
        self._told = words, kind

    def path_of(self, model_id: str) -> Path | None:
        """Where a model of the cache lies."""
        return next((m.folder for m in self.models if m.name == model_id and m.source is ModelLocation.CACHE), None)

    def told_too_large(self, model: LocalModel) -> bool:
        """Whether the sum at the side says that it won't fit, and what that means."""
        sum_ = fit_of(model.weights, model.shape, self._page.details.fit.context, self._limit())
        return sum_ is not None and sum_.verdict is FitVerdict.WONT_FIT

    def fits(self, model: LocalModel, weights: int) -> str:
        """Whether it would, with weights of so many bytes."""
        sum_ = fit_of(weights, model.shape, self._page.details.fit.context, self._limit())
        return sum_.sentence if sum_ is not None else ""

    def _used_now(self) -> tuple[Path, ...]:
        """The folders of the model that is open, of its draft, and of one that is being opened."""
        state = self._playground.state
        main = state.model
        used_now = [] if main is None else [main.folder, *([main.draft.folder] if main.draft else [])]
        return (*used_now, *([Path(state.wanted)] if state.phase is Phase.LOADING else []))

    def _main(self) -> LocalModel | None:
        """The model that is open, as the list has it."""
        return next((model for model in self.models if model.folder == self._scanned.main), None)

    async def _scan(self, folders: Sequence[str]) -> None:
        opened = self._playground.state.model
        main = opened.folder if opened is not None and opened.folder.is_absolute() else None
        places = main, self._used_now(), self._wanted
        answer = await self._tasks.tried(_scan, self._data, self._bundled, folders, *places)
        if isinstance(answer, Failure):
            self._told = ("", "")
            said = tr("The models could not be listed: {what} {todo}")
            self._page.say(said.format(what=answer.what, todo=answer.todo))
        else:
            self._show_scanned(answer)

    def _show_scanned(self, scanned: Scanned) -> None:
        self._scanned, self._wanted = scanned, None
        main = self._main()
        if self._for_draft and main is not None:
            self._tasks.start(self._show_drafts(main, scanned.models), "drafts")
        else:
            self._show([self._row(model) for model in scanned.models])
        self.scanned.emit()

    def _row(self, model: LocalModel, why_not: str = "") -> LocalRow:
        return LocalRow(model, why_not or model.why_not, model.folder in self._scanned.used)

    async def _show_drafts(self, main: LocalModel, models: tuple[LocalModel, ...]) -> None:
        answer = await self._tasks.tried(drafts.drafts_for, main, models)
        if isinstance(answer, Failure):
            self._page.say(answer.sentence)
        else:
            self._show([self._row(choice.model, choice.why_not) for choice in answer])

    def _show(self, rows: Sequence[LocalRow]) -> None:
        self._page.show_models(rows, self._scanned.wanted)
        told, self._told = self._told, ("", "")
        if told[0]:
            self._page.question.tell(*told)

    @Slot(object)
    def _look_whether_it_suits(self, model: LocalModel | None) -> None:
        main = self._main()
        if main is None or model is None or model is main:
            self._tasks.cancel("suits")
            self._page.show_draft_refusal(NO_MAIN if main is None else ITSELF)
        else:
            self._tasks.start(self._show_suits(main, model), "suits")

    async def _show_suits(self, main: LocalModel, model: LocalModel) -> None:
        answer = await self._tasks.tried(drafts.drafts_for, main, (model,))
        if isinstance(answer, Failure):
            self._page.show_draft_refusal(answer.what)
        else:
            self._page.show_draft_refusal(answer[0].why_not if answer else ITSELF)

    @Slot(object)
    def _look_for_adapters(self, model: LocalModel | None) -> None:
        """What is on the model that is open stands there at once; in a new list, what somebody has chosen since."""
        self._tasks.cancel("adapters")
        opened = self._playground.state.model
        there = opened.adapter if opened is not None and model is not None and model is self._main() else None
        known = FolderChoice(there.name, there.folder) if there is not None else None
        before, self._adapters_of = self._adapters_of, (model.folder if model is not None else None, known)
        if model is None or before != self._adapters_of:
            self._page.adapters.show_choices((known,) if known else (), known.folder if known else None)
        if model is not None and model.unusable is None and not self._for_draft:
            self._tasks.start(self._show_adapters(model), "adapters")

    async def _show_adapters(self, model: LocalModel, more: Path | None = None) -> None:
        """`more`: one that somebody chose."""
        answer = await self._tasks.tried(adapters.adapters_for, model.folder, more or self._page.adapters.folder)
        if not isinstance(answer, Failure):
            self._page.adapters.show_choices(answer, more or self._page.adapters.folder)

    @Slot()
    def _browse(self) -> None:
        file_opening.ask_folder(self._page.window(), tr("Choose an Adapter"), self._take_adapter)

    def _take_adapter(self, folder: Path) -> None:
        if (model := self._page.model) is not None:
            self._tasks.start(self._show_adapters(model, folder), "adapters")

    @Slot(object, int)
    def _reckon(self, model: LocalModel, context: int) -> None:
        main = self._main() if self._for_draft else None
        whole, draft = (model, None) if main is None else (main, (model.weights, model.shape))
        self._page.details.show_fit(fit_of(whole.weights, whole.shape, context, self._limit(), draft))

    @Slot(object)
    def _plan_removal(self, model: LocalModel) -> None:
        if model.source is ModelLocation.CACHE:
            self._tasks.start(self._ask(model), "removal")

    async def _ask(self, model: LocalModel) -> None:
        answer = await self._tasks.tried(remove.removal, model)
        if isinstance(answer, Failure):
            self.tell_then(answer.sentence, "warning")
            self.refresh(self._folders)  # somebody else may have deleted it
            return
        self._planned = answer
        asked = tr("Delete “{name}” from this machine? That frees {size}.")
        self._page.question.ask(asked.format(name=answer.name, size=size(answer.freed)))

    @Slot()
    def _remove(self) -> None:
        if self._planned is not None:
            planned, self._planned = self._planned, None
            self._tasks.start(self._delete(planned))

    async def _delete(self, planned: Removal) -> None:
        name = planned.name
        self._page.question.tell(tr("Deleting “{name}” …").format(name=name))
        answer = await self._tasks.tried(_remove, planned, self._used_now())
        if isinstance(answer, Failure):
            self._page.question.tell(answer.sentence, "warning")
            return
        rest = [model for model in self.models if (model.source, model.name) != (ModelLocation.CACHE, name)]
        told = tr("“{name}” is deleted; {size} are free again.")
        self.tell_then(told.format(name=name, size=size(answer)))
        self._show_scanned(replace(self._scanned, models=tuple(rest), wanted=None))
        self.deleted.emit(name)


# Called aside.


def _remove(planned: Removal, used_now: Sequence[Path]) -> int | Failure:
    """Unless it was opened since it was asked for."""
    folder = planned.folder.resolve()
    if any(folder in each.resolve().parents for each in used_now):
        return Failure(IN_USE, "")
    return remove.remove(planned)


def _scan(
    data: Path, bundled: Path, folders: Sequence[str], main: Path | None, used_now: Sequence[Path], wanted: Path | None
) -> Scanned:
    """Reads many files: not on the window's thread. What is open is in the list wherever it lies."""
    added = [Path(folder) for folder in folders]
    moments = last_used.read(data)
    found = local.models(bundled, added, moments)
    listed = {model.folder.resolve(): model.folder for model in found}
    if main is not None and main.resolve() not in listed and main.is_dir():
        found = (*found, *local.models(main, (), moments)[:1])
        listed |= {model.folder.resolve(): model.folder for model in found[-1:]}
    used_there = (listed.get(each.resolve()) for each in used_now)
    opened = listed.get(main.resolve()) if main is not None else None
    return Scanned(found, frozenset(each for each in used_there if each is not None), opened, _first(wanted, listed))


def _first(wanted: Path | None, listed: Mapping[Path, Path]) -> Path | None:
    """The wanted model as the list has it; of a folder of models the first."""
    if wanted is None:
        return None
    inside = sorted(file.parent for file in wanted.glob("*/config.json"))
    return next((listed[each] for each in map(Path.resolve, (wanted, *inside)) if each in listed), None)
