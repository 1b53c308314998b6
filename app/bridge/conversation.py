"""Pure functions on the conversation: turns in, turns or a request out. Branches have the turns that aren't shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

from app.controls import OBSERVED, Controls, Mode
from app.engine.types import (
    ENDLESS,
    KV,
    Adapter,
    Capabilities,
    ChatPrompt,
    ExactPrompt,
    Message,
    Model,
    OutputFormat,
    PromptSource,
    RawPrompt,
    Reason,
    Request,
    Role,
    TokenPrompt,
    ToolCall,
)
from app.i18n import tr
from app.records.types import BEGINNING, FilesRef, Fork, TurnId
from app.state import Conversation, ConversationSnapshot, Run, State, Turn

Turns = tuple[Turn, ...]
Known = Mapping[Path, FilesRef]
"""The files of models and adapters, by their folders."""

ASKING = frozenset({Role.USER, Role.TOOL})
"""The roles of turns that the model answers."""
CONTINUABLE = frozenset({Reason.LENGTH, Reason.STOPPED})
ADAPTER_FIRST = tr("This run used the adapter {adapter}: open {name} with it first.")


def with_user(turns: Turns, text: str, mode: Mode = Mode.CHAT) -> Turns:
    """Append the user's text; in raw mode it replaces the page. In a chat an empty text is not appended."""
    if mode is Mode.RAW:
        return (Turn(Role.USER, text),)
    return (*turns, Turn(Role.USER, text)) if text else turns


def with_open_answer(turns: Turns, forked: Fork | None = None) -> Turns:
    return (*turns, Turn(Role.ASSISTANT, "", open=True, forked=forked))


def reopen_answer(turns: Turns) -> Turns:
    return (*turns[:-1], replace(turns[-1], open=True))


def with_run(turns: Turns, run: Run) -> Turns:
    answer = turns[-1]
    text, reasoning = answer.text + run.text, answer.reasoning + run.reasoning
    closed = replace(answer, text=text, reasoning=reasoning, runs=(*answer.runs, run), open=False)
    return (*turns[:-1], closed)


def delete_turn(turns: Turns, index: int) -> Turns:
    """Delete a turn; an answer together with its tool results.

    A prompt is deleted with its answer, since a template would refuse two prompts in a row.
    """
    follow = {Role.TOOL, Role.ASSISTANT} if turns[index].role in ASKING else {Role.TOOL}
    end = index + 1
    while end < len(turns) and turns[end].role in follow:
        end += 1
    return turns[:index] + turns[end:]


def edit_turn(turns: Turns, index: int, text: str) -> Turns:
    """Replace the text of the turn at `index`, without the later turns."""
    same = turns[index].text == text
    return turns[: index + 1] if same else (*turns[:index], Turn(turns[index].role, text))


def can_continue(run: Run) -> bool:
    """Return whether the run ended at max tokens or by Stop, and can be continued.

    A server returns text and no token ids: raw text can be continued, but a chat template would open a new answer.
    """
    prompt = run.prompt
    return prompt is not None and run.finish.reason in CONTINUABLE and (bool(prompt.ids) or run.mode is Mode.RAW)


def is_answer(turns: Turns, index: int) -> bool:
    return 0 <= index < len(turns) and turns[index].role is Role.ASSISTANT


def can_send(turns: Turns, text: str, mode: Mode) -> bool:
    """Return whether there is something to send: a text, or a prompt without an answer."""
    return bool(text) or (mode is Mode.CHAT and bool(turns) and turns[-1].role in ASKING and not waiting_calls(turns))


def preview_turns(turns: Turns, text: str, mode: Mode, index: int | None) -> Turns | None:
    """Return the turns as they would be sent with this text, or with it in place of the turn `index`."""
    if index is not None and 0 <= index < len(turns):
        return edit_turn(turns, index, text) if text else None
    return with_user(turns, text, mode) if can_send(turns, text, mode) else None


def page_of(turns: Turns) -> str:
    """Return the text of the page in raw mode. In journals of earlier versions, reasoning is stored separately."""
    return "".join(turn.reasoning + turn.text for turn in turns)


def prompt_of(turns: Turns, controls: Controls, model: Model) -> PromptSource:
    """Return the prompt of these turns in the current mode, without template arguments of another model."""
    if controls.mode is Mode.RAW:
        return RawPrompt(page_of(turns))
    system = (Message(Role.SYSTEM, controls.system),) if controls.system else ()
    messages = tuple(_message(turn, model.can.tools) for turn in answered_turns(turns) if turn.text)
    known = {argument.name for argument in model.template_arguments}
    arguments = tuple((name, value) for name, value in controls.arguments if name in known)
    reply_start, tools = controls.reply_start if model.can.ids else "", controls.tools if model.can.tools else ""
    return ChatPrompt(system + messages, reply_start, arguments, tools.strip())


