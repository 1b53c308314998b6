"""Describes a loaded model as a value that other threads may use."""

from pathlib import Path
from typing import Any

from mlx.nn.layers.base import Module
from mlx_lm.tokenizer_utils import TokenizerWrapper
from mlx_lm.utils import get_total_parameters

from app.engine.errors import UserError
from app.engine.mlx import memory
from app.engine.mlx.loaded import arrays_of
from app.engine.mlx.loading import blas
from app.engine.mlx.loading.probe import Findings
from app.engine.model_files.folder import Folder, context_length, model_name, read_json
from app.engine.prompt import template_issues
from app.engine.templates.arguments import template_text
from app.engine.templates.rendering import TEMPLATES
from app.engine.types import Argument, Capabilities, Model
from app.i18n import tr

NOT_QUANTIZABLE = tr("This model reads its KV cache directly, and doesn't support a quantized one.")
ALONE = tr("This model's KV cache doesn't support batches.")
SHARED = tr("Layers of this model share their KV cache, so draft tokens can't be verified.")
UNMARKED = tr("This model has no reasoning tags, so its reasoning can't be ended.")
ROLLED_BACK = tr("The model's KV cache can't be trimmed, which a draft model needs.")


def describe(
    folder: Folder,
    module: Module,
    tokenizer: TokenizerWrapper,
    config: dict[str, Any],
    findings: Findings,
    raised: bool,
    has_spelling: bool,
) -> Model:
    """Return the description of a model.

    `has_spelling`: the bytes of each token are known, and the answer has one channel.
    """
    weights = sum(array.nbytes for array in arrays_of(module))
    template = tokenizer.chat_template
    return Model(
        name=model_name(folder.path),
        folder=folder.path,
        architecture=folder.model_type,
        parameters=int(get_total_parameters(module)),
        weights=weights,
        bits=_bits(config),
        context=context_length(config),
        vocabulary=findings.vocabulary,
        eos=tuple((token, str(tokenizer.decode([token]))) for token in _ends(tokenizer, findings.vocabulary)),
        reasoning=(tokenizer.think_start, tokenizer.think_end) if tokenizer.has_thinking else None,
        template=template_text(template),
        template_arguments=TEMPLATES.inspect(template_text(template)),
        manners=template_issues(tokenizer),
        can=_capabilities(tokenizer, findings, has_spelling),
        kv=findings.kv,
        generation=_generation(folder.path / "generation_config.json"),
        precision=findings.precision,
        on_cpu=memory.on_cpu(),
        raised=raised,
        report=(*folder.notes, *_report(raised, weights)),
    )


def _ends(tokenizer: TokenizerWrapper, vocabulary: int) -> list[int]:
    """Return the EOS ids that the model can sample: some files name -1 for none."""
    return sorted(token for token in tokenizer.eos_token_ids if 0 <= token < vocabulary)


def _bits(config: dict[str, Any]) -> int | None:
    quantization = config.get("quantization")
    bits = quantization.get("bits") if isinstance(quantization, dict) else None
    return bits if isinstance(bits, int) else None


def _generation(file: Path) -> tuple[tuple[str, Argument], ...]:
    """Return generation_config.json; empty if it is missing or broken."""
    try:
        said = read_json(file)
    except UserError:
        return ()
    return tuple((name, value) for name, value in said.items() if isinstance(value, str | int | float | None))


def _capabilities(tokenizer: TokenizerWrapper, findings: Findings, has_spelling: bool) -> Capabilities:
    plain = findings.plain_cache
    checks = {
        "chat": (bool(tokenizer.has_chat_template), tr("Its tokenizer has no chat template.")),
        "trim": (findings.trims, tr("Its cache has a recurrent state and can't be trimmed.")),
        "bare_loop": (findings.bare_loop, tr("It doesn't run without its KV cache.")),
        "kv_bits": (findings.quantises, NOT_QUANTIZABLE if plain else tr("Only plain KV caches can be quantized.")),
        "batch": (findings.batches, ALONE if plain else tr("Only plain KV caches support batches.")),
        "think_budget": (has_spelling and tokenizer.has_thinking, UNMARKED),
        "tools": (
            _takes_tools(tokenizer),
            tr("Its chat template doesn't support tools, or mlx-lm can't parse its calls."),
        ),
        "form": (has_spelling, tr("Its tokenizer doesn't expose the bytes of tokens, or it answers in channels.")),
        "max_kv_size": (not findings.own_cache, tr("It creates its own KV cache, which ignores the size setting.")),
    }
    refusals = {name: why for name, (holds, why) in checks.items() if not holds}
    if not findings.drafts:
        refusals["draft"] = SHARED if plain else ROLLED_BACK
    return Capabilities(**{name: holds for name, (holds, _) in checks.items()}, refusals=tuple(refusals.items()))


def _takes_tools(tokenizer: TokenizerWrapper) -> bool:
    return bool(tokenizer.has_tool_calling) and "tools" in template_text(tokenizer.chat_template)


def _report(raised: bool, weights: int) -> tuple[str, ...]:
    lines = []
    if raised:
        lines.append(tr("Converted to float32, which is fastest on MLX's CPU backend."))
    if memory.on_cpu() and (line := blas.report(weights)):
        lines.append(line)
    return tuple(lines)
