"""Opens prompt sets in the window: files, included sets, known tests of the hub, few-shot examples, chosen columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from app.engine.types import Failure
from app.evaluation.choice_columns import CHECK, ChoiceColumns, with_choices
from app.evaluation.journal_entries import earlier
from app.evaluation.known_tests import examples_from, open_test
from app.evaluation.reading import SHIPPED, IncludedPromptSet, open_set, shipped_set
from app.evaluation.types import Check, Evaluation, FewShotExamples, PromptSet
from app.i18n import tr
from app.ui.evaluation.columns_dialog import ColumnsDialog
from app.ui.evaluation.command import column_switches
from app.ui.evaluation.hub_dialog import HubDialog
from app.ui.look import Theme

if TYPE_CHECKING:
    from app.ui.evaluation.window import EvaluationWindow

SAMPLE_ROWS = 24
OpenedSet: TypeAlias = tuple[PromptSet, Check | None]


@dataclass(frozen=True, slots=True)
class SetSource:
    """The place of a set in the command."""

    path: str = ""
    """Its path, or the name of an included set; empty: it has no file."""
    columns: ChoiceColumns | None = None
    """The columns that were chosen for it."""
    examples: Path | None = None
    """The file of the few-shot examples that were added last."""

    @property
    def switches(self) -> tuple[str, ...]:
        return column_switches(self.columns) if self.columns is not None else ()


class SetOpener:
    def __init__(self, theme: Theme, window: EvaluationWindow, resources: Path | None) -> None:
        self._theme, self._window, self._resources = theme, window, resources
        self.source = SetSource()
        self._columns: ColumnsDialog | None = None
        self._tests: HubDialog | None = None

    def open_file(self, path: Path, title: str = "") -> None:
        if not self._window.foot.is_running:
            self._window.foot.say("")
            self._start(partial(open_test, path, title), SetSource(str(path)))

    def open_included(self, one: IncludedPromptSet) -> None:
        if self._resources is not None:
            self._start(partial(shipped_set, one, self._resources), SetSource(one.file))

    def run_sample(self) -> None:
        """Evaluate the first rows of an included set."""
        if self._resources is not None:
            self._window.tasks.start(self._run_sample(self._resources), "set")

    async def _run_sample(self, resources: Path) -> None:
        opened = await self._window.tasks.try_in_thread(shipped_set, SHIPPED[0], resources)
        if isinstance(opened, Failure):
            self._window.foot.show_failure(opened)
        elif not self._window.foot.is_running:
            (prompts, check), self.source = opened, SetSource()
            title = tr("{set}, sample").format(set=prompts.title)
            digest = f"{prompts.digest} {SAMPLE_ROWS}"
            self._window.show_opened(
                replace(prompts, title=title, rows=prompts.rows[:SAMPLE_ROWS], digest=digest), check, None
            )
            self._window.start()

    def add_examples(self, count: int, seed: int | None, path: Path) -> None:
        """Put examples of a file before each prompt; they replace earlier ones."""
        if (prompts := self._window.prompts) is not None and not self._window.foot.is_running:
            self._window.foot.say("")
            choose = partial(examples_from, path, prompts, count, seed, self.source.columns)
            self._window.tasks.start(self._take_examples(prompts, choose, path), "examples")

    def choose_columns(self) -> None:
        if (prompts := self._window.prompts) is not None and not self._window.foot.is_running:
            self._window.tasks.start(self._show_columns(prompts), "columns")

    def find_tests(self) -> None:
        if self._tests is None:
            self._tests = HubDialog(self._theme, self._window, self.open_file, self._window.set.add_examples)
        self._tests.allow_examples(self._window.prompts is not None)
        self._tests.open()

    def _start(self, read: Callable[[], OpenedSet | Failure], source: SetSource) -> None:
        self._window.tasks.start(self._open(read, source), "set")

    async def _open(self, read: Callable[[], OpenedSet | Failure], source: SetSource) -> None:
        opened = await self._window.tasks.try_in_thread(read)
        if isinstance(opened, Failure):
            self._window.foot.show_failure(opened)
            return
        prompts, check = opened
        before = await self._find_earlier(prompts)
        if not self._window.foot.is_running:  # another evaluation may have begun meanwhile
            self.source = source
            self._window.show_opened(prompts, check, before)

    async def _find_earlier(self, prompts: PromptSet) -> Evaluation | None:
        """Return the last evaluation of this set, if it had several variants."""
        journal = self._window.playground.book.journal
        study = await self._window.tasks.try_in_thread(earlier, journal, prompts) if journal is not None else None
        return study if isinstance(study, Evaluation) and len(study.arms) > 1 else None

    async def _take_examples(
        self, prompts: PromptSet, choose: Callable[[], FewShotExamples | Failure], path: Path
    ) -> None:
        window = self._window
        found = await window.tasks.try_in_thread(choose)
        if isinstance(found, Failure):
            window.foot.show_failure(found)
        elif window.prompts is prompts and not window.foot.is_running:
            self.source = replace(self.source, examples=path)
            window.set.show_template(replace(window.set.template(), examples=found))
            window.set.renew()
            window.enable()

    async def _show_columns(self, shown: PromptSet) -> None:
        """Show the columns of the file, since a known test was converted."""
        path = Path(self.source.path)
        found = await self._window.tasks.try_in_thread(open_set, path, shown.title) if path.is_absolute() else shown
        if isinstance(found, Failure):
            self._window.foot.show_failure(found)
            return
        dialog = self._columns = self._columns or ColumnsDialog(self._theme, self._window, self._use_columns)
        dialog.show_set(found)
        dialog.open()

    def _use_columns(self, columns: ChoiceColumns) -> None:
        if self._columns is not None and self._columns.prompts is not None:
            self._window.tasks.start(self._convert(self._columns, self._columns.prompts, columns), "columns")

    async def _convert(self, dialog: ColumnsDialog, prompts: PromptSet, columns: ChoiceColumns) -> None:
        found = await self._window.tasks.try_in_thread(with_choices, prompts, columns)
        if isinstance(found, Failure):
            dialog.show_error(found.sentence)
        elif dialog.isVisible():
            dialog.close()
            opened: OpenedSet = (found, CHECK)
            self._start(lambda: opened, replace(self.source, columns=columns))

    def close(self) -> None:
        """Stop a download, since the program ends."""
        if self._tests is not None:
            self._tests.close()
