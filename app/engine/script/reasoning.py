"""The reasoning budget in scripts: a logits processor that inserts the end-of-reasoning tag."""

from collections.abc import Iterator

from app.engine.script.options import speculates
from app.engine.types import ExactPrompt, Model, Request, TokenPrompt

BRIEFLY = '''\
start, end = list(tokenizer.think_start_tokens), list(tokenizer.think_end_tokens)


def briefly(tokens, logits):
    """Inserts the tag that ends the reasoning after a number of tokens."""
    reply = prompt[first:] + tokens.tolist()[shown:]
    thinks, count, place = begins_thinking, 0, 0
    while place < len(reply):
        mark = end if thinks else start
        found = reply[place : place + len(mark)] == mark
        count += thinks and not found
        thinks, place = (not thinks, place + len(mark)) if found else (thinks, place + 1)
    if not thinks or count < budget:
        return logits
    begun = max(size for size in range(len(end)) if reply[len(reply) - size :] == end[:size])
    chosen = mx.where(mx.arange(logits.shape[-1]) == end[begun], 0.0, -mx.inf)
    return mx.broadcast_to(chosen.astype(logits.dtype), logits.shape)'''

OPENS = "tokenizer.rfind_think_start(prompt, end=first) > tokenizer.rfind_think_end(prompt, end=first)"


def thinking_lines(request: Request, prompt: ExactPrompt | None, model: Model) -> Iterator[str]:
    """Yield statements that define `briefly`, the last logits processor."""
    written = request.prompt.written if isinstance(request.prompt, TokenPrompt) else 0
    written = len(prompt.begun) if prompt and prompt.begun else written
    yield f"budget, first = {request.limits.think_budget}, len(prompt) - {written}  # of the answer's tokens"
    yield f"shown = {1 if speculates(request, model) else 'len(prompt)'}  # of the prompt, by mlx-lm"
    if prompt is not None and (prompt.begun or not written):
        yield f"begins_thinking = {prompt.opens_reasoning}"
    else:
        yield f"begins_thinking = {OPENS}"
    yield BRIEFLY
