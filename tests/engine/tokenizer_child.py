"""A child process that runs tokenizers on texts: whatever they do to a process, they do to this one."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Any

PROJECT = Path(__file__).parents[2]
MEMORY_BYTES = 400_000_000
LONGEST_S = 30


class Child:
    """It lives as long as the `with` around it; where a tokenizer has ended it, the next question has another."""

    def __enter__(self) -> Child:
        self._start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._end()

    def run(self, **question: object) -> dict[str, Any]:
        """What came of it: `cpu_s`, and for each text the bytes that were made of it. Nothing if the child ended."""
        asked, told = self._process.stdin, self._process.stdout
        assert asked is not None and told is not None
        asked.write(json.dumps(question) + "\n")
        asked.flush()
        if answer := told.readline():
            return dict(json.loads(answer))
        self._end()
        self._start()
        return {}

    def _start(self) -> None:
        command = [sys.executable, "-m", "tests.engine.tokenizer_child"]
        self._process = subprocess.Popen(
            command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def _end(self) -> None:
        self._process.kill()
        self._process.communicate()


def _serve(asked: IO[str], told: IO[str]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    for line in asked:
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + LONGEST_S, resource.RLIM_INFINITY))
        question = json.loads(line)
        answer = _decoded(question) if "ids" in question else _grown(question)
        told.write(json.dumps(answer) + "\n")
        told.flush()


def _grown(question: dict[str, Any]) -> dict[str, Any]:
    """Through normalizers and splits; how often the text then has to be cut up is the model's affair."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(question["tokenizer"])
    start, sizes = time.process_time(), []
    for text in question["texts"]:
        try:
            if tokenizer.normalizer is not None:
                text = tokenizer.normalizer.normalize_str(text)
            pieces = [text]
            if tokenizer.pre_tokenizer is not None:
                pieces = [piece for piece, _ in tokenizer.pre_tokenizer.pre_tokenize_str(text)]
            sizes.append(sum(len(piece.encode()) for piece in pieces))
        except BaseException as error:  # a panic of the library is an error like others
            sizes.append(0)
            if isinstance(error, KeyboardInterrupt):
                raise
    return {"cpu_s": time.process_time() - start, "sizes": sizes}


def _decoded(question: dict[str, Any]) -> dict[str, Any]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(question["tokenizer"])
    start = time.process_time()
    try:
        size = len(tokenizer.decode(question["ids"], skip_special_tokens=False).encode())
    except BaseException as error:
        size = 0
        if isinstance(error, KeyboardInterrupt):
            raise
    return {"cpu_s": time.process_time() - start, "sizes": [size]}


if __name__ == "__main__":
    _serve(sys.stdin, sys.stdout)
