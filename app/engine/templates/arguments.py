"""Finds the arguments of a chat template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from app.engine.types import ArgumentKind, TemplateArgument

if TYPE_CHECKING:
    from jinja2 import nodes

CALLS_OWN = frozenset(
    {"self", "conversation", "conversations", "messages", "tools", "documents", "chat_template", "tokenize"}
    | {"add_generation_prompt", "continue_final_message", "sanitize_control_tokens", "padding", "truncation"}
    | {"max_length", "return_tensors", "return_dict", "return_assistant_tokens_mask", "tokenizer_kwargs"}
)
"""Parameters of `apply_chat_template`, which are not passed to a template."""
GIVEN = CALLS_OWN | {"message", "loop", "caller"}
MOST_ARGUMENTS = 64
"""Maximum number of arguments, and of choices of one. Real templates have a dozen."""
LONGEST_NAME = 100


def template_text(template: str | Mapping[str, str] | None) -> str:
    """Return the template for plain chats; some models have several. Empty if there is none."""
    if isinstance(template, Mapping):
        return template.get("default", "")
    return template or ""


def inspected(template: str) -> tuple[TemplateArgument, ...]:
    """Return the variables that a caller may set, such as `enable_thinking`, with their use.

    Variables of tools and special tokens are left out. A name that the template sets itself counts only if that is a
    default. This compiles the template and evaluates constants: never do it with an untrusted template in this process.
    """
    from jinja2 import meta, nodes

    from app.engine.templates.environment import environment  # imported late, for a faster startup

    made = environment()
    tree = made.parse(template)
    stored = {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}
    own = {name for name in stored if not _has_default(template, name)}
    asked = meta.find_undeclared_variables(tree) - own - GIVEN - set(made.globals)
    tree = made.parse(template)  # parsed again, because find_undeclared_variables changes the tree
    names = sorted(name for name in asked if "tool" not in name and not name.endswith("_token"))
    return tuple(_argument_of(name, tree) for name in _usable_names(names))


def _usable_names(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(islice((word for word in words if len(word) <= LONGEST_NAME), MOST_ARGUMENTS))


def _has_default(template: str, name: str) -> bool:
    asks_first = rf"\b{name} is (not defined|undefined)|\bnot {name} is defined|\b{name} if {name} is defined"
    return re.search(rf"{asks_first}|\b{name}\s*\|\s*default", template) is not None


def _argument_of(name: str, tree: nodes.Template) -> TemplateArgument:
    constants = [value for value in _constants_beside(name, tree) if value is not None]
    words = _usable_names(dict.fromkeys(value for value in constants if isinstance(value, str)))
    if _is_structure(name, tree):
        return TemplateArgument(name, ArgumentKind.STRUCTURE)
    if any(isinstance(value, bool) for value in constants) or (not constants and _is_only_condition(name, tree)):
        return TemplateArgument(name, ArgumentKind.SWITCH)
    if any(isinstance(value, int | float) for value in constants):
        return TemplateArgument(name, ArgumentKind.NUMBER)
    # A single constant is a default for any text; several are the values that the template distinguishes.
    return TemplateArgument(name, ArgumentKind.TEXT, words if len(words) > 1 else ())


def _constants_beside(name: str, tree: nodes.Template) -> Iterator[object]:
    """Yield constants that the argument is compared with, replaced by, or tested for."""
    from jinja2 import nodes

    for compare in tree.find_all(nodes.Compare):
        sides = (compare.expr, *(operand.expr for operand in compare.ops))
        if any(_is_name(side, name) for side in sides):
            found = (constant for side in sides for constant in (side, *side.find_all(nodes.Const)))
            yield from (constant.value for constant in found if isinstance(constant, nodes.Const))
    for stored in tree.find_all(nodes.Assign):
        if _is_name(stored.target, name) and isinstance(stored.node, nodes.Const):
            yield stored.node.value
    for applied in tree.find_all(nodes.Filter):
        if applied.name in ("default", "d") and applied.node is not None and _is_name(applied.node, name):
            yield from (given.value for given in applied.args if isinstance(given, nodes.Const))
    for test in tree.find_all(nodes.Test):
        if _is_name(test.node, name) and test.name in ("true", "false", "boolean"):
            yield True


def _is_structure(name: str, tree: nodes.Template) -> bool:
    from jinja2 import nodes

    looked_into = [
        *(each.node for each in tree.find_all(nodes.Getattr)),
        *(each.node for each in tree.find_all(nodes.Getitem)),
        *(each.iter for each in tree.find_all(nodes.For)),
        *(each.expr for each in tree.find_all(nodes.Operand) if each.op in ("in", "notin")),
    ]
    return any(_is_name(each, name) for each in looked_into)


def _is_only_condition(name: str, tree: nodes.Template) -> bool:
    from jinja2 import nodes

    conditions = [
        *(each.test for each in tree.find_all(nodes.If)),
        *(each.test for each in tree.find_all(nodes.CondExpr)),
    ]
    asked = {id(each) for condition in conditions for each in (condition, *condition.find_all(nodes.Name))}
    uses = [each for each in tree.find_all(nodes.Name) if each.name == name and each.ctx == "load"]
    return all(id(each) in asked for each in uses)


def _is_name(node: nodes.Node, name: str) -> bool:
    from jinja2 import nodes

    return isinstance(node, nodes.Name) and node.name == name
