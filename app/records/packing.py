"""Compression of number columns and texts to blobs of the journal."""

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
"""zlib level: the fastest, since it runs during generation."""


def pack_ids(ids: Iterable[int]) -> bytes:
    """Pack 64-bit integers, little-endian."""
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
    """Return recorded logprobs as JSON; None if there are none. Not `json_values`, since it runs for every token."""
    if not any(observed):
        return None
    return json.dumps(
        [o and (o.chosen, o.rank, tuple(o.top), o.entropy, o.eos_probability, o.rest, *_more(o)) for o in observed],
        separators=(",", ":"),
    )


def unpack_observed(text: str | None, count: int) -> list[TokenLogprobs | None]:
    if text is None:
        return [None] * count
    return [_observed(columns) for columns in json_reader.own(text)]


def pack_rejected(rejected: Sequence[Rejected]) -> str | None:
    """Return rejected tokens as JSON; None if there are none."""
    columns = [(each.index, each.ids, each.texts) for each in rejected]
    return json.dumps(columns, separators=(",", ":")) if columns else None


def unpack_rejected(text: str | None) -> tuple[Rejected, ...]:
    columns = json_reader.own(text) if text is not None else ()
    return tuple(Rejected(index, tuple(ids), tuple(texts)) for index, ids, texts in columns)


def _observed(columns: list[list[object]] | None) -> TokenLogprobs | None:
    if columns is None:
        return None
    chosen, rank, top, entropy, eos, rest, *more = columns
    drawn, by_form, deviation = more[:5], more[5:8], more[8] if len(more) > 8 else None
    sampling = SamplingStats(*drawn[:4], tuple(drawn[4])) if drawn and drawn[4] is not None else None  # type: ignore[arg-type,call-arg]
    constraint = ConstraintStats(*by_form[:2], TopTokens.of(by_form[2])) if by_form and by_form[2] is not None else None  # type: ignore[arg-type,call-arg]
    values = (rank, TopTokens.of(top), entropy, eos, rest, sampling, constraint, deviation)  # type: ignore[arg-type]
    return TokenLogprobs(Alternative(*chosen), *values)  # type: ignore[arg-type]


def _more(observed: TokenLogprobs) -> tuple[object, ...]:
    """Return the optional columns up to the last one that has a value; missing ones before it are None."""
    drawn, formed, deviation = observed.drawn, observed.formed, observed.deviation
    sampling = (drawn.own, drawn.kept, drawn.plain, drawn.struck, drawn.passed_over) if drawn else (None,) * 5
    constraint = (formed.removed, formed.forced, tuple(formed.forbidden)) if formed else (None,) * 3
    if deviation is not None:
        return (*sampling, *constraint, deviation)
    return (*sampling, *constraint) if formed else sampling if drawn else ()


def _as_bytes(numbers: array[Any]) -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _from_bytes(code: str, blob: bytes) -> array[Any]:
    numbers: array[Any] = array(code, blob)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
