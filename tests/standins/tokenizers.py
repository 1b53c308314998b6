"""Tokenizers of four families, trained on a page in a moment: what they share with the large ones is how they work."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.standins.words import LINES

TEMPLATES = Path(__file__).parent / "templates"
VOCABULARY = 1_500
WORDS = r"(?i:'(?:s|t|re|ve|m|ll|d))|[^\r\n\p{L}\p{N}]?\p{L}+|%s| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
"""Contractions, words with what stands before them, numbers, signs, line ends and spaces are apart from each other."""
LLAMA_SPECIALS = ("begin_of_text", "end_of_text", "finetune_right_pad_id", "start_header_id", "end_header_id", "eot_id")
QWEN_SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
QWEN_WORDS = ("<tool_call>", "</tool_call>", "<think>", "</think>")
"""Tokens of their own that are no special ones."""
MISTRAL_SPECIALS = ("<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[TOOL_CALLS]", "[TOOL_RESULTS]")
T5_SPECIALS = ("<pad>", "</s>", "<unk>", *(f"<extra_id_{number}>" for number in range(99, 89, -1)))


def like_llama(folder: Path) -> None:
    """Byte-level BPE, a BOS in front of every text, numbers by three digits; its template is a file of its own."""
    from tokenizers import processors

    names = [f"<|{name}|>" for name in LLAMA_SPECIALS]
    tokenizer = _byte_level(names, r"\p{N}{1,3}")
    begin = processors.TemplateProcessing(
        single=f"{names[0]} $A", special_tokens=[(names[0], tokenizer.token_to_id(names[0]))]
    )
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), begin])
    _save(tokenizer, folder, bos_token=names[0], eos_token="<|eot_id|>", clean_up_tokenization_spaces=True)
    (folder / "chat_template.jinja").write_text(_template("meta-llama-Llama-3.2-3B-Instruct"), "utf-8")


def like_qwen(folder: Path) -> None:
    """Byte-level BPE of composed characters, with no BOS, numbers by the digit, and marks for thoughts and calls."""
    from tokenizers import normalizers, processors

    tokenizer = _byte_level(QWEN_SPECIALS, r"\p{N}")
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.post_processor = processors.ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=False)
    tokenizer.add_tokens(list(QWEN_WORDS))
    settings: dict[str, Any] = {"tokenizer_class": "Qwen2Tokenizer", "bos_token": None, "eos_token": "<|im_end|>"}
    template = _template("Qwen-Qwen3-0.6B")
    _save(tokenizer, folder, **settings, pad_token="<|endoftext|>", add_bos_token=False, chat_template=template)


def like_mistral(folder: Path) -> None:
    """SentencePiece's BPE: one sign for a space, also in front of the text, and bytes for characters it lacks."""
    from tokenizers import Tokenizer, decoders, pre_tokenizers, processors

    tokenizer = Tokenizer(_falling_back_to_bytes())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.add_special_tokens(list(MISTRAL_SPECIALS))
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    settings: dict[str, Any] = {"tokenizer_class": "LlamaTokenizer", "legacy": False, "add_prefix_space": True}
    marks = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    template = _template("of_tokenizers/mistral-7b-instruct-v0.3")
    _save(tokenizer, folder, **settings, **marks, add_bos_token=True, chat_template=template)


def like_t5(folder: Path) -> None:
    """A unigram model of an encoder: it ends its texts, knows no other characters than its own, and has no template."""
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.train_from_iterator(
        LINES,
        trainers.UnigramTrainer(
            vocab_size=VOCABULARY, special_tokens=list(T5_SPECIALS), unk_token="<unk>", show_progress=False
        ),
    )
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    marks = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    _save(tokenizer, folder, tokenizer_class="T5Tokenizer", extra_ids=10, **marks)


MAKERS: dict[str, Callable[[Path], None]] = {
    "llama3.2-instruct": like_llama,
    "qwen3": like_qwen,
    "mistral-7b-instruct-v0.3": like_mistral,
    "t5-small": like_t5,
}


def _byte_level(specials: Sequence[str], numbers: str) -> Any:
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORDS % numbers), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        LINES, trainers.BpeTrainer(vocab_size=VOCABULARY, initial_alphabet=alphabet, show_progress=False)
    )
    tokenizer.add_special_tokens(list(specials))
    return tokenizer


def _falling_back_to_bytes() -> Any:
    """A BPE of words, with a token for each byte put in front of what was learned."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    trained = Tokenizer(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.Metaspace()
    trained.train_from_iterator(LINES, trainers.BpeTrainer(vocab_size=VOCABULARY, show_progress=False))
    learned = json.loads(trained.to_str())["model"]
    names = [*MISTRAL_SPECIALS, *(f"<0x{byte:02X}>" for byte in range(256)), *learned["vocab"]]
    vocabulary = {name: place for place, name in enumerate(names)}
    merges = [tuple(merge) for merge in learned["merges"]]
    return models.BPE(vocabulary, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)


def _template(name: str) -> str:
    return (TEMPLATES / f"{name}.jinja").read_text("utf-8")


def _save(tokenizer: Any, folder: Path, **settings: Any) -> None:
    folder.mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    defaults = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": False,
        "model_max_length": 2048,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(defaults | settings), "utf-8")
