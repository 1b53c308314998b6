"""The shapes of the two models, and in what order they read what."""

from dataclasses import dataclass
from pathlib import Path

from train_tokenizer import VOCABULARY

HERE = Path(__file__).resolve().parent
BUILD = HERE / "build"
MODELS = HERE.parent.parent / "resources" / "models"
TOKENIZER = BUILD / "tokenizer.json"
SEED = "sluice"


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes that tell one Llama from another."""

    vocabulary: int
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    intermediate: int
    head_dim: int = 32
    context: int = 2048
    rope_theta: float = 10_000.0
    norm_eps: float = 1e-5


@dataclass(frozen=True, slots=True)
class Phase:
    """So many steps of one stage of the corpus, in rows of one length."""

    stage: str
    steps: int
    rows: int
    length: int
    teacher: str = ""  # a finished model whose probabilities are to be matched, so that a draft guesses as it does


@dataclass(frozen=True, slots=True)
class Plan:
    """One model's training."""

    name: str
    shape: Shape
    phases: tuple[Phase, ...]
    peak_rate: float = 3e-3
    warm_up: int = 150
    decay_share: float = 0.3  # the last part of all steps, in which the rate falls to zero

    @property
    def steps(self) -> int:
        return sum(phase.steps for phase in self.phases)

    def phase_at(self, step: int) -> Phase:
        """Which phase a step belongs to."""
        for phase in self.phases:
            if step < phase.steps:
                return phase
            step -= phase.steps
        return self.phases[-1]

    def rate_at(self, step: int) -> float:
        """The learning rate: up, level, and down to nothing at the end."""
        down = (self.steps - step) / (self.steps * self.decay_share)
        return self.peak_rate * min(1.0, (step + 1) / self.warm_up, max(down, 0.0))


DEMO = Plan(
    "demo",
    Shape(VOCABULARY, hidden=160, layers=3, heads=5, kv_heads=5, intermediate=448),
    (
        Phase("short", 700, 16, 256),
        Phase("mixed", 1130, 8, 512),
        Phase("counting", 450, 16, 256),
        Phase("mixed", 720, 8, 512),
        Phase("long", 150, 4, 1024),
        Phase("finish", 400, 16, 256),
    ),
)
DRAFT = Plan(
    "demo-draft",
    Shape(VOCABULARY, hidden=64, layers=1, heads=2, kv_heads=2, intermediate=128),
    (
        Phase("short", 300, 16, 256),
        Phase("mixed", 300, 8, 512),
        Phase("mixed", 650, 8, 512, teacher="demo"),
        Phase("long", 50, 4, 1024, teacher="demo"),
    ),
    peak_rate=5e-3,
)
PLANS = {plan.name: plan for plan in (DEMO, DRAFT)}
