"""Redirects the chat templates of transformers and mlx-lm to the template process."""

from dataclasses import dataclass
from typing import Any

from transformers.utils import chat_template_utils

from app.engine.templates.rendering import TEMPLATES, is_own


@dataclass(frozen=True, slots=True)
class UntrustedTemplateProxy:
    """Replaces the compiled template of transformers."""

    template: str

    def render(self, /, **context: object) -> str:
        return TEMPLATES.render(self.template, context)


compile_inside = chat_template_utils._compile_jinja_template
"""The original function of transformers."""


def compile_elsewhere(template: str) -> Any:
    """Replace the function of transformers that compiles all templates."""
    return compile_inside(template) if is_own(template) else UntrustedTemplateProxy(template)


chat_template_utils._compile_jinja_template = compile_elsewhere
