"""Exceptions of mlx, mlx-lm and transformers, told in the user's words."""

from __future__ import annotations

from json import JSONDecodeError

from app.engine.files import AGAIN
from app.engine.refusal import PanicError, RefusedError, details_of
from app.engine.types import Failure
from app.words import tr

UNBUILT = (KeyError, TypeError, ValueError, ZeroDivisionError, IndexError, OverflowError, RecursionError)
"""What mlx-lm raises on the way from config.json to a model."""
OUT_OF_MEMORY = ("insufficient memory", "out of memory", "unable to allocate", "attempting to allocate")


def is_memory(error: BaseException) -> bool:
    return isinstance(error, MemoryError) or any(sign in str(error).lower() for sign in OUT_OF_MEMORY)


def weights_failure(error: BaseException, model_type: str) -> Failure:
    """Why the weights could not be opened."""
    text, details = str(error), details_of(error)
    if isinstance(error, RefusedError):
        return error.failure
    if is_memory(error):
        return Failure(tr("The model did not fit into memory."), SMALLER, details, "memory")
    if "not supported" in text or isinstance(error, AttributeError | SystemExit):
        what = tr("mlx-lm cannot open models of the type “{type}”.").format(type=model_type)
        return Failure(what, tr("Choose a model of a type that mlx-lm supports."), details, "unsupported")
    if "Missing" in text and "parameters" in text:
        return Failure(tr("Some of the model's weights are missing."), AGAIN, details, "weights")
    if "not in model" in text or "Expected shape" in text:
        return Failure(tr("The weights do not fit the model that config.json describes."), AGAIN, details, "weights")
    if isinstance(error, RuntimeError) and not isinstance(error, RecursionError):
        return Failure(tr("The weights file could not be read."), AGAIN, details, "weights")
    if isinstance(error, UNBUILT):
        return Failure(tr("config.json describes a model that cannot be built."), AGAIN, details, "config")
    return load_failure(error)


def tokenizer_failure(error: BaseException) -> Failure:
    """Why the tokenizer could not be opened."""
    details = details_of(error)
    if isinstance(error, RefusedError):
        return error.failure
    if isinstance(error, JSONDecodeError):
        return Failure(tr("A tokenizer file of this model is not valid JSON."), AGAIN, details, "tokenizer")
    return Failure(tr("The model's tokenizer could not be opened."), AGAIN, details, "tokenizer")


def load_failure(error: BaseException) -> Failure:
    """What went wrong around weights and tokenizer."""
    if isinstance(error, PanicError):
        return tokenizer_failure(error)
    return Failure(tr("The model could not be opened."), AGAIN, details_of(error))


def run_failure(error: BaseException) -> Failure:
    """Why a run broke off. The text written so far is kept by whoever shows this."""
    details = details_of(error)
    if isinstance(error, RefusedError):
        return error.failure
    if is_memory(error):
        todo = tr("Lower the max tokens, shorten the conversation, or open a smaller model.")
        return Failure(tr("The device ran out of memory."), todo, details, "memory")
    return Failure(
        tr("The model failed while generating."), tr("Try again; if it happens again, reload the model."), details
    )


def pass_failure(error: BaseException) -> Failure:
    """Why a prompt could not be weighed."""
    if is_memory(error):
        return Failure(tr("The device ran out of memory."), tr("Shorten the prompt."), details_of(error), "memory")
    return Failure(tr("The model failed at this prompt."), tr("Try again, or change the prompt."), details_of(error))


SMALLER = tr("Close other programs, or choose a smaller or more strongly quantised model.")
