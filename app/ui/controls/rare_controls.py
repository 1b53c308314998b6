"""Sections that few users need: template, output format, tools, logit bias, KV cache, draft model."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.controls import Controls, Mode
from app.engine.catalogue import SETTINGS
from app.engine.types import Model
from app.i18n import tr
from app.ui.controls.draft_part import DraftPart
from app.ui.controls.form_part import FormPart
from app.ui.controls.kv_part import KvPart
from app.ui.controls.template_part import TemplatePart
from app.ui.controls.token_list import LogitBias
from app.ui.controls.tools_part import ToolsPart
from app.ui.look import Theme

OUT_OF_REACH = tr("The server applies its own chat template and takes no reply prefix.")


class RareControls(QObject):
    """Creates these sections; `ControlsPanel` inserts them between its own."""

    edited = Signal(str, object)
    """A setting's name and its new value."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.template = TemplatePart(theme)
        self.form = FormPart(theme)
        self.tools = ToolsPart(theme)
        self.bias = LogitBias(theme)
        self.draft = DraftPart(theme)
        self._kv = KvPart(theme)
        self.sections: tuple[tuple[int, str, str, QWidget], ...] = (
            (0, "template", tr("Reply and template"), self.template),
            (3, "form", SETTINGS["form_kind"].words, self.form),
            (4, "tools", SETTINGS["tools"].words, self.tools),
            (6, "bias", SETTINGS["logit_bias"].words, self.bias),
            (7, "kv", SETTINGS["kv_enabled"].words, self._kv),
            (8, "draft", SETTINGS["draft"].words, self.draft),
        )
        """Index among all sections, name, heading and widget of each."""
        self.form.edited.connect(partial(self.edited.emit, "form"))
        self.tools.edited.connect(partial(self.edited.emit, "tools"))
        self._kv.edited.connect(partial(self.edited.emit, "kv"))
        self.draft.edited.connect(partial(self.edited.emit, "draft_tokens"))

    def show_values(self, values: Controls, model: Model | None, refusals: Mapping[str, str]) -> None:
        """Set all values without a signal, and gray out what this model refuses."""
        self.template.show_values(values.reply_start, values.arguments)
        self.template.setEnabled(values.mode is not Mode.RAW)
        self.bias.show_tokens(values.sampling.logit_bias)
        self.form.show_value(values.form)
        self.form.grey(refusals)
        self.tools.show_value(values.tools, refusals.get("tools", ""))
        self._kv.show_value(values.kv, model is not None and model.can.draft and bool(values.draft_tokens))
        self.draft.show_value(values.draft_tokens)

    def show_model(self, model: Model | None, refusals: Mapping[str, str]) -> None:
        """Set the open model's refusals, the size of its vocabulary and its template's arguments."""
        self.bias.limit_to((model.vocabulary or None) if model else None)
        self._kv.show_model(refusals, model.kv.head_sizes if model else ())
        if model is not None:
            out_of_reach = OUT_OF_REACH if model.server else ""
            self.template.offer(model.template_arguments, model.can.chat, out_of_reach)
