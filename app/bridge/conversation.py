"""The conversation as pure functions: turns in, turns or a request out."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from app.controls import OBSERVED, Controls, Mode
from app.engine.types import (
    ENDLESS,
    KV,
    Adapter,
    Capabilities,
    ChatPrompt,
    ExactPrompt,
    Form,
    Message,
    Model,
    PromptSource,
    RawPrompt,
    Reason,
    Request,
    Role,
    TokenPrompt,
    ToolCall,
)
from app.i18n import tr
from app.records.types import FilesRef, Fork
from app.state import InactiveMode, Run, State, Turn

Turns = tuple[Turn, ...]
Known = Mapping[Path, FilesRef]
"""What is known of the files of models and adapters, by their folders."""

ASKING = frozenset({Role.USER, Role.TOOL})
"""Whose turns are answered."""
CONTINUABLE = frozenset({Reason.LENGTH, Reason.STOPPED})
ADAPTER_FIRST = tr("This run used the adapter {adapter}: open {name} with it first.")


def with_user(turns: Turns, text: str, mode: Mode = Mode.CHAT) -> Turns:
    """The turns and what the user said. In raw mode that is the whole page; in a chat, nothing is asked once more."""
    if mode is Mode.RAW:
        return (Turn(Role.USER, text),)
    return (*turns, Turn(Role.USER, text)) if text else turns


def with_open_answer(turns: Turns, forked: Fork | None = None) -> Turns:
    """The turns and the answer that is about to be written."""
    return (*turns, Turn(Role.ASSISTANT, "", open=True, forked=forked))


def reopened(turns: Turns) -> Turns:
    """The last answer, to be gone on with."""
    return (*turns[:-1], replace(turns[-1], open=True))


def with_run(turns: Turns, run: Run) -> Turns:
    """The open answer closed by its run."""
    answer = turns[-1]
    text, reasoning = answer.text + run.text, answer.reasoning + run.reasoning
    closed = replace(answer, text=text, reasoning=reasoning, runs=(*answer.runs, run), open=False)
    return (*turns[:-1], closed)


def without(turns: Turns, index: int) -> Turns:
    """The turns without one; a question takes its answer along, since a template would refuse two in a row,

    and an answer the results of its calls."""
    follow = {Role.TOOL, Role.ASSISTANT} if turns[index].role in ASKING else {Role.TOOL}
    end = index + 1
    while end < len(turns) and turns[end].role in follow:
        end += 1
    return turns[:index] + turns[end:]


def edited(turns: Turns, index: int, text: str) -> Turns:
    """The turns with another text at `index`. A question edited is asked anew: what followed it goes."""
    if turns[index].role in ASKING:
        same = turns[index].text == text
        return turns[: index + 1] if same else (*turns[:index], Turn(turns[index].role, text))
    return (*turns[:index], Turn(Role.ASSISTANT, text), *turns[index + 1 :])


def can_continue(run: Run) -> bool:
    """Whether a run was ended by the limit or by the user, not by the model, and can be gone on with.

    A server gave text and no tokens: a page of text goes on, but a chat's template would open a new answer.
    """
    prompt = run.prompt
    return prompt is not None and run.finish.reason in CONTINUABLE and (bool(prompt.ids) or run.mode is Mode.RAW)


def is_answer(turns: Turns, index: int) -> bool:
    """Whether there is an answer at `index` that could be written anew."""
    return 0 <= index < len(turns) and turns[index].role is Role.ASSISTANT


def can_send(turns: Turns, text: str, mode: Mode) -> bool:
    """Nothing may be sent only where a question waits whose answer was deleted."""
    return bool(text) or (mode is Mode.CHAT and bool(turns) and turns[-1].role in ASKING and not waiting_calls(turns))


def proposed(turns: Turns, text: str, mode: Mode, index: int | None) -> Turns | None:
    """The turns as they would go out if this text were sent, or put in place of the turn `index`."""
    if index is not None and 0 <= index < len(turns):
        return edited(turns, index, text) if text else None
    return with_user(turns, text, mode) if can_send(turns, text, mode) else None


def page_of(turns: Turns) -> str:
    """What stands on the page of raw mode. Only in journals of earlier versions thinking is kept apart from it."""
    return "".join(turn.reasoning + turn.text for turn in turns)


def prompt_of(turns: Turns, controls: Controls, model: Model) -> PromptSource:
    """What the turns mean to the model in the present mode. Arguments set for another model's template stay behind."""
    if controls.mode is Mode.RAW:
        return RawPrompt(page_of(turns))
    system = (Message(Role.SYSTEM, controls.system),) if controls.system else ()
    said = tuple(_message(turn, model.can.tools) for turn in turns if turn.text)
    known = {argument.name for argument in model.template_arguments}
    arguments = tuple((name, value) for name, value in controls.arguments if name in known)
    reply_start, tools = controls.reply_start if model.can.ids else "", controls.tools if model.can.tools else ""
    return ChatPrompt(system + said, reply_start, arguments, tools.strip())


def _message(turn: Turn, takes_tools: bool) -> Message:
    """What was said; to a model that knows no tools a call is text, and its result the user's words."""
    if not takes_tools:
        return Message(Role.USER if turn.role is Role.TOOL else turn.role, turn.text)
    calls, text = turn.calls, turn.text
    for call, count in Counter(call.text for call in calls).items():
        text = text.replace(call, "", count)
    return Message(turn.role, text.rstrip() if calls else text, calls)


