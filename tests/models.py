"""Tiny random models as Hugging Face folders, one for each kind of KV cache."""

import json
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

BOS, END_OF_TURN, END_OF_TEXT, START_OF_TURN = "<s>", "<|im_end|>", "<|endoftext|>", "<|im_start|>"
SPECIALS = (END_OF_TEXT, BOS, START_OF_TURN, END_OF_TURN)
VOCABULARY_ROWS = 384

CHAT_TEMPLATE = (
    "{{ bos_token }}"
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)

TEXTS = (
    "The sluice gate opens and the water runs down the old mill race to the sea.",
    "Once upon a time, there was a little girl named Lily who liked to play in the park.",
    "for index in range(10):\n    print(index, index * index)\n",
    "Häuser, Flüsse und Brücken. Съешь же ещё этих мягких булок. 天地玄黃 🙂🙃",
)

READOUTS = ("lm_head.weight", "model.embed_tokens.weight", "model.wte.weight", "model.embedding.weight")
SHAPE = {
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "intermediate_size": 128,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "max_position_embeddings": 2048,
}
"""Of the Llamas and Gemmas."""
LLAMA: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    **SHAPE,
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
    "tie_word_embeddings": False,
}

LLAMA3_SCALING: dict[str, Any] = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 256,
}

GEMMA3: dict[str, Any] = {
    "architectures": ["Gemma3ForCausalLM"],
    "model_type": "gemma3_text",
    **SHAPE,
    "query_pre_attn_scalar": 16,
    "rms_norm_eps": 1e-6,
    "sliding_window": 32,
    "sliding_window_pattern": 2,
}

GEMMA4: dict[str, Any] = {
    "architectures": ["Gemma4ForCausalLM"],
    "model_type": "gemma4_text",
    **SHAPE,
    "global_head_dim": 16,
    "num_kv_shared_layers": 0,
    "hidden_size_per_layer_input": 8,
    "sliding_window": 32,
    "sliding_window_pattern": 2,
}

GPT2: dict[str, Any] = {
    "architectures": ["GPT2LMHeadModel"],
    "model_type": "gpt2",
    "n_ctx": 512,
    "n_embd": 64,
    "n_head": 4,
    "n_layer": 2,
    "n_positions": 512,
    "layer_norm_epsilon": 1e-5,
}

AFM7: dict[str, Any] = {
    "model_type": "afm7",
    "hidden_dim": 64,
    "num_layers": 3,
    "num_kv_reuse_layers": 1,
    "num_heads": 1,
    "num_kv_heads": 1,
}

MAMBA: dict[str, Any] = {
    "architectures": ["MambaForCausalLM"],
    "model_type": "mamba",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "intermediate_size": 128,
    "state_size": 8,
    "conv_kernel": 4,
    "time_step_rank": 4,
    "use_bias": False,
    "use_conv_bias": True,
    "tie_word_embeddings": False,
}


def tiny_llama(folder: Path, **config: Any) -> Path:
    """Write a Llama with plain RoPE and plain KV caches; `config` overrides fields of its config.json."""
    return random_model(folder, LLAMA | config)


def llama3_rope(folder: Path, **config: Any) -> Path:
    """Write a Llama with llama3-scaled RoPE: its frequencies are lazy arrays that `parameters()` doesn't list."""
    return random_model(folder, LLAMA | {"rope_scaling": LLAMA3_SCALING} | config)


def sliding_window(folder: Path, **config: Any) -> Path:
    """Write a Gemma 3 whose first layer has a rotating cache of 32 tokens, which can't be trimmed once full."""
    return random_model(folder, GEMMA3 | config)


def recurrent(folder: Path, **config: Any) -> Path:
    """Write a Mamba, whose state can't be trimmed."""
    return random_model(folder, MAMBA | config)


def mixture(folder: Path, **config: Any) -> Path:
    """Write a Mixtral that selects two of four experts in each layer."""
    return random_model(
        folder, LLAMA | {"model_type": "mixtral", "num_local_experts": 4, "num_experts_per_tok": 2} | config
    )


def two_tables(folder: Path, **config: Any) -> Path:
    """Write a Gemma 4, which has a second embedding for its layers with `vocab_size_per_layer_input` rows."""
    return random_model(folder, GEMMA4 | {"vocab_size_per_layer_input": VOCABULARY_ROWS} | config)


def shared_layers(folder: Path, **config: Any) -> Path:
    """Write an AFM, whose last layers use the cache of another layer."""
    return random_model(folder, AFM7 | config)


def table_of_positions(folder: Path, **config: Any) -> Path:
    """Write a GPT-2, which has a position embedding."""
    return random_model(folder, GPT2 | config)


def byte_level_tokenizer(folder: Path) -> Path:
    """Write a small byte-level BPE with four special tokens, a BOS before every text, and a ChatML template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        TEXTS,
        trainers.BpeTrainer(
            vocab_size=VOCABULARY_ROWS, special_tokens=list(SPECIALS), initial_alphabet=alphabet, show_progress=False
        ),
    )
    bos = (BOS, tokenizer.token_to_id(BOS))
    tokenizer.post_processor = processors.TemplateProcessing(single=f"{BOS} $A", special_tokens=[bos])
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": BOS,
        "eos_token": END_OF_TURN,
        "clean_up_tokenization_spaces": False,
        "model_max_length": 2048,
        "chat_template": CHAT_TEMPLATE,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


def random_model(folder: Path, config: dict[str, Any]) -> Path:
    """Write a model of any architecture whose readout is one of READOUTS."""
    byte_level_tokenizer(folder)
    end_ids = [SPECIALS.index(END_OF_TURN), SPECIALS.index(END_OF_TEXT)]
    config = {"vocab_size": VOCABULARY_ROWS, "bos_token_id": SPECIALS.index(BOS), "eos_token_id": end_ids} | config
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    _save_random_weights(folder, config)
    return folder


def _save_random_weights(folder: Path, config: dict[str, Any]) -> None:
    import mlx.core as mx
    from mlx.utils import tree_flatten

    mx.random.seed(20)
    architecture = import_module(f"mlx_lm.models.{config['model_type']}")
    model = architecture.Model(architecture.ModelArgs.from_dict(config))
    weights = dict(tree_flatten(model.parameters()))
    # The end markers' logit becomes 0, never the largest: at temperature 0 a run lasts as long as its test wants.
    readout = next(weights[name] for name in READOUTS if name in weights)
    readout[mx.array(config["eos_token_id"])] = 0
    mx.save_safetensors(str(folder / "model.safetensors"), weights, {"format": "mlx"})


def shortened(model: Path, folder: Path, context: int) -> Path:
    """Return the same model with this context window."""
    short = Path(shutil.copytree(model, folder / "short"))
    config = json.loads((short / "config.json").read_text())
    (short / "config.json").write_text(json.dumps(config | {"max_position_embeddings": context}))
    return short
