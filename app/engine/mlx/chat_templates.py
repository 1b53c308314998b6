"""Keeps strangers' chat templates out of this process, whoever in transformers or mlx-lm asks for one."""

from dataclasses import dataclass
from typing import Any

from mlx_lm.tokenizer_utils import TokenizerWrapper
from transformers.utils import chat_template_utils

from app.engine.templates.arguments import template_text
from app.engine.templates.rendering import TEMPLATES, is_own


@dataclass(frozen=True, slots=True)
class UntrustedTemplateProxy:
    """Stands where transformers expects a compiled template."""

    template: str

    def render(self, /, **context: object) -> str:
        return TEMPLATES.render(self.template, context)


def begin(tokenizer: TokenizerWrapper) -> None:
    """A model is opened with this tokenizer."""
    TEMPLATES.begin(template_text(tokenizer.chat_template))


compile_inside = chat_template_utils._compile_jinja_template
"""transformers' own."""


def compile_elsewhere(template: str) -> Any:
    """What takes its place, since all that is rendered there is compiled by that one function."""
    return compile_inside(template) if is_own(template) else UntrustedTemplateProxy(template)


chat_template_utils._compile_jinja_template = compile_elsewhere