def waiting_calls(turns: Turns) -> tuple[ToolCall, ...]:
    """Those of the last answer that have no result yet."""
    results = 0
    while results < len(turns) and turns[-1 - results].role is Role.TOOL:
        results += 1
    return turns[-1 - results].calls[results:] if results < len(turns) else ()


def with_controls(state: State, controls: Controls) -> State:
    """The state with other controls; another mode brings out its own session, and that of the old one is kept."""
    if controls.mode is state.controls.mode:
        return replace(state, controls=controls)
    kept, brought = InactiveMode(state.session, state.title, state.turns, state.others, state.undoable), state.inactive
    return replace(
        state,
        controls=controls,
        session=brought.session,
        title=brought.title,
        turns=brought.turns,
        others=brought.others,
        undoable=brought.undoable,
        inactive=kept,
    )


def foreign(run: Run, model: Model) -> str:
    """Why the run's ids say something else to this model; empty: they don't, or it has none."""
    same = run.model == model.name and (run.on is None or run.on.folder == model.folder)
    if same or not (run.is_partial or (run.prompt is not None and run.prompt.ids)):
        return ""
    what = tr("This answer was generated by {writer}, but {model} is open, which has other token ids.")
    return what.format(writer=run.model, model=model.name)


def unlike(run: Run, model: Model, known: Known) -> str:
    """Why this model would not choose as the run did; empty: it would."""
    there, here = run.adapter, model.adapter
    if there is None or (here is not None and there.is_same(_ref(here, known))):
        return foreign(run, model)
    return foreign(run, model) or ADAPTER_FIRST.format(name=run.model, adapter=there.name)


def _ref(adapter: Adapter, known: Known) -> FilesRef:
    """Which one it is, as far as that is known by now."""
    return known.get(adapter.folder, FilesRef(adapter.name, str(adapter.folder)))


def asked_again(asked: Request, adapter: FilesRef | None) -> Request:
    """What a run with this adapter asked for: where it had none, one that is open now does not count."""
    return asked if adapter is not None else replace(asked, sampling=replace(asked.sampling, adapter_strength=0.0))


def replay_of(asked: Request, prompt: ExactPrompt, most: int = 0, adapter: FilesRef | None = None) -> Request:
    """The very same ids, settings and seed, of no more than so many tokens where that is more than 0.

    Candidates are recorded even where the run did not, which changes no token.
    """
    limits = replace(asked.limits, max_tokens=most) if most else asked.limits
    source = TokenPrompt(prompt.ids, raw=prompt.raw, written=_written(asked, prompt) if counts(asked) else 0)
    again = asked_again(asked, adapter)
    return replace(again, prompt=source, limits=limits, observe=max(asked.observe, OBSERVED))


def counts(asked: Request | Controls) -> bool:
    """Whether it matters how much of an answer is written already."""
    return bool(asked.form) or asked.limits.think_budget != ENDLESS


def continuation_of(run: Run, counted: bool = False) -> TokenPrompt | RawPrompt:
    """The very ids the run sent and wrote, so that the cache holds all of them; where none are known, the text.

    `counted`: the next run's form and budget of thoughts hold for the whole answer.
    """
    prompt = run.prompt
    if prompt is not None and not prompt.ids:
        return RawPrompt(prompt.text + run.reasoning + run.text)
    written = len(run.ids) + _written(run.request, prompt) if counted and prompt is not None else 0
    ids = (prompt.ids if prompt is not None else ()) + run.ids
    return TokenPrompt(ids, raw=run.mode is Mode.RAW, written=written)


def _written(asked: Request, prompt: ExactPrompt) -> int:
    """How many tokens of a prompt its answer had already."""
    return len(prompt.begun) or (asked.prompt.written if isinstance(asked.prompt, TokenPrompt) else 0)


def request_for(source: PromptSource, controls: Controls, seed: int, model: Model) -> Request:
    """One run's request: a frozen copy of the controls, without what this model can't follow."""
    draft_tokens = controls.draft_tokens if model.can.draft else 0
    limits = controls.limits if model.can.ids else replace(controls.limits, stop_ids=())
    strength = controls.sampling.adapter_strength if model.adapter else 1.0
    return Request(
        prompt=source,
        sampling=replace(controls.sampling, seed=seed, adapter_strength=strength),
        limits=limits if model.can.think_budget else replace(limits, think_budget=ENDLESS),
        kv=suited(controls.kv, model.can, bool(draft_tokens)),
        form=controls.form.alone if model.can.holds(controls.form) else Form(),
        observe=controls.observe if model.can.observe else 0,
        draft_tokens=draft_tokens,
        interval=controls.interval,
    )


def suited(kv: KV, can: Capabilities, drafting: bool) -> KV:
    """What was set for another model may not suit this one; the panel greys it and says why."""
    if not kv.enabled and can.bare_loop:
        return kv
    bits = kv.bits if can.kv_bits else None
    size = kv.max_size if can.max_kv_size and bits is None and not drafting else None
    return replace(kv, enabled=True, bits=bits, max_size=size)
