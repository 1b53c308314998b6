"""Traces of answers, made by hand."""

from app.engine.meter.trace import Trace
from app.engine.stop_strings import Markers, ReplyReader
from app.engine.types import Token

THINK = Markers.reasoning("<think>", "</think>")


def traced(texts: list[str], markers: Markers = THINK, stops: tuple[str, ...] = (), gap: float = 0.1) -> Trace:
    """A run that wrote these texts, a token each, as the engine tells it."""
    reader, trace = ReplyReader(stops, markers), Trace()
    trace.begin_run(10.0)
    for index, text in enumerate(texts):
        shown = reader.read(text)
        trace.extend([Token(index, 100 + index, text, shown, 10.5 + gap * index)])
        trace.show(shown)
    trace.show(reader.finish())
    return trace
