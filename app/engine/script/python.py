"""Generates the script that repeats a run with mlx-lm, with only the settings that have an effect."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from app.engine.errors import UserError
from app.engine.script.literals import (
    INDENT,
    WIDTH,
    call,
    comment,
    keyword_argument,
    number_list,
    quoted,
    text_list,
    text_literal,
    value,
)
from app.engine.script.lookup import CHOSEN, SAMPLED, draft_arguments, lookup_arguments, lookup_lines
from app.engine.script.options import (
    Options,
    adapter_of,
    cache_options,
    drafts,
    fills_context,
    has_lookup,
    has_reasoning_budget,
    processor_options,
    sampler_options,
    speculates,
    stop_strings,
    uses_draft,
)
from app.engine.script.reasoning import thinking_lines
from app.engine.script.streaming import FIGURES, streaming_loop
from app.engine.structured_output.grammar import grammar_of
from app.engine.templates.arguments import CALLS_OWN
from app.engine.tools import template_messages, tools_of, why_no_tools
from app.engine.types import (
    AUTOMATIC,
    COMPUTE_DTYPES,
    ENDLESS,
    Adapter,
    Argument,
    ChatPrompt,
    ExactPrompt,
    Message,
    Model,
    PromptSource,
    RawPrompt,
    Request,
    Role,
    Sampling,
    TemplateCall,
    TokenPrompt,
)

REPLY_START = "# how the reply begins"
FULL_FLOAT32 = [
    "import os",
    "",
    'os.environ["MLX_ENABLE_TF32"] = "0"  # full float32 precision, as in Sluice; MLX reads it once',
]


def prompt_lines(source: PromptSource, prompt: ExactPrompt | None) -> list[str]:
    """Return statements that set `prompt` to a list of ids. Without an exact prompt they apply the template."""
    match source:
        case ChatPrompt():
            notes = prompt.notes if prompt else ()
            told = [line for note in notes for line in comment(note)]
            return [*told, *_chat(prompt.call if prompt and prompt.call else plain_call(source), source)]
        case RawPrompt(text):
            return _raw(text, prompt)
        case TokenPrompt(ids):
            sent = prompt.ids if prompt else ids
            told = comment("The ids themselves: this run went on from where another one ended.")
            return [*told, f"prompt = {number_list(sent)}"]


def plain_call(source: ChatPrompt) -> TemplateCall:
    """Return the arguments of a template call with the unchanged conversation."""
    reply = source.reply_start
    if not reply.strip():
        return TemplateCall(source.messages, source.arguments, added=reply, tools=source.tools)
    messages = (*source.messages, Message(Role.ASSISTANT, reply))
    return TemplateCall(messages, source.arguments, continues=True, tools=source.tools)


def template_arguments(asked: TemplateCall) -> dict[str, Argument]:
    """Return the template's arguments, without those that would change the call itself: a file may contain any."""
    return {name: given for name, given in asked.arguments if name not in CALLS_OWN}


def _chat(asked: TemplateCall, source: ChatPrompt) -> list[str]:
    lines = ["messages = [", *map(_message, asked.messages, template_messages(asked.messages)), "]"]
    arguments = ["messages", *_template_arguments(asked)]
    if not asked.dropped and not asked.added:
        return [*lines, _assigned("prompt", "tokenizer.apply_chat_template", arguments)]
    return [
        *lines,
        _assigned("text", "tokenizer.apply_chat_template", [*arguments, "tokenize=False"]),
        *_changed(asked, source),
        "prompt = tokenizer.encode(text, add_special_tokens=False)",
    ]


def _message(message: Message, told: dict[str, object]) -> str:
    if message.calls or message.role is Role.TOOL:
        return f"{INDENT}{value(told)},"
    line = f'{INDENT}{{"role": "{message.role}", "content": {quoted(message.text)}}},'
    if len(line) <= WIDTH and len(message.text.splitlines()) < 2:
        return line
    content = text_literal(message.text, 2 * INDENT)
    return f'{INDENT}{{\n{2 * INDENT}"role": "{message.role}",\n{2 * INDENT}"content": {content},\n{INDENT}}},'


