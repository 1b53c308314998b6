"""Opens a model folder: weights step by step with progress and cancel, then the tokenizer, then a first pass.

The model is then described as a value that other threads may use.
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx.nn.layers.quantized import QuantizedEmbedding, QuantizedLinear
from mlx.utils import tree_map_with_path
from mlx_lm.models.switch_layers import QuantizedSwitchLinear
from mlx_lm.tokenizer_utils import TokenizerWrapper
from mlx_lm.utils import dequantize_model, get_total_parameters, load_model, load_tokenizer
from transformers.models.auto.tokenization_auto import tokenizer_class_from_name
from transformers.tokenization_python import PythonBackend
from transformers.tokenization_utils_base import PreTrainedTokenizerBase
from transformers.tokenization_utils_tokenizers import TokenizersBackend
from transformers.utils import type_validators  # noqa: F401  # each model's own import these later

from app.engine.errors import UserError, without_panic
from app.engine.mlx import chat_templates, failures, memory  # noqa: F401 (templates stay out of this process)
from app.engine.mlx.loaded import LoadedModel, arrays_of, silent_wrapper
from app.engine.mlx.loading import blas
from app.engine.mlx.loading.probe import Findings, probe
from app.engine.mlx.tf32 import is_tf32_allowed
from app.engine.model_files.conversion import FLOAT32_BYTES, HALVES, fits_in_float32
from app.engine.model_files.folder import Folder, context_length, model_name, read_json
from app.engine.model_files.tokenizer import check_opened, in_python, refused
from app.engine.prompt import template_issues
from app.engine.protocol import Emit, StopFlag
from app.engine.stop_strings import Marker, Markers
from app.engine.templates.arguments import template_text
from app.engine.templates.rendering import TEMPLATES
from app.engine.text import TokenDecoder
from app.engine.types import Argument, Capabilities, Channel, Loading, Model, WeightFormat
from app.i18n import tr

EVAL_BYTES = 16_000_000
PROGRESS_INTERVAL_S = 0.05
NOT_QUANTIZABLE = tr("This model reads its KV cache directly, and doesn't support a quantized one.")
ALONE = tr("This model's KV cache doesn't support batches.")
SHARED = tr("Layers of this model share their KV cache, so draft tokens can't be verified.")
UNMARKED = tr("This model has no reasoning tags, so its reasoning can't be ended.")
ROLLED_BACK = tr("The model's KV cache can't be trimmed, so rejected draft tokens would remain in it.")


class CalledOffError(Exception):
    """The user stopped a load."""


def load(
    folder: Folder,
    emit: Emit,
    stop: StopFlag,
    *,
    ignores_memory: bool = False,
    keeps_packed: bool = False,
    dtype: str = "",
) -> LoadedModel:
    """Load a model. Raises UserError, or CalledOffError after Stop; then nothing stays in memory.

    `ignores_memory`: loads a model that may be too large. `keeps_packed`: on the CPU, the weights of a quantized model
    stay packed; otherwise they are unpacked if they fit. `dtype`: the compute dtype; empty: chosen for the device.
    """
    if not ignores_memory:
        check_room(folder)
    module, config = open_weights(folder)
    stored = _stored_format(module, config)
    module, raised, unpacked = convert_for_device(module, keeps_packed)
    if dtype:
        raised = dtype == "float32" and stored.dtype in HALVES
        _cast(module, dtype)
        if not ignores_memory:
            _check_size(module)
    weights = evaluate(module, emit, stop)
    blas.fit_threads(weights)
    emit(Loading(tr("tokenizer"), 0, 0))
    tokenizer, line_ends = _tokenizer(folder, config)
    TEMPLATES.begin(template_text(tokenizer.chat_template))
    _check_stop(stop)
    emit(Loading(tr("first pass"), 0, 0))
    findings = probe(module, context_length(config), dtype)
    _check_stop(stop)
    spelling, markers = TokenDecoder(tokenizer), markers_of(tokenizer)
    has_spelling = spelling.has_rule and markers.start == Channel.NORMAL
    stored = replace(stored, unpacked=unpacked, computed_in=findings.precision)
    model = describe(folder, module, tokenizer, config, findings, weights, raised, stored, has_spelling)
    model = replace(model, dtype=dtype)
    _check_stop(stop)
    return LoadedModel(
        module=module,
        tokenizer=tokenizer,
        model=model,
        pace=findings.pace,
        plain_cache=findings.plain_cache,
        rows=findings.rows,
        silent=silent_wrapper(tokenizer),
        spelling=spelling,
        markers=markers,
        line_ends=line_ends,
    )


def check_room(folder: Folder, freed: int = 0) -> None:
    """Raise UserError if the model doesn't fit into memory, even with `freed` bytes more."""
    free = memory.available_bytes()
    if free is not None:
        memory.refuse_too_large(folder.weight_bytes, free + freed)


