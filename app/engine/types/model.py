"""The loaded model as a value."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from app.engine.types.form import Form
from app.engine.types.request import Argument, LoadRequest


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What this model can do here; the window greys the rest, with the reason from `refusals`."""

    chat: bool = True
    trim: bool = True
    bare_loop: bool = True
    observe: bool = True
    draft: bool = False
    kv_bits: bool = True
    max_kv_size: bool = False
    batch: bool = False
    form: bool = False
    """An answer can be held to a form."""
    think_budget: bool = False
    """Its thoughts can be ended."""
    tools: bool = False
    """Its template takes tools, and its calls can be read."""
    raw: bool = True
    ids: bool = True
    """Tokens go in and come out, not only text: Continue, forks, weighing and the exact prompt need that."""
    memory: bool = True
    """The device's allocator can be read."""
    refusals: tuple[tuple[str, str], ...] = ()

    def refusal(self, name: str) -> str:
        """Why this can't be asked for here; empty: it can."""
        return dict(self.refusals).get(name, "")

    def holds(self, form: Form) -> bool:
        """A server may know some kinds."""
        return self.form and not self.refusal(f"form_{form.kind.value}")


@dataclass(frozen=True, slots=True)
class KVShape:
    """What a plain KV cache keeps for each token. All 0: the cache grows in some other way."""

    values: int = 0
    """Numbers, of keys and values in all layers."""
    bytes_per_value: int = 0
    head_sizes: tuple[int, ...] = ()
    """What a group of the quantisation has to divide."""


@dataclass(frozen=True, slots=True)
class DraftModel:
    """The draft model beside the loaded one."""

    name: str
    folder: Path
    parameters: int
    weights: int
    raised: bool = False


@dataclass(frozen=True, slots=True)
class Adapter:
    """A LoRA or DoRA adapter on the loaded model, as its own files tell of it."""

    name: str
    folder: Path
    rank: int
    scale: float
    dora: bool = False
    weights: int = 0
    """Bytes on disk."""


class ArgumentKind(StrEnum):
    """What a chat template does with an argument, hence which values suit it."""

    SWITCH = "switch"
    NUMBER = "number"
    TEXT = "text"
    STRUCTURE = "structure"
    """It looks into it: a mapping or a list, which no field can hold."""


@dataclass(frozen=True, slots=True)
class TemplateArgument:
    """A variable that the chat template reads. `choices` are the texts that it tells apart."""

    name: str
    kind: ArgumentKind
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TemplateIssues:
    """How a chat template and the model get on where turns end and begin."""

    foreign_end: str = ""
    """The token with which the template closes an answer, where this model never ends on what the template writes."""
    cue_missing: bool = False
    """The template writes nothing after a question that tells the model to answer."""


@dataclass(frozen=True, slots=True)
class Model:
    """What is loaded, as a value: no array, no tokenizer."""

    name: str
    folder: Path
    architecture: str
    parameters: int
    weights: int
    """Bytes in memory."""
    bits: int | None
    context: int | None
    vocabulary: int
    """Rows of its shortest table of tokens: no id at or above this may reach the model."""
    eos: tuple[tuple[int, str], ...]
    reasoning: tuple[str, str] | None = None
    template: str = ""
    """Its chat template, as text; empty where it has none or a server keeps it."""
    template_arguments: tuple[TemplateArgument, ...] = ()
    manners: TemplateIssues = field(default_factory=TemplateIssues)
    can: Capabilities = field(default_factory=Capabilities)
    draft: DraftModel | None = None
    adapter: Adapter | None = None
    precision: str = ""
    """What its logits are computed in, as mlx calls it; empty where a server does not tell."""
    on_cpu: bool = False
    raised: bool = False
    """Half precision became float32 while loading."""
    kv: KVShape = field(default_factory=KVShape)
    generation: tuple[tuple[str, Argument], ...] = ()
    """What its generation_config.json says, as far as it is plain values."""
    server: str = ""
    """Host and port, where it runs elsewhere; the name that opens it again is then its `folder`."""
    report: tuple[str, ...] = ()
    """What was done while loading that changes speed or numbers: raised to float32, BLAS preloaded."""

    @property
    def full_name(self) -> str:
        """With the adapter that is on it."""
        return f"{self.name} + {self.adapter.name}" if self.adapter else self.name

    @property
    def opened_by(self) -> LoadRequest:
        """What opens it again, with all that is beside it."""
        draft, adapter = (str(each.folder) if each else None for each in (self.draft, self.adapter))
        return LoadRequest(str(self.folder), draft, adapter=adapter)
