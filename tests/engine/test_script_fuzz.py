import ast
import dataclasses
import math
import types
from dataclasses import replace
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.engine.script import can_stream, python_script, streaming
from app.engine.script.lookup import LOOKUP
from app.engine.script.python import BEHIND_PROMPT, FULL_FLOAT32, HELD, SET_DTYPE, STOP, TEXT_OF, TOP_N_SIGMA
from app.engine.script.reasoning import BRIEFLY, OPENS
from app.engine.templates.arguments import CALLS_OWN
from app.engine.types import (
    KV,
    ChatPrompt,
    DraftModel,
    ExactPrompt,
    Message,
    Model,
    RawPrompt,
    Request,
    Role,
    Sampling,
    TemplateCall,
)

Strategy = st.SearchStrategy[Any]

CODE = "__import__('os').system('id')"
HOSTILE = (
    *(f"x={CODE}, y", f"x\n{CODE}\n#", f"# \r{CODE}", f"\x0c{CODE}", f'"""\n{CODE}\n"""', f"'){CODE}#", f'"){CODE}#'),
    *(f"\\\n{CODE}", "$(id) `id` '; id; '", "--trust-remote-code", "-1", "-", "\x1b[201~\nid\n", "\x03\nid\n"),
    *("a\x00b", "\ud800", "\u2028\u202e\x85\x1c\ufeff", "class", "None", "__debug__", "ﬁle", "𝐝𝐞𝐟", "not a name", ""),
    *("enable_thinking", *sorted(CALLS_OWN)),
)
TEXTS = st.sampled_from(HOSTILE) | st.text(max_size=6)
WHOLE = st.sampled_from((0, 1, -1, 2**31, 2**63, 2**64, -(2**70))) | st.integers()
FOLDERS = st.builds(lambda text: Path("/models") / text.replace("\x00", ""), TEXTS) | st.builds(
    lambda text: Path(f"/cache/models--{text}--x/snapshots/{text}".replace("\x00", "")), TEXTS
)
OWN_NAMES = frozenset(
    {"mx", "model", "tokenizer", "draft_model", "prompt", "messages", "text", "stops", "ids", "response", "sequence"}
    | {"logits", "sampler", "processors", "process", "each", "_", "form", "matcher", "held", "layer"}
    | {"briefly", "budget", "first", "shown", "begins_thinking", "vocabulary", "Lookup", "set_dtype"}
)
TEMPLATE = "tokenizer.apply_chat_template"
CALLED = frozenset(
    {"load", "stream_generate", "make_sampler", "make_logits_processors", "make_prompt_cache", "with_prompt", "text_of"}
    | {"top_n_sigma", "Lookup", "set_dtype"}
    | {"print", "len", "float", "sampler", "process", "ids.append", "text.removesuffix", "mx.array", "mx.logsumexp"}
    | {"mx.random.seed", "mx.disable_compile", "model.set_dtype", "draft_model.set_dtype", "model"}
    | {TEMPLATE, "tokenizer.encode", "tokenizer.add_eos_token"}
    | {"sampler(logits - mx.logsumexp(logits, keepdims=True)).item"}
    | {"LLMatcher", "from_tokenizer", "sorted", "matcher.consume_tokens", "model.modules", "processors.append"}
)
READ = frozenset(
    {"mx.float32", "mx.uint32", "mx.random", "layer.scale", "response.token", "tokenizer.eos_token_ids"}
    | {"tokenizer.bos_token_id", "tokenizer._tokenizer", "mx.float16", "mx.bfloat16"}
)
IMPORTED = frozenset(
    {"import mlx.core as mx", "from mlx_lm import load, stream_generate", "from mlx_lm import load"}
    | {"from mlx.utils import tree_map_with_path", "from mlx_lm.models.cache import make_prompt_cache"}
    | {"from mlx_lm.sample_utils import make_sampler", "from mlx_lm.sample_utils import make_logits_processors"}
    | {"from mlx_lm.sample_utils import make_logits_processors, make_sampler"}
    | {"import numpy as np", "from llguidance import LLMatcher", "from llguidance.hf import from_tokenizer"}
)
KEYWORDS = frozenset(
    {"revision", "temp", "top_p", "min_p", "min_tokens_to_keep", "top_k", "xtc_probability", "xtc_threshold"}
    | {"xtc_special_tokens", "logit_bias", "repetition_penalty", "repetition_context_size", "presence_penalty"}
    | {"presence_context_size", "frequency_penalty", "frequency_context_size", "max_kv_size", "kv_bits"}
    | {"kv_group_size", "quantized_kv_start", "max_tokens", "sampler", "logits_processors", "prompt_cache"}
    | {"draft_model", "num_draft_tokens", "prefill_step_size", "add_special_tokens", "keepdims", "eos_token"}
    | {"adapter_path"}
)
PLAIN = (
    *(ast.Constant, ast.List, ast.Dict, ast.Tuple, ast.UnaryOp, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Starred),
    *(ast.Load, ast.Store, ast.Subscript, ast.Slice, ast.Compare, ast.Lt, ast.In, ast.ListComp, ast.comprehension),
    *(ast.For, ast.While, ast.If, ast.Break, ast.Assign, ast.AugAssign, ast.Expr, ast.alias),
)
LOOP = f"for response in ():\n{STOP}"
STREAMED = f"for response in ():\n{streaming.PRINTED}\n{streaming.STOP}"
PRECISION = "\n".join(FULL_FLOAT32)
STATEMENTS = (
    *(TEXT_OF, BEHIND_PROMPT, TOP_N_SIGMA, SET_DTYPE, HELD, BRIEFLY, f"begins_thinking = {OPENS}", LOOP, PRECISION),
    *(STREAMED, streaming.FIGURES, LOOKUP),
)
FIXED = frozenset(
    ast.dump(node)
    for whole in (statement for text in STATEMENTS for statement in ast.parse(text).body)
    for node in ([whole] if isinstance(whole, ast.FunctionDef | ast.ClassDef) else getattr(whole, "body", [whole]))
)
"""Functions and loops that have nothing of a run in them."""


