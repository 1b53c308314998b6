"""Long columns of numbers and long texts as small blobs, for the journal."""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from app.engine.types import Alternative, ConstraintStats, Rejected, SamplingStats, TokenLogprobs, TopTokens
from app.files import json_reader
from app.files.json_values import clean

LEVEL = 1
"""Speed before size: it is done while the model writes."""


def pack_ids(ids: Iterable[int]) -> bytes:
    """Whole numbers of 64 bits, the smallest byte first."""
    return zlib.compress(_as_bytes(array("q", ids)), LEVEL)


def unpack_ids(blob: bytes) -> list[int]:
    return _from_bytes("q", zlib.decompress(blob)).tolist()


def pack_times(times: Iterable[float]) -> bytes:
    return _as_bytes(array("d", times))


def unpack_times(blob: bytes) -> list[float]:
    return _from_bytes("d", blob).tolist()


def pack_text(text: str) -> bytes:
    return zlib.compress(clean(text).encode(), LEVEL)


def unpack_text(blob: bytes) -> str:
    return zlib.decompress(blob).decode()


def pack_observed(observed: Sequence[TokenLogprobs | None]) -> str | None:
    """None where nothing was observed. Straight to JSON, since it is done for every token of an observed run."""
    if not any(observed):
        return None
    return json.dumps(
        [o and (o.chosen, o.rank, tuple(o.top), o.entropy, o.eos_probability, o.rest, *_more(o)) for o in observed],
        separators=(",", ":"),
    )


def unpack_observed(text: str | None, count: int) -> list[TokenLogprobs | None]:
    if text is None:
        return [None] * count
    return [_observed(said) for said in json_reader.own(text)]


def pack_rejected(rejected: Sequence[Rejected]) -> str | None:
    """None where nothing was."""
    said = [(each.index, each.ids, each.texts) for each in rejected]
    return json.dumps(said, separators=(",", ":")) if said else None


def unpack_rejected(text: str | None) -> tuple[Rejected, ...]:
    said = json_reader.own(text) if text is not None else ()
    return tuple(Rejected(index, tuple(ids), tuple(texts)) for index, ids, texts in said)


def _observed(said: list[list[object]] | None) -> TokenLogprobs | None:
    if said is None:
        return None
    chosen, rank, top, entropy, eos, rest, *more = said
    drawn, by_form, deviation = more[:5], more[5:8], more[8] if len(more) > 8 else None
    made = SamplingStats(*drawn[:4], tuple(drawn[4])) if drawn and drawn[4] is not None else None  # type: ignore[arg-type,call-arg]
    formed = ConstraintStats(*by_form[:2], TopTokens.of(by_form[2])) if by_form and by_form[2] is not None else None  # type: ignore[arg-type,call-arg]
    return TokenLogprobs(Alternative(*chosen), rank, TopTokens.of(top), entropy, eos, rest, made, formed, deviation)  # type: ignore[arg-type]


def _more(observed: TokenLogprobs) -> tuple[object, ...]:
    """What not every token has. Nothing follows the last part that is there; missing parts before it are null."""
    drawn, formed, deviation = observed.drawn, observed.formed, observed.deviation
    by_drawing = (drawn.own, drawn.kept, drawn.plain, drawn.struck, drawn.passed_over) if drawn else (None,) * 5
    by_form = (formed.removed, formed.forced, tuple(formed.forbidden)) if formed else (None,) * 3
    if deviation is not None:
        return (*by_drawing, *by_form, deviation)
    return (*by_drawing, *by_form) if formed else by_drawing if drawn else ()


def _as_bytes(numbers: array[Any]) -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _from_bytes(code: str, blob: bytes) -> array[Any]:
    numbers: array[Any] = array(code, blob)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