def convert_for_device(module: Module, keeps_packed: bool) -> tuple[Module, bool, bool]:
    """Convert a model on the CPU to float32 if it fits. Return it, and whether it was half precision, and unpacked."""
    if not memory.on_cpu():
        return module, False, False
    fits, packed = _fits_in_float32(module), _packed_layers(module)
    has_halves = any(array.dtype in (mx.float16, mx.bfloat16) for array in arrays_of(module))
    # Of packed weights, the scales first: otherwise their products would be rounded to half precision.
    if raised := has_halves and bool(fits or packed):
        module.set_dtype(mx.float32)
    unpacked = bool(packed) and fits and not keeps_packed and all(map(_can_unpack, packed))
    if unpacked:
        module = dequantize_model(module)
        module.set_dtype(mx.float32)  # some formats are unpacked to half precision
    return module, raised, unpacked


def _cast(module: Module, dtype: str) -> None:
    """Set the dtype of all weights, and of the scales of packed ones, that mlx-lm's `convert` would cast too."""
    is_cast: Callable[[str], bool] = getattr(module, "cast_predicate", lambda name: True)

    def cast(name: str, array: mx.array) -> mx.array:
        is_float = mx.issubdtype(array.dtype, mx.floating)
        return array.astype(getattr(mx, dtype)) if is_float and is_cast(name) else array

    module.update(tree_map_with_path(cast, module.parameters()))


def _check_size(module: Module) -> None:
    """Raise UserError if the weights don't fit into memory in the dtype that they have now."""
    free = memory.available_bytes()
    if free is not None:
        memory.refuse_too_large(sum(array.nbytes for array in arrays_of(module)), free)


def _packed_layers(module: Module) -> list[Module]:
    return [layer for layer in module.modules() if "scales" in layer]


def _can_unpack(layer: Module) -> bool:
    """Return whether mlx-lm unpacks this layer; it leaves out other classes, and passes over a global scale."""
    unpackable = isinstance(layer, (QuantizedLinear, QuantizedEmbedding, QuantizedSwitchLinear))
    return unpackable and layer.get("global_scale") is None


def _fits_in_float32(module: Module) -> bool:
    parameters, free = int(get_total_parameters(module)), memory.available_bytes()
    if free is not None and FLOAT32_BYTES * parameters * memory.HEADROOM > free:
        return False
    return fits_in_float32(parameters, memory.limit_bytes())


def _stored_format(module: Module, config: dict[str, Any]) -> WeightFormat:
    """Return the format of the weights in the files. mlx-lm has completed the config for formats of other libraries."""
    found = config.get("quantization") if _packed_layers(module) else None
    quantization = found if isinstance(found, dict) else {}
    bits, group = (value if type(value) is int else None for value in map(quantization.get, ("bits", "group_size")))
    floats = (array for array in arrays_of(module) if mx.issubdtype(array.dtype, mx.floating))
    largest = max(floats, key=lambda array: array.nbytes, default=None)
    return WeightFormat("" if largest is None else str(largest.dtype).rpartition(".")[2], bits, group)


def open_weights(folder: Folder) -> tuple[Module, dict[str, Any]]:
    try:
        module, config = load_model(folder.path, lazy=True)
    except (Exception, SystemExit) as error:  # some of mlx-lm's model modules call sys.exit at import
        failure = failures.weights_failure(error, folder.model_type)
    else:
        return module, config
    raise UserError.of(failure)


def evaluate(module: Module, emit: Emit, stop: StopFlag) -> int:
    """Read the weights in small groups, for exact progress and a quick stop. Return their bytes."""
    arrays = arrays_of(module)
    total, done = sum(array.nbytes for array in arrays), 0
    group: list[mx.array] = []
    shown_at = 0.0
    for array in arrays:
        group.append(array)
        if sum(member.nbytes for member in group) < EVAL_BYTES and array is not arrays[-1]:
            continue
        _check_stop(stop)
        _read(group)
        done += sum(member.nbytes for member in group)
        group = []
        now = time.monotonic()
        if now - shown_at >= PROGRESS_INTERVAL_S or done == total:
            shown_at = now
            emit(Loading(tr("weights"), done, total))
    return total


def _read(arrays: list[mx.array]) -> None:
    try:
        mx.eval(arrays)
    except Exception as error:
        failure = failures.weights_failure(error, "")
    else:
        return
    raise UserError.of(failure)


def _tokenizer(folder: Folder, config: dict[str, Any]) -> tuple[TokenizerWrapper, frozenset[int]]:
    """Return the tokenizer, and the newline tokens: finding these also tests it."""
    settings = {"trust_remote_code": False, "model_max_length": sys.maxsize}
    try:
        with without_panic():
            _refuse_class(folder)
            tokenizer = load_tokenizer(folder.path, settings, eos_token_ids=config.get("eos_token_id"))
            check_opened(tokenizer)
            return tokenizer, frozenset(tokenizer.encode("\n", add_special_tokens=False))
    except (Exception, SystemExit) as error:
        failure = failures.tokenizer_failure(error, folder.path)
    raise UserError.of(failure)


