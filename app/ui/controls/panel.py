"""The panel of controls: four that everybody needs, and all others in sections. Values in, one value out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from app.controls import OBJECTS, Controls
from app.engine.catalogue import SETTINGS
from app.engine.types import Model
from app.presets import BUILT_IN, Preset, differences
from app.ui.controls.draft_part import DraftPart
from app.ui.controls.end_part import EndPart
from app.ui.controls.form_part import KINDS, FormPart
from app.ui.controls.idle_settings import idle_sampling
from app.ui.controls.kv_part import KvPart
from app.ui.controls.length_part import LengthPart
from app.ui.controls.number_rows import ADAPTER, CHOICE, MAIN, PENALTIES, Numbers, row_for
from app.ui.controls.preset_bar import PresetBar
from app.ui.controls.preset_values import written
from app.ui.controls.section import Section
from app.ui.controls.seed import Seed
from app.ui.controls.system_prompts import SystemPrompts
from app.ui.controls.token_list import LogitBias
from app.ui.controls.tools_part import ToolsPart
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Theme
from app.ui.widgets import FieldRow, held, in_column, in_row, keep_focus, named, one_after_another, tool_button
from app.ui.widgets.prose_field import ProseField
from app.ui.widgets.rows import ScrollColumn
from app.ui.widgets.wheel_guard import WheelGuard
from app.words import tr

LINES_SHOWN = 2
WITHOUT_TEMPLATE = tr("not in Raw")
COUNTED = ("sampling", "penalties", "end", "bias")
"""The sections that tell how much in them is not as the preset has it."""


class ControlsPanel(QWidget):
    """`edited` with all values whenever the user changed one. What More hides is there all the same, by name."""

    edited = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "controls", tr("Controls"), told=tr("What the next run is asked for"))
        self._theme = theme
        self.values = Controls()
        self._preset = BUILT_IN[1]
        self._drafting = False
        self._refusals: dict[str, str] = {}
        self._calm = WheelGuard(self)
        self._scroll = ScrollColumn("controls_scroll")
        hint = tr("How the model should behave")
        self._system = ProseField(theme, "system_prompt", LINES_SHOWN, hint=hint)
        self.systems = SystemPrompts(theme, self._system)
        self._system_row = row_for(theme, "system", self._system, below=True)
        self._system_row.put_aside(self.systems.button, self.systems.name)
        self.presets = PresetBar(theme)
        self.length = LengthPart(theme)
        self.end = EndPart(theme)
        self.form = FormPart(theme)
        self.tools = ToolsPart(theme)
        self._main = Numbers(theme, MAIN)
        self._adapter = Numbers(theme, ADAPTER)
        self._adapter.hide()
        self._choice = Numbers(theme, CHOICE)
        self.seed = Seed(theme)
        self._penalties = Numbers(theme, PENALTIES)
        self.bias = LogitBias(theme)
        self._numbers = (self._main, self._adapter, self._choice, self._penalties)
        self._kv = KvPart(theme)
        self.draft = DraftPart(theme)
        self._column, self._below = in_column(gap=0), in_column(gap=0)
        self._rest = held(self._column)
        tip = tr("All other controls: what shapes the choice, what ends a run, the cache, the draft model")
        self._more = tool_button("more_controls", "", tip, kind="quiet", press=self._turn_more)
        self._more.setCheckable(True)
        self.sections: dict[str, Section] = {}
        self._lay_out()
        self._rows = self.findChildren(FieldRow)
        self._show(self.values)
        self._listen()

    def show_values(self, values: Controls) -> None:
        """Set all of them, telling nobody; an edit comes back as what is here already."""
        if values != self.values:
            self._show(values)

    def _show(self, values: Controls) -> None:
        self.values = values
        self._system.show_text(values.system)
        idle = {**idle_sampling(values.sampling), **self._refusals}
        for numbers in self._numbers:
            numbers.show_values(values.sampling, idle)
        self.bias.show_tokens(values.sampling.logit_bias)
        self.seed.show_value(values.seed, idle.get("seed", ""))
        self.length.show_limit(values.limits.max_tokens)
        self.end.show_values(values.limits, values.interval)
        self.end.refuse(self._refusals)
        self.form.show_value(values.form)
        self.form.grey(self._refusals)
        self.tools.show_value(values.tools, self._refusals.get("tools", ""))
        self._kv.show_value(values.kv, self._drafting and bool(values.draft_tokens))
        self.draft.show_value(values.draft_tokens)
        self._mark()

    def show_preset(self, preset: Preset) -> None:
        """What the values are compared with."""
        if preset != self._preset:
            self._preset = preset
            self._mark()

    def show_model(self, model: Model | None) -> None:
        """What the model that is open refuses, and how many tokens it knows."""
        vocabulary = (model.vocabulary or None) if model else None
        self._refusals = dict(model.can.refusals) if model else {}
        self._drafting = model is not None and model.can.draft
        self._adapter.setVisible(model is not None and model.adapter is not None)
        self._choice.limit_to(vocabulary)
        self.bias.limit_to(vocabulary)
        self.end.tokens.limit_to(vocabulary)
        self._kv.show_model(self._refusals, model.kv.head_sizes if model else ())
        self._show(self.values)

    def set_raw(self, raw: bool) -> None:
        """A page goes out without a system prompt."""
        self._system_row.grey(WITHOUT_TEMPLATE if raw else "")
        self._system_row.refuse(WITHOUT_TEMPLATE if raw else "")

    def add_section(self, name: str, title: str, widget: QWidget, at: int | None = None) -> None:
        """Put a widget under a heading of its own: as the section number `at`, or below all others.

        Its layout gets the panel's margins; the column may be no wider than 260 pixels.
        """
        self._column.insertWidget(self._column.count() if at is None else at, self._section(name, title, widget))
        if at is not None:
            one_after_another(self._column)

    def show_below(self, name: str, title: str, widget: QWidget) -> None:
        """The same, right below the first controls."""
        self._below.addWidget(self._section(name, title, widget))
        one_after_another(self._whole)

    def _section(self, name: str, title: str, widget: QWidget) -> Section:
        section = self.sections[name] = Section(self._theme, name, title, widget)
        self._calm.watch(widget)
        return section

    @property
    def more_shown(self) -> bool:
        """Whether there is more to be seen than the first controls."""
        return self._more.isChecked()

    def show_more(self, shown: bool) -> None:
        """All controls, or the first ones."""
        self._more.setChecked(shown)
        self._more.setText(tr("Fewer ▴") if shown else tr("More ▾"))
        self._more.setAccessibleName(tr("More controls"))
        if not shown:
            keep_focus(self._rest, self._more)
        self._rest.setVisible(shown)

    def reveal(self, setting: str) -> None:
        """The control of a setting is brought in sight and gets the keyboard."""
        found = self.findChild(QWidget, OBJECTS.get(setting, setting))
        if found is None:
            return
        if self._rest.isAncestorOf(found):
            self.show_more(True)
        for section in self.sections.values():
            if section.isAncestorOf(found):
                section.open()
        found.setFocus(Qt.FocusReason.ShortcutFocusReason)
        QTimer.singleShot(0, found, partial(self._scroll_to, found))

    def _scroll_to(self, found: QWidget) -> None:
        """With all that belongs to it, as far as there is room: of a field of text Qt shows the cursor alone."""
        around, inner = found.parentWidget() or found, self._scroll.widget()
        if inner is None:
            return
        top = around.mapTo(inner, QPoint()).y()
        self._scroll.ensureVisible(0, top + around.height(), 0, 0)
        self._scroll.ensureVisible(0, top, 0, 0)

    @Slot()
    def _turn_more(self) -> None:
        self.show_more(self._more.isChecked())
        if self._more.isChecked():
            QTimer.singleShot(0, self, self._scroll_to_more)

    @Slot()
    def _scroll_to_more(self) -> None:
        """What has just come begins where the eye is."""
        self._scroll.verticalScrollBar().setValue(self._rest.y())

    @property
    def folded_sections(self) -> tuple[str, ...]:
        """The names of the sections that are folded away."""
        return tuple(name for name, section in self.sections.items() if not section.is_open)

    def fold(self, names: Collection[str]) -> None:
        """Fold these sections away, and open the others."""
        for name, section in self.sections.items():
            section.open(name not in names)

    def _listen(self) -> None:
        self._system.textChanged.connect(lambda: self._set("system", self._system.toPlainText()))
        for numbers in self._numbers:
            numbers.edited.connect(self._set_sampling)
        self.bias.edited.connect(partial(self._set_sampling, "logit_bias"))
        self.seed.edited.connect(partial(self._set, "seed"))
        self.length.edited.connect(partial(self._set_limit, "max_tokens"))
        self.end.edited.connect(self._set_limit)
        self.form.edited.connect(partial(self._set, "form"))
        self.tools.edited.connect(partial(self._set, "tools"))
        self._kv.edited.connect(partial(self._set, "kv"))
        self.draft.edited.connect(partial(self._set, "draft_tokens"))
        for row in self._rows:
            row.put_back.connect(self._put_back)

    @Slot(str, object)
    def _set_sampling(self, name: str, value: object) -> None:
        self._set("sampling", replace(self.values.sampling, **{name: value}))  # type: ignore[arg-type]

    @Slot(str, object)
    def _set_limit(self, name: str, value: object) -> None:
        if name == "interval":
            self._set(name, value)
        else:
            self._set("limits", replace(self.values.limits, **{name: value}))  # type: ignore[arg-type]

    def _set(self, name: str, value: object) -> None:
        old = self.values
        self._show(replace(old, **{name: value}))  # type: ignore[arg-type]
        if self.values != old:
            self.edited.emit(self.values)

    @Slot(str)
    def _put_back(self, name: str) -> None:
        put = self._set_sampling if hasattr(self._preset.sampling, name) else self._set_limit
        put(name, self._preset.value(name))

    def _mark(self) -> None:
        """What is not as the preset has it; each section tells how much of that is in it."""
        preset = self._preset
        different = differences(preset, self.values.sampling, self.values.limits)
        for row in self._rows:
            row.mark(written(row.name, preset.value(row.name)) if row.name in different else None, preset.words)
        for name in COUNTED:
            count = sum(row.name in different for row in self.sections[name].findChildren(FieldRow))
            self.sections[name].note(tr("%n changed", "", count) if count else "")
        self.sections["form"].note(KINDS[self.values.form.kind] if self.values.form else "")

    def _lay_out(self) -> None:
        inner = QWidget()
        above = (self.length, self._main, self._adapter, self._system_row)
        first = in_column(*above, margins=(MARGIN_PX, 0, MARGIN_PX, GAP_PX))
        parts = (held(first), held(self._below), self._rest, ...)
        self._whole = in_column(*parts, on=inner, gap=0, margins=(0, GAP_PX, 0, MARGIN_PX))
        self._scroll.setWidget(inner)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        more = (self._more, 0, Qt.AlignmentFlag.AlignTop)
        foot = held(in_row(more, (self.presets, 1), margins=(GRID_PX, GRID_PX, MARGIN_PX, GRID_PX)))
        foot.setObjectName("controls_foot")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        in_column((self._scroll, 1), foot, on=self, gap=0)
        self.add_section("sampling", tr("Sampling"), held(in_column(self._choice, self.seed)))
        self.add_section("end", tr("End"), self.end)
        self.add_section("form", SETTINGS["form_kind"].words, self.form)
        self.add_section("tools", SETTINGS["tools"].words, self.tools)
        self.add_section("penalties", tr("Penalties"), self._penalties)
        self.add_section("bias", SETTINGS["logit_bias"].words, held(in_column(self.bias)))
        self.add_section("kv", SETTINGS["kv_enabled"].words, self._kv)
        self.add_section("draft", SETTINGS["draft"].words, self.draft)
        self._calm.watch(inner)
        self.show_more(False)
