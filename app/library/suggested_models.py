"""Models to begin with, from small to large, and the three of them that suit this computer's memory."""

from dataclasses import dataclass

from app.engine.model_files.conversion import fits_in_float32
from app.i18n import tr
from app.library.memory_estimate import fit_of
from app.library.types import Device, FitVerdict, Layer, Shape, Sizes

CONTEXT = 8192
"""Context length of the memory estimate, in tokens."""
PACKED = (4, 64)
"""Bits and group size of the quantized models."""
DOWNLOAD_BITS_PER_S = 50_000_000
"""Assumed before a download; while it runs, its own speed is shown."""
APACHE, LLAMA = tr("Apache 2.0 license"), tr("Llama 3.2 license")


@dataclass(frozen=True, slots=True)
class SuggestedModel:
    """A model on the hub. The hub's own file sizes are shown as soon as a download has begun."""

    id: str
    name: str
    purpose: str
    license: str
    parameters: int
    size: int
    """Bytes of the download, rounded: 2 per parameter in bfloat16, 4.5 / 8 in 4 bits with groups of 64; tokenizer."""
    shape: Shape

    @property
    def sizes(self) -> Sizes:
        bits, group_size = PACKED if self.id.endswith("4bit") else (None, None)
        return Sizes(self.size, self.parameters, bits, group_size, "bfloat16", self.shape)

    @property
    def download_s(self) -> float:
        """Return the time of the download at `DOWNLOAD_BITS_PER_S`."""
        return self.size * 8 / DOWNLOAD_BITS_PER_S


def _shape(layers: int, kv_heads: int, head_size: int) -> Shape:
    return Shape((Layer(layers, 2 * kv_heads * head_size),))


COURSE_MODEL = SuggestedModel(
    "mlx-community/Llama-3.2-1B-Instruct-4bit",
    "Llama 3.2 1B",
    tr("Chat and summaries"),
    LLAMA,
    1_235_814_400,
    712_000_000,
    _shape(16, 8, 64),
)
"""The model of most courses on mlx-lm; it is suggested wherever it fits."""
MODELS = (
    SuggestedModel(
        "mlx-community/SmolLM2-135M-Instruct",
        "SmolLM2 135M",
        tr("Tiny, fast on every computer"),
        APACHE,
        134_515_008,
        273_000_000,
        _shape(30, 3, 64),
    ),
    SuggestedModel(
        "mlx-community/Qwen3-0.6B-4bit",
        "Qwen3 0.6B",
        tr("Small and fast, with reasoning"),
        APACHE,
        596_049_920,
        351_000_000,
        _shape(28, 8, 128),
    ),
    COURSE_MODEL,
    SuggestedModel(
        "mlx-community/Llama-3.2-3B-Instruct-4bit",
        "Llama 3.2 3B",
        tr("Chat with more knowledge"),
        LLAMA,
        3_212_749_824,
        1_824_000_000,
        _shape(28, 8, 128),
    ),
    SuggestedModel(
        "mlx-community/Qwen3-8B-4bit",
        "Qwen3 8B",
        tr("Reasoning, code and math"),
        APACHE,
        8_190_735_360,
        4_623_000_000,
        _shape(36, 8, 128),
    ),
    SuggestedModel(
        "mlx-community/Qwen3-14B-4bit",
        "Qwen3 14B",
        tr("Reasoning, code and math"),
        APACHE,
        14_768_307_200,
        8_323_000_000,
        _shape(40, 8, 128),
    ),
    SuggestedModel(
        "mlx-community/Qwen3-30B-A3B-4bit",
        "Qwen3 30B A3B",
        tr("Reasoning, code and math"),
        APACHE,
        30_532_122_624,
        17_190_000_000,
        _shape(48, 4, 128),
    ),
)
IDS = frozenset(model.id for model in MODELS)


def suggested(device: Device) -> tuple[SuggestedModel, ...]:
    """Return at most three models that fit: a small one, the course's, and the largest. `device` has its limit."""
    fitting = [model for model in MODELS if _fits(model, device)]
    index = fitting.index(COURSE_MODEL) if COURSE_MODEL in fitting else 0
    if 0 < index < len(fitting) - 1:
        return fitting[index - 1], COURSE_MODEL, fitting[-1]
    return tuple(fitting[-3:])


def _fits(model: SuggestedModel, device: Device) -> bool:
    """Return whether a model leaves memory to other programs, and is fast enough: on the CPU, in float32."""
    fit = fit_of(model.sizes, CONTEXT, device)
    is_fast = not device.on_cpu or model is COURSE_MODEL or fits_in_float32(model.parameters, device.limit)
    return is_fast and fit is not None and fit.verdict is FitVerdict.FITS