def answered_turns(turns: Turns) -> Turns:
    """Return the turns without prompts that got no answer: a template would refuse two prompts in a row."""
    following = (*turns[1:], None)
    return tuple(
        turn
        for turn, after in zip(turns, following, strict=False)
        if turn.role is not Role.USER or after is None or not after.is_failed
    )


def _message(turn: Turn, takes_tools: bool) -> Message:
    """Convert a turn to a message. For a model without tools, a call is text, and its result is a user message."""
    if not takes_tools:
        return Message(Role.USER if turn.role is Role.TOOL else turn.role, turn.text)
    calls, text = turn.calls, turn.text
    for call, count in Counter(call.text for call in calls).items():
        text = text.replace(call, "", count)
    return Message(turn.role, text.rstrip() if calls else text, calls)


def waiting_calls(turns: Turns) -> tuple[ToolCall, ...]:
    """Return the tool calls of the last answer that have no result yet."""
    results = 0
    while results < len(turns) and turns[-1 - results].role is Role.TOOL:
        results += 1
    return turns[-1 - results].calls[results:] if results < len(turns) else ()


def with_controls(state: State, controls: Controls) -> State:
    """Return the state with other controls. A change of the mode swaps the sessions of the two modes."""
    if controls.mode is state.controls.mode:
        return replace(state, controls=controls)
    return replace(with_conversation(state, state.inactive), controls=controls, inactive=state.conversation)


def with_conversation(state: State, page: Conversation) -> State:
    """Return the state with this conversation displayed."""
    return replace(
        state, session=page.session, title=page.title, turns=page.turns, others=page.others, undoable=page.undoable
    )


def running_elsewhere(state: State) -> Conversation | None:
    """Return the conversation of the active run as it is after another session is displayed; None without a run."""
    page = state.conversation if state.elsewhere is None else state.elsewhere
    return page if page.is_running else None


def foreign_reason(run: Run, model: Model) -> str:
    """Return why the token ids of the run can't be used with this model; empty if they can, or if there are none."""
    if run.is_by(model) or not (run.is_partial or (run.prompt is not None and run.prompt.ids)):
        return ""
    what = tr("This answer was generated by {writer}, but {model} is open, which has other token ids.")
    return what.format(writer=run.model, model=model.name)


def mismatch_reason(run: Run, model: Model, known: Known) -> str:
    """Return why this model can't reproduce the run; empty if it can."""
    there, here = run.adapter, model.adapter
    if there is None or (here is not None and there.is_same(_ref(here, known))):
        return foreign_reason(run, model)
    return foreign_reason(run, model) or ADAPTER_FIRST.format(name=run.model, adapter=there.name)


def _ref(adapter: Adapter, known: Known) -> FilesRef:
    return known.get(adapter.folder, FilesRef(adapter.name, str(adapter.folder)))


def same_adapter_request(request: Request, adapter: FilesRef | None) -> Request:
    """Return the request with adapter strength 0 if the run had no adapter."""
    return (
        request if adapter is not None else replace(request, sampling=replace(request.sampling, adapter_strength=0.0))
    )


def replay_request(request: Request, prompt: ExactPrompt, most: int = 0, adapter: FilesRef | None = None) -> Request:
    """Return a request with the same ids, settings and seed, and at most `most` tokens (0: no limit).

    Alternatives are recorded even if the run recorded none: this doesn't change any token.
    """
    limits = replace(request.limits, max_tokens=most) if most else request.limits
    source = TokenPrompt(
        prompt.ids, raw=prompt.raw, written=_answer_token_count(request, prompt) if needs_written_count(request) else 0
    )
    again = same_adapter_request(request, adapter)
    return replace(again, prompt=source, limits=limits, observe=max(request.observe, OBSERVED))


def needs_written_count(request: Request | Controls) -> bool:
    """Return whether the output format or the reasoning budget needs the number of tokens already generated."""
    return bool(request.form) or request.limits.think_budget != ENDLESS


def continuation_of(run: Run, counted: bool = False) -> TokenPrompt | RawPrompt:
    """Return the prompt to continue a run: the token ids of its prompt and answer, or their text if it has no ids.

    `counted`: the output format and reasoning budget of the next run include the tokens of this one.
    """
    prompt = run.prompt
    if prompt is not None and not prompt.ids:
        return RawPrompt(prompt.text + run.reasoning + run.text)
    written = len(run.ids) + _answer_token_count(run.request, prompt) if counted and prompt is not None else 0
    ids = (prompt.ids if prompt is not None else ()) + run.ids
    return TokenPrompt(ids, raw=run.mode is Mode.RAW, written=written)


def _answer_token_count(request: Request, prompt: ExactPrompt) -> int:
    return len(prompt.begun) or (request.prompt.written if isinstance(request.prompt, TokenPrompt) else 0)


