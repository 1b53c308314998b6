"""The settings window with its pages General, New Sessions, Folders and Advanced."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QListWidget, QPushButton, QStackedWidget, QWidget

from app.actions.keys import WITH_ENTER
from app.bridge.clock import FRAME_MS
from app.controls import Controls
from app.engine.types import ENDLESS, Failure
from app.files.settings import FRAMES_MS, KEPT_GB, MEMORY_GB, SAVED_GB, Notify
from app.i18n import LANGUAGES, tr
from app.library import cached
from app.number_format import duration, size
from app.ui.look import MARGIN_PX, PERCENTS, TextSizeFollower, Theme, scaled
from app.ui.settings.form import (
    Choices,
    Gigabytes,
    Milliseconds,
    Segments,
    SettingsPage,
    SettingsRow,
    Switch,
    side_by_side,
)
from app.ui.settings.privacy import PrivacyPage
from app.ui.widgets import begin_window, files, in_row, keep_position, named, push_button

if TYPE_CHECKING:
    from app.ui.settings.controller import SettingsController

CHUNKS = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
MAX_QUOTED = 60
"""Characters of the system prompt that are shown."""
RESTART_TIP = tr("Restarts Sluice and opens the same session. A run in progress is stopped.")
AFTER_RESTART = tr("Takes effect at the next start.")
RESETS = tr(
    "Resets everything in this window, at once. Sessions, models, presets, keyboard shortcuts and the controls of the "
    "window stay as they are."
)
KEPT = tr(
    "Memory for the loaded model's KV caches of other conversations and branches. A return to one of them then "
    "needs no prefill. Automatic: 1/8 of the memory limit. The cache that is cheapest to recompute per byte is "
    "dropped first."
)
CHUNK = tr(
    "Prompt tokens per prefill step, from the next run on. Automatic follows the measured speed, so that Stop takes "
    "effect within 250 ms. A larger step can be faster and delays Stop. The answer stays the same, except for "
    "rounding."
)
PACKED = tr(
    "Without a GPU, quantized weights are dequantized to float32 when a model is opened, if they fit into half of the "
    "memory limit. Quantized weights take less memory and are several times slower. "
    "Takes effect when a model is opened."
)
FRAME = tr(
    "Time between two updates of the text, effective at once. Default: {usual} ms. A shorter interval looks smoother "
    "and slows the model. It is extended, to 50 ms at most, when frames take too much processor time."
)
LIST_PX = 84
FIRST_PX = (760, 560)
MIN_PX = (520, 320)


class GeneralPage(SettingsPage):
    """Appearance, language, keyboard, notifications. Only the language needs a restart."""

    def __init__(self, settings: SettingsController, theme: Theme) -> None:
        super().__init__("settings_general", settings, theme)
        schemes = (
            ("", "system", tr("System"), tr("Follow the light or dark mode of the system.")),
            ("light", "light", tr("Light"), tr("Use the light colors.")),
            ("dark", "dark", tr("Dark"), tr("Use the dark colors.")),
        )
        contrast = tr("Stronger colors, even if the system doesn't ask for them.")
        tip = tr("Use stronger colors, even if the system doesn't ask for them.")
        sizes = {percent: tr("{number} %").format(number=percent) for percent in PERCENTS}
        everywhere = tr("Applies to the whole program: answers, controls and graphs.")
        tip_native = tr("Let macOS draw buttons, fields and lists")
        native = Switch("native_look", "native_look", tr("Native Mac controls"), tip_native, AFTER_RESTART)
        self.add_group(
            tr("Appearance"),
            Segments("appearance", "appearance", tr("Light or dark"), buttons=schemes),
            Switch("high_contrast", "contrast", tr("High contrast"), tip, contrast),
            Choices("text_percent", "text_size", tr("Text size"), tr("Size of all text"), everywhere, sizes),
            *((native,) if sys.platform == "darwin" else ()),
        )
        self._restart = push_button(
            "settings_restart_language", tr("Restart Sluice"), RESTART_TIP, press=settings.restart_wanted
        )
        languages = {"": tr("System"), **LANGUAGES}
        language = Choices(
            "language", "language", tr("Language"), tr("The language of the program"), AFTER_RESTART, languages
        )
        keys = (
            (True, "enter", tr("Enter"), tr("Enter sends; Shift+Enter makes a new line.")),
            (False, "with_enter", WITH_ENTER, tr("Enter makes a new line; {keys} sends.").format(keys=WITH_ENTER)),
        )
        self.add_group(
            tr("Language and keyboard"),
            self.bind(language, side_by_side(self._restart, at_end=True)),
            Segments("enter_sends", "send", tr("Send with"), "", _new_line, keys),
        )
        whens = {Notify.OFF.value: tr("Never"), "long": tr("Long tasks only"), "always": tr("Always")}
        tip = tr("When the system shows a notification while another program is in front")
        ends = tr("For finished runs, downloads and experiments. Long: at least 30 seconds.")
        self.add_group(
            tr("While another program is in front"),
            Choices("notify", "notify", tr("Notifications"), tip, ends, whens),
        )

    def refresh(self) -> None:
        super().refresh()
        self._restart.setVisible(self._settings.needs_restart)


def _new_line(settings: SettingsController) -> str:
    if settings.values.enter_sends:
        return tr("Shift+Enter makes a new line.")
    return tr("Enter makes a new line.")


class NewSessionsPage(SettingsPage):
    """The controls that new sessions begin with, which are saved from the window, and the reset of all settings."""

    def __init__(self, settings: SettingsController, theme: Theme) -> None:
        super().__init__("settings_beginning", settings, theme)
        starts = (
            (False, "last", tr("As last set"), tr("A new session keeps the current controls.")),
            (True, "saved", tr("As saved"), tr("A new session begins with the controls that were saved here.")),
        )
        label = tr("New sessions begin with")
        applies = tr("Applies to new sessions. Existing sessions keep their controls.")
        tip = tr("Save the window's current controls for new sessions.")
        save = push_button("settings_save_beginning", tr("Save Current Controls"), tip, press=settings.save_controls)
        self._saved = SettingsRow(theme, save, name=tr("Saved"))
        use = Segments("beginning.used", "begin_with", label, "", applies, starts)
        self.add_group(tr("New sessions"), use, self._saved)
        tip = tr("Reset everything in this window to its default")
        self._reset = push_button("settings_reset", tr("Reset All Settings"), tip, press=settings.reset)
        tip = tr("Restore the settings from before the reset")
        self._undo = push_button("settings_undo_reset", tr("Undo"), tip, press=settings.undo_reset)
        buttons = side_by_side(self._undo, self._reset)
        self.add_group(tr("All settings"), SettingsRow(theme, buttons, RESETS, name=tr("Default settings")))

    def refresh(self) -> None:
        super().refresh()
        self._saved.explain(controls_summary(self._settings.values.beginning.saved))
        can_undo = self._settings.can_undo
        self._undo.setVisible(can_undo)
        if not can_undo and self._reset.isVisible() and self._undo.hasFocus():
            self._reset.setFocus()


def controls_summary(controls: Controls) -> str:
    sampling, limit = controls.sampling, controls.limits.max_tokens
    chosen = tr("Temperature {temperature}, top-p {top_p}, top-k {top_k}, min-p {min_p}.").format(
        temperature=f"{sampling.temperature:g}",
        top_p=f"{sampling.top_p:g}",
        top_k=sampling.top_k,
        min_p=f"{sampling.min_p:g}",
    )
    most = tr("At most %n tokens.", "At most %n token.", limit)
    if limit == ENDLESS:
        most = tr("Max tokens: until the context window is full.")
    system = " ".join(controls.system.split())
    shortened = system if len(system) <= MAX_QUOTED else f"{system[:MAX_QUOTED].rstrip()}…"
    quoted = tr("System prompt “{beginning}”.").format(beginning=shortened) if system else tr("No system prompt.")
    if not controls.observe:
        return f"{chosen} {most} {quoted} " + tr("No alternatives are recorded. All other controls are saved, too.")
    recorded = tr(
        "%n alternatives are recorded per token. All other controls are saved, too.",
        "%n alternative is recorded per token. All other controls are saved, too.",
        controls.observe,
    )
    return f"{chosen} {most} {quoted} {recorded}"


class AdvancedPage(SettingsPage):
    """Memory limits, prefill step and frame interval; 0 in the settings means automatic."""

    def __init__(self, settings: SettingsController, theme: Theme) -> None:
        super().__init__("settings_advanced", settings, theme)
        automatic = tr("Automatic")
        chunks = {0: automatic} | {chunk: f"{chunk:,}" for chunk in CHUNKS}
        memory = tr("Memory for models and their caches; 0 is automatic")
        caches = tr("Memory for the KV caches of other conversations; 0 is automatic")
        disk = tr("Disk space for the KV caches of your sessions; 0 is off")
        chunk = tr("Prompt tokens processed at a time")
        packed = tr("Uses less memory; much slower without a GPU")
        off, in_memory, on_disk = tr("Off"), tr("KV caches in memory"), tr("KV caches on disk")
        limit = tr("Memory limit")
        self.add_group(
            tr("Engine"),
            Gigabytes("advanced.memory_gb", "memory", limit, memory, _memory, MEMORY_GB, special=automatic),
            Gigabytes("advanced.kept_gb", "kept", in_memory, caches, KEPT, KEPT_GB, special=automatic),
            Gigabytes("advanced.saved_gb", "saved", on_disk, disk, _saved, SAVED_GB, special=off),
            Choices("advanced.prefill_chunk", "chunk", tr("Prefill step"), chunk, CHUNK, chunks),
            Switch("advanced.keeps_packed", "packed", tr("Keep weights quantized"), packed, PACKED),
        )
        tip, sentence = tr("Interval between updates of the window during a run"), FRAME.format(usual=FRAME_MS)
        frame = Milliseconds("advanced.frame_ms", "frame", tr("Frame interval"), tip, sentence, FRAMES_MS, FRAME_MS)
        self.add_group(tr("Window"), frame)


def _memory(settings: SettingsController) -> str:
    rule = tr(
        "Models that need more memory are refused before loading, and MLX frees its buffers to stay below the limit. "
        "Takes effect at once, or after the current run. A loaded model stays loaded."
    )
    if not settings.memory_limit:
        return rule
    now = tr("The limit is {size} now.").format(size=size(settings.memory_limit))
    return f"{rule} {now}"


def _saved(settings: SettingsController) -> str:
    rule = tr(
        "Saves KV caches to the disk when idle and on quit, so old sessions answer at once after a restart. The caches "
        "contain the conversations and are deleted with them. Sluice writes at most four times this size from start to "
        "quit, to spare the SSD."
    )
    if not settings.values.advanced.saved_gb:
        return rule
    saved = settings.saved_caches
    now = tr("Stored now: {size}. Since startup: {written} written, {time} of prefill saved.")
    numbers = now.format(size=size(saved.size), written=size(saved.written), time=duration(saved.seconds))
    return f"{rule} {numbers} {saved.why_not}".rstrip()


class FoldersPage(SettingsPage):
    """Changes only which folders are used; nothing in them is moved or deleted."""

    def __init__(self, settings: SettingsController, theme: Theme) -> None:
        super().__init__("settings_folders", settings, theme)
        self._cache_bytes: int | None = None
        """None: not measured yet."""
        self._shell_cache: Path | None = None
        tip = tr("The picker lists the models in these folders too.")
        self._models = named(QListWidget(), "settings_model_folders", tr("Folders of models"), tip)
        scaled(theme, self._models, QWidget.setFixedHeight, LIST_PX)
        tip = tr("Add a folder to the list")
        add = push_button("settings_add_folder", tr("Add…"), tip, press=self._ask_folder)
        tip = tr("Remove the folder from the list; nothing in it is deleted")
        self._remove = push_button("settings_remove_folder", tr("Remove"), tip, press=self._remove_chosen)
        self._models.currentRowChanged.connect(lambda row: self._remove.setEnabled(row >= 0))
        name = tr("More folders of models")
        sentence = tr(
            "The model picker lists the models in these folders. Quantized copies are saved beside their original."
        )
        models = SettingsRow(theme, side_by_side(self._remove, add), sentence, name=name, below=self._models)
        self.add_group(tr("Models"), models, self._make_cache_row())
        show = _show_button("settings_show_data", tr("Show the sessions' folder in the file manager"), settings.data)
        text = tr("{folder}: sessions, runs and settings").format(folder=settings.data)
        data = SettingsRow(theme, show, text, name=tr("Sessions and settings"))
        show = _show_button("settings_show_logs", tr("Show the logs in the file manager"), settings.logs)
        text = tr("{folder}: errors, without prompts or answers").format(folder=settings.logs)
        self.add_group(tr("Sluice's own files"), data, SettingsRow(theme, show, text, name=tr("Logs")))

    def refresh(self) -> None:
        super().refresh()
        folders = list(self._settings.folders.names)
        if folders != [self._models.item(row).text() for row in range(self._models.count())]:
            self._models.clear()
            self._models.addItems(folders)
        self._remove.setEnabled(self._models.currentRow() >= 0)
        self._cache.explain(self._cache_text())
        self._default.setVisible(bool(self._settings.values.cache))
        self._shell.setVisible(self._shell_cache not in (None, self._next_cache))
        self._restart.setVisible(self._next_cache != cached.folder_of_cache())

    def measure(self) -> None:
        """Measure the cache and ask the shell for its own, both in threads."""
        self._settings.tasks.start(self._measure_cache(), "size of the cache")
        self._settings.tasks.start(self._ask_shell(), "cache of the shell")

    def use_cache(self, folder: Path | None) -> None:
        """Store downloads there from the next start on; None: in the default folder."""
        self._settings.edit("cache", "" if folder is None else str(folder.absolute()))

    @property
    def _next_cache(self) -> Path:
        """Return the folder for downloads after the next start."""
        cache = self._settings.values.cache
        return Path(cache) if cache else self._settings.default_cache

    def _make_cache_row(self) -> SettingsRow:
        show = _show_button("settings_show_cache", tr("Show the downloads in the file manager"), None)
        tip = tr("Choose another folder for downloads")
        change = push_button("settings_change_cache", tr("Change…"), tip, press=self._ask_cache)
        tip = tr("Use the default folder, which other programs use too")
        self._default = push_button("settings_usual_cache", tr("Use Default"), tip, press=lambda: self.use_cache(None))
        tip = tr("Use the folder set by HF_HOME or HF_HUB_CACHE in your shell")
        press = lambda: self.use_cache(self._shell_cache)  # noqa: E731
        self._shell = push_button("settings_shell_cache", tr("Use the Shell's"), tip, press=press)
        restart = self._settings.restart_wanted
        self._restart = push_button("settings_restart_cache", tr("Restart Sluice"), RESTART_TIP, press=restart)
        below = side_by_side(self._restart, self._shell, self._default, at_end=True)
        name = tr("Downloads (Hugging Face cache)")
        self._cache = SettingsRow(self._theme, side_by_side(show, change), name=name, below=below)
        return self._cache

    def _cache_text(self) -> str:
        now, then = cached.folder_of_cache(), self._next_cache
        size_text = tr("measuring …") if self._cache_bytes is None else size(self._cache_bytes)
        text = tr("{folder}: {size}. Other programs that use Hugging Face share this folder.")
        if then != now:
            text = tr("{folder}: {size}. The next start uses {next}. Existing models are not moved.")
        text = text.format(folder=now, size=size_text, next=then)
        if self._shell_cache in (None, then):
            return text
        return tr("{known} Your shell is set to {folder}.").format(known=text, folder=self._shell_cache)

    async def _measure_cache(self) -> None:
        answer = await self._settings.tasks.try_in_thread(cached.size_of, cached.folder_of_cache())
        if not isinstance(answer, Failure):
            self._cache_bytes = answer
            self.refresh()

    async def _ask_shell(self) -> None:
        answer = await self._settings.tasks.try_in_thread(cached.of_shell)
        if not isinstance(answer, Failure):
            self._shell_cache = answer
            self.refresh()

    def _remove_chosen(self) -> None:
        if (item := self._models.currentItem()) is not None:
            self._settings.folders.remove(item.text())

    def _ask_folder(self) -> None:
        files.ask_folder(self, tr("Add a Folder of Models"), self._settings.folders.add)

    def _ask_cache(self) -> None:
        files.ask_folder(self, tr("Choose a Folder for Downloads"), self.use_cache)


def _show_button(name: str, tip: str, folder: Path | None) -> QPushButton:
    """Make a button that opens a folder in the file manager; None: the folder of downloads."""
    return push_button(name, tr("Show"), tip, tip, press=lambda: _show(folder or cached.folder_of_cache()))


def _show(folder: Path) -> None:
    """Open the nearest folder that exists: nothing may have been downloaded yet."""
    existing = next((each for each in (folder, *folder.parents) if each.is_dir()), folder)
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(existing)))


class SettingsWindow(QDialog):
    """A list of pages on the left, the current page on the right. It stays open beside the main window; every change
    takes effect at once.
    """

    def __init__(self, settings: SettingsController, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        begin_window(theme, self, "settings", tr("Settings"), FIRST_PX, MIN_PX)
        self._folders, self._privacy = FoldersPage(settings, theme), PrivacyPage(settings, theme)
        self.pages: dict[str, SettingsPage] = {
            tr("General"): GeneralPage(settings, theme),
            tr("New Sessions"): NewSessionsPage(settings, theme),
            tr("Folders"): self._folders,
            tr("Privacy"): self._privacy,
            tr("Advanced"): AdvancedPage(settings, theme),
        }
        self._list = named(QListWidget(self), "settings_pages", tr("Pages of the settings"), tr("Choose a page"))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack = QStackedWidget(self)
        for name, page in self.pages.items():
            self._list.addItem(name)
            self._stack.addWidget(page)
        self._list.currentRowChanged.connect(self._turn)
        in_row(self._list, (self._stack, 1), on=self, gap=MARGIN_PX, margins=MARGIN_PX)
        self._list.setCurrentRow(0)
        TextSizeFollower(
            theme, self._list, lambda names: names.setFixedWidth(names.sizeHintForColumn(0) + 2 * MARGIN_PX)
        )

    def refresh(self) -> None:
        for page in self.pages.values():
            page.refresh()

    def bring_up(self) -> None:
        """Show the window in front, with the focus on the list of pages, and measure folders and sessions."""
        self.refresh()
        self._folders.measure()
        self._privacy.measure()
        keep_position(self)
        self.show()
        self._list.doItemsLayout()  # again: rows that were laid out before polishing are too low
        self.raise_()
        self.activateWindow()
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _turn(self, row: int) -> None:
        self._stack.setCurrentIndex(row)
        list(self.pages.values())[row].verticalScrollBar().setValue(0)
