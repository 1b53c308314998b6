"""Rows of the table, made by hand."""

from dataclasses import replace

from app.engine.types import Limits, RawPrompt, Request, Sampling
from app.records.run_settings import SEED, flatten_settings
from app.records.types import RunRow, RunState

NOON = 1_790_000_000.0


def row(number: int, temperature: float = 0.7, max_tokens: int = 256, top_p: float = 1.0, **changes: object) -> RunRow:
    """The `number`th run of a session: later than the one before, and slower."""
    request = Request(RawPrompt(""), Sampling(temperature, top_p), Limits(max_tokens))
    made = RunRow(
        id=number,
        session=1,
        turn=number,
        title="Count 1 to 5",
        started=NOON + 60 * number,
        state=RunState.ENDED,
        reason="stop",
        model="demo",
        draft="",
        mode="chat",
        prompt_tokens=1052,
        reused=38,
        tokens=14,
        first_token=0.084,
        prompt_speed=900.0,
        speed_mean=150.0 - number,
        end_to_end=140.0,
        elapsed=2.0,
        seed=7,
        settings=tuple((name, value) for name, value in flatten_settings(request) if name != SEED),
    )
    return replace(made, **changes)  # type: ignore[arg-type]
