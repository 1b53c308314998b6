"""Finished runs."""

from dataclasses import replace

from app.controls import Mode
from app.engine.meter.meter import ContextUse, RunMetrics, Summary
from app.engine.meter.speeds import LatencyPercentiles
from app.engine.types import ExactPrompt, Finish, Limits, RawPrompt, Reason, Request, Sampling, Times
from app.state import Run

PROMPT = ExactPrompt("Hello", (1, 2, 3), ((0, 2), (2, 4), (4, 5)), ())


def run(reason: Reason = Reason.STOP, text: str = "An answer.", mode: Mode = Mode.CHAT, **changes: object) -> Run:
    """A run of 14 tokens that took 0.31 s, 38 of its 52 prompt tokens from the cache."""
    times = Times(10.0, 10.0, 10.05, 10.08, 10.3, 10.298 if reason is Reason.STOPPED else 0.0, 10.31)
    finish = replace(
        Finish(reason, tokens=14, times=times, reused=38, new=14, stop_text="<|im_end|>"),
        **changes,  # type: ignore[arg-type]
    )
    metrics = RunMetrics(0.31, 0.08, 260.0, 58.0, 59.1, 46.0, 14, 13, 0)
    return Run(
        model="demo",
        mode=mode,
        request=Request(RawPrompt("Hello"), Sampling(seed=7), Limits(max_tokens=14)),
        prompt=PROMPT,
        ids=tuple(range(14)),
        text=text,
        reasoning="",
        finish=finish,
        summary=Summary(metrics, ContextUse(66, 0, 2048), LatencyPercentiles(0.017, 0.02, 0.03), 0.05),
    )
