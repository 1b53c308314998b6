"""A tokenizer enters the engine only if each of its parts has bounds, and what enters keeps to them."""

import base64
import json
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from app.engine.refusal import RefusedError
from app.engine.tokenizers import check as tokenizer_check
from app.engine.tokenizers import files as tokenizer_files
from app.engine.tokenizers.check import Bounds, check_opened, check_parts, check_tokenizer
from tests.engine import made_tokenizers as tokenizers
from tests.engine.tokenizer_child import Child
from tests.examples import at_most
from tests.standins.samples import Samples

Content = dict[str, Any]

TEN = {"type": "Replace", "pattern": {"String": "Q"}, "content": "Q" * 10}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
CHARACTERS = {"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": False}
TEMPLATE: Content = {"single": [{"Sequence": {"id": "A", "type_id": 0}}], "pair": [], "special_tokens": {}}


def in_sequence(name: str, parts: list[Content]) -> Content:
    return {"type": "Sequence", name: parts}


def nested(name: str, depth: int) -> Content:
    return {"type": "Sequence", name: [nested(name, depth - 1)]} if depth else {"type": "NFC"}


AS_BYTES = in_sequence("pretokenizers", [{"type": "ByteLevel"}, {"type": "ByteLevel", "add_prefix_space": False}])


def charsmap(*texts: bytes) -> str:
    return base64.b64encode(struct.pack("<I", 8) + bytes(8) + b"\0".join(texts)).decode()


HOSTILE: dict[str, Content] = {
    "nine that grow tenfold": {"normalizer": in_sequence("normalizers", [TEN] * 9)},
    "a decoder alike": {"decoder": in_sequence("decoders", [TEN] * 9)},
    "growth by splits": {"pre_tokenizer": in_sequence("pretokenizers", [CHARACTERS, METASPACE] * 8)},
    "a pattern that never ends": {"normalizer": {**TEN, "pattern": {"Regex": "(x+x+)+y"}}},
    "a pattern by the square": {"pre_tokenizer": {**CHARACTERS, "pattern": {"Regex": "a+b"}}},
    "nothing replaced by something": {"normalizer": {**TEN, "pattern": {"String": ""}}},
    "every place replaced": {"normalizer": {**TEN, "pattern": {"Regex": "a*"}}},
    "a square in a normalizer": {"normalizer": {**TEN, "pattern": {"Regex": r"\s+$"}}},
    "two kinds of pattern": {"normalizer": {**TEN, "pattern": {"String": "a", "Regex": "b"}}},
    "a long beginning": {"normalizer": {"type": "Prepend", "prepend": "x" * 100}},
    "a table of long texts": {"normalizer": {"type": "Precompiled", "precompiled_charsmap": charsmap(b"x" * 100)}},
    "no table": {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "????"}},
    "a part of no known kind": {"normalizer": {"type": "Evil"}},
    "a part without a kind": {"decoder": {"decoders": [TEN]}},
    "a field of no known name": {"normalizer": {"type": "NFC", "alias": "x"}},
    "a part that is none": {"normalizer": 5},
    "a part of another place": {"pre_tokenizer": {"type": "NFC"}},
    "parts in parts": {"normalizer": nested("normalizers", 20)},
    "a thousand parts": {"normalizer": in_sequence("normalizers", [{"type": "Nmt"}] * 1_000)},
    "parts that are no list": {"normalizer": {"type": "Sequence", "normalizers": {}}},
    "a text put there twice": {
        "post_processor": {"type": "TemplateProcessing", **TEMPLATE, "single": TEMPLATE["single"] * 2}
    },
    "a crowd put before": {
        "post_processor": {
            "type": "TemplateProcessing",
            **TEMPLATE,
            "special_tokens": {"<s>": {"id": "<s>", "ids": [1] * 9_999, "tokens": ["<s>"] * 9_999}},
        }
    },
    "chance": {"model": {"type": "BPE", "dropout": 0.1, "vocab": {}, "merges": []}},
    "chance by pieces": {"model": {"vocab": [["a", 0.0]], "alpha": 0.1, "nbest_size": 9}},
    "words of any length": {"model": {"type": "WordPiece", "vocab": {}, "max_input_chars_per_word": 10**9}},
    "a long affix": {"model": {"type": "BPE", "end_of_word_suffix": "x" * 100, "vocab": {}, "merges": []}},
    "a long word": {"model": {"type": "BPE", "vocab": {"x" * 5_000: 0}, "merges": []}},
    "a long piece": {"model": {"vocab": [["x" * 600, 0.0]]}},
    "a long added token": {"added_tokens": [{"id": 0, "content": "x" * 2_000}]},
    "added tokens that grow": {
        "normalizer": TEN,
        "added_tokens": [{"content": f"{at:09}" * 99} for at in range(1_200)],
    },
    "a crowd of added tokens": {"added_tokens": [{"content": str(at), "normalized": False} for at in range(150_001)]},
    "words in another file": {"model": {"type": "WordPiece", "vocab": "/dev/zero"}},
    "a forest of pieces": {"model": {"vocab": [[f"{at:09}" * 50, 0.0] for at in range(20_000)]}},
}


