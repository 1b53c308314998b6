"""Presets: named values of the controls, built-in and the user's own, and their file format. No module here uses Qt."""

from app.presets.preset import BUILT_IN, MODELS_OWN, Preset, differences, words_of
from app.presets.preset_store import PresetStore

__all__ = ["BUILT_IN", "MODELS_OWN", "Preset", "PresetStore", "differences", "words_of"]
