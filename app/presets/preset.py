"""One preset: a name for how tokens are chosen and, where the user saved it, for when to end."""

from dataclasses import dataclass, field, fields, replace

from app.engine.ranges import RANGES
from app.engine.types import Argument, Form, Limits, Sampling
from app.i18n import tr

MODELS_OWN = "Model's own"

_GENERATION = ("temperature", "top_p", "top_k", "min_p", "repetition_penalty")
"""What transformers calls them in a generation_config.json, and what they are here."""


@dataclass(frozen=True, slots=True)
class Preset:
    """The seed is no part of it: a preset says how to choose, not which way the dice fall."""

    name: str
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    sets_limits: bool = False
    """The built-in ones leave the limits as they are."""
    system: str | None = None
    """The system prompt that comes with it; None: that stays as it is."""
    form: Form | None = None
    """Likewise the form of the answer."""
    adapter: str | None = None
    """Likewise the folder of the adapter that goes on the model."""

    @property
    def words(self) -> str:
        """What it is called in the window; the name is what is kept."""
        return words_of(self.name)

    def value(self, name: str) -> object:
        """What it has for this setting."""
        return getattr(self.sampling if hasattr(self.sampling, name) else self.limits, name)

    def applied(self, sampling: Sampling, limits: Limits) -> tuple[Sampling, Limits]:
        """The controls after this preset was chosen."""
        return replace(self.sampling, seed=sampling.seed), self.limits if self.sets_limits else limits


BALANCED = Preset("Balanced")
BUILT_IN = (
    Preset("Greedy", Sampling(temperature=0.0)),
    BALANCED,
    Preset("Creative", Sampling(temperature=1.1, min_p=0.05)),
)


def words_of(name: str) -> str:
    """What a preset of this name is called in the window: the user's own ones as they are."""
    known = {"Balanced": tr("Balanced"), "Greedy": tr("Greedy"), "Creative": tr("Creative")}
    return (known | {MODELS_OWN: tr("Model's own")}).get(name, name)


def differences(preset: Preset, sampling: Sampling, limits: Limits) -> frozenset[str]:
    """The names of the values that are not as the preset has them."""
    values: tuple[Sampling | Limits, ...] = (sampling, limits) if preset.sets_limits else (sampling,)
    pairs = ((each.name, getattr(ours, each.name)) for ours in values for each in fields(ours))
    return frozenset(name for name, value in pairs if name != "seed" and value != preset.value(name))


def of_model(generation: tuple[tuple[str, Argument], ...]) -> Preset | None:
    """What a model's generation_config.json says about sampling; None where it says nothing of use."""
    said = dict(generation)
    greedy = said.get("do_sample") is False
    if not greedy and not any(name in said for name in _GENERATION) and said.get("do_sample") is not True:
        return None
    values: dict[str, float | int] = {"temperature": 1.0}
    for name in _GENERATION:
        value = said.get(name)
        if isinstance(value, int | float) and RANGES[name].allows(value):
            values[name] = value if RANGES[name].whole else float(value)
    if greedy:
        values["temperature"] = 0.0
    return Preset(MODELS_OWN, Sampling(**values))  # type: ignore[arg-type]
