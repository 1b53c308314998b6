"""The set of the window: opened, shown as it will be sent, its tokens counted aside."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from app.bridge.model_folders import ModelFolders
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import ChatPrompt, ExactPrompt, Failure, PromptSource, RawPrompt, Request
from app.evaluation.checks import suggested
from app.evaluation.journal_entries import earlier, reopened
from app.evaluation.reading import open_set
from app.evaluation.shipped import SHIPPED, Shipped, shipped_set
from app.evaluation.templates import missing, prompt_of, why_missing
from app.evaluation.token_counts import counts
from app.evaluation.types import Check, Evaluation, EvaluationSummary, PromptSet, Template
from app.i18n import tr
from app.records.journal import Journal
from app.records.studies import StudyId
from app.state import Phase, State
from app.ui.evaluation.controller_history import EarlierController
from app.ui.evaluation.controller_run import StudyController
from app.ui.evaluation.controller_variants import ArmsController, Take
from app.ui.evaluation.rows import seen
from app.ui.evaluation.values import Setup
from app.ui.evaluation.view import SET, SetsView
from app.ui.look import Theme

REST_MS = 300
"""So long the keyboard has to rest until tokens are counted anew."""
ENDLESS_CONTEXT = 2**31
COUNTING, PREVIEW = "set counts", "set preview"


class SetController(QObject):
    """One set at a time."""

    session_deleted = Signal(int)

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        bundled: Path,
        resources: Path | None,
        folders: ModelFolders,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._playground = playground
        self._resources = resources
        self._tasks = Tasks(self)
        self.view = SetsView(theme, window)
        self._prompts: PromptSet | None = None
        self._counts: dict[int, int | None] = {}
        self._said: PromptSource | None = None
        """What the first arm says with each row."""
        self._arms = ArmsController(playground, self.view, self._tasks, bundled, folders)
        self._study = StudyController(playground, self.view, self._tasks, self._arms, self)
        self._earlier = EarlierController(playground, self.view, self._tasks, self.session_deleted.emit, self)
        self._later = QTimer(self, singleShot=True, interval=REST_MS)
        self._later.timeout.connect(self._count)
        self._listen()

    def close(self) -> None:
        """The window goes."""
        self._later.stop()
        self._study.close()
        self.view.leave()
        self._tasks.close()

    def take(self, path: Path) -> None:
        """A file, a folder, or a set that came with the program."""
        if not self.view.foot.going:
            self.view.foot.say("")
            self._tasks.start(self._take(partial(open_set, path), str(path)), "set")

    def _listen(self) -> None:
        view = self.view
        view.opened.connect(self._look)
        view.file_taken.connect(self.take)
        view.studies.opened.connect(self._reopen)
        view.set.table.chosen.connect(self._show_row)
        view.set.edited.connect(self._renew)
        view.arms.edited.connect(self._look_at_first)
        view.set.edited.connect(lambda: view.foot.say(""))
        self._playground.changed.connect(self._on_changed)
        view.set.offer(() if self._resources is None else SHIPPED)
        view.set.shipped_wanted.connect(self._open_shipped)

    @Slot()
    def _look(self) -> None:
        self._arms.look()
        self._renew()

    @Slot(object)
    def _open_shipped(self, one: Shipped) -> None:
        if self._resources is not None:
            self._tasks.start(self._take(partial(shipped_set, one, self._resources), one.file, one.check), "set")

    async def _take(self, read: Callable[[], PromptSet | Failure], called: str, check: Check | None = None) -> None:
        found = await self._tasks.tried(read)
        if isinstance(found, Failure):
            self.view.foot.show_failure(found)
            return
        before = await self._asked_before(found)
        if self.view.foot.going:  # begun while this was read
            return
        self._show(found, called, before)
        if before is None:
            self.view.arms.show_setup(replace(self.view.arms.setup(), check=check or suggested(found)))
        else:
            self.view.foot.say(tr("As this set was asked last. Start goes on where that was."), "muted")
        self.view.turn_to(SET)
        self._renew()

    async def _asked_before(self, prompts: PromptSet) -> Evaluation | None:
        """Two arms and more that were held against each other."""
        journal = self._playground.book.journal
        study = await self._tasks.tried(earlier, journal, prompts) if journal is not None else None
        return study if isinstance(study, Evaluation) and len(study.arms) > 1 else None

    def _show(self, prompts: PromptSet, called: str, before: Evaluation | None) -> None:
        """In place of the set that was there; as it was asked before."""
        self._prompts, self._counts = prompts, {}
        self.view.set.show_set(prompts, before.template if before else prompts.template, self._counts, self._most)
        self._arms.begin(prompts)
        self._study.begin(prompts, called)
        if before is not None:
            self._arms.show(before.arms)
            self.view.arms.show_setup(Setup(before.check, before.repeats, before.together))

    @Slot(object)
    def _reopen(self, study: EvaluationSummary) -> None:
        journal = self._playground.book.journal
        if journal is not None and not self.view.foot.going:
            self._tasks.start(self._show_earlier(journal, study.number), "set")

    async def _show_earlier(self, journal: Journal, number: StudyId) -> None:
        found = await self._tasks.tried(reopened, journal, number)
        if isinstance(found, Failure):
            self.view.foot.show_failure(found)
        elif not self.view.foot.going:
            study = found[1].study
            self._show(study.prompts, "", study)
            self._study.take_up(*found)
            self._renew()

    def _most(self) -> int:
        """So many tokens leave no room for an answer."""
        model = self._playground.state.model
        return (model.context if model is not None else 0) or ENDLESS_CONTEXT

    @property
    def _uncounted(self) -> bool:
        return self._prompts is not None and len(self._counts) < len(self._prompts.rows)

    @Slot()
    def _look_at_first(self) -> None:
        """With the first arm's words all prompts are others."""
        said = self._arms.arms[0].request.prompt if self._arms.arms else None
        if said != self._said:
            self._said = said
            self._renew()

    @Slot()
    def _renew(self) -> None:
        """The template is another: all prompts are."""
        if self._prompts is not None:
            self._playground.tasks.cancel(COUNTING)
            self._study.know_tokens(None)
            self._show_row()
            self._later.start()

    @Slot()
    def _show_row(self) -> None:
        row = self.view.set.table.row
        if self._prompts is not None and row is not None:
            self._playground.tasks.start(self._preview(self._prompts, row, self.view.set.template()), PREVIEW)

    async def _preview(self, prompts: PromptSet, row: int, template: Template) -> None:
        """As words at once; as the model's template has it where the engine is free to say so."""
        source = self._arms.take(prompt_of(template, prompts.values(row)))
        wrong = why_missing(missing(template, prompts.columns))
        self.view.set.show_preview(_words(source), wrong)
        if wrong or self._playground.state.phase is not Phase.READY:
            return
        found = await self._playground.preview_prompts(lambda foresee: foresee(Request(source)))
        if isinstance(found, ExactPrompt):
            self.view.set.show_preview(seen(found.text))
        else:
            self.view.set.show_preview(_words(source), found.sentence)

    @Slot()
    def _count(self) -> None:
        if self._prompts is not None and self.view.isVisible() and self._playground.state.phase is Phase.READY:
            self._counts.clear()
            self.view.set.table.renew(0, len(self._prompts.rows) - 1)
            self._playground.tasks.start(self._count_all(self._prompts, self.view.set.template()), COUNTING)

    async def _count_all(self, prompts: PromptSet, template: Template) -> None:
        """A few at a time: what else the engine is asked meanwhile has its turn."""
        while len(self._counts) < len(prompts.rows):
            if self._playground.state.phase is not Phase.READY:
                return
            start = len(self._counts)
            found = await self._playground.preview_prompts(partial(_counted, prompts, template, start, self._arms.take))
            for row, count in enumerate(found, start):
                self._counts[row] = count if count >= 0 else None
            self.view.set.table.renew(start, len(self._counts) - 1)
        known = [each for each in self._counts.values() if each is not None]
        self._study.know_tokens(sum(known) if len(known) == len(self._counts) else None)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        """Nothing is followed for nobody: whoever opens the window has all of it looked at."""
        if not self.view.isVisible():
            return
        if new.model is not old.model:
            self._look()
        elif new.controls != old.controls:
            self._arms.follow()
        elif old.phase is not new.phase is Phase.READY and self._uncounted:
            self._later.start()
        if new.phase is not old.phase:
            self._study.enable()


def _counted(
    prompts: PromptSet, template: Template, start: int, take: Take, foresee: Callable[[Request], ExactPrompt | Failure]
) -> tuple[int, ...]:
    """On the engine's thread."""

    def count(prompt: ChatPrompt | RawPrompt) -> int:
        found = foresee(Request(take(prompt)))
        return len(found.ids) if isinstance(found, ExactPrompt) else -1

    return counts(prompts, template, count, start)


def _words(source: ChatPrompt | RawPrompt) -> str:
    """Without the model's template."""
    if isinstance(source, RawPrompt):
        return seen(source.text)
    told = tr("{role}: {text}")
    return seen("\n\n".join(told.format(role=each.role.words, text=each.text) for each in source.messages))
