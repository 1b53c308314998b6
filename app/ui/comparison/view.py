"""The view of a comparison: a table of differences, aligned tokens, a word diff of two texts, and curves."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QTabWidget, QWidget

from app.bridge.tasks import Tasks
from app.comparison.columns import column_of_run
from app.comparison.comparison import LETTERS, Comparison, compare
from app.comparison.export import as_html, as_markdown, table_csv
from app.engine.types import Model
from app.i18n import tr
from app.records.comparison import word_diff
from app.records.journal import Journal
from app.records.types import RunId, WholeRun
from app.ui.comparison.pages import CurvesPage, DifferencesPage, TokensPage, WordDiffPage
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets import (
    SmallPrint,
    files,
    in_column,
    in_row,
    layout_widget,
    named,
    plain_label,
    push_button,
)
from app.ui.widgets.dates import format_time
from app.ui.widgets.diff_view import COMPARING

KINDS = {".html": tr("Report"), ".md": tr("Report"), ".csv": tr("Table of differences")}
TOO_FEW = tr("Fewer than two of these runs can be read from the session database.")


class ComparisonView(QWidget):
    """Shows a comparison in four tabs. Object names begin with `name`. `tasks` belong to the feature."""

    window_wanted = Signal(object, str)
    """The Comparison to show in a window of its own, and what is known about its cause."""

    def __init__(self, theme: Theme, tasks: Tasks, name: str, *, has_window: bool = False) -> None:
        super().__init__()
        self._tasks, self._name = tasks, name
        self._found: Comparison | None = None
        self._differences = DifferencesPage(theme, name)
        self._tokens = TokensPage(theme, name)
        self._texts = WordDiffPage(theme, name, self._diff)
        self._curves = CurvesPage(theme, name)
        self._known = plain_label("diff_known", muted=True, wraps=True, selectable=True, font=theme.font(Size.SMALL))
        self._known.hide()
        self._trouble = SmallPrint(theme, f"{name}_comparison_trouble", "error")
        tabs = named(QTabWidget(), f"{name}_compared", tr("Comparison"))
        tabs.setDocumentMode(True)
        pages = {
            tr("Differences"): self._differences,
            tr("Tokens"): self._tokens,
            tr("Text"): self._texts,
            tr("Curves"): self._curves,
        }
        for title, page in pages.items():
            tabs.addTab(page, title)
        tip = tr("Save this comparison as HTML, Markdown or CSV")
        buttons = [push_button(f"{name}_comparison_export", tr("Export…"), tip, kind="small", press=self._export)]
        if not has_window:
            tip = tr("Show this comparison in a window of its own")
            opened = push_button(f"{name}_compare", tr("Open in window"), tip, kind="small", press=self.open_window)
            buttons.insert(0, opened)
        self._buttons = layout_widget(in_row(*buttons, gap=GRID_PX, margins=(0, 0, 0, GRID_PX)))
        tabs.setCornerWidget(self._buttons)
        in_column((tabs, 1), self._known, self._trouble, on=self, gap=GRID_PX)

    def show_comparison(self, found: Comparison | None, known: str = "") -> None:
        """Show a comparison; None: too few runs can be read. `known` says what changes the tokens of their model."""
        self._found = found
        self._buttons.setEnabled(found is not None)
        self._trouble.say("" if found is not None else TOO_FEW, "error")
        self._known.setText(known)
        self._known.setVisible(bool(known))
        for page in (self._differences, self._tokens, self._texts, self._curves):
            page.show_comparison(found)

    def wait(self) -> None:
        """Show nothing until the next comparison is made."""
        self.show_comparison(None)
        self._trouble.say(COMPARING, "muted")

    async def show_runs(self, journal: Journal, model: Model | None, runs: Sequence[RunId]) -> None:
        """Read these runs and compare them; `model` is the open one."""
        self.show_comparison(*await self._tasks.in_thread(_read, journal, model, runs))

    def open_window(self) -> None:
        if self._found is not None:
            self.window_wanted.emit(self._found, self._known.text())

    def _diff(self, first: str, second: str) -> None:
        self._tasks.start(self._show_diff(first, second), f"{self._name}_diff")

    async def _show_diff(self, first: str, second: str) -> None:
        self._texts.show_diff((first, second), await self._tasks.in_thread(word_diff, first, second))

    def _export(self) -> None:
        if (found := self._found) is not None:
            texts = {
                suffix: partial(make, found)
                for suffix, make in zip(KINDS, (as_html, as_markdown, table_csv), strict=True)
            }
            save = partial(self._save, texts)
            files.ask_save(self, tr("Export the Comparison"), tr("Comparison"), KINDS, save)

    def _save(self, texts: files.Texts, path: Path) -> None:
        self._tasks.start(self._write(texts, path), f"{self._name}_comparison_export")

    async def _write(self, texts: files.Texts, path: Path) -> None:
        failure = await self._tasks.complete(partial(files.save, path, texts))
        self._trouble.say(*((failure.sentence, "error") if failure is not None else (files.saved(path), "muted")))


def _read(journal: Journal, model: Model | None, runs: Sequence[RunId]) -> tuple[Comparison | None, str]:
    """Compare these runs; None if fewer than two can be read.

    If all are of the open model and their texts differ, add the conclusion of its determinism experiment.
    """
    from app.roofline.measurement_store import sameness

    found = [whole for run in runs[: len(LETTERS)] if (whole := journal.runs.whole(run)) is not None]
    if len(found) < 2:
        return None, ""
    made = compare(tuple(map(column_of_run, found, _names(found))))
    is_own = model is not None and all(whole.run.model.folder == str(model.folder) for whole in found)
    differ = len({column.words for column in made.columns}) > 1
    return made, sameness(journal.folder, model) if is_own and differ and model is not None else ""


def _names(found: Sequence[WholeRun]) -> list[str]:
    """Return the times of the runs, and their models if there are several."""
    several = len({whole.run.model.label for whole in found}) > 1
    times = [format_time(whole.run.started) for whole in found]
    if len(set(times)) < len(times):  # runs of a batch
        words = tr("{time}, run {number}")
        times = [words.format(time=time, number=whole.run.id) for time, whole in zip(times, found, strict=True)]
    return [f"{time} {whole.run.model.label}" if several else time for time, whole in zip(times, found, strict=True)]
