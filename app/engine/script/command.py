"""The `mlx_lm.generate` line of a run, or which of its settings that command has no switch for."""

import json
import shlex
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from app.engine.script.options import (
    Options,
    adapter_of,
    cache_options,
    drafts,
    fills_context,
    processor_options,
    sampler_options,
    stop_strings,
    thinks_briefly,
)
from app.engine.script.prompt import plain_call, template_arguments
from app.engine.types import (
    ENDLESS,
    ChatPrompt,
    ExactPrompt,
    Failure,
    Model,
    Part,
    PromptSource,
    RawPrompt,
    Request,
    Role,
    TemplateCall,
    TokenPrompt,
)
from app.i18n import tr

KIND = "no command"
PROGRAM = "mlx_lm.generate"
DRAFT_TOKENS = 3
NEXT_LINE = " \\\n  "
ESCAPES = ("\\n", "\\t")
"""What the command itself turns into line breaks and tabs."""
PENALTIES = {
    "logit_bias": tr("logit bias"),
    "repetition_penalty": tr("repetition penalty"),
    "presence_penalty": tr("presence penalty"),
    "frequency_penalty": tr("frequency penalty"),
}

Switches = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Command:
    """The line, and in what its output may differ from the run's."""

    line: str
    remarks: tuple[str, ...] = ()


def command_of(request: Request, prompt: ExactPrompt | None, model: Model, *, seeded: bool = True) -> Command | Failure:
    """Without `prompt` nothing has been sent yet; not `seeded`: each run takes a new seed."""
    missing = [*_missing_settings(request, model), *_missing_prompt(request, prompt)]
    if missing:
        what = tr("{program} has no switch for {things}.").format(program=PROGRAM, things=_listed(missing))
        return Failure(what, tr("The Python script has all of it."), kind=KIND)
    switches: Switches = [
        ("--model", str(model.folder)),
        *([("--adapter-path", str(adapter.folder))] if (adapter := adapter_of(request, model)) else []),
        *_prompt(request, prompt),
        ("--max-tokens", str(_max_tokens(request, prompt, model))),
        *_named(sampler_options(request.sampling)),
        *_named(cache_options(request.kv)),
        *_ends_and_draft(request, model),
    ]
    if seeded and request.sampling.temperature > 0:
        switches.append(("--seed", str(request.sampling.seed)))
    if any(without_keys(text) != text for text in chain.from_iterable(switches)):
        what = tr("This run has control characters in its texts, which a terminal takes for keys.")
        return Failure(what, tr("The Python script has all of it."), kind=KIND)
    return Command(_line(switches, model), tuple(_remarks(request, prompt, model)))


def _line(switches: Switches, model: Model) -> str:
    """On a CPU mlx would call a C++ compiler for each kernel."""
    program = f"MLX_DISABLE_COMPILE=1 {PROGRAM}" if model.on_cpu else PROGRAM
    return NEXT_LINE.join([program, *(_switch(*parts) for parts in switches)])


def _switch(name: str, *values: str) -> str:
    """A value that looks like a switch itself is tied to its own."""
    if len(values) == 1 and values[0].startswith("-") and not values[0][1:].isdecimal():
        return f"{name}={shlex.quote(values[0])}"
    return " ".join([name, *map(shlex.quote, values)])


def without_keys(text: str) -> str:
    """The text as a terminal puts it into the line, quoted or not: some characters would end the line or undo it."""
    return "".join(
        character for character in text if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cs")
    )


def _named(options: Options) -> Switches:
    """mlx-lm's switches are called like its arguments."""
    return [(f"--{name.replace('_', '-')}", str(given)) for name, given in options.items()]


def _ends_and_draft(request: Request, model: Model) -> Iterator[tuple[str, ...]]:
    if request.limits.stop_ids:
        yield ("--extra-eos-token", *map(str, request.limits.stop_ids))
    if drafts(request, model) and model.draft:
        yield ("--draft-model", str(model.draft.folder))
        if request.draft_tokens != DRAFT_TOKENS:
            yield ("--num-draft-tokens", str(request.draft_tokens))


def _max_tokens(request: Request, prompt: ExactPrompt | None, model: Model) -> int:
    if prompt is not None and model.context is not None and fills_context(request, prompt, model):
        return model.context - len(prompt.ids)
    return request.limits.max_tokens


