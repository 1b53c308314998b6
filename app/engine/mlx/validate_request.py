"""Checks a request before its run, and the memory before its cache grows."""

import time
from collections.abc import Callable
from dataclasses import replace

from app.engine.capacity import kv_bytes
from app.engine.errors import UserError
from app.engine.mlx import memory
from app.engine.mlx.loaded import LoadedModel
from app.engine.prompt import render
from app.engine.sampling import check
from app.engine.structured_output.grammar import check_format
from app.engine.types import AUTOMATIC, ENDLESS, KV, ExactPrompt, Failure, KVShape, PromptSource, Request
from app.i18n import tr

NO_LIMIT = 1_000_000_000
"""For ENDLESS on models without a context length; mlx-lm's own -1 fails with a draft model."""
PREVIEW_VALID_S = 60
"""Seconds a previewed prompt stays valid; templates may contain the current time."""
AT_ONCE = 256
"""mlx-lm's cache grows by this many tokens at a time."""


def validate(request: Request, main: LoadedModel, draft: LoadedModel | None) -> ExactPrompt:
    """Return the exact prompt of a valid request; raise UserError for any other."""
    check_request(request, main, draft)
    return requested_prompt(request, main)


def check_request(request: Request, main: LoadedModel, draft: LoadedModel | None) -> None:
    """Raise UserError for an invalid request; its prompt is not checked."""
    if (failure := check(request, main.model.vocabulary)) is not None:
        raise UserError.of(failure)
    if request.looks_up:
        _check_lookup(request, main)
    elif request.draft_tokens:
        _check_draft(request, draft)
    if request.form and not main.model.can.form:
        raise UserError(main.model.can.refusal("form"), tr("Turn off the output format."), kind="form")
    check_format(request.form)
    check_kv(request.kv, main)


def requested_prompt(request: Request, main: LoadedModel) -> ExactPrompt:
    """Return the prompt, from its preview if there is one."""
    if request.session is not None and main.previewed is not None:
        source, prompt, at = main.previewed
        if source == request.prompt and time.monotonic() - at < PREVIEW_VALID_S:
            return prompt
    return exact_prompt(request.prompt, main)


def exact_prompt(source: PromptSource, main: LoadedModel) -> ExactPrompt:
    """Render the prompt. Ids above the vocabulary are refused: the model would read invalid memory."""
    prompt = render(source, main.tokenizer)
    if isinstance(prompt, Failure):
        raise UserError.of(prompt)
    if not prompt.ids:
        raise UserError(tr("The prompt is empty."), tr("Type something first."), kind="empty")
    if max(prompt.ids) >= main.model.vocabulary:
        what = tr("The prompt has the token id {token}, but the vocabulary has {vocabulary} tokens.")
        what = what.format(token=max(prompt.ids), vocabulary=main.model.vocabulary)
        todo = tr("The tokenizer doesn't fit this model; download the model again.")
        raise UserError(what, todo, kind="tokenizer")
    return prompt


def max_new_tokens(request: Request, context: int | None, length: int) -> int:
    """Return the max tokens of a run, limited by the context."""
    wanted = NO_LIMIT if request.limits.max_tokens == ENDLESS else request.limits.max_tokens
    return wanted if context is None else min(wanted, context - length)


def _check_lookup(request: Request, main: LoadedModel) -> None:
    if not main.model.can.lookup:
        raise UserError(main.model.can.refusal("lookup"), tr("Turn prompt lookup off."), kind="draft")
    if request.kv.max_size is not None:
        what = tr("Prompt lookup needs a KV cache of unlimited size, which it can trim.")
        raise UserError(what, tr("Remove the size limit, or turn prompt lookup off."), kind="kv")


def _check_draft(request: Request, draft: LoadedModel | None) -> None:
    if draft is None:
        raise UserError(tr("No draft model is loaded."), tr("Choose a draft model, or set the draft tokens to 0."))
    if request.draft_tokens == AUTOMATIC and request.kv.enabled and request.kv.max_size is not None:
        what = tr("An automatic number of draft tokens needs a KV cache of unlimited size, which it can trim.")
        raise UserError(what, tr("Remove the size limit, or choose a number of draft tokens."), kind="kv")
    check_kv(replace(request.kv, max_size=None), draft)


def check_kv(kv: KV, main: LoadedModel) -> None:
    """Check the KV cache settings: mlx-lm fails in the middle of a run if a quantized cache doesn't suit the model."""
    if not kv.enabled:
        return
    if kv.max_size is not None and not main.model.can.max_kv_size:
        what = tr("This model makes its own KV cache, which has no size setting.")
        raise UserError(
            what, tr("Remove the size limit; max tokens and the context window still limit a run."), kind="kv"
        )
    if kv.bits is None:
        return
    if kv.max_size is not None or not main.plain_cache:
        what = tr("Only a plain KV cache of unlimited size can be quantized.")
        raise UserError(what, tr("Turn KV quantization off, or remove the size limit."), kind="kv")
    if not main.model.can.kv_bits:
        why = main.model.can.refusal("kv_bits")
        raise UserError(why, tr("Turn KV quantization off."), kind="kv")
    uneven = [size for size in main.model.kv.head_sizes if size % kv.group_size]
    if uneven:
        what = tr("Heads of size {size} can't be quantized in groups of {group}.")
        what = what.format(size=uneven[0], group=kv.group_size)
        raise UserError(what, tr("Choose a smaller group size."), kind="kv")


class FitCheck:
    """Checks that a KV cache fits before it grows, since running out of memory may abort the process."""

    def __init__(self, shape: KVShape, kv: KV, unchecked: bool, make_room: Callable[[int], None]) -> None:
        """`unchecked`: the user opened a too large model. `make_room` frees bytes of inactive conversations."""
        self._make_room = make_room
        self._each = 0.0 if unchecked or not kv.enabled or kv.max_size is not None else kv_bytes(shape, kv)

    def check_prompt(self, tokens: int, more: int = 0) -> None:
        """Raise UserError if this many tokens, and `more` bytes of logits, don't fit."""
        todo = tr("Shorten the prompt, start a new session, or open a smaller model.")
        what = tr("The prompt needs {needed:.1f} GB for the KV cache, and {free:.1f} GB are free.")
        if more:
            what = tr("The text needs {needed:.1f} GB for KV caches and logits, and {free:.1f} GB are free.")
        self._refuse(tokens, what, todo, more)

    def check_growth(self, written: int) -> None:
        """Raise UserError if the cache can't grow; the text so far remains."""
        if written % AT_ONCE == 0:
            what = tr("The KV cache can't grow: {free:.1f} GB are free.")
            self._refuse(AT_ONCE, what, tr("Start a new session, or open a smaller model."))

    def _refuse(self, tokens: int, what: str, todo: str, more: int = 0) -> None:
        needed = tokens * self._each + more
        free = memory.available_bytes() if needed else None
        if free is not None and needed > free:
            self._make_room(int(needed - free))
            free = memory.available_bytes()
        if free is not None and needed > free:
            raise UserError(what.format(needed=needed / 1e9, free=free / 1e9), todo, kind="memory")
