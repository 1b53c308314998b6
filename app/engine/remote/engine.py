"""The engine protocol for a model on an OpenAI-compatible server."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.engine.catalogue import PanelSection, names_in
from app.engine.jobs import Job, Result, unsupported
from app.engine.protocol import Emit, StopFlag, failed_run
from app.engine.remote import server_probe
from app.engine.remote.address import host_of, reference, server_model
from app.engine.remote.answer import RemoteAnswer, Timeouts
from app.engine.remote.exchange import Exchange
from app.engine.remote.request_options import (
    CHAT,
    EXTRAS,
    KINDS,
    LLAMA_CPP,
    NO_FORM,
    OPENAI,
    RAW,
    EndpointCapabilities,
    LogprobDelivery,
    ServerCapabilities,
    body,
    seeded,
)
from app.engine.remote.server_probe import probe
from app.engine.structured_output.grammar import KIND as FORM
from app.engine.structured_output.grammar import why_not
from app.engine.tools import KIND as TOOLS
from app.engine.tools import why_no_tools
from app.engine.types import (
    CacheMissReason,
    Cancellation,
    Capabilities,
    ChatPrompt,
    ExactPrompt,
    Failure,
    Finish,
    FormatKind,
    Loading,
    LoadRequest,
    Memory,
    Model,
    PromptEvent,
    PromptPart,
    PromptSource,
    PromptSpan,
    RawPrompt,
    Request,
    Reusable,
    Role,
    Server,
    ServerModel,
    SpelledToken,
    TokenPrompt,
    Tuning,
)
from app.i18n import tr

KeyOf = Callable[[str], str]
"""Returns the key of the server at an address, "" for none; called for each run, since users change keys."""
KIND = "remote"


class RemoteEngine:
    """Engine of remote models. Between runs it stores the open model and the server's capabilities."""

    def __init__(self, key_of: KeyOf = lambda address: "", timeouts: Timeouts | None = None) -> None:
        self._key_of = key_of
        self._timeouts = timeouts or Timeouts()
        self._model: ServerModel | None = None
        self._capabilities = ServerCapabilities()

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        """Request one token, so that the server loads the model; after a failure the open model stays open."""
        named = server_model(request.model)
        if named is None:
            what = tr("“{name}” is not a model on a server.").format(name=request.model)
            return Failure(what, tr("Choose one that is listed."))
        if request.draft:
            what = tr("A server chooses its draft model itself.")
            return Failure(what, tr("Open the model without one."), kind="draft")
        if request.adapter:
            what = tr("A server can't load an adapter of this computer.")
            return Failure(what, tr("Open the model without one."), kind="adapter")
        emit(Loading(tr("waiting for {host}").format(host=host_of(named.address)), 0, 0))
        key = self._key_of(named.address)
        capabilities = probe(named, key, stop, self._timeouts)
        if not isinstance(capabilities, ServerCapabilities):
            return capabilities
        listed = server_probe.list_models(Server(named.address), key, self._timeouts.listing)
        known = listed if not isinstance(listed, Failure) else ()
        model = next((each for each in known if each.id == named.id), named)
        if stop.asked:
            return Cancellation()
        self._model, self._capabilities = model, capabilities
        return describe(model, capabilities, Path(reference(model.address, model.id)))

    def has_model(self) -> bool:
        return self._model is not None

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        return Failure(tr("The server tokenizes the prompt itself."), tr("Send it unchanged."), kind=KIND)

    def token_texts(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        what = tr("The server doesn't report how it tokenizes text.")
        return Failure(what, tr("Open the model on this computer for that."), kind=KIND)

    def reusable(self, ids: tuple[int, ...], request: Request) -> Reusable:
        return Reusable(hindrance=CacheMissReason.BARE)

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        model, endpoint = self._model, self._endpoint_for(request.prompt)
        refusal = self._refusal(request)
        if refusal is not None or model is None or endpoint is None:
            return failed_run(stop, refusal)
        observes = bool(request.observe) and endpoint.given is not LogprobDelivery.NONE
        whole = observes and endpoint.given is LogprobDelivery.WHOLE
        if whole and request.sampling.temperature:
            observes = whole = False
        prompt = sent_prompt(request, endpoint, observes)
        emit(PromptEvent(prompt, 0, 0))
        path = CHAT if isinstance(request.prompt, ChatPrompt) else RAW
        said = body(request, model.id, endpoint, not whole, observes)
        exchange = Exchange(model.address, path, self._key_of(model.address), said)
        timeouts, is_seeded = self._timeouts, seeded(request, endpoint)
        bit_by_bit = timeouts.silence + timeouts.per_character * len(prompt.text)
        silence = timeouts.for_whole(request.limits.max_tokens) if whole else bit_by_bit
        answer = RemoteAnswer(exchange, request, emit, stop, silence, timeouts.last_words, timeouts.opening, is_seeded)
        return _with_tools_named(answer.go(), request.prompt)

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Cancellation:
        return unsupported(job)

    def tune(self, tuning: Tuning) -> None:
        """Do nothing: there is no local device."""

    def memory(self) -> Memory:
        """Return zeros: no memory is used on this computer."""
        return Memory(0, 0, 0, 0, 0, 0)

    def unload(self) -> None:
        """Close the model; the server decides when to unload it."""
        self._model, self._capabilities = None, ServerCapabilities()

    def close(self) -> None:
        self.unload()

    def _endpoint_for(self, source: PromptSource) -> EndpointCapabilities | None:
        return self._capabilities.chat if isinstance(source, ChatPrompt) else self._capabilities.raw

    def _refusal(self, request: Request) -> Failure | None:
        source = request.prompt
        if self._model is None:
            return Failure(tr("No model is loaded."), tr("Choose a model first."), kind="empty")
        if isinstance(source, TokenPrompt):
            what = tr("A server takes text, but this prompt continues from the tokens of another run.")
            return Failure(what, tr("Send it again, or open the model on this computer."), kind=KIND)
        if isinstance(source, ChatPrompt) and source.reply_start:
            what = tr("A server doesn't accept a reply prefix.")
            return Failure(what, tr("Clear it, or use raw mode."), kind=KIND)
        if isinstance(source, ChatPrompt) and (why := why_no_tools(source.tools)):
            return Failure(why, tr("Change the tools, or remove them."), kind=TOOLS)
        if request.limits.stop_ids:
            what = tr("A server uses its own EOS tokens; stop tokens can't be added.")
            return Failure(what, tr("Remove them, or use stop strings."), kind=KIND)
        empty = not source.messages if isinstance(source, ChatPrompt) else not source.text
        if empty:
            return Failure(tr("There is nothing to send."), tr("Write a prompt first."), kind="empty")
        endpoint = self._endpoint_for(source)
        if request.form and endpoint is not None:
            if request.form.kind not in KINDS[endpoint.forms]:
                return Failure(NO_FORM, tr("Turn off the output format."), kind=KIND)
            if why := why_not(request.form):
                return Failure(why, tr("Change the output format, or turn it off."), kind=FORM)
        if endpoint is None:
            why = dict(self._capabilities.why).get("chat" if isinstance(source, ChatPrompt) else "raw", "")
            other = tr("Switch to raw mode.") if isinstance(source, ChatPrompt) else tr("Switch to chat mode.")
            return Failure(why, other, kind=KIND)
        return None


def _with_tools_named(finish: Finish, source: PromptSource) -> Finish:
    """Mention the tools in a refusal: the server may have refused them."""
    failure = finish.failure
    if failure is None or failure.kind != "request" or not (isinstance(source, ChatPrompt) and source.tools):
        return finish
    todo = tr("Remove the tools if it supports none, or change the setting that it names.")
    return replace(finish, failure=replace(failure, todo=todo))


OWNERS = {
    Role.SYSTEM: PromptPart.SYSTEM,
    Role.USER: PromptPart.USER,
    Role.ASSISTANT: PromptPart.MODEL,
    Role.TOOL: PromptPart.USER,
}


def describe(model: ServerModel, capabilities: ServerCapabilities, folder: Path) -> Model:
    """Describe a model on a server; unknown values are 0, unsupported features have reasons."""
    refusals = dict(capabilities.why) | _refusals(capabilities)
    return Model(
        name=model.name,
        folder=folder,
        architecture="",
        parameters=0,
        weights=0,
        context=model.context,
        vocabulary=0,
        eos=(),
        can=Capabilities(
            chat=capabilities.chat is not None,
            raw=capabilities.raw is not None,
            trim=False,
            bare_loop=False,
            observe="observe" not in refusals,
            kv_bits=False,
            form="form" not in refusals,
            ids=False,
            tools=capabilities.chat is not None,
            memory=False,
            refusals=tuple(refusals.items()),
        ),
        server=host_of(model.address),
        report=(tr("It runs on {host}; all times are measured here.").format(host=host_of(model.address)),),
    )


def sent_prompt(request: Request, endpoint: EndpointCapabilities, observes: bool) -> ExactPrompt:
    """Return the texts that were sent; the rendered prompt is unknown."""
    source = request.prompt
    parts: list[tuple[PromptPart, str]] = []
    if isinstance(source, ChatPrompt):
        parts += [(PromptPart.TEMPLATE, f"tools: {source.tools}\n")] if source.tools else []
        for message in source.messages:
            parts += [(PromptPart.TEMPLATE, f"{message.role.value}: "), (OWNERS[message.role], message.text)]
            parts += [(PromptPart.MODEL, f" {call.name}{call.arguments}") for call in message.calls]
            parts.append((PromptPart.TEMPLATE, "\n"))
    elif isinstance(source, RawPrompt):
        parts.append((PromptPart.USER, source.text))
    spans, end = [], 0
    for part, text in parts:
        if text:
            spans.append(PromptSpan(part, end, end + len(text)))
            end += len(text)
    return ExactPrompt(
        "".join(text for _, text in parts),
        (),
        (),
        tuple(spans),
        notes=tuple(_notes(request, endpoint, observes)),
        raw=request.raw,
    )


def _notes(request: Request, endpoint: EndpointCapabilities, observes: bool) -> list[str]:
    notes = []
    if isinstance(request.prompt, ChatPrompt):
        notes.append(tr("The server applies its own chat template and doesn't report the tokens."))
    if observes and endpoint.given is LogprobDelivery.WHOLE:
        notes.append(tr("The server sends alternatives only without streaming, so the answer came in one piece."))
    elif observes and request.observe > endpoint.most:
        notes.append(
            tr("The server sends at most %n alternatives.", "The server sends at most %n alternative.", endpoint.most)
        )
    elif request.observe and endpoint.given is LogprobDelivery.WHOLE:
        notes.append(tr("The server doesn't report its choice, so alternatives are recorded only at temperature 0."))
    return notes


def _unknown_settings(is_llama_cpp: bool) -> dict[str, str]:
    """Return the sampling settings that this server has no parameter for, with the reason."""
    numbers = names_in(PanelSection.MAIN, PanelSection.SAMPLING, PanelSection.PENALTIES)
    unknown = [name for name in numbers if name not in OPENAI | EXTRAS.keys()]
    nowhere, elsewhere = tr("No server supports this."), tr("Only llama.cpp's server supports this.")
    return {
        name: elsewhere if name in LLAMA_CPP else nowhere
        for name in unknown
        if not (is_llama_cpp and name in LLAMA_CPP)
    }


def _refusals(capabilities: ServerCapabilities) -> dict[str, str]:
    here = tr("The model runs on a server, whose KV cache can't be controlled.")
    reasons = dict.fromkeys(("trim", "bare_loop", "kv_reuse", "kv_bits", "max_kv_size"), here)
    reasons["batch"] = tr("A server batches requests itself.")
    reasons["draft"] = tr("A server chooses its draft model itself.")
    reasons["lookup"] = tr("A server doesn't let its clients choose prompt lookup.")
    reasons["ids"] = tr("A server exchanges text, not token ids.")
    if capabilities.chat is None:
        reasons["tools"] = dict(capabilities.why).get("chat", "")
    reasons["think_budget"] = tr("A server can't insert tokens into its answers.")
    reasons["memory"] = tr("A server doesn't report its memory use.")
    endpoints = [endpoint for endpoint in (capabilities.chat, capabilities.raw) if endpoint is not None]
    reasons |= _unknown_settings(any(endpoint.is_llama_cpp for endpoint in endpoints))
    kinds = frozenset[FormatKind]().union(*(KINDS[endpoint.forms] for endpoint in endpoints))
    reasons |= {f"form_{kind.value}": NO_FORM for kind in FormatKind if kind not in kinds | {FormatKind.NONE}}
    if not kinds:
        reasons["form"] = NO_FORM
    if not any(endpoint.extras for endpoint in endpoints):
        reasons |= dict.fromkeys([*EXTRAS, *LLAMA_CPP], tr("This server refuses this setting."))
    if not any(endpoint.seeds for endpoint in endpoints):
        reasons["seed"] = tr("mlx_lm.server runs seeded requests one after another, so no seed is sent.")
    if all(endpoint.given is LogprobDelivery.NONE for endpoint in endpoints):
        reasons["observe"] = tr("This server sends no alternatives.")
    return reasons
