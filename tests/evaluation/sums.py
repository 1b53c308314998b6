"""A set of sums, studies of it, and an engine that knows them and remembers what it was asked."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.protocol import Emit, StopFlag, failed_run
from app.engine.types import (
    Cancellation,
    ChatPrompt,
    Failure,
    Finish,
    Limits,
    LoadRequest,
    Model,
    Request,
    Sampling,
    WeightFormat,
)
from app.evaluation.types import Check, CheckKind, Evaluation, EvaluationVariant, PromptSet, Template

TEMPLATE = Template(expected="{expected}")
ASKED = Request(ChatPrompt(()), Sampling(temperature=0, seed=5), Limits(24))
TELLING = EchoOptions(tokens_per_second=0, prefill_per_second=0, load_seconds=0)


def sums(count: int = 8) -> PromptSet:
    pairs = [(first, second) for first in range(2, 102) for second in range(3, 103)][:count]
    rows = tuple((f"What is {first} + {second}?", str(first + second)) for first, second in pairs)
    return PromptSet("Sums", ("prompt", "expected"), rows, TEMPLATE, f"sums {count}")


def study(
    prompts: PromptSet | None = None, *arms: EvaluationVariant, repeats: int = 1, together: int = 16
) -> Evaluation:
    prompts = prompts or sums()
    arms = arms or (EvaluationVariant("plain", ASKED),)
    return Evaluation(prompts.title, prompts, prompts.template, arms, Check(CheckKind.NUMBER), repeats, together)


def sampled(temperature: float) -> EvaluationVariant:
    return EvaluationVariant(f"{temperature}", replace(ASKED, sampling=Sampling(temperature=temperature, seed=5)))


def words_of(request: Request) -> str:
    prompt = request.prompt
    return prompt.messages[-1].text if isinstance(prompt, ChatPrompt) else getattr(prompt, "text", "")


@dataclass(frozen=True)
class Asked:
    """What an engine was asked, and how."""

    words: str
    seed: int
    model: str
    batch: int


class Adding(EchoEngine):
    """It adds what stands in the prompt, alone or in a batch where its model can; `fails` says at which prompts not."""

    def __init__(self, fails: Callable[[str], bool] = lambda words: False, knobs: EchoOptions = TELLING) -> None:
        super().__init__(knobs)
        self.fails = fails
        self.asked: list[Asked] = []
        self.loads: list[str] = []
        self.batches = 0
        self._name = ""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        self.loads.append(request.model)
        if "absent" in request.model:
            return Failure("There is no such model.", "Choose another one.")
        found = super().load(request, emit, stop)
        assert isinstance(found, Model)
        self._name = request.model
        return replace(found, can=replace(found.can, batch=True), format=WeightFormat(computed_in="float32"))

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        return self._said(request, emit, stop, 1)

    def generate_together(
        self, requests: Sequence[Request], emits: Sequence[Emit], stop: StopFlag
    ) -> tuple[Finish, ...]:
        self.batches += 1
        refused = Failure("One of them can't be.", "Ask it alone.", kind="batch")
        if any(self.fails(words_of(request)) for request in requests):
            return tuple(failed_run(stop, refused) for _ in requests)
        return tuple(
            self._said(request, emit, stop, len(requests)) for request, emit in zip(requests, emits, strict=True)
        )

    def _said(self, request: Request, emit: Emit, stop: StopFlag, batch: int) -> Finish:
        words = words_of(request)
        self.asked.append(Asked(words, request.sampling.seed, self._name, batch))
        if self.fails(words):
            raise RuntimeError(words)
        self._knobs = replace(self._knobs, replies=(f"It is {sum(map(int, re.findall(r'[0-9]+', words)))}",))
        return super().generate(request, emit, stop)


def opened(engine: EchoEngine, name: str = "first") -> Model:
    model = engine.load(LoadRequest(name), lambda event: None, StopFlag())
    assert isinstance(model, Model)
    return model