def _missing_settings(request: Request, model: Model) -> Iterator[str]:
    penalties = processor_options(request.sampling)
    yield from (words for name, words in PENALTIES.items() if name in penalties)
    if stop_strings(request):
        yield tr("stop strings")
    if thinks_briefly(request, model):
        yield tr("a reasoning budget")
    if request.form:
        yield tr("an output format")
    if adapter_of(request, model) and request.sampling.adapter_strength != 1:
        yield tr("another strength of an adapter than its own")
    if not request.kv.enabled:
        yield tr("a run without the KV cache")
    if drafts(request, model) and request.kv.max_size is not None:
        yield tr("a KV cache size beside a draft model")
    if drafts(request, model) and request.limits.max_tokens == ENDLESS:
        yield tr("a run without limit beside a draft model")


def _missing_prompt(request: Request, prompt: ExactPrompt | None) -> Iterator[str]:
    match request.prompt:
        case TokenPrompt():
            yield tr("token ids as a prompt, which Continue sends")
        case RawPrompt(text):
            yield from _missing_text(text)
            if prompt and prompt.text == text and prompt.spans and prompt.spans[0].part is Part.SPECIAL:
                yield tr("raw text that brings its own first special token, before which it puts another one")
        case ChatPrompt() as chat:
            yield from _missing_chat(_asked(chat, prompt))


def _missing_chat(asked: TemplateCall) -> Iterator[str]:
    if (spoken := _spoken(asked)) is None:
        yield tr("any conversation but a single question")
    else:
        yield from _missing_text(spoken.question)
    if asked.dropped or asked.added:
        yield tr("the beginning of the reply as this template takes it")
    if asked.tools:
        yield tr("tools")
    if asked.empty_tools:
        yield tr("the empty list of tools that this template needs")


def _missing_text(text: str) -> Iterator[str]:
    if any(escape in text for escape in ESCAPES):
        yield tr("a backslash before n or t, which it takes for a line break or a tab")
    if text == "-":
        yield tr("a lone dash as the prompt, which makes it read its input")


def _prompt(request: Request, prompt: ExactPrompt | None) -> Iterator[tuple[str, ...]]:
    if isinstance(request.prompt, RawPrompt):
        yield ("--ignore-chat-template",)
        yield ("--prompt", request.prompt.text)
    elif isinstance(request.prompt, ChatPrompt):
        asked = _asked(request.prompt, prompt)
        spoken = _spoken(asked)
        assert spoken is not None
        if spoken.system is not None:
            yield ("--system-prompt", spoken.system)
        yield ("--prompt", spoken.question)
        if spoken.reply_start is not None:
            yield ("--prefill-response", spoken.reply_start)
        if arguments := template_arguments(asked):
            yield ("--chat-template-config", json.dumps(arguments, ensure_ascii=False))


def _asked(chat: ChatPrompt, prompt: ExactPrompt | None) -> TemplateCall:
    return prompt.call if prompt and prompt.call else plain_call(chat)


@dataclass(frozen=True, slots=True)
class _Spoken:
    """The one kind of conversation that the command can hold."""

    system: str | None
    question: str
    reply_start: str | None


def _spoken(asked: TemplateCall) -> _Spoken | None:
    messages = list(asked.messages)
    system = messages.pop(0).text if messages and messages[0].role is Role.SYSTEM else None
    reply = messages.pop().text if asked.continues and messages else None
    if [message.role for message in messages] != [Role.USER]:
        return None
    return _Spoken(system, messages[0].text, reply)


def _remarks(request: Request, prompt: ExactPrompt | None, model: Model) -> Iterator[str]:
    if model.raised:
        yield tr(
            "Here the model computes in float32, and the command in half precision: "
            "of two nearly equal alternatives it may take the other."
        )
    if request.sampling.temperature > 0:
        yield tr(
            "The command sets the seed before it loads the model, and loading draws random numbers too: "
            "it repeats itself, but it does not repeat this run."
        )
    if _goes_on(request.prompt):
        yield tr("The command leaves out a space that the model's words begin with.")
    if prompt is None and fills_context(request, prompt, model):
        yield tr("The command does not end when the context is full.")


def _goes_on(source: PromptSource) -> bool:
    """Whether the model goes on in the middle of a text."""
    return isinstance(source, RawPrompt) or (isinstance(source, ChatPrompt) and bool(source.reply_start))


def _listed(things: list[str]) -> str:
    if len(things) == 1:
        return things[0]
    return tr("{several} and {last}").format(several=", ".join(things[:-1]), last=things[-1])
