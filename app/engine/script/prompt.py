"""Part of a script: the prompt, with exactly the ids that the run sent."""

from collections.abc import Iterator

from app.engine.script.literals import (
    INDENT,
    WIDTH,
    call,
    comment,
    keyword_argument,
    number_list,
    quoted,
    text_literal,
    value,
)
from app.engine.templates.arguments import CALLS_OWN
from app.engine.tools import template_messages, tools_of, why_no_tools
from app.engine.types import (
    Argument,
    ChatPrompt,
    ExactPrompt,
    Message,
    PromptSource,
    RawPrompt,
    Role,
    TemplateCall,
    TokenPrompt,
)

REPLY_START = "# how the reply begins"


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
