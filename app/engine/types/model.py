"""Models as values: the loaded one, and those of servers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from app.engine.types.request import COMPUTE_DTYPES, Argument, LoadRequest, OutputFormat
from app.i18n import tr


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Features that this model supports here; the window disables the others, with the reason from `refusals`."""

    chat: bool = True
    trim: bool = True
    bare_loop: bool = True
    observe: bool = True
    draft: bool = False
    lookup: bool = False
    """Whether prompt lookup can propose draft tokens."""
    kv_bits: bool = True
    max_kv_size: bool = False
    batch: bool = False
    form: bool = False
    """Whether constrained decoding is supported."""
    think_budget: bool = False
    """Whether its reasoning can be ended."""
    tools: bool = False
    """Whether its template accepts tools and its calls can be parsed."""
    raw: bool = True
    ids: bool = True
    """Whether it accepts and returns token ids. Continue, forks, perplexity and the exact prompt need that."""
    memory: bool = True
    """Whether MLX's allocator can be read."""
    refusals: tuple[tuple[str, str], ...] = ()

    def refusal(self, name: str) -> str:
        """Return why a feature isn't available; empty if it is."""
        return dict(self.refusals).get(name, "")

    def supports_format(self, output_format: OutputFormat) -> bool:
        """Return whether this kind of output format is supported; a server may support some."""
        return self.form and not self.refusal(f"form_{output_format.kind.value}")


@dataclass(frozen=True, slots=True)
class KVShape:
    """Size of a plain KV cache per token. All 0 for other kinds of cache."""

    values: int = 0
    """Number of elements of keys and values in all layers."""
    bytes_per_value: int = 0
    head_sizes: tuple[int, ...] = ()
    """Head sizes; a quantization group must divide them."""


@dataclass(frozen=True, slots=True)
class DraftModel:
    name: str
    folder: Path
    parameters: int
    weights: int
    raised: bool = False
    unpacked: bool = False


@dataclass(frozen=True, slots=True)
class Adapter:
    """A LoRA or DoRA adapter of the loaded model, as its files describe it."""

    name: str
    folder: Path
    rank: int
    scale: float
    dora: bool = False
    weights: int = 0
    """Bytes on disk."""


class ArgumentKind(StrEnum):
    """Kind of a template argument, inferred from its use."""

    SWITCH = "switch"
    NUMBER = "number"
    TEXT = "text"
    STRUCTURE = "structure"
    """The template accesses members: a mapping or a list, which no field can edit."""


@dataclass(frozen=True, slots=True)
class TemplateArgument:
    """A variable that the chat template reads. `choices` are the strings that it compares it with."""

    name: str
    kind: ArgumentKind
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TemplateIssues:
    """Problems between a chat template and the model's special tokens."""

    foreign_end: str = ""
    """The token with which the template ends an answer, if the model doesn't stop at it."""
    cue_missing: bool = False
    """Whether the template has no generation prompt."""


@dataclass(frozen=True, slots=True)
class WeightFormat:
    """Format of a model's weights in its files, and the dtype that they are computed in. Empty: unknown."""

    dtype: str = ""
    """Floating-point type of the weights, or of the scales of quantized ones."""
    bits: int | None = None
    group_size: int | None = None
    unpacked: bool = False
    """Whether quantized weights were unpacked while loading."""
    computed_in: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """Description of the loaded model: no arrays, no tokenizer."""

    name: str
    folder: Path
    architecture: str
    parameters: int
    weights: int
    """Bytes in memory."""
    context: int | None
    vocabulary: int
    """Number of rows of the smallest embedding or output matrix; the model accepts no id at or above it."""
    eos: tuple[tuple[int, str], ...]
    reasoning: tuple[str, str] | None = None
    template: str = ""
    """Chat template; empty if there is none or a server keeps it."""
    template_arguments: tuple[TemplateArgument, ...] = ()
    manners: TemplateIssues = field(default_factory=TemplateIssues)
    can: Capabilities = field(default_factory=Capabilities)
    draft: DraftModel | None = None
    adapter: Adapter | None = None
    on_cpu: bool = False
    tf32: bool | None = None
    """Whether float32 operations may use TF32; None: the device has none, or is a server's."""
    raised: bool = False
    """Whether half precision was converted to float32 while loading."""
    format: WeightFormat = field(default_factory=WeightFormat)
    kv: KVShape = field(default_factory=KVShape)
    generation: tuple[tuple[str, Argument], ...] = ()
    """Plain values of its generation_config.json."""
    server: str = ""
    """Host and port of the model's server. `folder` then has the name under which the model can be opened again."""
    dtype: str = ""
    """The compute dtype of the load request; empty: chosen for the device."""
    report: tuple[str, ...] = ()
    """Changes made while loading that affect speed or results: float32 conversion, preloaded BLAS."""

    @property
    def full_name(self) -> str:
        return f"{self.name} + {self.adapter.name}" if self.adapter else self.name

    @property
    def precision(self) -> str:
        """Return the dtype of its logits, in mlx's name; empty if a server doesn't report it."""
        return self.format.computed_in

    @property
    def bits(self) -> int | None:
        """Return the bits per weight in its files; None if they aren't quantized."""
        return self.format.bits

    @property
    def opened_by(self) -> LoadRequest:
        """Return the request that opens this model, draft model and adapter again."""
        draft, adapter = (str(each.folder) if each else None for each in (self.draft, self.adapter))
        return LoadRequest(str(self.folder), draft, adapter=adapter, dtype=self.dtype)

    def in_dtype(self, dtype: str) -> Model:
        """Return the description of this model opened in a compute dtype; itself if that is its own, or unknown."""
        if dtype == self.precision or dtype not in COMPUTE_DTYPES:
            return self
        return replace(self, dtype=dtype, format=replace(self.format, computed_in=dtype))


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible server. `address` is its base URL, normalized by `tidy` in `engine/remote/address`."""

    address: str
    name: str = ""
    """Name given by the user."""
    accepted: bool = False
    """Whether the user accepted unencrypted traffic."""
    own: bool = False
    """Whether it was added by the window that serves models."""

    @property
    def called(self) -> str:
        return self.name or (tr("Served here") if self.own else "")


@dataclass(frozen=True, slots=True)
class ServerModel:
    address: str
    id: str
    """The server's id for it."""
    context: int | None = None
    """Context window in tokens; None if the server doesn't report it."""

    @property
    def name(self) -> str:
        """Displayed name. Some servers use whole paths as ids."""
        return self.id.rstrip("/").rpartition("/")[2] if self.id.startswith("/") else self.id


@dataclass(frozen=True, slots=True)
class ReachedServer:
    models: tuple[ServerModel, ...]
    connect: float
    """Seconds to connect."""
    first_byte: float
    """Seconds from the connection to the first byte."""
