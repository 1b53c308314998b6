"""Convert a Llama in a GGUF file to a Hugging Face folder in float16: `convert.py GGUF FOLDER`."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import mlx.core as mx
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
GROUP_SIZE = 32
"""Of GGUF's Q4_1 and Q8_0."""
CONTROL_TOKEN = 3
Metadata = dict[str, Any]


def convert(source: Path, folder: Path) -> None:
    """Write the folder under another name first, so that an interrupted conversion leaves nothing that looks whole."""
    tensors, metadata = mx.load(str(source), return_metadata=True)
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    mx.save_safetensors(str(part / "model.safetensors"), weights(tensors, metadata), {"format": "mlx"})
    tokenizer(metadata).save(str(part / "tokenizer.json"))
    for name, content in settings(metadata).items():
        (part / name).write_text(json.dumps(content, indent=1), encoding="utf-8")
    part.rename(folder)


def weights(tensors: dict[str, mx.array], metadata: Metadata) -> dict[str, mx.array]:
    """Return the unpacked weights under their Hugging Face names."""
    found = {}
    for name, tensor in tensors.items():
        base, _, kind = name.rpartition(".")
        if kind != "weight":
            continue
        if f"{base}.scales" in tensors:
            scales, biases = tensors[f"{base}.scales"], tensors[f"{base}.biases"]
            bits = tensor.shape[-1] * 32 // (scales.shape[-1] * GROUP_SIZE)
            tensor = mx.dequantize(tensor, scales, biases, group_size=GROUP_SIZE, bits=bits)
        if base.endswith("attn_q"):
            tensor = split_rotary_halves(tensor, metadata["llama.attention.head_count"].item())
        elif base.endswith("attn_k"):
            tensor = split_rotary_halves(tensor, metadata["llama.attention.head_count_kv"].item())
        found[weight_name(base)] = tensor.astype(mx.float16)
    return found


def split_rotary_halves(tensor: mx.array, heads: int) -> mx.array:
    """Undo llama.cpp's order, in which the two halves of the rotary dimensions alternate."""
    rows, columns = tensor.shape
    return tensor.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def weight_name(base: str) -> str:
    if base == "token_embd":
        return "model.embed_tokens.weight"
    if base == "output_norm":
        return "model.norm.weight"
    _, layer, part = base.split(".")
    return f"model.layers.{layer}.{NAMES[part]}.weight"


def tokenizer(metadata: Metadata) -> Tokenizer:
    texts, kinds = metadata["tokenizer.ggml.tokens"], metadata["tokenizer.ggml.token_type"].tolist()
    merges = [tuple(merge.split(" ")) for merge in metadata["tokenizer.ggml.merges"]]
    made = Tokenizer(models.BPE(vocab={text: number for number, text in enumerate(texts)}, merges=merges))
    digits = pre_tokenizers.Digits(individual_digits=True)
    made.pre_tokenizer = pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])
    made.decoder = decoders.ByteLevel()
    control = [text for text, kind in zip(texts, kinds, strict=True) if kind == CONTROL_TOKEN]
    made.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in control])
    return made


def settings(metadata: Metadata) -> dict[str, dict[str, object]]:
    """Return the contents of the three JSON files."""

    def number(name: str) -> float:
        value: float = metadata[f"llama.{name}"].item()
        return value

    ends = {"bos_token_id": 1, "eos_token_id": 2}
    return {
        "config.json": {
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            "hidden_size": number("embedding_length"),
            "intermediate_size": number("feed_forward_length"),
            "num_hidden_layers": number("block_count"),
            "num_attention_heads": number("attention.head_count"),
            "num_key_value_heads": number("attention.head_count_kv"),
            "rms_norm_eps": 1e-5,
            "rope_theta": number("rope.freq_base"),
            "vocab_size": number("vocab_size"),
            "max_position_embeddings": number("context_length"),
            "tie_word_embeddings": True,
            "torch_dtype": "float16",
            "hidden_act": "silu",
            **ends,
        },
        "generation_config.json": {**ends, "pad_token_id": 2},
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "bos_token": "<|im_start|>",
            "eos_token": "<|im_end|>",
            "pad_token": "<|im_end|>",
            "unk_token": "<|endoftext|>",
            "model_max_length": number("context_length"),
            "clean_up_tokenization_spaces": False,
            "chat_template": metadata["tokenizer.chat_template"],
        },
    }


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