def _template_arguments(asked: TemplateCall) -> Iterator[str]:
    yield "continue_final_message=True" if asked.continues else "add_generation_prompt=True"
    yield from (keyword_argument(name, given) for name, given in template_arguments(asked).items())
    if asked.empty_tools:
        yield "tools=[]"
    if asked.tools and not why_no_tools(asked.tools):
        yield f"tools={value(tools_of(asked.tools))}"


def _changed(asked: TemplateCall, source: ChatPrompt) -> Iterator[str]:
    if asked.dropped:
        yield f"text = text.removesuffix({quoted(asked.dropped)})"
    if asked.added == source.reply_start:
        yield from (f"text += {text_literal(asked.added)}  {REPLY_START}",)
    elif asked.added:
        yield f"text += {quoted(asked.added)}  # the template trims what stands at its end"


def _raw(text: str, prompt: ExactPrompt | None) -> list[str]:
    """Prepend BOS as an id: some tokenizers split a text differently after it."""
    literal = text_literal(text)
    if prompt is None:
        return [f"prompt = tokenizer.encode({literal})"]
    if prompt.text == text:
        return [f"prompt = tokenizer.encode({literal}, add_special_tokens=False)"]
    return [
        f"prompt = tokenizer.encode({literal}, add_special_tokens=False)",
        "prompt = [tokenizer.bos_token_id, *prompt]",
    ]


def _assigned(name: str, function: str, arguments: list[str]) -> str:
    return f"{name} = {call(function, arguments, lead=len(name) + 3)}"


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
DRAFT = "Without draft tokens: this would have to take the rejected ones back."


def constraint_lines(request: Request, prompt: ExactPrompt | None, model: Model) -> Iterator[str]:
    """Yield statements that define the logits processor `held`."""
    if model.reasoning is not None and not request.raw:
        yield from comment(REASONING)
    if speculates(request, model):
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


PORTIONS = (
    "How keys and values of few bits are rounded depends on the portions in which the prompt is read: "
    "Sluice reads a long one in smaller ones, so as to be stopped in between."
)
NO_LIMIT = "1_000_000_000"
SNAPSHOT = re.compile(r"models--([^/]+)/snapshots/([^/]+)$")

TEXT_OF = '''\
def whole(ids):
    """The text of these ids, without the bytes of a character that isn't complete."""
    text = cut = tokenizer.decode(ids, clean_up_tokenization_spaces=False)
    while text.endswith("\\ufffd"):
        ids = ids[:-1]
        text = tokenizer.decode(ids, clean_up_tokenization_spaces=False)
    return max(text, cut.rstrip("\\ufffd"), key=len)  # an id may have a space before such bytes


def text_of(ids):
    """The reply as it goes on behind the prompt; mlx-lm's pieces may lack a space."""
    # In Sluice, bytes that never become a character read otherwise, as do added tokens with an é.
    reply = [token for token in ids if token not in tokenizer.eos_token_ids]
    return whole(prompt + reply)[len(whole(prompt)) :]'''

STOP = """\
    text = text_of(ids)
    found = [(text.index(stop) + len(stop), text.index(stop)) for stop in stops if stop in text]
    if found:  # the text ends before the one that is complete first
        text = text[: min(found)[1]]
        break"""

BEHIND_PROMPT = '''\
def with_prompt(processor):
    """Beside a draft model mlx-lm shows the penalties only the reply; they count the prompt too."""
    return lambda tokens, logits: processor(mx.concatenate([mx.array(prompt[:-1], mx.uint32), tokens]), logits)'''

TOP_N_SIGMA = '''\
def top_n_sigma(n, sampler):
    """Keeps tokens within n standard deviations of the largest logit: https://arxiv.org/abs/2411.07641."""

    def sample(logprobs):
        logits = logprobs.astype(mx.float32)
        possible = logits > -mx.inf
        count = possible.sum(axis=-1, keepdims=True)
        mean = mx.where(possible, logits, 0).sum(axis=-1, keepdims=True) / count
        squares = mx.where(possible, (logits - mean) ** 2, 0)
        sigma = mx.sqrt(squares.sum(axis=-1, keepdims=True) / count)
        least = logits.max(axis=-1, keepdims=True) - n * sigma
        return sampler(mx.where(logits < least, -mx.inf, logprobs))

    return sample'''


