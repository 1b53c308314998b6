"""Controller of the presets: applies each request of the panel to the store, and shows the result."""

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal

from app.bridge.playground import Playground
from app.engine.types import Model
from app.i18n import tr
from app.presets import BUILT_IN, MODELS_OWN, Preset, PresetStore, differences, of_model
from app.state import State
from app.ui.controls import ControlsPanel, PresetList

SAYS_NOTHING = tr("The model's generation_config.json has no sampling settings.")
REPLACED = tr("The preset replaced the system prompt. Undo in its field restores yours.")
NO_MODEL = tr("No model is open.")


class PresetsController(QObject):
    """Holds the one `PresetStore`."""

    changed = Signal()
    """The store changed."""
    _opened = Signal(object)
    """A Model. Its connection is queued, so that all other listeners have the model before its preset changes the
    controls.
    """

    def __init__(self, playground: Playground, panel: ControlsPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._panel = panel
        self.shelf = PresetStore()
        self._deleted: tuple[str, PresetStore] | None = None
        """The name of the last deleted preset, and the store before its deletion."""
        self._models_own: Preset | None = None
        self._model = ""
        self._listen()

    def restore(self, shelf: PresetStore, last_model: str) -> None:
        """Restore the store. The saved controls already have the preset of the folder `last_model`."""
        self.shelf, self._model = shelf, last_model
        self._show()

    def take_in(self, presets: tuple[Preset, ...] | str) -> None:
        """Add presets that were read from a file, or show the failure."""
        if isinstance(presets, str):
            self._panel.presets.complain(presets)
            return
        known = {preset.name for preset in self.shelf.own}
        self._change(self.shelf.with_imported(presets))
        new = [f"“{preset.name}”" for preset in self.shelf.own if preset.name not in known]
        self._panel.presets.tell(tr("Imported {names}.").format(names=", ".join(new)))

    def _listen(self) -> None:
        bar = self._panel.presets
        self._playground.changed.connect(self._on_changed)
        self._opened.connect(self._begin_with_default, Qt.ConnectionType.QueuedConnection)
        bar.picked.connect(self._pick)
        bar.restored.connect(lambda: self._apply(self._current()))
        bar.saved.connect(self._save)
        bar.saved_as.connect(self._save_as)
        bar.renamed.connect(self._rename)
        bar.deleted.connect(self._delete)
        bar.delete_undone.connect(self._undo)
        bar.default_set.connect(self._set_default)
        bar.system_set.connect(lambda carried: self._keep(self._with_system(self._current(), carried)))
        bar.adapter_set.connect(lambda carried: self._keep(self._with_adapter(self._current(), carried)))
        self._panel.systems.kept.connect(lambda name, text: self._change(self.shelf.with_system(name, text)))

    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model and new.model is not None:
            self._models_own = of_model(new.model.generation)
            self._opened.emit(new.model)
        if (new.model, new.controls) != (old.model, old.controls):
            self._show()

    def _begin_with_default(self, model: Model) -> None:
        folder, before = str(model.folder), self._model
        self._model = folder
        if folder != before and (name := self.shelf.default_of(folder)):
            self._pick(name)

    def _pick(self, name: str) -> None:
        preset = self.shelf.find(name, self._models_own)
        if preset is not None:
            self._change(replace(self.shelf, chosen=name))
            self._apply(preset)

    def _save(self) -> None:
        """Return the current values, with the same optional parts as before."""
        current = self._current()
        saved = self._with_system(self._preset(current.name), current.system is not None)
        self._keep(self._with_adapter(saved, current.adapter is not None))

    def _save_as(self, name: str) -> None:
        if self._may_have(name):
            self._change(self.shelf.saved(self._preset(name)))

    def _rename(self, old: str, name: str) -> None:
        if name == old:
            self._panel.presets.accept_name()
        elif self._may_have(name, besides=old):
            self._change(self.shelf.renamed(old, name))

    def _delete(self) -> None:
        name = self._current().name
        self._deleted = name, self.shelf
        self._change(self.shelf.without(name))
        self._panel.presets.tell(tr("“{name}” is deleted.").format(name=name), undo=True)

    def _undo(self) -> None:
        if self._deleted is not None:
            deleted, self._deleted = self._deleted, None
            self._change(self.shelf.with_back(*deleted))
            self._panel.presets.tell("")

    def _set_default(self, wanted: bool) -> None:
        model = self._playground.state.model
        if model is not None:
            name = self._current().name if wanted else ""
            self._change(self.shelf.with_default(str(model.folder), name))

    def _with_system(self, preset: Preset, carried: bool) -> Preset:
        return replace(preset, system=self._playground.state.controls.system if carried else None)

    def _with_adapter(self, preset: Preset, carried: bool) -> Preset:
        adapter = _adapter(self._playground.state.model) or self._current().adapter
        return replace(preset, adapter=adapter if carried else None)

    def _keep(self, preset: Preset) -> None:
        self._change(self.shelf.saved(preset))
        self._panel.presets.tell(tr("Saved."))

    def _may_have(self, name: str, besides: str = "") -> bool:
        others = self.shelf.without(besides) if besides else self.shelf
        if reason := others.refusal(name):
            self._panel.presets.refuse_name(reason)
            return False
        self._panel.presets.accept_name()
        return True

    def _preset(self, name: str) -> Preset:
        """Save the current controls under this name."""
        controls = self._playground.state.controls
        form = controls.form.alone if controls.form else None
        return Preset(name, replace(controls.sampling, seed=0), controls.limits, sets_limits=True, form=form)

    def _apply(self, preset: Preset) -> None:
        if preset.system is not None and self._playground.state.controls.system not in ("", preset.system):
            self._panel.systems.put(preset.system)
            self._panel.presets.tell(REPLACED)
        controls = self._playground.state.controls
        sampling, limits = preset.applied(controls.sampling, controls.limits)
        system = controls.system if preset.system is None else preset.system
        form = controls.form if preset.form is None else controls.form.put(preset.form.kind, preset.form.text)
        self._playground.set_controls(replace(controls, sampling=sampling, limits=limits, system=system, form=form))
        model = self._playground.state.model
        if model is not None and _is_missing(preset.adapter, model):
            self._playground.load(replace(model.opened_by, adapter=preset.adapter))

    def _current(self) -> Preset:
        return self.shelf.current(self._models_own)

    def _change(self, shelf: PresetStore) -> None:
        self.shelf = shelf
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        state, current = self._playground.state, self._current()
        model = state.model
        why_not = "" if self._models_own else SAYS_NOTHING if model else NO_MODEL
        names = [(preset.name, "") for preset in (*BUILT_IN, *self.shelf.own)]
        names.insert(len(BUILT_IN), (MODELS_OWN, why_not))
        self._panel.show_preset(current)
        self._panel.systems.show_kept(self.shelf.systems)
        self._panel.presets.show_presets(
            PresetList(
                names=tuple(names),
                chosen=current.name,
                changed=bool(differences(current, state.controls.sampling, state.controls.limits))
                or current.system not in (None, state.controls.system)
                or current.form not in (None, state.controls.form.alone)
                or _is_missing(current.adapter, model),
                system=current.system is not None,
                adapter=current.adapter is not None,
                has_adapter=_adapter(model) is not None,
                own=self.shelf.is_own(current.name),
                default=model is not None and self.shelf.default_of(str(model.folder)) == current.name,
                has_model=model is not None,
            )
        )


def _adapter(model: Model | None) -> str | None:
    """Return the folder of the open adapter."""
    return model.opened_by.adapter if model is not None else None


def _is_missing(adapter: str | None, model: Model | None) -> bool:
    """Whether the preset includes an adapter that isn't loaded."""
    return model is not None and not model.server and adapter not in (None, _adapter(model))
