"""Presets: named values of the controls, built-in and the user's own. `file` has their file format."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace

from app.engine.ranges import RANGES
from app.engine.types import Argument, Limits, OutputFormat, Sampling
from app.i18n import tr

MODELS_OWN = "Model's own"

_GENERATION = ("temperature", "top_p", "top_k", "min_p", "repetition_penalty")
"""Settings with the same name in transformers' generation_config.json."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Named sampling settings, without a seed."""

    name: str
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    sets_limits: bool = False
    """Whether applying the preset changes the limits; built-in presets don't."""
    system: str | None = None
    """System prompt of the preset; None: applying the preset doesn't change it."""
    form: OutputFormat | None = None
    """Output format of the preset; None: applying the preset doesn't change it."""
    adapter: str | None = None
    """Folder of the preset's adapter; None: applying the preset doesn't change it."""

    @property
    def words(self) -> str:
        """Return the translated name. Files contain `name`."""
        return words_of(self.name)

    def value(self, name: str) -> object:
        return getattr(self.sampling if hasattr(self.sampling, name) else self.limits, name)

    def applied(self, sampling: Sampling, limits: Limits) -> tuple[Sampling, Limits]:
        return replace(self.sampling, seed=sampling.seed), self.limits if self.sets_limits else limits


BALANCED = Preset("Balanced")
BUILT_IN = (
    Preset("Greedy", Sampling(temperature=0.0)),
    BALANCED,
    Preset("Creative", Sampling(temperature=1.1, min_p=0.05)),
)


def words_of(name: str) -> str:
    """Return the translated name of a built-in preset; other names unchanged."""
    known = {"Balanced": tr("Balanced"), "Greedy": tr("Greedy"), "Creative": tr("Creative")}
    return (known | {MODELS_OWN: tr("Model's own")}).get(name, name)


def differences(preset: Preset, sampling: Sampling, limits: Limits) -> frozenset[str]:
    """Return the names of the values that differ from the preset."""
    values: tuple[Sampling | Limits, ...] = (sampling, limits) if preset.sets_limits else (sampling,)
    pairs = ((each.name, getattr(ours, each.name)) for ours in values for each in fields(ours))
    return frozenset(name for name, value in pairs if name != "seed" and value != preset.value(name))


def of_model(generation: tuple[tuple[str, Argument], ...]) -> Preset | None:
    """Return a preset from a model's generation_config.json; None if it has no sampling settings."""
    raw = dict(generation)
    greedy = raw.get("do_sample") is False
    if not greedy and not any(name in raw for name in _GENERATION) and raw.get("do_sample") is not True:
        return None
    values: dict[str, float | int] = {"temperature": 1.0}
    for name in _GENERATION:
        value = raw.get(name)
        if isinstance(value, int | float) and RANGES[name].allows(value):
            values[name] = value if RANGES[name].whole else float(value)
    if greedy:
        values["temperature"] = 0.0
    return Preset(MODELS_OWN, Sampling(**values))  # type: ignore[arg-type]


LONGEST_NAME = 60
INVISIBLE = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Bidirectional control characters, which can make a name look like another one."""
SEEN = ("L", "M", "N", "P", "S", "Cn", "Co")
"""Unicode categories of visible characters, and of those newer than Python's tables."""


def readable(name: str) -> str:
    """Return the name without control characters and line breaks; empty if no visible character remains."""
    left = "".join(each for each in name if each not in INVISIBLE and _kind(each) not in ("Cc", "Cs", "Zl", "Zp"))
    return left.strip() if any(_kind(each).startswith(SEEN) for each in left) else ""


def _kind(character: str) -> str:
    return unicodedata.category(character)


