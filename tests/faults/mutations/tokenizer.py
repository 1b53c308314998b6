"""The tokenizer: holes in its tables, rules that contradict each other, settings that reach too far."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.faults.mutations.mutation import Mutation, Spoil, edit, setting, write

TOKENIZER, SETTINGS = "tokenizer.json", "tokenizer_config.json"
Content = dict[str, Any]
EVIL = 'from pathlib import Path\nPath("RAN").touch()\nEvil = object\n'
SLOW_PATTERN = r"(x+x+)+y"
"""Takes time that doubles with every x."""
PATTERNS = (SLOW_PATTERN, r"(", r"", r"\p{Nonsense}", r"(?R)", r".{100000}")
CLASSES: tuple[Any, ...] = (
    *("LlamaTokenizer", "BertTokenizer", "NewlineTokenizer", "PreTrainedTokenizer", "T5Tokenizer", "evil.Evil"),
    *("../../evil", "", "os.system", 5, [], "TokenizersBackend", "Nobody", "AutoTokenizer"),
)
INNER = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "decoder": "decoders",
    "post_processor": "processors",
}
"""What a sequence of them calls its parts."""
MANY = [f"<{number}>" for number in range(70_000)]
SETTING: dict[str, tuple[Any, ...]] = {
    "auto_map": ({"AutoTokenizer": ["evil.Evil", None]}, {"AutoTokenizer": "other/place--evil.Evil"}, 5),
    "chat_template": (None, 5, [], "{{", [{"name": "default", "template": 5}], [{"x": 1}]),
    "chat_template_type": ("os", "../evil", 5),
    "tool_parser_type": ("os", "../evil", 5),
    "added_tokens_decoder": ({"5000000000": {"content": "x"}}, {"-1": {"content": "x"}}, {"x": {}}, 5),
    "extra_special_tokens": (5, {"think": 5}, {"a": {"b": 1}}, {each: each for each in MANY}),
    "additional_special_tokens": (MANY, [[]], "x"),
    "eos_token": (None, "absent", "", 5, {"content": 5, "__type": "AddedToken"}, "\ud800"),
    "model_max_length": (-1, "x", 1e30, None),
    "tokenizer_file": ("/etc/passwd", "/dev/zero", 5),
    "vocab_file": ("/etc/passwd", 5),
    "name_or_path": ("other/place", 5),
    "backend": ("sentencepiece", 5),
    "trust_remote_code": (True,),
    "local_files_only": (False,),
    "tokenizer_object": (5,),
    "self": (5,),
}


def changed(change: Callable[[Content, Random], object]) -> Spoil:
    """A tokenizer.json of another content."""

    def spoil(folder: Path, luck: Random) -> None:
        def once(content: Content) -> None:
            change(content, luck)

        edit(folder / TOKENIZER, once)

    return spoil


def in_model(**fields: object) -> Spoil:
    return changed(lambda content, luck: content["model"].update(fields))


def whole(**fields: object) -> Spoil:
    return changed(lambda content, luck: content.update(fields))


def holes(content: Content, luck: Random) -> None:
    vocab = content["model"]["vocab"]
    for name in luck.sample(sorted(vocab), len(vocab) // 10):
        del vocab[name]


def cycles(content: Content, luck: Random) -> None:
    names = luck.sample(sorted(content["model"]["vocab"]), 200)
    content["model"]["merges"] = [list(pair) for pair in zip(names, [*names[1:], names[0]], strict=True)] * 2


def million(content: Content, luck: Random) -> None:
    usual = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    content["added_tokens"] += ({"id": 2048 + at, "content": f"<{at}>", **usual} for at in range(1_000_000))


def long_word(content: Content, luck: Random) -> None:
    content["model"]["vocab"]["x" * 20_000_000] = 7


def ids(change: Callable[[int], int]) -> Spoil:
    def spoil(content: Content, luck: Random) -> None:
        vocab = content["model"]["vocab"]
        for name in luck.sample(sorted(vocab), 50):
            vocab[name] = change(vocab[name])

    return changed(spoil)


def added(**fields: object) -> Spoil:
    usual = {"id": 2046, "content": "<x>", "single_word": False, "lstrip": False, "rstrip": False}
    token = usual | {"normalized": False, "special": False} | fields
    return changed(lambda content, luck: content["added_tokens"].append(token))


def code(**fields: object) -> Spoil:
    """With Python code in the folder that must not be run."""

    def spoil(folder: Path, luck: Random) -> None:
        for name in ("evil.py", "tokenization_evil.py", "modeling_evil.py", "__init__.py"):
            write(folder / name, EVIL)
        setting(SETTINGS, **fields)(folder, luck)

    return spoil


def parts() -> Iterator[Mutation]:
    """Normalizer, splitting, decoder, post-processor."""
    for pattern in PATTERNS:
        rule = {"pattern": {"Regex": pattern}}
        split = {"type": "Split", **rule, "behavior": "Isolated", "invert": False}
        shown = pattern[:16]
        yield Mutation(f"tokenizer splits at {shown!r}", whole(pre_tokenizer=split))
        yield Mutation(f"tokenizer replaces {shown!r}", whole(normalizer={"type": "Replace", **rule, "content": "yy"}))
        yield Mutation(
            f"tokenizer's decoder replaces {shown!r}", whole(decoder={"type": "Replace", **rule, "content": "yy"})
        )
    empty = {"type": "Replace", "pattern": {"String": ""}, "content": "x"}
    yield Mutation("tokenizer replaces nothing by something", whole(normalizer=empty))
    yield Mutation("tokenizer's decoder replaces nothing", whole(decoder=empty))
    for name in ("normalizer", "pre_tokenizer", "decoder", "post_processor"):
        yield Mutation(f"tokenizer with no {name}", whole(**{name: None}))
        yield Mutation(f"tokenizer with a {name} of no kind", whole(**{name: {"type": "x"}}))
        nested: Any = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
        for _ in range(100):
            nested = {"type": "Sequence", INNER[name]: [nested]}
        yield Mutation(f"tokenizer with a deep {name}", whole(**{name: nested}))
    template = {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "absent", "type_id": 0}}], "pair": []}
    yield Mutation("tokenizer puts an absent token before", whole(post_processor=template | {"special_tokens": {}}))
    own = {"<s>": {"id": "<s>", "ids": [4_000_000_000], "tokens": ["<s>"]}}
    single = [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    foreign = {"type": "TemplateProcessing", "single": single, "pair": single, "special_tokens": own}
    yield Mutation("tokenizer puts an id of no token before", whole(post_processor=foreign))


def sizes() -> Iterator[Mutation]:
    """Settings that make texts of any length."""
    for length in (10**12, 0):
        pad = {"strategy": {"Fixed": length}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0}
        yield Mutation(f"tokenizer pads to {length}", whole(padding=pad | {"pad_type_id": 0, "pad_token": "x"}))
    for most, stride in ((0, 0), (2, 5)):
        short = {"direction": "Right", "max_length": most, "strategy": "LongestFirst", "stride": stride}
        yield Mutation(f"tokenizer cuts at {most} by {stride}", whole(truncation=short))


def tables() -> Iterator[Mutation]:
    """Vocabulary and merges."""
    yield Mutation("tokenizer with holes", changed(holes))
    yield Mutation("tokenizer whose merges go in a circle", changed(cycles))
    yield Mutation("tokenizer with ids too large", ids(lambda each: each + 4_000_000_000))
    yield Mutation("tokenizer with ids below 0", ids(lambda each: -each - 1))
    yield Mutation("tokenizer with one id for many", ids(lambda each: 7))
    yield Mutation("tokenizer with ids that the model has no row for", ids(lambda each: each + 2048))
    for name, value in (("vocab", {}), ("vocab", None), ("merges", [["a"]]), ("dropout", 1e308), ("type", "Unigram")):
        yield Mutation(f"tokenizer with {name} {value!r}", in_model(**{name: value}))
    yield Mutation("tokenizer with endings", in_model(continuing_subword_prefix="##", end_of_word_suffix="</w>"))
    for number, vocab in enumerate(([], [["", 0.0]], [["a", float("nan")]])):
        pieces = {"type": "Unigram", "unk_id": 0, "vocab": vocab}
        yield Mutation(f"tokenizer of pieces {number}", whole(model=pieces))
    words = {"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "absent", "continuing_subword_prefix": ""}
    yield Mutation("tokenizer of words", whole(model=words | {"max_input_chars_per_word": 100}))
    for token in ({"content": ""}, {"id": 4_000_000_000}, {"id": 0}, {"content": "x" * 10**6}):
        yield Mutation(f"tokenizer with an added token {str(token)[:32]}", added(**token))
    yield Mutation("tokenizer with a million added tokens", changed(million))
    yield Mutation("tokenizer with a word of megabytes", changed(long_word))


def all_of_them() -> Iterator[Mutation]:
    yield from tables()
    yield from parts()
    yield from sizes()
    for name in CLASSES:
        yield Mutation(f"tokenizer of class {name!r}", code(tokenizer_class=name))
    for name, values in SETTING.items():
        for number, value in enumerate(values):
            yield Mutation(f"tokenizer's {name} {number} = {str(value)[:30]!r}", code(**{name: value}))
