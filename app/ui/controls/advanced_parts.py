"""The sections KV cache, Draft model and Tools; finds settings that have no effect because of other settings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from app.engine.catalogue import SETTINGS, is_off, needed_by
from app.engine.ranges import KV_BITS, KV_GROUP_SIZES, RANGES
from app.engine.tools import EXAMPLE, why_no_tools
from app.engine.types import AUTOMATIC, KV, Sampling
from app.i18n import tr
from app.library.types import FolderChoice
from app.ui.controls.number_rows import allowed, row_for
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets import (
    ChoiceBox,
    ProseField,
    SmallPrint,
    WholeField,
    add_entry,
    as_tip,
    in_column,
    named,
    push_button,
)
from app.ui.widgets.plain_text import keep_byte_order_mark

GREEDY = tr("No effect at temperature 0: the most likely token is always taken.")
NO_LIMIT = 0
SIZES = replace(RANGES["kv_max_size"], neutral=NO_LIMIT, besides=NO_LIMIT)
NOT_QUANTIZED = tr("Neutral: not quantized.")
NONE = tr("None")
NO_DRAFT = tr("No effect while no draft model is loaded.")
LOOKUP = "lookup"
"""The entry for prompt lookup among the draft models."""
LOOKUP_SIZES = replace(RANGES["lookup_tokens"], minimum=1, neutral=NO_LIMIT, besides=NO_LIMIT)
"""Shows AUTOMATIC as 0, below the other numbers."""
MOST_REASONS = 4
LINES_SHOWN = 5


def idle_sampling(sampling: Sampling) -> Mapping[str, str]:
    """Return the settings without effect, each with the reason."""
    off = {name: [need for need in needed_by(name) if is_off(need, sampling)] for name in SETTINGS}
    return {name: _reason(needs[-1]) for name, needs in off.items() if needs}


def _reason(needed: str) -> str:
    if needed == "temperature":
        return GREEDY
    words = tr("No effect while {setting} is {value}.")
    return words.format(setting=SETTINGS[needed].inside, value=f"{RANGES[needed].neutral:g}")


def idle_kv(kv: KV, refusals: Mapping[str, str], drafting: bool) -> Mapping[str, str]:
    """Return KV cache settings without effect or refused by this model, with reasons: a run leaves them out."""
    if "bare_loop" in refusals:
        others = {name: why for name, why in refusals.items() if name != "bare_loop"}
        return {"kv_enabled": refusals["bare_loop"], **idle_kv(replace(kv, enabled=True), others, drafting)}
    if not kv.enabled:
        return dict.fromkeys(
            ("kv_reuse", "kv_bits", "kv_group_size", "kv_quantized_start", "kv_max_size"), tr("The KV cache is off.")
        )
    idle = {"kv_reuse": refusals["kv_reuse"]} if "kv_reuse" in refusals else {}
    bits = None if "kv_bits" in refusals else kv.bits
    if "kv_bits" in refusals:
        idle["kv_bits"] = refusals["kv_bits"]
    elif kv.max_size is not None and bits is None:
        idle["kv_bits"] = tr("A KV cache of limited size can't be quantized.")
    if "max_kv_size" in refusals:
        idle["kv_max_size"] = refusals["max_kv_size"]
    elif bits is not None:
        idle["kv_max_size"] = tr("A quantized KV cache can't be limited in size.")
    elif drafting:
        idle["kv_max_size"] = tr("With draft tokens the KV cache has no size limit.")
    if bits is None:
        idle |= dict.fromkeys(
            ("kv_group_size", "kv_quantized_start"), tr("No effect while the KV cache is not quantized.")
        )
    return idle


class KvPart(QWidget):
    """`edited` carries the new `KV`."""

    edited = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._kv = KV()
        self._heads: tuple[int, ...] = ()
        self._enabled, self._reuse = _check("kv_enabled"), _check("kv_reuse")
        bits = {None: tr("As is")} | {bits: tr("%n bits", "%n bit", bits) for bits in KV_BITS}
        self._bits = ChoiceBox("kv_bits", SETTINGS["kv_bits"].words, "", bits)
        sizes = {size: str(size) for size in KV_GROUP_SIZES}
        self._group = ChoiceBox("kv_group_size", SETTINGS["kv_group_size"].words, "", sizes)
        self._start = WholeField("kv_quantized_start", RANGES["kv_quantized_start"])
        self._size = WholeField("kv_max_size", SIZES, tr("No limit"))
        self._rows = {
            "kv_bits": row_for(theme, "kv_bits", self._bits, NOT_QUANTIZED),
            "kv_group_size": row_for(theme, "kv_group_size", self._group),
            "kv_quantized_start": row_for(theme, "kv_quantized_start", self._start, allowed("kv_quantized_start")),
            "kv_max_size": row_for(theme, "kv_max_size", self._size, allowed("kv_max_size", SIZES)),
        }
        in_column(self._enabled, self._reuse, *self._rows.values(), on=self)
        self.show_value(KV(), False, {}, ())
        for box in (self._enabled, self._reuse):
            box.toggled.connect(self._on_edited)
        for choice in (self._bits, self._group):
            choice.currentIndexChanged.connect(self._on_edited)
        for name, field in (("kv_quantized_start", self._start), ("kv_max_size", self._size)):
            field.chosen.connect(self._on_edited)
            field.refused.connect(self._rows[name].refuse)

    def show_value(self, kv: KV, drafting: bool, refusals: Mapping[str, str], heads: tuple[int, ...]) -> None:
        """Set all values without a signal, and gray out what has no effect or what the model refuses.

        A group has to divide the sizes of the model's `heads`.
        """
        self._kv, self._heads = kv, heads
        for box, checked in ((self._enabled, kv.enabled), (self._reuse, kv.reuse)):
            with QSignalBlocker(box):
                box.setChecked(checked)
        self._bits.show_value(kv.bits)
        self._group.show_value(kv.group_size)
        self._start.show_value(kv.quantized_start)
        self._size.show_value(kv.max_size or NO_LIMIT)
        idle = idle_kv(kv, refusals, drafting)
        for name, row in self._rows.items():
            row.grey(idle.get(name, ""))
        for box in (self._enabled, self._reuse):
            why = idle.get(box.objectName(), "")
            box.setEnabled(not why)
            box.setToolTip("\n".join(filter(None, (SETTINGS[box.objectName()].meaning, why))))
        uneven = [] if "kv_group_size" in idle else [size for size in heads if size % kv.group_size]
        words = tr("This model's head size is {size}, which isn't a multiple of the group size.")
        self._rows["kv_group_size"].refuse(words.format(size=uneven[0]) if uneven else "")

    def _fitting_group(self) -> int:
        """Return the chosen group size, or the largest that divides all head sizes."""
        fitting = [size for size in KV_GROUP_SIZES if not any(head % size for head in self._heads)]
        chosen = int(self._group.currentData())
        return chosen if chosen in fitting or not fitting else max(fitting)

    def _on_edited(self) -> None:
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


class DraftPart(QWidget):
    """`picked` carries a folder, or None; `browse_wanted`: the user wants to see the whole list of models."""

    picked = Signal(object)
    browse_wanted = Signal()
    edited = Signal(object)
    """The number of draft tokens."""
    lookup_edited = Signal(object)
    """The number of tokens of prompt lookup."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._loaded: Path | None = None
        self._looks_up, self._lookup_refusal = False, ""
        self._choice = ChoiceBox("draft_model", SETTINGS["draft"].words, "", narrow=True)
        self._choice.activated.connect(self._pick)
        self._row = row_for(theme, "draft", self._choice, below=True)
        self._reasons = SmallPrint(theme, "draft_reasons")
        tip = tr("Choose among all models on this computer; unsuitable ones show the reason")
        self._browse = push_button(
            "browse_drafts", tr("All models…"), tip, tr("All models"), kind="small", press=self.browse_wanted
        )
        self._tokens = WholeField("draft_tokens", RANGES["draft_tokens"], tr("Automatic"))
        self._tokens.chosen.connect(self.edited.emit)
        self._tokens_row = row_for(theme, "draft_tokens", self._tokens, SETTINGS["draft_tokens"].advice)
        self._tokens.refused.connect(self._tokens_row.refuse)
        self._lookup_tokens = WholeField("lookup_tokens", LOOKUP_SIZES, tr("Automatic"))
        self._lookup_tokens.chosen.connect(lambda tokens: self.lookup_edited.emit(tokens or AUTOMATIC))
        self._lookup_row = row_for(theme, "lookup_tokens", self._lookup_tokens, SETTINGS["lookup_tokens"].advice)
        self._lookup_tokens.refused.connect(self._lookup_row.refuse)
        in_column(self._row, self._reasons, self._browse, self._tokens_row, self._lookup_row, on=self)
        self.show_choices(())

    def show_value(self, tokens: int, lookup_tokens: int) -> None:
        self._tokens.show_value(tokens)
        if lookup_tokens:
            self._lookup_tokens.show_value(NO_LIMIT if lookup_tokens == AUTOMATIC else lookup_tokens)
        self._looks_up = bool(lookup_tokens)
        self._show_source()

    def show_choices(
        self,
        choices: Sequence[FolderChoice],
        loaded: Path | None = None,
        settled: bool = False,
        refusal: str = "",
        lookup_refusal: str = "",
    ) -> None:
        """Show the available draft models, the loaded one, and whether it can be changed now.

        `refusal`: why this model can have none. `lookup_refusal`: why it can't use prompt lookup.
        """
        self._loaded, self._lookup_refusal = loaded, lookup_refusal
        self._choice.show_entries({None: NONE})
        tip = as_tip(lookup_refusal or SETTINGS["lookup_tokens"].text)
        add_entry(self._choice, tr("From the text itself (prompt lookup)"), LOOKUP, tip, not lookup_refusal)
        for each in sorted(choices, key=lambda choice: bool(choice.why_not)):
            why = refusal or each.why_not
            add_entry(self._choice, each.name, each.folder, as_tip(why or str(each.folder)), not why)
        self._browse.setEnabled(settled and not refusal)
        unsettled = "" if settled else tr("A model has to be open, and no run in progress.")
        self._row.grey(refusal if refusal and lookup_refusal else unsettled)
        self._reasons.say(refusal or reasons(choices))
        self._show_source()

    def _show_source(self) -> None:
        looks_up = self._looks_up and not self._lookup_refusal
        self._choice.show_value(LOOKUP if looks_up else self._loaded)
        self._tokens_row.grey("" if self._loaded else NO_DRAFT)
        self._tokens_row.setVisible(not looks_up)
        self._lookup_row.setVisible(looks_up)

    def show_searching(self) -> None:
        self._reasons.say(tr("Searching for models on this computer…"))

    def _pick(self) -> None:
        chosen = self._choice.currentData()
        folder = None if chosen == LOOKUP else chosen
        if self._looks_up != (chosen == LOOKUP):
            self.lookup_edited.emit(AUTOMATIC if chosen == LOOKUP else 0)
        if folder != self._loaded:
            self.picked.emit(folder)