def request_for(source: PromptSource, controls: Controls, seed: int, model: Model) -> Request:
    """Return the request of a run: the controls without settings that this model doesn't support."""
    lookup_tokens = controls.lookup_tokens if model.can.lookup else 0
    draft_tokens = controls.draft_tokens if model.can.draft and not lookup_tokens else 0
    limits = controls.limits if model.can.ids else replace(controls.limits, stop_ids=())
    strength = controls.sampling.adapter_strength if model.adapter else 1.0
    return Request(
        prompt=source,
        sampling=replace(controls.sampling, seed=seed, adapter_strength=strength),
        limits=limits if model.can.think_budget else replace(limits, think_budget=ENDLESS),
        kv=supported_kv(controls.kv, model.can, bool(draft_tokens or lookup_tokens)),
        form=controls.form.alone if model.can.supports_format(controls.form) else OutputFormat(),
        observe=controls.observe if model.can.observe else 0,
        draft_tokens=draft_tokens,
        lookup_tokens=lookup_tokens,
        interval=controls.interval,
    )


def supported_kv(kv: KV, can: Capabilities, drafting: bool) -> KV:
    """Return the KV cache settings that this model supports; the panel disables the others and says why."""
    if not kv.enabled and can.bare_loop:
        return kv
    bits = kv.bits if can.kv_bits else None
    size = kv.max_size if can.max_kv_size and bits is None and not drafting else None
    return replace(kv, enabled=True, bits=bits, max_size=size)


NUMBER = attrgetter("id")


def link_turns(turns: Turns, others: Turns) -> Turns:
    """Link each turn of the page to its parent and its siblings. All turns have ids."""
    parents = (BEGINNING, *(turn.id for turn in turns))
    known: dict[tuple[TurnId, str], list[TurnId]] = {}
    for turn in others:
        known.setdefault((turn.parent, turn.role), []).append(turn.id)
    return tuple(
        _with_links(turn, parent, known.get((parent, turn.role), ()))
        for turn, parent in zip(turns, parents, strict=False)
    )


def branches_after(old: Turns, new: Turns, others: Turns) -> Turns:
    """Return the branches with the turns that leave the page. Each keeps the id of the turn that followed it last."""
    seen = {turn.id for turn in new}
    following = (*(turn.id for turn in old[1:]), BEGINNING)
    left = tuple(
        replace(turn, next=after, siblings=())
        for turn, after in zip(old, following, strict=False)
        if turn.id not in seen
    )
    return tuple(sorted((*_without(others, seen), *left), key=NUMBER))


def without_turns(turns: Turns, others: Turns, gone: Sequence[Turn]) -> Turns:
    """Return the branches after adjacent turns on the page are deleted: their children move to the parent."""
    last, before = gone[-1].id, gone[0].parent
    moved = tuple(replace(turn, parent=before) if turn.parent == last else turn for turn in others)
    return reachable(_without(turns, {turn.id for turn in gone}), moved)


def reachable(turns: Turns, others: Turns) -> Turns:
    """Return the branch turns that can be reached."""
    children: dict[TurnId, list[Turn]] = {}
    for turn in others:
        children.setdefault(turn.parent, []).append(turn)
    waiting, found = [BEGINNING, *(turn.id for turn in turns)], list[Turn]()
    while waiting:
        here = children.pop(waiting.pop(), [])
        found += here
        waiting += [turn.id for turn in here]
    return tuple(sorted(found, key=NUMBER))


def path_through(turns: Turns, others: Turns, to: TurnId) -> Turns | None:
    """Return the path to this turn, and the turns that followed it last; None if it doesn't exist."""
    known = {turn.id: turn for turn in others}
    positions = {turn.id: position for position, turn in enumerate(turns)}
    if to not in known:
        return turns if to in positions else None
    up = [known[to]]
    while (parent := up[-1].parent) in known:
        up.append(known[parent])
    start = turns[: positions[parent] + 1] if parent in positions else ()
    return (*start, *reversed(up), *_followers(known[to], known))


def branches_restored(past: ConversationSnapshot, turns: Turns, others: Turns) -> Turns:
    """Return the branches after `past` is restored: its own, and those created since."""
    since = {turn.id: turn for turn in branches_after(turns, (), others)}
    then = since | {turn.id: turn for turn in past.others}
    return tuple(sorted(_without(tuple(then.values()), {turn.id for turn in past.turns}), key=NUMBER))


def _followers(turn: Turn, known: dict[TurnId, Turn]) -> list[Turn]:
    """Return the turns that followed a branch turn when it was last on the page, up to the first that is gone."""
    found: list[Turn] = []
    while (after := known.pop(turn.next, None)) is not None and after.parent == turn.id:
        found.append(after)
        turn = after
    return found


def _with_links(turn: Turn, parent: TurnId, others: Sequence[TurnId]) -> Turn:
    """Return a turn with these links; the same object if nothing changes, so that listeners can compare by identity."""
    siblings = tuple(sorted((turn.id, *others)))
    if (turn.parent, turn.siblings, turn.next) == (parent, siblings, BEGINNING):
        return turn
    return replace(turn, parent=parent, siblings=siblings, next=BEGINNING)


def _without(turns: Turns, numbers: set[TurnId]) -> Turns:
    return tuple(turn for turn in turns if turn.id not in numbers)
