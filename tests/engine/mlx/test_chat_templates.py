"""transformers and mlx-lm never compile or render an untrusted template in this process, but do a bundled one."""

import json
import shutil
from pathlib import Path

import pytest
from jinja2 import Environment, Template
from transformers.utils import chat_template_utils

from app.engine.mlx import chat_templates
from app.engine.templates.rendering import TEMPLATES
from app.engine.types import ChatPrompt, ExactPrompt, Message, Role
from tests.engine import made_templates as templates
from tests.engine import made_tokenizers as tokenizers
from tests.engine.mlx.conftest import Open
from tests.standins.samples import Samples

ASKED = ChatPrompt((Message(Role.USER, "Why?"),), "Because", (("style", "plain"),))


@pytest.fixture
def stranger(demo_model: Path, tmp_path: Path) -> Path:
    """The demo model with one more space in its template."""
    folder = tmp_path / "stranger"
    shutil.copytree(demo_model, folder)
    file = folder / "tokenizer_config.json"
    said = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(said | {"chat_template": said["chat_template"] + "{# #}"}), "utf-8")
    return folder


def test_untrusted_template_is_not_compiled_here(
    stranger: Path, open_model: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("inside the program")

    for owner, name in ((Environment, "_parse"), (Environment, "compile"), (Template, "render")):
        monkeypatch.setattr(owner, name, refuse)
    player = open_model(stranger)
    prompt = player.engine.render(ASKED)
    assert isinstance(prompt, ExactPrompt), prompt
    assert "Why?" in prompt.text
    assert len(prompt.notes) == 1


@pytest.mark.slow
def test_bundled_template_starts_no_child(demo_model: Path, open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TEMPLATES, "_start", None)
    TEMPLATES.close()
    prompt = open_model(demo_model).engine.render(ASKED)
    assert isinstance(prompt, ExactPrompt), prompt


@pytest.mark.parametrize("template", templates.TEMPLATES)
def test_template_child_renders_like_transformers(
    template: str, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizer = templates.use(template, tokenizers.load(samples.path("tokenizers/qwen3")), samples, monkeypatch)
    for shape in templates.SHAPES.values():
        messages = [{"role": str(message.role), "content": message.text} for message in shape.messages]
        written = []
        for compiles in (chat_templates.compile_elsewhere, chat_templates.compile_inside):
            monkeypatch.setattr(chat_template_utils, "_compile_jinja_template", compiles)
            try:
                written.append(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))
            except Exception as error:
                written.append(str(error))
        assert written[0] == written[1]