def reasons(choices: Sequence[FolderChoice]) -> str:
    """Return the reasons why other models can't be chosen, a line each."""
    if not choices:
        return tr("There is no other model on this computer.")
    refused = [f"{each.name}: {each.why_not}" for each in choices if each.why_not]
    rest = len(refused) - MOST_REASONS
    more = [tr("… and %n more; the list shows the reasons.", "", rest)] if rest > 0 else []
    return "\n".join([*refused[:MOST_REASONS], *more])


class ToolsPart(QWidget):
    """`edited` carries the text."""

    edited = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        setting = SETTINGS["tools"]
        hint, font = tr("A list of functions, as JSON"), theme.font(Size.SMALL, mono=True)
        self._editor = ProseField(theme, "tools", LINES_SHOWN, setting.words, setting.text, hint=hint, font=font)
        tip = tr("Insert an example: a clock, the weather and a search")
        self._example = push_button("tools_example", tr("Use the example"), tip, kind="small", press=self._use_example)
        self._wrong = SmallPrint(theme, "tools_wrong", "warning")
        in_column(self._editor, self._example, self._wrong, on=self, gap=GRID_PX)
        self._editor.textChanged.connect(lambda: self.edited.emit(keep_byte_order_mark(self._editor.toPlainText())))

    def show_value(self, tools: str, refusal: str) -> None:
        """Set the value without a signal. `refusal`: why this model takes no tools, or empty."""
        self._editor.show_text(tools)
        self._example.setVisible(not tools)
        self._editor.setToolTip("\n".join(filter(None, (SETTINGS["tools"].text, refusal))))
        self._wrong.say((refusal or why_no_tools(tools)) if tools else "")
        for part in (self._editor, self._example):
            part.setEnabled(not refusal)

    def _use_example(self) -> None:
        self._editor.setPlainText(EXAMPLE)
        self._editor.setFocus()