SET_DTYPE = """def set_dtype(model, dtype):
    is_cast = getattr(model, "cast_predicate", lambda name: True)

    def cast(name, array):
        is_float = mx.issubdtype(array.dtype, mx.floating)
        return array.astype(dtype) if is_float and is_cast(name) else array

    model.update(tree_map_with_path(cast, model.parameters()))"""


def can_stream(request: Request) -> bool:
    """Return whether mlx-lm can stream the answer; without a KV cache it can't."""
    return request.kv.enabled


def python_script(
    request: Request, prompt: ExactPrompt | None, model: Model, *, seeded: bool = True, streams: bool = False
) -> str:
    """Return the script. `prompt` None: nothing has been sent yet. Not `seeded`: each run gets a new seed.

    With `streams` it prints mlx-lm's text as it arrives, and figures; otherwise exactly Sluice's text, at the end.
    """
    bare, asked = not request.kv.enabled, request
    if request.form:
        request = replace(request, draft_tokens=0, lookup_tokens=0)
    parts = [
        ['"""A run of Sluice, by mlx-lm alone."""'],
        FULL_FLOAT32 if model.tf32 is False else [],
        list(_imports(request, model)),
        [SET_DTYPE] if _dtype(model) else [],
        list(_model(request, model)),
        prompt_lines(request.prompt, prompt),
        [] if streams else [TEXT_OF],
        list(constraint_lines(asked, prompt, model)) if request.form else [],
        list(thinking_lines(request, prompt, model)) if has_reasoning_budget(request, model) else [],
        list(lookup_lines(request, model)) if request.looks_up else [],
        [TOP_N_SIGMA] if _filters_by_sigma(request.sampling) else [],
        list(_choice(request, model)),
        [*_stops(request), *_seed(request, seeded), *_generation(request, prompt, model, bare, streams)],
        [FIGURES] if streams else list(_output(request, model)),
    ]
    return _join_parts(["\n".join(part) for part in parts if part])


def _join_parts(parts: list[str]) -> str:
    """Join parts with one empty line between statements, and two around a function."""
    script = parts[0]
    for before, part in pairwise(parts):
        function = part.startswith("def ") or before.startswith("def ") or re.search("\n(def|class) ", before)
        script += ("\n\n\n" if function else "\n\n") + part
    return script + "\n"


def _imports(request: Request, model: Model) -> Iterator[str]:
    made = ["make_logits_processors"] if processor_options(request.sampling) else []
    if _sampler(request, model):
        made.append("make_sampler")
    if _needs_mx(request, model):
        yield "import mlx.core as mx"
    if _dtype(model):
        yield "from mlx.utils import tree_map_with_path"
    yield "from mlx_lm import load, stream_generate" if request.kv.enabled else "from mlx_lm import load"
    if _needs_sized_caches(request, model):
        yield "from mlx_lm.models.cache import make_prompt_cache"
    if request.form:
        yield IMPORTS
    if made:
        yield f"from mlx_lm.sample_utils import {', '.join(made)}"
    if model.format.unpacked or (drafts(request, model) and model.draft and model.draft.unpacked):
        yield "from mlx_lm.utils import dequantize_model"


def _needs_mx(request: Request, model: Model) -> bool:
    needs_for_drafts = has_lookup(request) or (drafts(request, model) and bool(processor_options(request.sampling)))
    chance = request.sampling.temperature > 0
    return bool(
        (model.on_cpu or not request.kv.enabled or chance or _dtype(model))
        or needs_for_drafts
        or _defined_processors(request, model)
    )


