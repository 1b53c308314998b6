"""What is kept, as frozen values: sessions, turns, runs and their tokens.

All moments of a run are seconds since its Send, so they mean something after a restart; `started`, `created` and
`changed` are seconds since 1970.
"""

from app.records.types.basics import BEGINNING, JournalChange, Outcome, Plain, RunId, SessionId, TurnId
from app.records.types.runs import (
    FilesRef,
    ModelRef,
    RunBrief,
    RunRecord,
    RunRow,
    RunStart,
    RunState,
    TokenRecord,
    Versions,
)
from app.records.types.sessions import Fork, SearchHit, Session, SessionInfo, Turn
from app.records.types.wholes import WholeRun, WholeSession, WholeTurn