def folder_with(folder: Path, **files: object) -> Path:
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / f"{name}.json").write_text(text, "utf-8")
    return folder


def refusal_of(folder: Path) -> str:
    with pytest.raises(RefusedError) as refused:
        check_tokenizer(folder)
    assert refused.value.failure.todo
    return refused.value.failure.what


@pytest.mark.parametrize("name", tokenizers.NAMES)
def test_tokenizers_of_every_family_are_admitted(name: str, samples: Samples) -> None:
    folder = samples.path(f"tokenizers/{name}")
    check_tokenizer(folder)
    assert check_opened(tokenizers.load(folder)).allow("Once upon a time")


@pytest.mark.parametrize("name", ["stories260k", "tinystories-656k-4bit"])
def test_tokenizers_of_models_are_admitted(name: str, samples: Samples) -> None:
    check_tokenizer(samples.path(f"models/{name}"))


def test_the_bundled_ones_are_admitted(demo_model: Path, demo_draft: Path, tiny_llama: Path) -> None:
    for folder in (demo_model, demo_draft, tiny_llama):
        check_tokenizer(folder)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_part_without_bounds_is_refused(name: str, tmp_path: Path) -> None:
    folder_with(tmp_path, tokenizer={"version": "1.0", **HOSTILE[name]})
    assert "not opened" in refusal_of(tmp_path) or "draws lots" in refusal_of(tmp_path)


def test_what_is_refused_was_read_by_no_library() -> None:
    code = "import sys, app.engine.tokenizers.check\nprint({'tokenizers', 'transformers', 'mlx'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '"x"',
        "[" * 100_000,
        '{"normalizer": ' * 100_000,
        "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    ],
)
def test_what_is_no_json_is_told(text: str, tmp_path: Path) -> None:
    assert "tokenizer.json" in refusal_of(folder_with(tmp_path, tokenizer=text))


def test_of_two_fields_of_one_name_none_is_hidden(tmp_path: Path) -> None:
    """The library takes the first normalizer where the second is null, and Python's reader the second."""
    hidden = json.dumps({"normalizer": HOSTILE["nine that grow tenfold"]["normalizer"]})[:-1] + ', "normalizer": null}'
    assert "tokenizer.json could not be read" in refusal_of(folder_with(tmp_path, tokenizer=hidden))


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("tokenizer_config", {"fast_tokenizer_files": ["tokenizer.4.0.0.json"]}),
        ("tokenizer_config", {"gguf_file": "x.gguf"}),
        ("tokenizer_config", {"extra_ids": 10**9}),
        ("tokenizer_config", {"offset": 1e9}),
        ("tokenizer_config", {"init_inputs": ["x"]}),
        ("tokenizer_config", {"tokenizer_padding": {"length": 10**12}}),
        ("special_tokens_map", {"tokenizer_file": "/elsewhere/tokenizer.json"}),
        ("special_tokens_map", {"tokenizer_object": "x"}),
        ("special_tokens_map", {"eos_token": {"content": "x" * 2_000}}),
        ("tokenizer_config", {"additional_special_tokens": ["x" * 2_000]}),
        ("tokenizer_config", {"added_tokens_decoder": {"5": {"content": "x" * 2_000}}}),
        ("added_tokens", {"x" * 2_000: 5}),
        ("tokenizer_config", {"added_tokens_decoder": {str(at): {"content": "x" * 999} for at in range(1_100)}}),
        ("added_tokens", {f"{at:09}" * 99: at for at in range(1_200)}),
    ],
)
def test_nothing_leads_past_the_file(file: str, content: Content, tmp_path: Path) -> None:
    folder_with(tmp_path, tokenizer={"version": "1.0", "normalizer": TEN}, **{file: content})
    assert "not opened" in refusal_of(tmp_path)


