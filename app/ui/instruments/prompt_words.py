"""What the graph says of the prompt: how much of it is being read, then how much was, and in what time. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.engine.meter.frame import Figures, Frame
from app.i18n import tr
from app.number_format import duration
from app.state import Run


@dataclass(frozen=True, slots=True)
class Prompt:
    """Tokens read in this run, tokens from the cache, and the seconds, which are known when the run is over."""

    new: int = 0
    reused: int = 0
    seconds: float | None = None

    @classmethod
    def of(cls, run: Run) -> Prompt:
        """Of a run that is over."""
        return cls(run.finish.new, run.finish.reused_known or 0, run.summary.prefill_seconds)

    def after(self, frame: Frame) -> Prompt:
        """When this frame has come."""
        told = frame.prompted
        return replace(self, new=told.new, reused=told.reused) if told is not None else self

    def told(self, figures: Figures) -> str:
        """reading 47 tokens; 47 tokens read in 310 ms · 30 from the cache"""
        first = figures.first_token
        if not self.new:
            return tr("first token {time}").format(time=duration(first)) if first is not None else ""
        words = tr("reading %n tokens", "reading %n token", self.new)
        if first is not None:
            words = tr("%n tokens read", "%n token read", self.new)
        if first is not None and self.seconds is not None:
            words = tr("%n tokens read in {time}", "%n token read in {time}", self.new)
        cached = tr("{count} from the cache").format(count=f"{self.reused:,}") if self.reused else ""
        return " · ".join(filter(None, (words.format(time=duration(self.seconds)), cached)))

    @property
    def brief(self) -> str:
        """Where there is no room for more, once it was read."""
        return tr("%n tokens read", "%n token read", self.new) if self.new else ""
