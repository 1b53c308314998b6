"""Tokenizers of models: whoever made a model wrote them, and they are read before a library reads them."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from app.engine.echo.engine import EchoEngine
from app.engine.model_files.files import check_files
from app.engine.model_files.folder import Folder
from app.engine.protocol import Emit, Engine, StopFlag
from app.engine.refusal import RefusedError
from app.engine.tokenizers.limits import MOST_ADDED, check_limits
from app.engine.types import Failure, LoadRequest, Model, Stopped
from tests.faults.boundary import Attack, Blow, Boundary, told
from tests.faults.windows import QUICK, Scene

Make = Callable[[Path], object]
INCOMING, SENDER = "tokenizer.json", "whoever made a model"
LIMIT = "150 MB, 150,000 added tokens, 32 MB of settings"
MB = 1_000_000


class Gate(EchoEngine):
    """Scripted, but a folder is looked at as the real one looks at it before it reads any weights."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Stopped:
        try:
            if Path(request.model).is_dir():
                check_files(Path(request.model))
                check_limits(Folder(Path(request.model), {}, "llama", (), 0, ()))
        except RefusedError as refused:
            return refused.failure
        return super().load(request, emit, stop)


def gate() -> Engine:
    return Gate(QUICK)


def opened(make: Make, name: str = "tokenizer.json") -> Attack:
    """The model is refused in a sentence, and the one that is open stays."""

    @contextmanager
    def attack(made: Scene) -> Iterator[Blow]:
        with TemporaryDirectory() as folder:
            make(Path(folder) / name)

            def blow() -> None:
                said = told(made, lambda: made.playground.load(LoadRequest(folder)))
                assert "tokenizer" in said, said

            yield blow

    return attack


def crowded(file: Path) -> None:
    file.write_text(json.dumps({"added_tokens": [{"content": "x"}] * (MOST_ADDED + 1)}), "utf-8")


def brackets(file: Path) -> None:
    file.write_text('{"eos_token": ' + "[" * MB, "utf-8")


BOUNDARIES = (
    Boundary(INCOMING, SENDER, LIMIT, "a crowd of added tokens", opened(crowded), engine=gate),
    Boundary(INCOMING, SENDER, LIMIT, "a million brackets", opened(brackets, "tokenizer_config.json"), engine=gate),
    Boundary(INCOMING, SENDER, "ordinary files", "a pipe", opened(os.mkfifo), engine=gate),
)