def test_settings_that_lead_nowhere_are_let_be(tmp_path: Path) -> None:
    settings_of: Content = {
        "init_inputs": [],
        "tokenizer_file": None,
        "extra_ids": 100,
        "add_bos_token": True,
        "eos_token": "</s>",
    }
    marks = {"eos_token": "</s>", "additional_special_tokens": ["<a>"]}
    check_tokenizer(folder_with(tmp_path, tokenizer_config=settings_of, special_tokens_map=marks))


def test_a_crowd_of_added_tokens_is_let_be(tmp_path: Path) -> None:
    """Models that speak have one for each sound, at which no normalizer is."""
    sounds: list[Content] = [{"id": at, "content": f"<|audio_{at:05}|>", "normalized": False} for at in range(66_000)]
    kept = {str(each["id"]): each for each in sounds}
    for each in (sounds, [{**sound, "normalized": True} for sound in sounds]):
        content = {"normalizer": TEN if each is sounds else None, "pre_tokenizer": AS_BYTES, "added_tokens": each}
        check_tokenizer(folder_with(tmp_path, tokenizer=content, tokenizer_config={"added_tokens_decoder": kept}))


# Vocabularies in other files.


def field(number: int, content: bytes) -> bytes:
    size, length = len(content), b""
    while size >= 0x80:
        length, size = length + bytes([size & 0x7F | 0x80]), size >> 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + content


def sentencepiece(*pieces: bytes, table: bytes = b"") -> bytes:
    return b"".join(field(1, field(1, piece) + b"\x15\0\0\0\0\x18\x01") for piece in pieces) + field(3, field(2, table))


TABLE = base64.b64decode(charsmap(b"ab", b"c"))
OTHERS: dict[str, tuple[str, bytes, bool]] = {
    "pieces": ("tokenizer.model", sentencepiece(b"a", b"bc", table=TABLE), True),
    "a long piece": ("tokenizer.model", sentencepiece(b"a" * 1_000), False),
    "a table of long texts": ("spiece.model", sentencepiece(b"a", table=base64.b64decode(charsmap(b"x" * 99))), False),
    "lines": ("x.tiktoken", b"YQ== 0\nYmM= 1\n", True),
    "a long line": ("tiktoken.model", b"A" * 10_000 + b" 0\n", False),
    "too much work": ("tokenizer.model", (b"A" * 500 + b" 0\n") * 1_000, False),
    "a forest of pieces": ("tokenizer.model", (b"A" * 9 + b" 0\n") * 900_000, False),
    "words": ("vocab.json", b'{"a": 0, "bc": 1}', True),
    "a long word": ("vocab.json", json.dumps({"a" * 1_000: 0}).encode(), False),
    "Mistral's own": ("tekken.json", b"{}", False),
}


@pytest.mark.parametrize("name", OTHERS)
def test_vocabularies_in_other_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer_files, "MOST_WORK", 200_000_000 if "forest" in name else 10_000_000)
    file, content, admitted = OTHERS[name]
    (tmp_path / file).write_bytes(content)
    if admitted:
        check_tokenizer(tmp_path)
    else:
        assert "not opened" in refusal_of(tmp_path)


def test_a_real_sentencepiece_model_is_read(tmp_path: Path) -> None:
    from sentencepiece import SentencePieceTrainer

    lines = iter(["some words and more of them", "and others, that are words too"] * 50)
    with (tmp_path / "tokenizer.model").open("wb") as file:
        SentencePieceTrainer.train(sentence_iterator=lines, model_writer=file, vocab_size=22, minloglevel=2)
    check_tokenizer(tmp_path)
    assert list(tokenizer_files._fields((tmp_path / "tokenizer.model").read_bytes()))


NAMES = st.sampled_from(
    [
        *(
            "normalizer",
            "pre_tokenizer",
            "decoder",
            "post_processor",
            "model",
            "added_tokens",
            "type",
            "content",
            "Regex",
        ),
        *("normalizers", "pretokenizers", "decoders", "processors", "pattern", "String", "vocab", "merges", "single"),
        *(
            "special_tokens",
            "Sequence",
            "ids",
            "tokens",
            "id",
            "replacement",
            "precompiled_charsmap",
            "prepend",
            "length",
        ),
    ]
)
WORDS = st.sampled_from(
    [
        "Sequence",
        "Replace",
        "Prepend",
        "Split",
        "Metaspace",
        "Precompiled",
        "TemplateProcessing",
        "BPE",
        "",
        "▁",
        "\ud800",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES | WORDS, inner, max_size=5),
    max_leaves=30,
)


DEEP: list[Any] = []
for _ in range(400):
    DEEP = [DEEP]