def _model(request: Request, model: Model) -> Iterator[str]:
    if model.on_cpu:
        yield "mx.disable_compile()  # on a CPU mlx would call a C++ compiler for each kernel"
    adapter, strength = adapter_of(request, model), request.sampling.adapter_strength
    yield f"model, tokenizer = {_load(model.folder, adapter)}"
    yield from _conversion("model", model.raised, model.format.unpacked, _dtype(model))
    if adapter is not None and strength != 1:
        yield from ("for layer in model.modules():", '    if "lora_a" in layer:')
        yield f"        layer.scale *= {value(strength)}"
    if request.draft_tokens == AUTOMATIC and uses_draft(request, model):
        yield from comment(CHOSEN if drafts(request, model) else SAMPLED)
    if drafts(request, model) and model.draft:
        yield f"draft_model, _ = {_load(model.draft.folder)}"
        yield from _conversion("draft_model", model.draft.raised, model.draft.unpacked, _dtype(model))
    for stop_id in request.limits.stop_ids:
        yield f"tokenizer.add_eos_token({quoted(str(stop_id))})  # the id of one more token that ends the reply"


def _conversion(name: str, raised: bool, unpacked: bool, dtype: str) -> Iterator[str]:
    """Convert the weights as loading does: to float32 before they are unpacked, and then to the compute dtype."""
    is_converted = unpacked if dtype else raised
    if is_converted:
        yield f"{name}.set_dtype(mx.float32)  # as Sluice does on a CPU, where half precision is slow"
    if unpacked:
        yield f"{name} = dequantize_model({name})  # as Sluice does on a CPU, where quantized weights are slow"
        yield f"{name}.set_dtype(mx.float32)"
    if dtype:
        yield f"set_dtype({name}, mx.{dtype})"


def _dtype(model: Model) -> str:
    """Return the compute dtype that was chosen for the run; empty if it was the usual one."""
    return model.dtype if model.dtype in COMPUTE_DTYPES else ""


def _load(folder: Path, adapter: Adapter | None = None) -> str:
    """Return the lines that load the model; from the Hugging Face cache by id and revision."""
    more = [f"adapter_path={quoted(str(adapter.folder))}"] if adapter else []
    if found := SNAPSHOT.search(folder.as_posix()):
        return call("load", [quoted(found[1].replace("--", "/")), f"revision={quoted(found[2])}", *more])
    return call("load", [quoted(str(folder)), *more]) if more else f"load({quoted(str(folder))})"


def _choice(request: Request, model: Model) -> Iterator[str]:
    """Define the sampler and processors that need a name: without a cache, or to wrap them for a draft model."""
    options = processor_options(request.sampling)
    if options and speculates(request, model):
        yield BEHIND_PROMPT
    elif not request.kv.enabled:
        yield f"sampler = {_sampler_call(request.sampling, _sampler(request, model), lead=10)}"
        if options:
            yield f"processors = {call('make_logits_processors', _arguments(options), lead=13)}"
        if own := _defined_processors(request, model):
            yield f"processors += [{own}]" if options else f"processors = [{own}]"


def _defined_processors(request: Request, model: Model) -> str:
    return ", ".join(["held"] * bool(request.form) + ["briefly"] * has_reasoning_budget(request, model))


def _sampler(request: Request, model: Model) -> Options:
    """Return the arguments of the sampler. Without a cache one is needed at temperature 0, too."""
    return sampler_options(request.sampling) or ({} if request.kv.enabled else {"temp": 0.0})


def _filters_by_sigma(sampling: Sampling) -> bool:
    return bool(sampling.top_n_sigma and sampling.temperature)


def _sampler_call(sampling: Sampling, options: Options, indent: str = "", lead: int = 0) -> str:
    made = call("make_sampler", _arguments(options), indent, lead)
    return f"top_n_sigma({value(sampling.top_n_sigma)}, {made})" if _filters_by_sigma(sampling) else made


def _arguments(options: Options) -> Iterator[str]:
    """Yield the sampler's arguments. XTC never removes EOS and newline tokens, as in mlx-lm's own command."""
    for name, given in options.items():
        yield f"{name}={value(given)}"
        if name == "xtc_probability":
            line_ends = 'tokenizer.encode("\\n", add_special_tokens=False)'
            yield f"xtc_special_tokens=[*tokenizer.eos_token_ids, *{line_ends}]"


