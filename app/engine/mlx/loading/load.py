"""Opens a model folder: weights step by step with progress and cancel, then the tokenizer, then a first pass."""

import sys
import time
from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx_lm.tokenizer_utils import TokenizerWrapper
from mlx_lm.utils import load_model, load_tokenizer
from transformers.models.auto.tokenization_auto import tokenizer_class_from_name
from transformers.tokenization_python import PythonBackend
from transformers.tokenization_utils_base import PreTrainedTokenizerBase
from transformers.tokenization_utils_tokenizers import TokenizersBackend
from transformers.utils import type_validators  # noqa: F401  # each model's own import these later

from app.engine.errors import UserError, without_panic
from app.engine.mlx import chat_templates, failures, memory
from app.engine.mlx.loaded import Loaded, arrays_of, silent_wrapper
from app.engine.mlx.loading import blas
from app.engine.mlx.loading.describe import describe
from app.engine.mlx.loading.probe import probe
from app.engine.mlx.thinking_marks import markers_of
from app.engine.model_files.folder import Folder, context_length, read_json
from app.engine.model_files.tokenizer import check_opened, in_python, refused
from app.engine.protocol import Emit, StopFlag
from app.engine.text import Spelling
from app.engine.types import Channel, Loading
from app.i18n import tr

RAISE_LIMIT_BYTES = 2_000_000_000
"""Models up to this size become float32 on the CPU backend, where half precision is two to five times slower."""
EVAL_BYTES = 16_000_000
PROGRESS_INTERVAL_S = 0.05


class CalledOffError(Exception):
    """The user stopped a load."""


def load(folder: Folder, emit: Emit, stop: StopFlag, anyway: bool = False) -> Loaded:
    """Load a model. Raises UserError, or CalledOffError after Stop; then nothing stays in memory."""
    raises = _becomes_float32(folder)
    if not anyway:
        check_room(folder)
    module, config = open_weights(folder)
    raised = raises and any(array.dtype in (mx.float16, mx.bfloat16) for array in arrays_of(module))
    if raised:
        module.set_dtype(mx.float32)
    evaluate(module, emit, stop)
    blas.fit_threads(sum(array.nbytes for array in arrays_of(module)))
    emit(Loading(tr("tokenizer"), 0, 0))
    tokenizer, line_ends = _tokenizer(folder, config)
    chat_templates.begin(tokenizer)
    _go_on(stop)
    emit(Loading(tr("first pass"), 0, 0))
    findings = probe(module, context_length(config))
    _go_on(stop)
    spelling, markers = Spelling(tokenizer), markers_of(tokenizer)
    has_spelling = spelling.has_rule and markers.start == Channel.NORMAL
    model = describe(folder, module, tokenizer, config, findings, raised, has_spelling)
    _go_on(stop)
    return Loaded(
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
        memory.refuse_too_large(_needed_bytes(folder, _becomes_float32(folder)), free + freed)


def _becomes_float32(folder: Folder) -> bool:
    return memory.on_cpu() and folder.weight_bytes <= RAISE_LIMIT_BYTES


def _needed_bytes(folder: Folder, raises: bool) -> int:
    """Return the bytes in memory. float32 takes twice as many as half precision; packed weights keep their size."""
    quantized = "quantization" in folder.config or "quantization_config" in folder.config
    return folder.weight_bytes * (2 if raises and not quantized else 1)


def open_weights(folder: Folder) -> tuple[Module, dict[str, Any]]:
    try:
        module, config = load_model(folder.path, lazy=True)
    except (Exception, SystemExit) as error:  # some of mlx-lm's model modules call sys.exit at import
        failure = failures.weights_failure(error, folder.model_type)
    else:
        return module, config
    raise UserError.of(failure)


def evaluate(module: Module, emit: Emit, stop: StopFlag) -> None:
    """Read the weights in small groups, for exact progress and a quick stop."""
    arrays = arrays_of(module)
    total, done = sum(array.nbytes for array in arrays), 0
    group: list[mx.array] = []
    shown_at = 0.0
    for array in arrays:
        group.append(array)
        if sum(member.nbytes for member in group) < EVAL_BYTES and array is not arrays[-1]:
            continue
        _go_on(stop)
        _read(group)
        done += sum(member.nbytes for member in group)
        group = []
        now = time.monotonic()
        if now - shown_at >= PROGRESS_INTERVAL_S or done == total:
            shown_at = now
            emit(Loading(tr("weights"), done, total))


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
    """Refuse tokenizer classes that read other files: transformers accepts any of its own classes.

    Tokenizers in Python create as many tokens as the settings contain.
    """
    settings = folder.path / "tokenizer_config.json"
    for source in (folder.config, read_json(settings) if settings.is_file() else {}):
        name = source.get("tokenizer_class")
        found = tokenizer_class_from_name(name) if isinstance(name, str) else None
        if "configuration_files" in source or not (found is None or _is_tokenizer(found)):
            raise refused("tokenizer_class", str(name))
        if found is not None and not issubclass(found, TokenizersBackend) and found is not PythonBackend:
            raise in_python(found)


def _is_tokenizer(found: object) -> bool:
    return isinstance(found, type) and issubclass(found, PreTrainedTokenizerBase)


def _go_on(stop: StopFlag) -> None:
    if stop.asked:
        raise CalledOffError
