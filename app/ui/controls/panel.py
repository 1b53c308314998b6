"""The panel of controls: the four most used ones, and all others in sections."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.controls import OBJECTS, Controls, Mode
from app.engine.catalogue import SETTINGS, PanelSection
from app.engine.types import ENDLESS, Argument, Capabilities, Model
from app.i18n import tr
from app.presets import BUILT_IN, Preset, differences
from app.ui.controls.advanced_parts import DraftPart, KvPart, ToolsPart, idle_sampling
from app.ui.controls.end_part import EndPart, LengthPart, listed
from app.ui.controls.number_rows import NumberRows, Seed, row_for
from app.ui.controls.output_format_part import KINDS, OutputFormatPart
from app.ui.controls.preset_bar import PresetBar, SystemPrompts
from app.ui.controls.section import Section
from app.ui.controls.template_part import TemplatePart
from app.ui.controls.token_list import LogitBias
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Theme
from app.ui.widgets import FieldRow, in_column, in_row, keep_focus, layout_widget, named, one_after_another, tool_button
from app.ui.widgets.number_field import number_text
from app.ui.widgets.plain_text import ProseField
from app.ui.widgets.rows import ScrollColumn, WheelGuard

LINES_SHOWN = 2
WITHOUT_TEMPLATE = tr("not in Raw mode")
FIXED_TEMPLATE = tr("The server applies its own chat template and takes no reply prefix.")


@dataclass(frozen=True, slots=True)
class ControlsView:
    """Which controls are in view."""

    more_shown: bool
    folded: tuple[str, ...]
    scrolled: int


class ControlsPanel(QWidget):
    """The panel of the settings of the next run. `edited` carries all values whenever the user changes one."""

    edited = Signal(object)
    instructed = Signal()
    """The user edited the system prompt, reply prefix, output format or tools."""
    draft_wanted = Signal()
    """The user wants to choose from the whole list of models."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "controls", tr("Controls"), description=tr("Settings of the next run"))
        self._theme = theme
        self.values = Controls()
        self._preset = BUILT_IN[1]
        self._model: Model | None = None
        self._refusals: Mapping[str, str] = {}
        """The settings that the open model refuses, with the reasons."""
        self._wheel_guard = WheelGuard(self)
        self._scroll = ScrollColumn("controls_scroll")
        hint = tr("Instructions for the model")
        self._system = ProseField(theme, "system_prompt", LINES_SHOWN, hint=hint)
        self.systems = SystemPrompts(theme, self._system)
        self._system_row = row_for(theme, "system", self._system, below=True)
        self.presets = PresetBar(theme)
        self.length = LengthPart(theme)
        self.end = EndPart(theme)
        self._main = NumberRows(theme, PanelSection.MAIN)
        self._adapter = NumberRows(theme, PanelSection.ADAPTER)
        self._adapter.hide()
        self._choice = NumberRows(theme, PanelSection.SAMPLING)
        self.seed = Seed(theme)
        self._penalties = NumberRows(theme, PanelSection.PENALTIES)
        self._numbers = (self._main, self._adapter, self._choice, self._penalties)
        self.template, self.form, self.tools = TemplatePart(theme), OutputFormatPart(theme), ToolsPart(theme)
        self.bias, self.draft, self._kv = LogitBias(theme), DraftPart(theme), KvPart(theme)
        self._column, self._below = in_column(gap=0), in_column(gap=0)
        self._rest = layout_widget(self._column)
        tip = tr("All other controls: sampling, stop conditions, output format, KV cache, draft model")
        self._more = tool_button("more_controls", "", tip, kind="quiet", press=self._on_more_clicked)
        self._more.setCheckable(True)
        self.sections: dict[str, Section] = {}
        self._rows: dict[str, list[FieldRow]] = {}
        self._lay_out()
        self._show(self.values)
        self._listen()

    def show_values(self, values: Controls) -> None:
        """Set all values without a signal. The user's own edits come back and change nothing."""
        if values != self.values:
            self._show(values)

    def _show(self, values: Controls) -> None:
        self.values = values
        self._system.show_text(values.system)
        idle = {**idle_sampling(values.sampling), **self._refusals}
        for numbers in self._numbers:
            numbers.show_values(values.sampling, idle)
        self.seed.show_value(values.seed, idle.get("seed", ""))
        self.length.show_limit(values.limits.max_tokens)
        self.end.show_values(values.limits, values.interval)
        self.end.refuse(self._refusals)
        self._show_advanced(values)
        raw = WITHOUT_TEMPLATE if values.mode is Mode.RAW else ""
        self._system_row.grey(raw)
        self._system_row.refuse(raw)
        self._mark_changed()

    def _show_advanced(self, values: Controls) -> None:
        self.template.show_values(values.reply_start, values.arguments)
        self.template.setEnabled(values.mode is not Mode.RAW)
        self.form.show_value(values.form)
        self.form.grey(self._refusals)
        self.tools.show_value(values.tools, self._refusals.get("tools", ""))
        self.bias.show_tokens(values.sampling.logit_bias)
        can = self._model.can if self._model is not None else Capabilities()
        drafting = bool((can.draft and values.draft_tokens) or (can.lookup and values.lookup_tokens))
        heads = self._model.kv.head_sizes if self._model is not None else ()
        self._kv.show_value(values.kv, drafting, self._refusals, heads)
        self.draft.show_value(values.draft_tokens, values.lookup_tokens)

    def show_preset(self, preset: Preset) -> None:
        """Set the preset that values are compared with."""
        if preset != self._preset:
            self._preset = preset
            self._mark_changed()

    def show_model(self, model: Model | None) -> None:
        """Set the open model's refusals and the size of its vocabulary."""
        vocabulary = (model.vocabulary or None) if model else None
        self._model = model
        self._refusals = dict(model.can.refusals) if model else {}
        self._adapter.setVisible(model is not None and model.adapter is not None)
        self._choice.limit_to(vocabulary)
        self.end.tokens.limit_to(vocabulary)
        self.bias.limit_to(vocabulary)
        if model is not None:
            fixed = FIXED_TEMPLATE if model.server else ""
            self.template.show_arguments(model.template_arguments, model.can.chat, fixed)
        self._show(self.values)

    def show_below(self, name: str, title: str, widget: QWidget) -> None:
        """Add a section directly below the first controls.

        Its layout gets the panel's margins; the column may be no wider than 260 pixels.
        """
        self._below.addWidget(self._section(name, title, widget))
        one_after_another(self._whole)

    def _section(self, name: str, title: str, widget: QWidget) -> Section:
        section = self.sections[name] = Section(self._theme, name, title, widget)
        self._watch(name, widget)
        return section

    def _watch(self, name: str, part: QWidget) -> None:
        """Follow a section's rows, and guard them against the mouse wheel."""
        self._wheel_guard.watch(part)
        self._rows[name] = part.findChildren(FieldRow)
        for row in self._rows[name]:
            row.put_back.connect(self._restore)

    @property
    def more_shown(self) -> bool:
        return self._more.isChecked()

    def show_more(self, shown: bool) -> None:
        """Show all controls, or only the first ones."""
        self._more.setChecked(shown)
        self._more.setText(tr("Fewer ▴") if shown else tr("More ▾"))
        self._more.setAccessibleName(tr("More controls"))
        if not shown:
            keep_focus(self._rest, self._more)
        self._rest.setVisible(shown)

    @property
    def view(self) -> ControlsView:
        return ControlsView(self.more_shown, self.folded_sections, self._scroll.verticalScrollBar().value())

    def show_view(self, view: ControlsView) -> None:
        self.show_more(view.more_shown)
        self.fold(view.folded)
        QTimer.singleShot(0, self, lambda: self._scroll.verticalScrollBar().setValue(view.scrolled))

    def reveal(self, setting: str) -> None:
        """Scroll to the control of a setting and focus it."""
        name = OBJECTS.get(setting, setting)
        found = self.findChild(QWidget, name)
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
        """Scroll to the whole row, as far as it fits: Qt itself scrolls a text field only to its cursor."""
        around, inner = found.parentWidget() or found, self._scroll.widget()
        if inner is None:
            return
        top = around.mapTo(inner, QPoint()).y()
        self._scroll.ensureVisible(0, top + around.height(), 0, 0)
        self._scroll.ensureVisible(0, top, 0, 0)

    def _on_more_clicked(self) -> None:
        self.show_more(self._more.isChecked())
        if self._more.isChecked():
            QTimer.singleShot(0, self, self._scroll_to_more)

    def _scroll_to_more(self) -> None:
        """Scroll to the controls that were just shown."""
        self._scroll.verticalScrollBar().setValue(self._rest.y())

    @property
    def folded_sections(self) -> tuple[str, ...]:
        return tuple(name for name, section in self.sections.items() if not section.is_open)

    def fold(self, names: Collection[str]) -> None:
        """Collapse these sections and expand the others."""
        for name, section in self.sections.items():
            section.open(name not in names)

    def _listen(self) -> None:
        self._system.textChanged.connect(lambda: self._set("system", self._system.toPlainText()))
        self._system.textChanged.connect(self.instructed)
        for numbers in self._numbers:
            numbers.edited.connect(self._set_sampling)
        self.seed.edited.connect(partial(self._set, "seed"))
        self.length.edited.connect(partial(self._set_limit, "max_tokens"))
        self.end.edited.connect(self._set_limit)
        parts: dict[str, OutputFormatPart | ToolsPart | KvPart | DraftPart]
        parts = {"form": self.form, "tools": self.tools, "kv": self._kv, "draft_tokens": self.draft}
        for name, part in parts.items():
            part.edited.connect(partial(self._set, name))
        self.draft.lookup_edited.connect(partial(self._set, "lookup_tokens"))
        for signal in (self.form.edited, self.tools.edited, self.template.edited):
            signal.connect(self.instructed)
        self.bias.edited.connect(partial(self._set_sampling, "logit_bias"))
        self.template.edited.connect(self._set_template)
        self.draft.browse_wanted.connect(self.draft_wanted)

    def _set_sampling(self, name: str, value: object) -> None:
        self._set("sampling", replace(self.values.sampling, **{name: value}))  # type: ignore[arg-type]

    def _set_limit(self, name: str, value: object) -> None:
        if name == "interval":
            self._set(name, value)
        else:
            self._set("limits", replace(self.values.limits, **{name: value}))  # type: ignore[arg-type]

    def _set_template(self, reply_start: str, arguments: tuple[tuple[str, Argument], ...]) -> None:
        self._replace(replace(self.values, reply_start=reply_start, arguments=arguments))

    def _set(self, name: str, value: object) -> None:
        self._replace(replace(self.values, **{name: value}))  # type: ignore[arg-type]

    def _replace(self, values: Controls) -> None:
        old = self.values
        self._show(values)
        if self.values != old:
            self.edited.emit(self.values)

    def _restore(self, name: str) -> None:
        set_value = self._set_sampling if hasattr(self._preset.sampling, name) else self._set_limit
        set_value(name, self._preset.value(name))

    def _mark_changed(self) -> None:
        """Mark the values that differ from the preset, with a count at each section."""
        preset = self._preset
        different = differences(preset, self.values.sampling, self.values.limits)
        for name, rows in self._rows.items():
            for row in rows:
                row.mark(preset_text(row.name, preset.value(row.name)) if row.name in different else None, preset.words)
            if rows and name in self.sections:
                count = sum(row.name in different for row in rows)
                self.sections[name].note(tr("%n changed", "", count) if count else "")
        self.sections["form"].note(KINDS[self.values.form.kind] if self.values.form else "")
        self.sections["template"].note(WITHOUT_TEMPLATE if self.values.mode is Mode.RAW else "")

    def _lay_out(self) -> None:
        inner = QWidget()
        above = (self.length, self._main, self._adapter, self._system_row)
        first = in_column(*above, margins=(MARGIN_PX, 0, MARGIN_PX, GAP_PX))
        parts = (layout_widget(first), layout_widget(self._below), self._rest, ...)
        self._whole = in_column(*parts, on=inner, gap=0, margins=(0, GAP_PX, 0, MARGIN_PX))
        self._scroll.setWidget(inner)
        more = (self._more, 0, Qt.AlignmentFlag.AlignTop)
        foot = layout_widget(in_row(more, (self.presets, 1), margins=(GRID_PX, GRID_PX, MARGIN_PX, GRID_PX)))
        foot.setObjectName("controls_foot")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        in_column((self._scroll, 1), foot, on=self, gap=0)
        self._system_row.put_aside(self.systems.button, self.systems.name)
        one_after_another(self._whole)
        self._watch("", inner)
        sections: tuple[tuple[str, str, QWidget], ...] = (
            ("template", tr("Reply and template"), self.template),
            ("sampling", tr("Sampling"), layout_widget(in_column(self._choice, self.seed))),
            ("end", tr("End"), self.end),
            ("form", SETTINGS["form_kind"].words, self.form),
            ("tools", SETTINGS["tools"].words, self.tools),
            ("penalties", tr("Penalties"), self._penalties),
            ("bias", SETTINGS["logit_bias"].words, self.bias),
            ("kv", SETTINGS["kv_enabled"].words, self._kv),
            ("draft", SETTINGS["draft"].words, self.draft),
        )
        for each in sections:
            self._column.addWidget(self._section(*each))
        for column in (self._column, self._whole):
            one_after_another(column)
        self.show_more(False)


def preset_text(name: str, value: Any) -> str:  # noqa: ANN401
    """Return the value as the setting's control shows it."""
    return PRESET_TEXTS.get(name, _number)(value)


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else number_text(value)


def _limit(most: int) -> str:
    return tr("no limit") if most == ENDLESS else f"{most:,}"


def _ids(tokens: Sequence[int]) -> str:
    return ", ".join(f"#{token}" for token in tokens) or tr("none")


def _biases(biases: Sequence[tuple[int, float]]) -> str:
    return ", ".join(f"#{token} {number_text(bias)}" for token, bias in biases) or tr("none")


PRESET_TEXTS: dict[str, Callable[[Any], str]] = {
    "max_tokens": _limit,
    "think_budget": _limit,
    "stop_strings": listed,
    "stop_ids": _ids,
    "logit_bias": _biases,
}
