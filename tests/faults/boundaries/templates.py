"""Chat templates: whoever made a model wrote one, and it is run whenever a draft is previewed."""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle, repeat
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from app.bridge.preview import Foreseen
from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, Engine, StopFlag
from app.engine.templates.process import TemplateEndedError
from app.engine.templates.rendering import TEMPLATES, TemplateRefusedError
from app.engine.types import ExactPrompt, Failure, LoadRequest, Model, PromptSource, Stopped
from tests.engine.hostile_templates import OPERATIONS, made_up
from tests.faults.boundary import Attack, Blow, Boundary
from tests.faults.windows import QUICK, Scene

DEMO = Path(__file__).parents[3] / "resources" / "models" / "demo"
LIMIT = "a second of the processor, half a gigabyte"
LOADED_MB = 200.0
"""What two loads of a model take on their way."""
NAMED = {
    "nested lists compared": "nested lists compared",
    "urlize": "links in letters",
    "select": "a choice",
    "sum": "a sum of lists",
    "join": "a joint of lists",
    "indent": "a deep indent",
    "macros": "a macro that doubles",
}


class Strangers(EchoEngine):
    """Scripted, but for its chat template, which is a stranger's while there is one."""

    template = ""

    def __init__(self) -> None:
        super().__init__(QUICK)

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        try:
            if self.template:
                TEMPLATES.begin(self.template)
                TEMPLATES.render(self.template, {"messages": [{"role": "user", "content": "Hello"}]})
        except TemplateEndedError as ended:
            return ended.failure
        except TemplateRefusedError as error:
            return Failure("It is refused.", "", str(error))
        return super().render(source)


def previewed(templates: Iterator[str]) -> Attack:
    """A draft is previewed by one after another, and each comes to an end."""

    @contextmanager
    def attack(made: Scene) -> Iterator[Blow]:
        def blow() -> None:
            Strangers.template = next(templates)
            foresee(made)

        try:
            yield blow
        finally:
            Strangers.template = ""

    return attack


def foresee(made: Scene) -> Foreseen:
    heard: list[Foreseen] = []
    hear = heard.append
    preview = made.playground.preview
    preview.foreseen.connect(hear)
    try:
        preview.ask(lambda: "Hello")
        made.until(lambda: bool(heard), preview.foreseen)
    finally:
        preview.foreseen.disconnect(hear)
    return heard[-1]


def real() -> Engine:
    """mlx-lm's, with the bundled model in place of the scripted one."""
    from app.engine.mlx.engine import MlxEngine

    class Bundled(MlxEngine):
        def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Stopped:
            known = Path(request.model).is_absolute()
            return super().load(request if known else replace(request, model=str(DEMO)), emit, stop)

    return Bundled(lambda: None)  # what Qt has made may not be collected on the engine's thread


@contextmanager
def opened(made: Scene) -> Iterator[Blow]:
    """A copy of the bundled model with such a template is opened, and a draft previewed; then the bundled one again."""
    templates = cycle(OPERATIONS.values())
    with TemporaryDirectory() as place:
        folder = Path(place) / "stranger"
        shutil.copytree(DEMO, folder)
        file = folder / "tokenizer_config.json"
        settings: Mapping[str, object] = json.loads(file.read_text("utf-8"))

        def blow() -> None:
            file.write_text(json.dumps({**settings, "chat_template": next(templates)}), "utf-8")
            made.playground.load(LoadRequest(str(folder)))
            made.until_ready()
            foresee(made)
            made.playground.load(LoadRequest("demo"))
            made.until_ready()

        yield blow


def boundary(attack: str, made: Attack) -> Boundary:
    return Boundary("a chat template", "whoever made the model", LIMIT, attack, made, engine=Strangers)


BOUNDARIES = (
    *(boundary(name, previewed(cycle([OPERATIONS[each]]))) for name, each in NAMED.items()),
    boundary("all that is known, in turn", previewed(cycle(OPERATIONS.values()))),
    boundary("values made of themselves, by chance", previewed(map(made_up, repeat(Random())))),
    replace(boundary("a model with each of them, opened", opened), engine=real, grown_mb=LOADED_MB),
)
