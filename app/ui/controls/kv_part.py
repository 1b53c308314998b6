"""The section of the KV cache: on or off, reuse, quantization, size."""

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from app.engine.catalogue import SETTINGS
from app.engine.ranges import KV_BITS, KV_GROUP_SIZES, RANGES
from app.engine.types import KV
from app.i18n import tr
from app.ui.controls.idle_settings import idle_kv
from app.ui.controls.number_rows import allowed, row_for
from app.ui.look import Theme
from app.ui.widgets import ChoiceBox, WholeField, in_column, named

NO_LIMIT = 0
SIZES = replace(RANGES["kv_max_size"], neutral=NO_LIMIT, besides=NO_LIMIT)
AS_THEY_ARE = tr("Neutral: not quantized.")


class KvPart(QWidget):
    """`edited` carries the new `KV`."""

    edited = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._kv = KV()
        self._refusals: Mapping[str, str] = {}
        self._heads: tuple[int, ...] = ()
        self._drafting = False
        self._enabled, self._reuse = _check("kv_enabled"), _check("kv_reuse")
        bits = {None: tr("As is")} | {bits: tr("%n bits", "%n bit", bits) for bits in KV_BITS}
        self._bits = ChoiceBox("kv_bits", SETTINGS["kv_bits"].words, "", bits)
        sizes = {size: str(size) for size in KV_GROUP_SIZES}
        self._group = ChoiceBox("kv_group_size", SETTINGS["kv_group_size"].words, "", sizes)
        self._start = WholeField("kv_quantized_start", RANGES["kv_quantized_start"])
        self._size = WholeField("kv_max_size", SIZES, tr("No limit"))
        self._rows = {
            "kv_bits": row_for(theme, "kv_bits", self._bits, AS_THEY_ARE),
            "kv_group_size": row_for(theme, "kv_group_size", self._group),
            "kv_quantized_start": row_for(theme, "kv_quantized_start", self._start, allowed("kv_quantized_start")),
            "kv_max_size": row_for(theme, "kv_max_size", self._size, allowed("kv_max_size", SIZES)),
        }
        in_column(self._enabled, self._reuse, *self._rows.values(), on=self)
        self.show_value(KV(), drafting=False)
        self._listen()

    def show_value(self, kv: KV, drafting: bool) -> None:
        """Set all values without a signal, and gray out what has no effect or is refused."""
        self._kv, self._drafting = kv, drafting
        for box, checked in ((self._enabled, kv.enabled), (self._reuse, kv.reuse)):
            with QSignalBlocker(box):
                box.setChecked(checked)
        self._bits.show_value(kv.bits)
        self._group.show_value(kv.group_size)
        self._start.show_value(kv.quantized_start)
        self._size.show_value(kv.max_size or NO_LIMIT)
        self._grey()

    def show_model(self, refusals: Mapping[str, str], head_sizes: tuple[int, ...]) -> None:
        """Set the open model's refusals, and the head sizes that a group has to divide."""
        self._refusals, self._heads = refusals, head_sizes
        self._grey()

    def _grey(self) -> None:
        idle = idle_kv(self._kv, self._refusals, self._drafting)
        for name, row in self._rows.items():
            row.grey(idle.get(name, ""))
        for box in (self._enabled, self._reuse):
            why = idle.get(box.objectName(), "")
            box.setEnabled(not why)
            box.setToolTip("\n".join(filter(None, (SETTINGS[box.objectName()].meaning, why))))
        self._rows["kv_group_size"].refuse("" if "kv_group_size" in idle else self._uneven())

    def _uneven(self) -> str:
        heads = [size for size in self._heads if size % self._kv.group_size]
        words = tr("This model's head size is {size}, which isn't a multiple of the group size.")
        return words.format(size=heads[0]) if heads else ""

    def _fitting_group(self) -> int:
        """Return the chosen group size, or the largest that divides all head sizes."""
        fitting = [size for size in KV_GROUP_SIZES if not any(head % size for head in self._heads)]
        chosen = int(self._group.currentData())
        return chosen if chosen in fitting or not fitting else max(fitting)

    def _listen(self) -> None:
        self._enabled.toggled.connect(self._gather)
        self._reuse.toggled.connect(self._gather)
        self._bits.currentIndexChanged.connect(self._gather)
        self._group.currentIndexChanged.connect(self._gather)
        for name, field in (("kv_quantized_start", self._start), ("kv_max_size", self._size)):
            field.chosen.connect(self._gather)
            field.refused.connect(self._rows[name].refuse)

    def _gather(self) -> None:
        bits = self._bits.currentData()
        kv = replace(
            self._kv,
            enabled=self._enabled.isChecked(),
            reuse=self._reuse.isChecked(),
            bits=bits,
            group_size=self._group.currentData() if bits == self._kv.bits else self._fitting_group(),
            quantized_start=self._start.value(),
            max_size=self._size.value() or None,
        )
        self.edited.emit(kv)


def _check(name: str) -> QCheckBox:
    return named(QCheckBox(SETTINGS[name].words), name, SETTINGS[name].words)