@cache
def of(hint: Any) -> Strategy:
    """Values of a declared type, with what an enemy would put there."""
    if hint in KNOWN:
        return KNOWN[hint]
    items = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return st.one_of([of(item) for item in items])
    if get_origin(hint) is tuple and Ellipsis in items:
        return st.lists(of(items[0]), max_size=3).map(tuple)
    if get_origin(hint) is tuple:
        return st.tuples(*map(of, items))
    if issubclass(hint, Enum):
        return st.sampled_from(hint)
    hints = get_type_hints(hint)
    return st.builds(hint, **{field.name: of(hints[field.name]) for field in dataclasses.fields(hint)})


KNOWN: dict[Any, Strategy] = {
    str: TEXTS,
    int: WHOLE,
    float: st.floats() | st.sampled_from((0.0, -0.0, 1.0)),
    bool: st.booleans(),
    bytes: st.binary(max_size=2),
    type(None): st.none(),
    Path: FOLDERS,
    Model: st.builds(
        Model,
        *(TEXTS, FOLDERS, TEXTS, st.just(1), st.just(1), st.none() | WHOLE, st.just(9), st.just(())),
        draft=st.none() | st.builds(DraftModel, TEXTS, FOLDERS, st.just(1), st.just(1), st.booleans()),
        on_cpu=st.booleans(),
        tf32=st.none() | st.booleans(),
        raised=st.booleans(),
        reasoning=st.none() | st.tuples(TEXTS, TEXTS),
    ),
}
BARE = Model("m", Path("/m"), "", 1, 1, None, 9, ())
ASKED = ChatPrompt((Message(Role.USER, "Why?"),), arguments=((f"x={CODE}, y", 1),))
NAMED = replace(ASKED, arguments=(("class", math.nan), ("tokenize", False), ("deep", 1), ("deep", 2)))
TOLD = ExactPrompt("", (), (), (), notes=(f"a\n{CODE}", f"\x85{CODE}\r{CODE}"), call=TemplateCall(ASKED.messages))
BIASED = Sampling(math.inf, logit_bias=((1, -math.inf), (2, math.nan)), repetition_penalty=math.nan)


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@example(Request(ASKED), None, BARE, True)
@example(Request(NAMED), None, BARE, True)
@example(Request(ASKED, BIASED), TOLD, BARE, True)
@example(Request(RawPrompt("x"), BIASED, kv=KV(enabled=False)), None, BARE, True)
@given(of(Request), of(ExactPrompt | None), of(Model), st.booleans())
def test_script_of_any_values_has_only_our_statements(
    request: Request, prompt: ExactPrompt | None, model: Model, seeded: bool
) -> None:
    streams = seeded and can_stream(request)
    script = python_script(request, prompt, model, seeded=seeded, streams=streams)
    assert all(character == "\n" or character.isprintable() for character in script), "a comment could end its line"
    tree = ast.parse(script)
    assert isinstance(tree.body[0], ast.Expr)
    assert isinstance(tree.body[0].value, ast.Constant)
    for statement in tree.body[1:]:
        check(statement)
    if isinstance(request.prompt, ChatPrompt):
        asked = prompt.call if prompt and prompt.call else None
        given = dict(asked.arguments if asked else request.prompt.arguments)
        wanted = {name: repr(value) for name, value in given.items() if name not in CALLS_OWN}
        assert template_arguments(tree) == wanted


def check(node: ast.AST) -> None:
    if ast.dump(node) in FIXED:
        return
    match node:
        case ast.Import() | ast.ImportFrom():
            assert ast.unparse(node) in IMPORTED
            return
        case ast.Call():
            check_call(node)
            return
        case ast.Name():
            assert node.id in OWN_NAMES
        case ast.Attribute():
            assert ast.unparse(node) in READ
        case ast.Expr():
            assert isinstance(node.value, ast.Call)
        case _:
            assert isinstance(node, PLAIN), ast.unparse(node)
    for child in ast.iter_child_nodes(node):
        check(child)


def check_call(node: ast.Call) -> None:
    called = ast.unparse(node.func)
    assert called in CALLED
    for name in (keyword.arg for keyword in node.keywords):
        assert called == TEMPLATE or name in KEYWORDS
    if called == "float":
        assert ast.literal_eval(node.args[0]) in ("nan", "inf", "-inf")
    for each in (*node.args, *(keyword.value for keyword in node.keywords)):
        check(each)


def template_arguments(tree: ast.Module) -> dict[str, str]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == TEMPLATE]
    assert len(calls) == 1
    found: dict[str, str] = {}
    for keyword in calls[0].keywords:
        value = eval(ast.unparse(keyword.value), {"__builtins__": {"float": float}})
        for name, each in ({keyword.arg: value} if keyword.arg is not None else value).items():
            assert name not in found
            assert isinstance(name, str)
            found[name] = repr(each)
    own = {name: found.pop(name) for name in [*found] if name in CALLS_OWN}
    assert own.items() <= {
        *(("add_generation_prompt", "True"), ("continue_final_message", "True"), ("tokenize", "False"), ("tools", "[]"))
    }
    return found
