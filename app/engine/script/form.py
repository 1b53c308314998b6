"""Part of a script: constrained decoding to an output format, with llguidance as in its examples."""

from collections.abc import Iterator

from app.engine.errors import UserError
from app.engine.forms.grammar import grammar_of
from app.engine.script.literals import comment, text_literal
from app.engine.script.options import drafts
from app.engine.types import ExactPrompt, Model, Request, TokenPrompt

IMPORTS = "import numpy as np\nfrom llguidance import LLMatcher\nfrom llguidance.hf import from_tokenizer"
TOKENS = "from_tokenizer(tokenizer._tokenizer, eos_token=sorted(tokenizer.eos_token_ids))"
HELD = '''\
seen = []


def held(tokens, logits):
    """Leaves what the form of the answer allows; it is asked once for each token."""
    if seen and matcher.validate_tokens([tokens[-1].item()]) == 1:
        matcher.consume_token(tokens[-1].item())
    seen.append(len(tokens))
    allowed = np.frombuffer(matcher.compute_logit_bias(), bool)[: logits.shape[-1]]
    allowed = np.pad(allowed, (0, logits.shape[-1] - len(allowed)))
    return mx.where(mx.array(allowed), logits, -mx.inf)'''
REASONING = "Sluice lets the model reason before the form begins; here it holds from the first token on."
DRAFT = "Without the draft model, whose rejected tokens this would have to take back."


def form_lines(request: Request, prompt: ExactPrompt | None, model: Model) -> Iterator[str]:
    """Yield statements that define the logits processor `held`."""
    if model.reasoning is not None and not request.raw:
        yield from comment(REASONING)
    if drafts(request, model):
        yield from comment(DRAFT)
    try:
        yield f"form = {text_literal(grammar_of(request.form))}"
    except UserError as refused:
        yield from comment(refused.failure.what)
        yield 'form = ""'
    yield f"matcher = LLMatcher({TOKENS}, form)"
    written = request.prompt.written if isinstance(request.prompt, TokenPrompt) else 0
    if written := len(prompt.begun) if prompt and prompt.begun else written:
        yield f"matcher.consume_tokens(prompt[-{written}:])  # what the answer had already"
    yield HELD