@dataclass(frozen=True, slots=True)
class PresetStore:
    """Immutable store of presets: each change returns a new store, so that it can be undone."""

    own: tuple[Preset, ...] = ()
    chosen: str = BALANCED.name
    of_models: tuple[tuple[str, str], ...] = ()
    """Folders of models, and the names of their default presets."""
    systems: tuple[tuple[str, str], ...] = ()
    """The saved system prompts by name."""

    def find(self, name: str, models_own: Preset | None = None) -> Preset | None:
        """Return the preset with this name. The model's own preset exists only while that model is open."""
        if name == MODELS_OWN:
            return models_own
        return next((preset for preset in (*BUILT_IN, *self.own) if preset.name == name), None)

    def current(self, models_own: Preset | None = None) -> Preset:
        """Return the chosen preset, or Balanced if it no longer exists."""
        return self.find(self.chosen, models_own) or BALANCED

    def is_own(self, name: str) -> bool:
        return any(preset.name == name for preset in self.own)

    def refusal(self, name: str) -> str:
        """Return why a preset can't have this name; empty: it can."""
        if not name.strip():
            return tr("A preset needs a name.")
        if len(name.strip()) > LONGEST_NAME:
            return tr("A name has at most {most} characters.").format(most=LONGEST_NAME)
        names = {MODELS_OWN, *(preset.name for preset in (*BUILT_IN, *self.own))}
        taken = {each.casefold() for each in (*names, *map(words_of, names))}
        if name.strip().casefold() in taken:
            return tr("A preset “{name}” already exists.").format(name=name.strip())
        return ""

    def saved(self, preset: Preset) -> PresetStore:
        """Return a store in which this preset is added or replaced, and chosen."""
        others = tuple(each for each in self.own if each.name != preset.name)
        own = tuple(preset if each.name == preset.name else each for each in self.own)
        return replace(self, own=own if len(others) < len(self.own) else (*own, preset), chosen=preset.name)

    def renamed(self, old: str, new: str) -> PresetStore:
        return replace(
            self,
            own=tuple(replace(each, name=new) if each.name == old else each for each in self.own),
            chosen=new if self.chosen == old else self.chosen,
            of_models=tuple((model, new if name == old else name) for model, name in self.of_models),
        )

    def without(self, name: str) -> PresetStore:
        return replace(
            self,
            own=tuple(each for each in self.own if each.name != name),
            chosen=BALANCED.name if self.chosen == name else self.chosen,
            of_models=tuple(pair for pair in self.of_models if pair[1] != name),
        )

    def with_back(self, name: str, before: PresetStore) -> PresetStore:
        """Restore a preset that was deleted from the store `before`, at its old position if possible."""
        position = [preset.name for preset in before.own].index(name)
        free = self.free_name(name)
        own = (*self.own[:position], replace(before.own[position], name=free), *self.own[position:])
        chosen = free if (before.chosen, self.chosen) == (name, BALANCED.name) else self.chosen
        missing = {model: free for model, first in before.of_models if first == name and not self.default_of(model)}
        return replace(self, own=own, chosen=chosen, of_models=(*self.of_models, *missing.items()))

    def with_imported(self, presets: Iterable[Preset]) -> PresetStore:
        """Add imported presets; an existing name gets a number."""
        shelf = self
        for preset in presets:
            shelf = shelf.saved(replace(preset, name=shelf.free_name(preset.name)))
        return replace(shelf, chosen=self.chosen)

    def free_name(self, wanted: str) -> str:
        """Return the name; if it exists, with the first free number."""
        name, number = wanted, 1
        while self.refusal(name):
            number += 1
            name = f"{wanted[: LONGEST_NAME - 6]} {number}"
        return name

    def with_system(self, name: str, text: str | None) -> PresetStore:
        """Add or replace a system prompt; None deletes it."""
        others = tuple(each for each in self.systems if each[0] != name)
        return replace(self, systems=others if text is None else (*others, (name, text)))

    def default_of(self, model: str) -> str:
        """Return the name of the preset that loading this model applies; empty: none."""
        return dict(self.of_models).get(model, "")

    def with_default(self, model: str, name: str) -> PresetStore:
        """Set the name of the preset that loading this model applies; empty: none."""
        others = tuple(pair for pair in self.of_models if pair[0] != model)
        return replace(self, of_models=(*others, (model, name)) if name else others)
