"""A preset: named sampling settings, and in user presets also limits."""

from dataclasses import dataclass, field, fields, replace

from app.engine.ranges import RANGES
from app.engine.types import Argument, Form, Limits, Sampling
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
    form: Form | None = None
    """Output format of the preset; None: applying the preset doesn't change it."""
    adapter: str | None = None
    """Folder of the preset's adapter; None: applying the preset doesn't change it."""

    @property
    def words(self) -> str:
        """Return the translated name. Files contain `name`."""
        return words_of(self.name)

    def value(self, name: str) -> object:
        """Return the preset's value of a setting."""
        return getattr(self.sampling if hasattr(self.sampling, name) else self.limits, name)

    def applied(self, sampling: Sampling, limits: Limits) -> tuple[Sampling, Limits]:
        """Return the values after applying the preset."""
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
