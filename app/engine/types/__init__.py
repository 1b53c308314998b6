"""The frozen values that cross the engine's border: requests in, events and endings out."""

from app.engine.types.candidates import NO_ID, Candidate, Drawn, Top
from app.engine.types.ending import Drafted, Failure, Finish, Reason, Rejected, Stopped, Times
from app.engine.types.events import Event, Loading, Memory, Observed, Prefill, Prompted, Shown, Token, Voice
from app.engine.types.model import ArgumentKind, Capabilities, DraftModel, KVShape, Manners, Model, TemplateArgument
from app.engine.types.prompt import ExactPrompt, Part, PromptSpan, TemplateCall
from app.engine.types.request import (
    AT_THE_END,
    ENDLESS,
    KV,
    Argument,
    Beginning,
    ChatPrompt,
    Limits,
    LoadRequest,
    Message,
    PromptSource,
    RawPrompt,
    Request,
    Role,
    Sampling,
    TokenPrompt,
)
from app.engine.types.reusable import Hindrance, Reusable
from app.engine.types.server import Reached, Server, ServerModel, Wire
from app.engine.types.spelt import Spelt
from app.engine.types.tuning import Tuning
from app.engine.types.weighed import Weighed, Weight

__all__ = [
    "AT_THE_END",
    "ENDLESS",
    "KV",
    "NO_ID",
    "Argument",
    "ArgumentKind",
    "Beginning",
    "Candidate",
    "Capabilities",
    "ChatPrompt",
    "DraftModel",
    "Drafted",
    "Drawn",
    "Event",
    "ExactPrompt",
    "Failure",
    "Finish",
    "Hindrance",
    "KVShape",
    "Limits",
    "LoadRequest",
    "Loading",
    "Manners",
    "Memory",
    "Message",
    "Model",
    "Observed",
    "Part",
    "Prefill",
    "PromptSource",
    "PromptSpan",
    "Prompted",
    "RawPrompt",
    "Reached",
    "Reason",
    "Rejected",
    "Request",
    "Reusable",
    "Role",
    "Sampling",
    "Server",
    "ServerModel",
    "Shown",
    "Spelt",
    "Stopped",
    "TemplateArgument",
    "TemplateCall",
    "Times",
    "Token",
    "TokenPrompt",
    "Top",
    "Tuning",
    "Voice",
    "Weighed",
    "Weight",
    "Wire",
]
