"""What is known of a model on a server, and of a prompt that was sent to one, as values for the window."""

from pathlib import Path

from app.engine.catalogue import PanelSection, names_in
from app.engine.remote.address import host_of
from app.engine.remote.request_options import (
    EXTRAS,
    KINDS,
    LLAMA_CPP,
    NO_FORM,
    OPENAI,
    EndpointCapabilities,
    LogprobDelivery,
    ServerCapabilities,
)
from app.engine.types import (
    Capabilities,
    ChatPrompt,
    ExactPrompt,
    FormKind,
    Model,
    Part,
    PromptSpan,
    RawPrompt,
    Request,
    Role,
    ServerModel,
)
from app.i18n import tr

OWNERS = {Role.SYSTEM: Part.SYSTEM, Role.USER: Part.USER, Role.ASSISTANT: Part.MODEL, Role.TOOL: Part.USER}


def describe(model: ServerModel, habits: ServerCapabilities, folder: Path) -> Model:
    """What no server tells is 0 or unknown, and what can't be done there is refused with the reason."""
    refusals = dict(habits.why) | _refusals(habits)
    return Model(
        name=model.name,
        folder=folder,
        architecture="",
        parameters=0,
        weights=0,
        bits=None,
        context=model.context,
        vocabulary=0,
        eos=(),
        can=Capabilities(
            chat=habits.chat is not None,
            raw=habits.raw is not None,
            trim=False,
            bare_loop=False,
            observe="observe" not in refusals,
            kv_bits=False,
            form="form" not in refusals,
            ids=False,
            tools=habits.chat is not None,
            memory=False,
            refusals=tuple(refusals.items()),
        ),
        server=host_of(model.address),
        report=(tr("It runs on {host}; all times are measured here.").format(host=host_of(model.address)),),
    )


def sent_prompt(request: Request, way: EndpointCapabilities, observes: bool) -> ExactPrompt:
    """The words that were sent: what the server makes of them, it does not tell."""
    source = request.prompt
    parts: list[tuple[Part, str]] = []
    if isinstance(source, ChatPrompt):
        parts += [(Part.TEMPLATE, f"tools: {source.tools}\n")] if source.tools else []
        for message in source.messages:
            parts += [(Part.TEMPLATE, f"{message.role.value}: "), (OWNERS[message.role], message.text)]
            parts += [(Part.MODEL, f" {call.name}{call.arguments}") for call in message.calls]
            parts.append((Part.TEMPLATE, "\n"))
    elif isinstance(source, RawPrompt):
        parts.append((Part.USER, source.text))
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
        notes=tuple(_notes(request, way, observes)),
        raw=request.raw,
    )


def _notes(request: Request, way: EndpointCapabilities, observes: bool) -> list[str]:
    notes = []
    if isinstance(request.prompt, ChatPrompt):
        notes.append(tr("The server puts these messages into its own chat template, and does not tell the tokens."))
    if observes and way.given is LogprobDelivery.WHOLE:
        notes.append(tr("The server tells alternatives only with a whole answer, so it came in one piece."))
    elif observes and request.observe > way.most:
        notes.append(
            tr("The server tells at most %n alternatives.", "The server tells at most %n alternative.", way.most)
        )
    elif request.observe and way.given is LogprobDelivery.WHOLE:
        notes.append(
            tr(
                "The server does not tell which alternative it chose, "
                "so alternatives are recorded only at temperature 0."
            )
        )
    return notes


def _unknown_settings(is_llama_cpp: bool) -> dict[str, str]:
    """The sampling settings that this server has no parameter for."""
    numbers = names_in(PanelSection.MAIN, PanelSection.SAMPLING, PanelSection.PENALTIES)
    unknown = [name for name in numbers if name not in OPENAI | EXTRAS.keys()]
    nowhere, elsewhere = tr("No server takes this."), tr("Only llama.cpp's server takes this.")
    return {
        name: elsewhere if name in LLAMA_CPP else nowhere
        for name in unknown
        if not (is_llama_cpp and name in LLAMA_CPP)
    }


def _refusals(habits: ServerCapabilities) -> dict[str, str]:
    here = tr("The model runs on a server, and its cache is out of reach.")
    reasons = dict.fromkeys(("trim", "bare_loop", "kv_reuse", "kv_bits", "max_kv_size"), here)
    reasons["batch"] = tr("A server batches requests itself.")
    reasons["draft"] = tr("A server chooses its draft model itself.")
    reasons["ids"] = tr("A server takes and gives text, not tokens.")
    if habits.chat is None:
        reasons["tools"] = dict(habits.why).get("chat", "")
    reasons["think_budget"] = tr("A server puts no tokens into its answers.")
    reasons["memory"] = tr("A server does not tell how much memory it uses.")
    ways = [way for way in (habits.chat, habits.raw) if way is not None]
    reasons |= _unknown_settings(any(way.is_llama_cpp for way in ways))
    kinds = frozenset[FormKind]().union(*(KINDS[way.forms] for way in ways))
    reasons |= {f"form_{kind.value}": NO_FORM for kind in FormKind if kind not in kinds | {FormKind.NONE}}
    if not kinds:
        reasons["form"] = NO_FORM
    if not any(way.extras for way in ways):
        reasons |= dict.fromkeys([*EXTRAS, *LLAMA_CPP], tr("This server refuses it."))
    if not any(way.seeds for way in ways):
        reasons["seed"] = tr("mlx_lm.server runs seeded requests one after another, so it is given no seed.")
    if all(way.given is LogprobDelivery.NONE for way in ways):
        reasons["observe"] = tr("This server tells no alternatives.")
    return reasons