def _refuse_class(folder: Folder) -> None:
    """Refuse classes that read other files, or that, in Python, create as many tokens as the settings say."""
    settings = folder.path / "tokenizer_config.json"
    for source in (folder.config, read_json(settings) if settings.is_file() else {}):
        name = source.get("tokenizer_class")
        found = tokenizer_class_from_name(name) if isinstance(name, str) else None
        is_other = found is not None and not (isinstance(found, type) and issubclass(found, PreTrainedTokenizerBase))
        if "configuration_files" in source or is_other:
            raise refused("tokenizer_class", str(name))
        if found is not None and not issubclass(found, TokenizersBackend) and found is not PythonBackend:
            raise in_python(found)


def _check_stop(stop: StopFlag) -> None:
    if stop.asked:
        raise CalledOffError


def describe(
    folder: Folder,
    module: Module,
    tokenizer: TokenizerWrapper,
    config: dict[str, Any],
    findings: Findings,
    weights: int,
    raised: bool,
    weight_format: WeightFormat,
    has_spelling: bool,
) -> Model:
    """Describe a model. `has_spelling`: the bytes of each token are known, and the answer has one channel."""
    template, vocabulary = template_text(tokenizer.chat_template), findings.vocabulary
    ends = sorted(token for token in tokenizer.eos_token_ids if 0 <= token < vocabulary)  # some files name -1 for none
    return Model(
        name=model_name(folder.path),
        folder=folder.path,
        architecture=folder.model_type,
        parameters=int(get_total_parameters(module)),
        weights=weights,
        context=context_length(config),
        vocabulary=vocabulary,
        eos=tuple((token, str(tokenizer.decode([token]))) for token in ends),
        reasoning=(tokenizer.think_start, tokenizer.think_end) if tokenizer.has_thinking else None,
        template=template,
        template_arguments=TEMPLATES.inspect(template),
        manners=template_issues(tokenizer),
        can=_capabilities(tokenizer, findings, has_spelling),
        kv=findings.kv,
        generation=_generation(folder.path / "generation_config.json"),
        on_cpu=memory.on_cpu(),
        raised=raised,
        format=weight_format,
        report=(*folder.notes, *_report(raised, weight_format, weights)),
        tf32=is_tf32_allowed(),
    )


def _generation(file: Path) -> tuple[tuple[str, Argument], ...]:
    """Return generation_config.json; empty if it is missing or broken."""
    try:
        content = read_json(file)
    except UserError:
        return ()
    return tuple((name, value) for name, value in content.items() if isinstance(value, str | int | float | None))


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
            bool(tokenizer.has_tool_calling) and "tools" in template_text(tokenizer.chat_template),
            tr("Its chat template doesn't support tools, or mlx-lm can't parse its calls."),
        ),
        "form": (has_spelling, tr("Its tokenizer doesn't expose the bytes of tokens, or it answers in channels.")),
        "lookup": (plain, ROLLED_BACK),
        "max_kv_size": (not findings.own_cache, tr("It creates its own KV cache, which ignores the size setting.")),
    }
    refusals = {name: why for name, (holds, why) in checks.items() if not holds}
    if not findings.drafts:
        refusals["draft"] = SHARED if plain else ROLLED_BACK
    return Capabilities(**{name: holds for name, (holds, _) in checks.items()}, refusals=tuple(refusals.items()))


def _report(raised: bool, weight_format: WeightFormat, weights: int) -> Iterator[str]:
    if weight_format.unpacked:
        yield tr("Dequantized to float32: MLX's CPU backend is slow with quantized weights.")
    elif raised and weight_format.bits:
        yield tr("Scales converted to float32, which is faster on MLX's CPU backend.")
    elif raised:
        yield tr("Converted to float32, which is fastest on MLX's CPU backend.")
    if memory.on_cpu() and (words := blas.report(weights)):
        yield words


def markers_of(tokenizer: TokenizerWrapper) -> Markers:
    """Return the same transitions, with the same precedence, as mlx-lm's `make_text_state_machine`."""
    edges: list[Marker] = []
    if tokenizer.has_thinking and tokenizer.think_start and tokenizer.think_end:
        edges += Markers.reasoning(tokenizer.think_start, tokenizer.think_end).edges
    edges += _tool_markers(tokenizer)
    edges += [Marker(Channel.NORMAL, text, Channel.NORMAL) for text in tokenizer.structural_markers]
    for state, transitions in tokenizer.response_transitions.items():
        edges += [Marker(state, text, then) for text, then in transitions]
    return Markers(tuple(edges), tokenizer.response_initial_state or Channel.NORMAL)


def _tool_markers(tokenizer: TokenizerWrapper) -> list[Marker]:
    start, end = tokenizer.tool_call_start, tokenizer.tool_call_end
    if not (tokenizer.has_tool_calling and start):
        return []
    edges = [Marker(Channel.REASONING, start, Channel.TOOL)] if tokenizer.has_thinking else []
    targets = {then for transitions in tokenizer.response_transitions.values() for _, then in transitions}
    if Channel.TOOL not in targets:
        edges.append(Marker(Channel.NORMAL, start, Channel.TOOL))
    return [*edges, Marker(Channel.TOOL, end, Channel.NORMAL)] if end else edges
