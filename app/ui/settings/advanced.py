"""What is best left alone: the memory limit, what of it is kept, the prefill step, the frame interval."""

from functools import partial

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

from app.engine.types import Saved
from app.files.settings import FRAMES_MS, KEPT_GB, MEMORY_GB, SAVED_GB, Advanced
from app.i18n import tr
from app.number_format import duration, size
from app.ui.look import Theme, scaled
from app.ui.settings.page import Choice, Page, SettingsRow
from app.ui.widgets import named
from app.ui.widgets.number_field import spaced

CHUNKS = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
STEP_GB = 0.5
FIELD_PX = 112
KEPT = tr(
    "Memory for KV caches of other conversations and branches of the loaded model. Returning to one then needs no "
    "prefill. Automatic: 1/8 of the memory limit. The cheapest to recompute per byte is dropped first."
)
CHUNK = tr(
    "Prompt tokens per prefill step, from the next run on. Automatic follows the measured speed, so that Stop takes "
    "effect within 250 ms. A larger step can be faster and delays Stop. The answer stays the same, except for "
    "rounding."
)
FRAME = tr(
    "Time between two updates of the text, effective at once. Default: {usual} ms. A shorter interval looks smoother "
    "and slows the model. It is extended when a frame takes too long."
)


class AdvancedPage(Page):
    """`edited` with the name of a value and the value; 0 leaves it to the program."""

    edited = Signal(str, object)

    def __init__(self, theme: Theme, usual_frame_ms: int, parent: QWidget | None = None) -> None:
        super().__init__(theme, "settings_advanced", parent)
        self._usual_ms = usual_frame_ms
        tip = tr("How much models and their caches may take; 0 is automatic")
        self._memory = self._gigabytes("memory", tr("Memory limit"), tip, MEMORY_GB)
        tip = tr("How much the caches of conversations that you left may take; 0 is automatic")
        self._kept = self._gigabytes("kept", tr("KV caches in memory"), tip, KEPT_GB)
        tip = tr("How much of the disk the caches of your sessions may take; 0 is off")
        self._saved = self._gigabytes("saved", tr("KV caches on disk"), tip, SAVED_GB)
        self._saved.setSpecialValueText(tr("Off"))
        chunks = {0: tr("Automatic")} | {chunk: f"{chunk:,}" for chunk in CHUNKS}
        tip = tr("How many tokens of a prompt are processed at a time")
        tell = partial(self.edited.emit, "prefill_chunk")
        self._chunk = Choice("settings_chunk", tr("Prefill step"), tip, chunks, tell)
        self._frame = QSpinBox()
        self._frame.setRange(*FRAMES_MS)
        self._frame.setSuffix(" ms")
        tip = tr("How often new text is drawn during a run")
        _dress(theme, self._frame, "settings_frame", tr("Frame interval"), tip)
        usual = self._usual_ms
        self._frame.valueChanged.connect(lambda value: self.edited.emit("frame_ms", 0 if value == usual else value))
        self._lay_out()

    def show_values(self, values: Advanced, limit: int, saved: Saved | None = None) -> None:
        """`limit` is held to at present, in bytes; 0: not known yet."""
        gigabytes = (self._memory, values.memory_gb), (self._kept, values.kept_gb), (self._saved, values.saved_gb)
        for spin, value in gigabytes:
            with QSignalBlocker(spin):
                spin.setValue(value)
        with QSignalBlocker(self._frame):
            self._frame.setValue(values.frame_ms or self._usual_ms)
        self._chunk.show_value(values.prefill_chunk)
        self._memory_row.explain(_memory_words(limit))
        self._saved_row.explain(_saved_words(saved if values.saved_gb else None))

    def _gigabytes(self, field: str, spoken: str, tip: str, limits: tuple[float, float]) -> QDoubleSpinBox:
        """What is less than the least, and not 0, becomes that."""
        spin = QDoubleSpinBox()
        spin.setDecimals(1)
        spin.setRange(0.0, limits[1])
        spin.setSingleStep(STEP_GB)
        spin.setSuffix(" GB")
        spin.setSpecialValueText(tr("Automatic"))
        _dress(self._theme, spin, f"settings_{field}", spoken, tip)
        tell = partial(self.edited.emit, f"{field}_gb")
        spin.valueChanged.connect(lambda value: tell(max(value, limits[0]) if value else 0.0))
        return spin

    def _lay_out(self) -> None:
        theme = self._theme
        self._saved_row, self._memory_row = SettingsRow(theme, self._saved), SettingsRow(theme, self._memory)
        kept, chunk = SettingsRow(theme, self._kept, KEPT), SettingsRow(theme, self._chunk, CHUNK)
        self.add_group(tr("Engine"), self._memory_row, kept, self._saved_row, chunk)
        self.add_group(tr("Window"), SettingsRow(theme, self._frame, FRAME.format(usual=self._usual_ms)))


def _dress(theme: Theme, spin: QAbstractSpinBox, name: str, spoken: str, tip: str) -> None:
    """What is being typed is no value yet."""
    spaced(named(spin, name, spoken, tip)).setKeyboardTracking(False)
    scaled(theme, spin, QWidget.setFixedWidth, FIELD_PX)


def _memory_words(limit: int) -> str:
    what = tr(
        "Models that need more memory are refused before loading, and MLX frees its buffers to stay below the limit. "
        "Takes effect at once, or after the current run. A loaded model stays loaded."
    )
    if not limit:
        return what
    now = tr("The limit is {size} now.").format(size=size(limit))
    return f"{what} {now}"


def _saved_words(saved: Saved | None) -> str:
    what = tr(
        "Saves KV caches to the disk when idle and on quit, so old sessions answer at once after a restart. The caches "
        "contain the conversations and are deleted with them. Sluice writes at most four times this size from start to "
        "quit, to spare the SSD."
    )
    if saved is None:
        return what
    now = tr("{size} are stored now. Since startup, {written} were written and {time} of prefill saved.")
    told = now.format(size=size(saved.size), written=size(saved.written), time=duration(saved.seconds))
    return f"{what} {told} {saved.why_not}".rstrip()
