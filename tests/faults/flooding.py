"""A server that floods, in a process of its own: `python -m tests.faults.flooding NAME`; its first line is its address.

It answers what is asked to get to know it, and then pours until the other side has gone; it ends with its input.
"""

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from itertools import count, repeat

from tests.engine.remote.faults import JSON, STREAM, Asked, Line, plain, serving

SECRET = "sk-very-secret-123"
PROBE_TOKENS = 1
"""By so few the questions are known that a server is got to know by."""


def event(text: str, **more: object) -> bytes:
    return f"data: {json.dumps({'choices': [{'delta': {'content': text}}], **more})}\n\n".encode()


def _quoting() -> Iterator[bytes]:
    for text in (SECRET, f"Bearer {SECRET}", SECRET.encode().hex(), *f"in pieces: {SECRET}. "):
        yield event(text)
    yield f"data: {json.dumps({'choices': [{'delta': {}, 'finish_reason': SECRET}]})}\n\n".encode()


STREAMS: dict[str, Callable[[], Iterator[bytes]]] = {
    "words": lambda: repeat(event("word ") * 500),
    "letters": lambda: repeat(event("w") * 500),
    "lines": lambda: repeat(event("a\n") * 500),
    "pages": lambda: repeat(event("word " * 100_000)),
    "empty data": lambda: repeat(b"data:\n" * 10_000),
    "signs of life": lambda: repeat(b": ping\n\n" * 10_000),
    "progress": lambda: (b": keepalive %d/999999999\n\n" % each for each in count(1)),
    "numbers of events": lambda: repeat(b"id: 5\nevent: x\n" * 5_000),
    "events without a word": lambda: repeat(b'data: {"choices": [{"delta": {}}]}\n\n' * 500),
    "a line without an end": lambda: repeat(b"x" * 100_000),
    "a key": _quoting,
}
LISTS = {
    "a list of models": json.dumps({"data": [{"id": f"model {each}", "max_model_len": 5} for each in range(80_000)]}),
    "brackets": '{"data": ' + "[" * 2_000_000,
    "empty objects": '{"data": [' + "{}," * 1_000_000 + "{}]}",
}
KINDS = (*STREAMS, *LISTS, "a bomb")


def answer(name: str) -> Callable[[Asked, Line], None]:
    def pour(asked: Asked, line: Line) -> None:
        if asked.path.endswith("/models") and name in LISTS:
            line.head(kind=JSON)
            line.send(LISTS[name].encode())
        elif asked.path.endswith("/models") or asked.body.get("max_tokens") == PROBE_TOKENS or name in LISTS:
            plain(asked, line)
        elif name == "a bomb":
            line.head(kind=STREAM, Content_Encoding="gzip")
            line.send(gzip.compress(b" " * (256 << 20)))
        else:
            line.head()
            line.text("Hello ")
            for content in STREAMS[name]():
                line.send(content)

    return pour


def main(name: str) -> None:
    with serving(answer(name)) as faults:
        print(faults.address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
