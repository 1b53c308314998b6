"""mlx-lm's server behind the proxy: the same answers, from the one model that it was started with."""

import os
import threading
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx_lm.models.cache import LRUPromptCache
from mlx_lm.server import APIHandler, ModelProvider, ResponseGenerator, _image_parts, get_system_fingerprint

from app.engine.mlx import chat_templates  # noqa: F401 (keeps them out of this process)
from app.engine.mlx.loaded import arrays_of
from app.engine.mlx.loading.blas import fit_threads
from app.engine.mlx.loading.load import convert_for_device
from app.engine.templates.process import TemplateEndedError
from app.serving.checks import AccessPolicy
from app.serving.proxy import ProxyHandler, ProxyServer
from app.serving.types import DEFAULT_MODEL, KEY_VARIABLE, LOOPBACK, PACKED_VARIABLE, ServerConfig


class SingleModelProvider(ModelProvider):
    """Provides the model and the adapter that the server was started with, for any request; no draft model."""

    vocabulary = 0

    def load(self, model_path: str, adapter_path: str | None = None, draft_model_path: str | None = None) -> Any:
        model, tokenizer = super().load(DEFAULT_MODEL, None, DEFAULT_MODEL)
        if not self.vocabulary:
            if not self.is_distributed:
                # As in the window: mlx's CPU backend is many times slower with half precision and quantized weights.
                model, *_ = convert_for_device(model, PACKED_VARIABLE in os.environ)
                mx.eval(model.parameters())
                fit_threads(sum(array.nbytes for array in arrays_of(model)))
                self.model = model
            # Only the shape is read, so nothing is computed.
            self.vocabulary = int(model(mx.array([[0]])).shape[-1])
        return model, tokenizer


class AnswerCallback(threading.local):
    """A callback for each token of the thread's answer. It raises if the client has disconnected."""

    check: Callable[[], None] = staticmethod(lambda: None)


CALLBACK = AnswerCallback()


class Generator(ResponseGenerator):
    """Renders untrusted chat templates in a separate process, with the limits of the window."""

    def generate(self, request: Any, args: Any, progress_callback: Any = None) -> Any:
        """Generate an answer. In a ring, an answer outside a batch can't be stopped: only one process would stop."""
        context, answer = super().generate(request, args, progress_callback)
        if self._is_distributed and (not self._is_batchable(args) or any(_image_parts(request.messages))):
            context.stop = lambda: None  # so it is generated to its end
        return context, _checked_stream(answer, CALLBACK.check)

    def _tokenize(self, tokenizer: Any, *args: Any) -> Any:
        try:
            found = super()._tokenize(tokenizer, *args)
        except TemplateEndedError as error:  # would end the generation thread
            raise ValueError(error.failure.what) from None
        if not found[0]:  # an empty prompt would also end it
            raise ValueError("The prompt has no tokens.")
        return found


class Handler(ProxyHandler, APIHandler):
    """The proxy in front of mlx-lm's own handler."""

    def vocabulary(self) -> int:
        return int(self.response_generator.model_provider.vocabulary)

    def handle_completion(self, *args: Any) -> None:
        """Handle a completion; generation stops at its next token after the client has disconnected."""
        CALLBACK.check = self.check_client
        super().handle_completion(*args)


def _checked_stream(answer: Iterable[Any], check: Callable[[], None]) -> Iterator[Any]:
    for token in answer:
        check()
        yield token


def run(host: str, port: int, provider: ModelProvider) -> None:
    """Replace `mlx_lm.server.run`: each process of a ring computes, and the first one also listens."""
    arguments: Namespace = provider.cli_args
    if host != LOOPBACK or not arguments.model:
        raise SystemExit(f"sluice: a model is served on {LOOPBACK} alone, and --model says which")
    key = os.environ.pop(KEY_VARIABLE, "")
    group = mx.distributed.init()
    generator = Generator(SingleModelProvider(arguments), LRUPromptCache(arguments.prompt_cache_size))
    if group.rank():
        generator.join()
        return
    policy = AccessPolicy(port, ServerConfig(arguments.model, port).name, key)
    handler: Callable[..., Handler] = partial(Handler, generator, system_fingerprint=get_system_fingerprint())  # type: ignore[call-arg]
    with ProxyServer(policy, str(Path(arguments.model).absolute()), handler) as server:
        server.serve_forever()