def _stops(request: Request) -> Iterator[str]:
    if strings := stop_strings(request):
        yield f"stops = {text_list(strings, lead=60)}  # mlx-lm has none: they are looked for in the text"


def _seed(request: Request, seeded: bool) -> Iterator[str]:
    if request.sampling.temperature > 0:
        line = f"mx.random.seed({request.sampling.seed})"
        yield line if seeded else f"# Each run takes a new seed; one and the same would be set by {line}."


def _generation(request: Request, prompt: ExactPrompt | None, model: Model, bare: bool, streams: bool) -> Iterator[str]:
    needs_ids = not streams or has_lookup(request)
    if needs_ids:
        yield "ids = []"
    if bare:
        yield from _bare_loop(request, prompt, model)
    else:
        if request.kv.bits is not None:
            yield from comment(PORTIONS)
        given = ["model", "tokenizer", "prompt", *_stream_arguments(request, prompt, model)]
        head = f"for response in {call('stream_generate', given, lead=16)}:"
        if streams:
            yield from streaming_loop(head, bool(stop_strings(request)), needs_ids)
            return
        yield head
        yield "    ids.append(response.token)"
    if stop_strings(request):
        yield STOP


def _stream_arguments(request: Request, prompt: ExactPrompt | None, model: Model) -> Iterator[str]:
    yield f"max_tokens={_max_tokens(request, prompt, model)}"
    if sampler := sampler_options(request.sampling):
        yield f"sampler={_sampler_call(request.sampling, sampler, '    ', lead=9)}"
    options = processor_options(request.sampling)
    made = [_processors(options, speculates(request, model))] if options else []
    if own := _defined_processors(request, model):
        made.append(f"[{own}]")
    if made:
        yield f"logits_processors={' + '.join(made)}"
    pair = _needs_sized_caches(request, model)
    for name, given in cache_options(request.kv).items():
        if name == "max_kv_size" and pair:
            yield f"prompt_cache=make_prompt_cache(model, {value(given)}) + make_prompt_cache(draft_model)"
        else:
            yield f"{name}={value(given)}"
    if request.prefill_step:
        yield f"prefill_step_size={request.prefill_step}"
    if drafts(request, model):
        yield from draft_arguments(request)
    elif has_lookup(request):
        yield from lookup_arguments(request)


def _processors(options: Options, beside_draft: bool) -> str:
    if not beside_draft:
        return call("make_logits_processors", _arguments(options), "    ", lead=19)
    made = call("make_logits_processors", _arguments(options), "        ", lead=28)
    return f"[\n        with_prompt(each)\n        for each in {made}\n    ]"


def _needs_sized_caches(request: Request, model: Model) -> bool:
    """Return whether the script creates the caches, since mlx-lm ignores their size with a draft model."""
    return request.kv.max_size is not None and drafts(request, model)


def _max_tokens(request: Request, prompt: ExactPrompt | None, model: Model) -> str:
    if fills_context(request, prompt, model):
        return f"{model.context} - len(prompt)"
    limit = request.limits.max_tokens
    if limit != ENDLESS:
        return str(limit)
    return "-1" if request.kv.enabled and not speculates(request, model) else NO_LIMIT


def _bare_loop(request: Request, prompt: ExactPrompt | None, model: Model) -> Iterator[str]:
    yield from comment("Without a KV cache: for each token the whole sequence goes through the model.")
    yield f"while len(ids) < {_max_tokens(request, prompt, model)}:"
    yield "    sequence = mx.array(prompt + ids)"
    yield "    logits = model(sequence[None])[:, -1, :]"
    if processor_options(request.sampling) or _defined_processors(request, model):
        yield "    for process in processors:"
        yield "        logits = process(sequence, logits)"
    yield "    ids.append(sampler(logits - mx.logsumexp(logits, keepdims=True)).item())"
    yield "    if ids[-1] in tokenizer.eos_token_ids:"
    yield "        break"


def _output(request: Request, model: Model) -> Iterator[str]:
    if model.reasoning is not None and not request.raw:
        yield "# With the reasoning and its marks, which Sluice shows apart."
    yield "print(text)" if stop_strings(request) else "print(text_of(ids))"
