"""Presets: named values of the controls, the built-in ones, the user's own, and the file they travel in. No Qt."""

from app.presets.preset import BUILT_IN, MODELS_OWN, Preset, differences, words_of
from app.presets.preset_store import PresetStore

__all__ = ["BUILT_IN", "MODELS_OWN", "Preset", "PresetStore", "differences", "words_of"]
