"""Failures for the exceptions of mlx, mlx-lm and transformers."""

from dataclasses import replace
from pathlib import Path
from traceback import walk_tb

from app.engine.errors import PanicError, UserError, details_of
from app.engine.model_files.folder import AGAIN, read_json
from app.engine.types import Failure
from app.i18n import tr

UNBUILT = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Exceptions that mlx-lm raises while it builds a model from config.json."""
UNKNOWN = ("Model type ", "module 'mlx_lm.models.")
"""Beginnings of mlx-lm's messages for an unknown model type."""
TOKENIZER_SETTINGS = ("tokenizer.json", "special_tokens_map.json", "added_tokens.json", "vocab.json")
CONFIGURATIONS = "configuration_"
"""Prefix of the modules of transformers that read config.json."""
NOT_UNDERSTOOD = tr("config.json has a value that is invalid for its model type.")
OUT_OF_MEMORY = ("insufficient memory", "out of memory", "unable to allocate", "attempting to allocate")

METAL = "[METAL]"
"""Prefix of Metal's error messages."""


def is_memory(error: BaseException) -> bool:
    return isinstance(error, MemoryError) or any(sign in str(error).lower() for sign in OUT_OF_MEMORY)


def is_device(failure: Failure | None) -> bool:
    """Return whether this is an error of Metal: memory on the device may be corrupt."""
    return failure is not None and METAL in failure.details


def weights_failure(error: BaseException, model_type: str) -> Failure:
    """Explain why the weights could not be opened."""
    text, details = str(error), details_of(error)
    if isinstance(error, UserError):
        return error.failure
    if is_memory(error):
        return Failure(tr("The model did not fit into memory."), SMALLER, details, "memory")
    if text.startswith(UNKNOWN) or isinstance(error, SystemExit):
        what = tr("mlx-lm cannot open models of the type “{type}”.").format(type=model_type)
        return Failure(what, tr("Choose a model of a type that mlx-lm supports."), details, "unsupported")
    if "Missing" in text and "parameters" in text:
        return Failure(tr("Some of the model's weights are missing."), AGAIN, details, "weights")
    if "not in model" in text or "Expected shape" in text:
        return Failure(tr("The weights do not fit the model that config.json describes."), AGAIN, details, "weights")
    if isinstance(error, RuntimeError) and not isinstance(error, RecursionError):
        return Failure(tr("The weights file could not be read."), AGAIN, details, "weights")
    if isinstance(error, UNBUILT):
        return Failure(tr("mlx-lm can't create the model that config.json describes."), AGAIN, details, "config")
    return load_failure(error)


def tokenizer_failure(error: BaseException, folder: Path | None = None) -> Failure:
    """Explain why the tokenizer could not be opened; transformers reads config.json before it."""
    details = details_of(error)
    if isinstance(error, UserError):
        return error.failure
    if _in_configuration(error):
        return Failure(NOT_UNDERSTOOD, AGAIN, details, "config")
    try:
        for file in (folder / name for name in TOKENIZER_SETTINGS if folder):
            if file.exists():
                read_json(file)
    except UserError as refused:
        return replace(refused.failure, kind="tokenizer")
    return Failure(tr("The model's tokenizer could not be opened."), AGAIN, details, "tokenizer")


def _in_configuration(error: BaseException) -> bool:
    """Return whether the error or its cause was raised while config.json was read."""
    frames = [frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)]
    if any(Path(file).name.startswith(CONFIGURATIONS) for file in frames):
        return True
    return error.__cause__ is not None and _in_configuration(error.__cause__)


def load_failure(error: BaseException) -> Failure:
    """Explain a failure to load weights or tokenizer."""
    if isinstance(error, PanicError):
        return tokenizer_failure(error)
    return Failure(tr("The model could not be opened."), AGAIN, details_of(error))


def run_failure(error: BaseException) -> Failure:
    """Explain why a run failed. The generated text remains."""
    details = details_of(error)
    if isinstance(error, UserError):
        return error.failure
    if is_memory(error):
        todo = tr("Lower the max tokens, shorten the conversation, or open a smaller model.")
        return Failure(tr("The device ran out of memory."), todo, details, "memory")
    what = tr("The model failed while generating.")
    return Failure(what, tr("Try again; if it happens again, reload the model."), details)


def pass_failure(error: BaseException) -> Failure:
    """Explain why a pass over a prompt failed."""
    if is_memory(error):
        return Failure(tr("The device ran out of memory."), tr("Shorten the prompt."), details_of(error), "memory")
    return Failure(tr("The model failed at this prompt."), tr("Try again, or change the prompt."), details_of(error))


SMALLER = tr("Close other programs, or choose a smaller or more strongly quantized model.")
