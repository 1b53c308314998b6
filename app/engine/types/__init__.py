"""Frozen values that cross the engine protocol: requests in, events and results out."""

from app.engine.types.alternatives import NO_ID, Alternative, ConstraintStats, SamplingStats, TopTokens
from app.engine.types.ending import Conditions, Drafted, Failure, Finish, Reason, Rejected, Stopped, Thinking, Times
from app.engine.types.events import (
    Channel,
    Event,
    Loading,
    Memory,
    Prefill,
    Prompted,
    Saved,
    Token,
    TokenLogprobs,
    VisibleText,
)
from app.engine.types.form import ANIMAL, LATER, WRITTEN, Form, FormKind
from app.engine.types.interpretability import (
    WHOLE_TOKENS,
    AblationResult,
    AnswerLogprob,
    Attention,
    AttentionMatrix,
    EmbeddingNeighbor,
    Head,
    HeadKind,
    HiddenStates,
    LayerPrediction,
    LayerState,
    LensPosition,
    LensResult,
    RepetitionLoop,
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
    Model,
    TemplateArgument,
    TemplateIssues,
)
from app.engine.types.prompt import CacheMissReason, ExactPrompt, Part, PromptSpan, Reusable, SpelledToken, TemplateCall
from app.engine.types.request import (
    AT_THE_END,
    ENDLESS,
    KV,
    Argument,
    ChatPrompt,
    Limits,
    LoadRequest,
    Message,
    PromptSource,
    RawPrompt,
    ReplyPrefix,
    Request,
    Role,
    Sampling,
    TokenPrompt,
    ToolCall,
    Tuning,
)
from app.engine.types.roofline import Decoded, Matrix, Reads, Speeds, TimePart, Where
from app.engine.types.server import NetworkTiming, ReachedServer, Server, ServerModel
from app.engine.types.token_weights import TokenDifference, TokenWeights, Weight
