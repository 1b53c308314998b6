"""What each control does to the text, and when to change it: the catalogue's words under the controls' object names."""

from __future__ import annotations

from app.controls import OBJECTS
from app.definitions.types import Definition
from app.engine.catalogue import SETTINGS
from app.words import tr

CONTROLS = {
    "preset": Definition(
        tr("Preset"),
        tr(
            "Values for all of Sampling at once. What differs from it is bold, with an arrow that sets it back. "
            "Save your own with ⋯ when you come back to the same values again and again."
        ),
    ),
    **{OBJECTS.get(name, name): Definition(each.words, each.text) for name, each in SETTINGS.items() if each.meaning},
}
