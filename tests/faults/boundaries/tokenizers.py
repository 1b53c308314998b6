"""Tokenizers of models: whoever made a model wrote them, and they are read before a library reads them."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from app.engine.echo.engine import EchoEngine
from app.engine.model_files.files import check_files
from app.engine.protocol import Emit, Engine, StopFlag
from app.engine.refusal import RefusedError
from app.engine.tokenizers.check import check_tokenizer
from app.engine.types import Failure, LoadRequest, Model, Stopped
from tests.faults.boundary import Attack, Blow, Boundary, told
from tests.faults.windows import QUICK, Scene

Make = Callable[[Path], object]
INCOMING, SENDER = "tokenizer.json", "whoever made a model"
LIMIT = "150 MB, known parts, growth of 256"
MB = 1_000_000
LARGEST_MB = 34


class Gate(EchoEngine):
    """Scripted, but a folder is looked at as the real one looks at it before it reads any weights."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Stopped:
        try:
            if Path(request.model).is_dir():
                check_files(Path(request.model))
                check_tokenizer(Path(request.model))
        except RefusedError as refused:
            return refused.failure
        return super().load(request, emit, stop)


def gate() -> Engine:
    return Gate(QUICK)


def opened(make: Make) -> Attack:
    """The model is refused in a sentence, and the one that is open stays."""

    @contextmanager
    def attack(made: Scene) -> Iterator[Blow]:
        with TemporaryDirectory() as folder:
            make(Path(folder) / "tokenizer.json")

            def blow() -> None:
                said = told(made, lambda: made.playground.load(LoadRequest(folder)))
                assert "tokenizer" in said, said

            yield blow

    return attack


def growing(row: str, parts: str) -> Make:
    """Nine parts that write each sign ten times."""
    tenfold = {"type": "Replace", "pattern": {"String": "Q"}, "content": "Q" * 10}
    return said({row: {"type": "Sequence", parts: [tenfold] * 9}})


def said(content: object) -> Make:
    return lambda file: file.write_text(json.dumps(content), "utf-8")


def wordy(file: Path) -> None:
    """A vocabulary as large as the largest that is known, and one word too long in it."""
    words = {f"word{number:08}": number for number in range(LARGEST_MB * MB // 24)}
    file.write_text(json.dumps({"model": {"type": "BPE", "merges": [], "vocab": {**words, "x" * 5_000: 0}}}), "utf-8")


def brackets(file: Path) -> None:
    file.write_text('{"normalizer": ' + "[" * MB, "utf-8")


PATTERN = {"type": "Split", "pattern": {"Regex": "(x+x+)+y"}, "behavior": "Isolated", "invert": False}
BOUNDARIES = (
    Boundary(
        INCOMING,
        SENDER,
        LIMIT,
        "nine normalizers that grow tenfold",
        opened(growing("normalizer", "normalizers")),
        engine=gate,
    ),
    Boundary(INCOMING, SENDER, LIMIT, "a decoder alike", opened(growing("decoder", "decoders")), engine=gate),
    Boundary(
        INCOMING,
        SENDER,
        "linear patterns",
        "a pattern without end",
        opened(said({"pre_tokenizer": PATTERN})),
        engine=gate,
    ),
    Boundary(INCOMING, SENDER, LIMIT, "a million brackets", opened(brackets), engine=gate),
    Boundary(INCOMING, SENDER, LIMIT, f"a vocabulary of {LARGEST_MB} MB", opened(wordy), engine=gate, grown_mb=600),
    Boundary(INCOMING, SENDER, "ordinary files", "a pipe", opened(os.mkfifo), engine=gate),
)
