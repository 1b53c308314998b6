"""Controller of the presets: applies each request of the panel to the store, and shows the result."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from PySide6.QtCore import QObject, Qt, Signal

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure, Model
from app.i18n import tr
from app.presets import BUILT_IN, MODELS_OWN, Preset, PresetStore, differences, of_model
from app.presets import file as preset_file
from app.state import State
from app.ui.controls import ControlsPanel
from app.ui.controls.preset_bar import PresetList
from app.ui.widgets import files

FILE_KINDS = {".json": tr("Presets")}
FILE_FILTER = tr("Presets") + " (*.json)"
NO_SETTINGS = tr("The model's generation_config.json has no sampling settings.")
REPLACED = tr("The preset replaced the system prompt. Undo in its field restores yours.")
NO_MODEL = tr("No model is open.")


class PresetsController(QObject):
    """Controller of the presets. Owns the `PresetStore`."""

    changed = Signal()
    """The store changed."""
    _opened = Signal(object)
    """A Model. The connection is queued: all other listeners get the model before its preset changes the controls."""

    def __init__(self, playground: Playground, panel: ControlsPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._panel, self._bar = panel, panel.presets
        self._tasks = Tasks(self)
        self.store = PresetStore()
        self._deleted: tuple[str, PresetStore] | None = None
        """The name of the last deleted preset, and the store before its deletion."""
        self._models_own: Preset | None = None
        self._model = ""
        self._listen()

    def restore(self, store: PresetStore, last_model: str) -> None:
        """Restore the store. The saved controls already have the preset of the folder `last_model`."""
        self.store, self._model = store, last_model
        self._show()

    def import_file(self, path: Path) -> None:
        """Import the presets of a file; it reads no more than the size limit."""
        self._tasks.start(self._import_file(path))

    def export_file(self, path: Path) -> None:
        self._tasks.start(self._export_file(path))

    async def _import_file(self, path: Path) -> None:
        presets = await self._tasks.in_thread(_read, path)
        if isinstance(presets, Failure | str):
            self._bar.show_error(presets if isinstance(presets, str) else presets.what)
            return
        known = {preset.name for preset in self.store.own}
        self._change(self.store.with_imported(presets))
        new = [f"“{preset.name}”" for preset in self.store.own if preset.name not in known]
        self._bar.show_message(tr("Imported {names}.").format(names=", ".join(new)))

    async def _export_file(self, path: Path) -> None:
        failure = await self._tasks.complete(partial(_write, path, self.store.own))
        if failure is not None:
            self._bar.show_error(failure.sentence)
        else:
            self._bar.show_message(files.saved(path))

    def _choose_import(self) -> None:
        files.ask_file(self._bar.window(), tr("Import Presets"), FILE_FILTER, self.import_file)

    def _choose_export(self) -> None:
        if not self.store.own:
            self._bar.show_error(tr("There are no presets of your own yet: save one first."))
            return
        files.ask_save(self._bar.window(), tr("Export Your Presets"), tr("Presets"), FILE_KINDS, self.export_file)

    def _listen(self) -> None:
        bar = self._bar
        self._playground.changed.connect(self._on_changed)
        self._opened.connect(self._apply_default, Qt.ConnectionType.QueuedConnection)
        bar.picked.connect(self._pick)
        bar.restored.connect(lambda: self._apply(self._current()))
        bar.saved.connect(self._save)
        bar.saved_as.connect(self._save_as)
        bar.renamed.connect(self._rename)
        bar.deleted.connect(self._delete)
        bar.delete_undone.connect(self._undo)
        bar.import_wanted.connect(self._choose_import)
        bar.export_wanted.connect(self._choose_export)
        bar.default_set.connect(self._set_default)
        bar.system_set.connect(lambda carried: self._save_changed(self._with_system(self._current(), carried)))
        bar.adapter_set.connect(lambda carried: self._save_changed(self._with_adapter(self._current(), carried)))
        self._panel.systems.edited.connect(lambda name, text: self._change(self.store.with_system(name, text)))

    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model and new.model is not None:
            self._models_own = of_model(new.model.generation)
            self._opened.emit(new.model)
        if (new.model, new.controls) != (old.model, old.controls):
            self._show()

    def _apply_default(self, model: Model) -> None:
        folder, before = str(model.folder), self._model
        self._model = folder
        if folder != before and (name := self.store.default_of(folder)):
            self._pick(name)

    def _pick(self, name: str) -> None:
        preset = self.store.find(name, self._models_own)
        if preset is not None:
            self._change(replace(self.store, chosen=name))
            self._apply(preset)

    def _save(self) -> None:
        """Save the current values, with the same optional parts as before."""
        current = self._current()
        saved = self._with_system(self._preset(current.name), current.system is not None)
        self._save_changed(self._with_adapter(saved, current.adapter is not None))

    def _save_as(self, name: str) -> None:
        if self._check_name(name):
            self._change(self.store.saved(self._preset(name)))

    def _rename(self, old: str, name: str) -> None:
        if name == old:
            self._bar.name.hide()
        elif self._check_name(name, renamed=old):
            self._change(self.store.renamed(old, name))

    def _delete(self) -> None:
        name = self._current().name
        self._deleted = name, self.store
        self._change(self.store.without(name))
        self._bar.show_message(tr("“{name}” is deleted.").format(name=name), undo=True)

    def _undo(self) -> None:
        if self._deleted is not None:
            deleted, self._deleted = self._deleted, None
            self._change(self.store.with_back(*deleted))
            self._bar.show_message("")

    def _set_default(self, wanted: bool) -> None:
        model = self._playground.state.model
        if model is not None:
            name = self._current().name if wanted else ""
            self._change(self.store.with_default(str(model.folder), name))

    def _with_system(self, preset: Preset, carried: bool) -> Preset:
        return replace(preset, system=self._playground.state.controls.system if carried else None)

    def _with_adapter(self, preset: Preset, carried: bool) -> Preset:
        adapter = _adapter(self._playground.state.model) or self._current().adapter
        return replace(preset, adapter=adapter if carried else None)

    def _save_changed(self, preset: Preset) -> None:
        self._change(self.store.saved(preset))
        self._bar.show_message(tr("Saved."))

    def _check_name(self, name: str, renamed: str = "") -> bool:
        others = self.store.without(renamed) if renamed else self.store
        if reason := others.refusal(name):
            self._bar.name.refuse(reason)
            return False
        self._bar.name.hide()
        return True

    def _preset(self, name: str) -> Preset:
        """Return the current controls as a preset."""
        controls = self._playground.state.controls
        output_format = controls.form.alone if controls.form else None
        return Preset(name, replace(controls.sampling, seed=0), controls.limits, sets_limits=True, form=output_format)

    def _apply(self, preset: Preset) -> None:
        if preset.system is not None and self._playground.state.controls.system not in ("", preset.system):
            self._panel.systems.replace_text(preset.system)
            self._bar.show_message(REPLACED)
        controls = self._playground.state.controls
        sampling, limits = preset.applied(controls.sampling, controls.limits)
        system = controls.system if preset.system is None else preset.system
        output_format = controls.form if preset.form is None else controls.form.put(preset.form.kind, preset.form.text)
        self._playground.set_controls(
            replace(controls, sampling=sampling, limits=limits, system=system, form=output_format)
        )
        model = self._playground.state.model
        if model is not None and _is_missing(preset.adapter, model):
            self._playground.load(replace(model.opened_by, adapter=preset.adapter))

    def _current(self) -> Preset:
        return self.store.current(self._models_own)

    def _change(self, store: PresetStore) -> None:
        self.store = store
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        state, current = self._playground.state, self._current()
        model = state.model
        why_not = "" if self._models_own else NO_SETTINGS if model else NO_MODEL
        names = [(preset.name, "") for preset in (*BUILT_IN, *self.store.own)]
        names.insert(len(BUILT_IN), (MODELS_OWN, why_not))
        self._panel.show_preset(current)
        self._panel.systems.show_prompts(self.store.systems)
        self._bar.show_presets(
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
                own=self.store.is_own(current.name),
                default=model is not None and self.store.default_of(str(model.folder)) == current.name,
                has_model=model is not None,
            )
        )


def _adapter(model: Model | None) -> str | None:
    return model.opened_by.adapter if model is not None else None


def _is_missing(adapter: str | None, model: Model | None) -> bool:
    """Whether the preset includes an adapter that isn't loaded."""
    return model is not None and not model.server and adapter not in (None, _adapter(model))


# On a thread.


def _write(path: Path, presets: tuple[Preset, ...]) -> Failure | None:
    """Write the file, unless it could not be imported again."""
    text = preset_file.written(presets)
    if why := preset_file.refusal(text):
        return Failure(tr("Nothing was exported, since Import would refuse it:"), why, kind="not saved")
    return files.write(path, text)


def _read(path: Path) -> tuple[Preset, ...] | str | Failure:
    def read(file: BinaryIO) -> tuple[Preset, ...] | str:
        return preset_file.read(file.read(preset_file.LARGEST_BYTES + 1))

    return files.read(path, preset_file.LARGEST_BYTES, read, preset_file.TOO_LARGE)