@at_most(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example({"added_tokens": DEEP}, {"eos_token": DEEP})
@given(
    st.dictionaries(NAMES, JSON), st.dictionaries(NAMES | st.sampled_from(["eos_token", "added_tokens_decoder"]), JSON)
)
def test_whatever_stands_there_is_admitted_or_refused(tmp_path: Path, content: Content, config: Content) -> None:
    folder_with(tmp_path, tokenizer=content, tokenizer_config=config, added_tokens=config)
    try:
        check_tokenizer(tmp_path)
    except RefusedError as refused:
        assert refused.failure.what and refused.failure.todo


# Tokenizers that are open.

OF_TRANSFORMERS = (
    *("CodeLlamaTokenizer", "CohereTokenizer", "GPT2Tokenizer", "GPTNeoXTokenizer", "GemmaTokenizer"),
    *("LlamaTokenizer", "Qwen2Tokenizer", "T5Tokenizer", "BertTokenizer", "XLMRobertaTokenizer", "DebertaV2Tokenizer"),
)


@pytest.mark.parametrize("name", OF_TRANSFORMERS)
def test_what_transformers_puts_together_is_admitted(name: str) -> None:
    """Of nothing: what stays are the parts that it gives to all models of that kind."""
    import transformers

    assert check_opened(getattr(transformers, name)()).growth >= 1


class Opened:
    """A wrapper as transformers makes it."""

    def __init__(self, backend: object) -> None:
        self.backend_tokenizer = backend


def test_a_tokenizer_that_was_put_together_is_checked_too() -> None:
    from tokenizers import Tokenizer, models, normalizers

    tokenizer = Tokenizer(models.BPE())
    assert check_opened(Opened(tokenizer)) == Bounds()
    tokenizer.normalizer = normalizers.Sequence([normalizers.Replace("Q", "Q" * 10)] * 9)
    with pytest.raises(RefusedError, match="not opened"):
        check_opened(Opened(tokenizer))


def test_parts_in_python_are_refused() -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    class Own:
        def pre_tokenize(self, text: object) -> None:
            """Whatever it likes."""

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.PreTokenizer.custom(Own())
    with pytest.raises(RefusedError, match="not opened"):
        check_opened(Opened(tokenizer))
    with pytest.raises(RefusedError, match="runs in Python"):
        check_opened(Opened(None))


def test_texts_that_are_too_long_are_told_before() -> None:
    assert Bounds(2.0).allow("x" * 1_000_000)
    assert not Bounds(256.0).allow("x" * 1_000_000)
    squared = Bounds(squared=True)
    assert squared.allow("word 12 " * 100_000)
    assert not squared.allow("word" + " " * 30_000) and not squared.allow("1" * 30_000)
    assert squared.allow("x" * 30_000), "only spaces and digits"


# Whatever is admitted keeps to its bounds.

MARKS = st.text("a Q▁\n一\u0301", max_size=4)
PATTERNS = st.one_of(
    st.builds(lambda text: {"String": text}, MARKS),
    st.builds(
        lambda text: {"Regex": text}, st.sampled_from(["a", "a+", " {2,}", r"\s+", ".", "[^a]", "Q?", r"\s+$", "a|Q+"])
    ),
)
FLAG = st.booleans()


def kind(name: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Content]:
    return st.fixed_dictionaries({"type": st.just(name), **fields})


REPLACE = kind("Replace", pattern=PATTERNS, content=st.one_of(MARKS, st.just("Q" * 10)))
NORMALIZERS = st.one_of(
    *map(kind, ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Nmt", "StripAccents", "ByteLevel")),
    kind("BertNormalizer", clean_text=FLAG, handle_chinese_chars=FLAG, strip_accents=FLAG, lowercase=FLAG),
    kind("Strip", strip_left=FLAG, strip_right=FLAG),
    kind("Prepend", prepend=MARKS),
    REPLACE,
    REPLACE,
)
BYTES = {"add_prefix_space": FLAG, "trim_offsets": FLAG, "use_regex": FLAG}
SIGNS = st.sampled_from(["▁", "a", " ", "𝕏"])
BEHAVIORS = st.sampled_from(["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"])
SCHEMES = st.sampled_from(["always", "first", "never"])
SPLITS = st.one_of(
    *map(kind, ("BertPreTokenizer", "UnicodeScripts", "Whitespace", "WhitespaceSplit")),
    kind("ByteLevel", **BYTES),
    kind("CharDelimiterSplit", delimiter=SIGNS),
    kind("Digits", individual_digits=FLAG),
    kind("FixedLength", length=st.integers(1, 9)),
    kind("Metaspace", replacement=SIGNS, prepend_scheme=SCHEMES, split=FLAG),
    kind("Punctuation", behavior=BEHAVIORS),
    kind("Split", pattern=PATTERNS, behavior=BEHAVIORS, invert=FLAG),
)
DECODERS = st.one_of(
    *map(kind, ("ByteFallback", "Fuse")),
    kind("BPEDecoder", suffix=MARKS),
    kind("ByteLevel", **BYTES),
    kind("CTC", pad_token=MARKS, word_delimiter_token=MARKS, cleanup=FLAG),
    kind("Metaspace", replacement=SIGNS, prepend_scheme=SCHEMES, split=FLAG),
    kind("Strip", content=SIGNS, start=st.integers(0, 9), stop=st.integers(0, 9)),
    kind("WordPiece", prefix=MARKS, cleanup=FLAG),
    REPLACE,
)


def several(parts: st.SearchStrategy[Content], name: str) -> st.SearchStrategy[Content]:
    return st.recursive(
        parts, lambda inner: st.lists(inner, max_size=9).map(lambda each: in_sequence(name, each)), max_leaves=12
    )


CUTS: Content = {"type": "WordLevel", "vocab": {"a": 0, "Q": 1, "▁": 2, " ": 3, "<0x0A>": 4, "?": 5}, "unk_token": "?"}
UNITS = st.text("aAQ \n.1▁一ﷺİΐ\u0301é", min_size=1, max_size=3)
TEXT_BYTES = 60_000
MOST_CPU_S = 3.0


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    with Child() as child:
        yield child


@at_most(40, suppress_health_check=[HealthCheck.too_slow])
@given(several(NORMALIZERS, "normalizers"), several(SPLITS, "pretokenizers"), st.lists(UNITS, min_size=1, max_size=3))
@example(in_sequence("normalizers", [TEN, TEN]), CHARACTERS, ["Q"])
@example(HOSTILE["nine that grow tenfold"]["normalizer"], CHARACTERS, ["Q"])
def test_what_is_admitted_grows_no_more_than_it_says(
    child: Child, normalizer: Content, split: Content, units: list[str]
) -> None:
    content = {"version": "1.0", "normalizer": normalizer, "pre_tokenizer": split, "model": CUTS}
    try:
        bounds = check_parts(content)
    except RefusedError:
        return
    size = int(TEXT_BYTES / max(1.0, bounds.growth / 10))
    texts = [unit * max(1, size // len(unit.encode())) for unit in units]
    told = child.run(tokenizer=json.dumps(content), texts=[each for each in texts if bounds.allow(each)])
    assert told, content
    assert told["cpu_s"] < MOST_CPU_S, content
    for text, made in zip(texts, told["sizes"], strict=False):
        assert made <= len(text.encode()) * bounds.growth + 64, content


@at_most(50, suppress_health_check=[HealthCheck.too_slow])
@given(several(DECODERS, "decoders"), st.lists(st.integers(0, 5), min_size=1, max_size=3))
@example(HOSTILE["a decoder alike"]["decoder"], [1])
def test_what_is_decoded_grows_no_more_than_it_may(child: Child, decoder: Content, ids: list[int]) -> None:
    content = {"version": "1.0", "decoder": decoder, "model": CUTS}
    try:
        check_parts(content)
    except RefusedError:
        return
    told = child.run(tokenizer=json.dumps(content), ids=ids * 10_000)
    assert told, content
    assert told["cpu_s"] < MOST_CPU_S, content
    most = (
        len(ids) * 10_000 * max(len(word.encode()) + 1 for word in CUTS["vocab"]) * tokenizer_check.MOST_DECODED_GROWTH
    )
    assert told["sizes"][0] <= most, content


def test_the_child_sees_what_the_check_prevents() -> None:
    """Without it these end the process."""
    thousand = [{**TEN, "content": "Q" * 1_000}] * 9
    normalizers, decoders = in_sequence("normalizers", thousand), in_sequence("decoders", thousand)
    for part, question in (({"normalizer": normalizers}, {"texts": ["Q"]}), ({"decoder": decoders}, {"ids": [1]})):
        content = {"version": "1.0", "model": CUTS, **part}
        with pytest.raises(RefusedError):
            check_parts(content)
        with Child() as alone:
            assert not alone.run(tokenizer=json.dumps(content), **question)


def test_a_stranger_is_refused_before_anything_is_opened(demo_model: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(demo_model, tmp_path / "stranger")
    content = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    folder_with(folder, tokenizer=content | HOSTILE["nine that grow tenfold"])
    assert "not opened" in refusal_of(folder)
