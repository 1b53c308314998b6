"""The dialog that downloads a file of a known test, or of any dataset, from the Hugging Face hub."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem

from app.engine.protocol import StopFlag
from app.engine.types import Failure
from app.evaluation.known_tests import HUB_TESTS
from app.evaluation.reading import DATA_SUFFIXES, LARGEST_BYTES, PARQUET, why_no_parquet
from app.i18n import tr
from app.library import datasets
from app.library.datasets import DatasetFiles
from app.library.types import HubFile
from app.number_format import size
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Theme
from app.ui.study_window import StudyWindow
from app.ui.widgets import (
    SmallPrint,
    ThinBar,
    begin_window,
    button_row,
    field_label,
    in_column,
    in_row,
    named,
    plain_label,
    push_button,
)

FIRST_PX, SMALLEST_PX = (780, 520), (600, 420)
POLL_MS = 100
ABOUT = tr(
    "Sluice contacts the hub when you press List Files or download a file. A file may have at most {size}. "
    "Sluice includes no test."
).format(size=size(LARGEST_BYTES))


class HubDialog(QDialog):
    """`open_set` receives the path of a downloaded file and a title, `add_examples` the path."""

    def __init__(
        self,
        theme: Theme,
        window: StudyWindow,
        open_set: Callable[[Path, str], None],
        add_examples: Callable[[Path], None],
    ) -> None:
        super().__init__(window)
        begin_window(theme, self, "hub_tests", tr("Known Tests"), FIRST_PX, SMALLEST_PX)
        self._tasks = window.tasks
        self._open_set, self._add_examples = open_set, add_examples
        self._found: DatasetFiles | None = None
        self._file: HubFile | None = None
        """The file that is being downloaded."""
        self._stop, self._arrived = StopFlag(), 0
        self._poll = QTimer(self, interval=POLL_MS)
        self._poll.timeout.connect(self._show_progress)
        tip = tr("Known tests with their dataset and license")
        self._tests = named(QListWidget(), "hub_known", tr("Known tests"), tip)
        text, unknown = tr("{test} · {dataset} · license: {license}"), tr("not stated")
        self._tests.setWordWrap(True)
        self._tests.setResizeMode(QListWidget.ResizeMode.Adjust)
        self._tests.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for test in HUB_TESTS:
            words = text.format(test=test.title, dataset=test.dataset, license=test.license or unknown)
            self._tests.addItem(words)
        tip = tr("The id of a dataset on the hub: AUTHOR/NAME")
        self._dataset = named(QLineEdit(), "hub_dataset", tr("Dataset"), tip)
        tip = tr("Ask the hub for the files of this dataset (Enter)")
        self._list = push_button("hub_list", tr("List Files"), tip, press=self._ask_files)
        tip = tr("Files that Sluice can read: {suffixes}").format(suffixes=" ".join(DATA_SUFFIXES))
        self._files = named(QListWidget(), "hub_files", tr("Files"), tip)
        self._message = SmallPrint(theme, "hub_message", "text")
        self._bar = ThinBar(theme, "hub_bar", Color.DECODE)
        self._bar.hide()
        tip = tr("Download the file, and put examples from it before each prompt of the open set")
        self._examples = push_button("hub_examples", tr("Use as Examples"), tip, press=lambda: self._begin(False))
        tip = tr("Download the file, and open it as the prompt set")
        self._open = push_button("hub_open", tr("Open as Set"), tip, kind="primary", press=lambda: self._begin(True))
        self._has_set = False
        self._lay_out(theme)
        self._tests.currentRowChanged.connect(self._choose_test)
        self._tests.itemActivated.connect(lambda: self._ask_files())
        self._dataset.returnPressed.connect(self._ask_files)
        self._files.currentRowChanged.connect(lambda: self._enable())
        self._tests.setCurrentRow(0)
        self.finished.connect(lambda: self._stop.ask())

    def allow_examples(self, allowed: bool) -> None:
        """Allow examples, since a set is open."""
        self._has_set = allowed
        self._enable()

    def _lay_out(self, theme: Theme) -> None:
        close = push_button("hub_close", tr("Close"), tr("Close; a download stops, and continues next time (Esc)"))
        close.clicked.connect(self.close)
        left = in_column(field_label(theme, tr("Known tests"), self._tests), (self._tests, 1), gap=GRID_PX)
        right = in_column(field_label(theme, tr("Files"), self._files), (self._files, 1), gap=GRID_PX)
        line = in_row(field_label(theme, tr("Dataset"), self._dataset), (self._dataset, 1), self._list)
        in_column(
            plain_label("hub_about", ABOUT, muted=True, wraps=True),
            (in_row((left, 1), (right, 1)), 1),
            line,
            self._message,
            self._bar,
            button_row(close, self._examples, self._open),
            on=self,
            gap=GAP_PX,
            margins=MARGIN_PX,
        )

    def _choose_test(self, row: int) -> None:
        self._dataset.setText(HUB_TESTS[row].dataset)
        self._show_files(None)

    def _show_files(self, found: DatasetFiles | None) -> None:
        self._found = found
        self._files.clear()
        missing = why_no_parquet()
        for file in found.files if found is not None else ():
            item = QListWidgetItem(f"{file.name} · {size(file.size)}")
            is_too_large = file.size > LARGEST_BYTES
            is_unreadable = missing is not None and file.name.lower().endswith(PARQUET)
            if is_too_large or is_unreadable:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
            if is_too_large:
                item.setText(tr("{file}: too large").format(file=item.text()))
            elif is_unreadable and missing is not None:
                self._message.say(missing.sentence, "warning")
            self._files.addItem(item)
        test = HUB_TESTS[self._tests.currentRow()]
        names = [file.name for file in found.files] if found is not None and found.dataset == test.dataset else []
        usual = next((at for at, name in enumerate(names) if name.startswith(test.split)), 0)
        if self._files.count():
            self._files.setCurrentRow(usual)
        self._enable()

    def _ask_files(self) -> None:
        if self._file is None:
            self._tasks.start(self._find(self._dataset.text().strip()), "hub files")

    async def _find(self, dataset: str) -> None:
        self._show_files(None)
        self._message.say(tr("Asking the hub…"))
        found = await self._tasks.try_in_thread(datasets.files_of, dataset, DATA_SUFFIXES)
        if isinstance(found, Failure):
            self._message.say(found.sentence, "error")
            return
        self._message.say("" if found.files else tr("The dataset has no file that Sluice can read."), "warning")
        self._show_files(found)

    @property
    def _chosen(self) -> HubFile | None:
        row, found = self._files.currentRow(), self._found
        if row < 0 or found is None:
            return None
        return found.files[row] if self._files.item(row).flags() & Qt.ItemFlag.ItemIsEnabled else None

    def _enable(self) -> None:
        is_free = self._file is None
        self._open.setEnabled(is_free and self._chosen is not None)
        self._examples.setEnabled(is_free and self._has_set and self._chosen is not None)
        for each in (self._tests, self._files, self._dataset, self._list):
            each.setEnabled(is_free)

    def _begin(self, is_set: bool) -> None:
        if self._found is not None and self._chosen is not None:
            self._tasks.start(self._download(self._found, self._chosen, is_set), "hub download")

    async def _download(self, found: DatasetFiles, file: HubFile, is_set: bool) -> None:
        self._file, self._stop, self._arrived = file, StopFlag(), 0
        self._show_progress()
        self._bar.show()
        self._poll.start()
        self._enable()
        path = await self._tasks.try_in_thread(datasets.download, found, file, self._count, self._stop)
        self._file = None
        self._poll.stop()
        self._bar.hide()
        self._message.say(path.sentence if isinstance(path, Failure) else "", "error")
        self._enable()
        if isinstance(path, Path):
            self.close()
            if is_set:
                self._open_set(path, f"{found.dataset.rpartition('/')[2]}: {file.name.partition('-00000')[0]}")
            else:
                self._add_examples(path)

    def _count(self, arrived: int) -> None:
        self._arrived = arrived

    def _show_progress(self) -> None:
        if (file := self._file) is not None:
            words = tr("{done} of {size} of {file}")
            words = words.format(done=size(self._arrived), size=size(file.size), file=file.name)
            self._message.say(words)
            self._bar.show_share(self._arrived, file.size, words)
