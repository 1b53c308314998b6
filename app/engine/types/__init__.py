"""The frozen values that cross the engine's border: requests in, events and endings out."""

from app.engine.types.candidates import NO_ID, Candidate, Drawn, Formed, Top
from app.engine.types.ceiling import Decoded, Matrix, Reads, Speeds, TimePart, Where
from app.engine.types.ending import Conditions, Drafted, Failure, Finish, Reason, Rejected, Stopped, Thinking, Times
from app.engine.types.events import Event, Loading, Memory, Observed, Prefill, Prompted, Saved, Shown, Token, Voice
from app.engine.types.form import ANIMAL, LATER, WRITTEN, Form, FormKind
from app.engine.types.inside import (
    WHOLE_TOKENS,
    Attention,
    AttentionMatrix,
    Depth,
    Guess,
    Head,
    HeadKind,
    Inside,
    LayerState,
    LeftOut,
    Loop,
    Near,
    Odds,
    States,
    Unit,
    of_answer,
    of_token,
    rather_than,
    strongest,
)
from app.engine.types.model import (
    Adapter,
    ArgumentKind,
    Capabilities,
    DraftModel,
    KVShape,
    Manners,
    Model,
    TemplateArgument,
)
from app.engine.types.prompt import ExactPrompt, Hindrance, Part, PromptSpan, Reusable, Spelt, TemplateCall
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
    ToolCall,
    Tuning,
)
from app.engine.types.server import Reached, Server, ServerModel, Wire
from app.engine.types.weighed import Difference, Weighed, Weight
