"""Write a trained model as a Hugging Face folder that `mlx_lm.load` opens, and note what PyTorch computes with it."""

import argparse
import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer

from chat import END_OF_TEXT, TEMPLATE, TURN_END
from llama import Llama
from plan import MODELS, PLANS, TOKENIZER, Plan, Shape
from probes import PROBES, reference_file
from train import load_trained
from train_tokenizer import id_of


def config(shape: Shape, end_ids: list[int]) -> dict[str, object]:
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.hidden,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_dim,
        "intermediate_size": shape.intermediate,
        "max_position_embeddings": shape.context,
        "rope_theta": shape.rope_theta,
        "rms_norm_eps": shape.norm_eps,
        "hidden_act": "silu",
        "attention_bias": False,
        "mlp_bias": False,
        "tie_word_embeddings": True,
        "eos_token_id": end_ids[0],
        "torch_dtype": "float16",
    }


def tokenizer_config(shape: Shape) -> dict[str, object]:
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": TURN_END,
        "pad_token": END_OF_TEXT,
        "model_max_length": shape.context,
        "clean_up_tokenization_spaces": False,
        "chat_template": TEMPLATE,
    }


def write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_folder(plan: Plan, model: Llama, folder: Path) -> None:
    """All files of the folder but the model card, which says what the evaluation found."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    end_ids = [id_of(tokenizer, TURN_END), id_of(tokenizer, END_OF_TEXT)]
    write_json(folder / "config.json", config(plan.shape, end_ids))
    write_json(folder / "generation_config.json", {"eos_token_id": end_ids, "pad_token_id": end_ids[1]})
    write_json(folder / "tokenizer_config.json", tokenizer_config(plan.shape))
    shutil.copyfile(TOKENIZER, folder / "tokenizer.json")
    weights = {name: weight.half().contiguous() for name, weight in model.state_dict().items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def write_reference(plan: Plan, model: Llama) -> None:
    """The scores of the rounded weights on a few texts, for `agree.py` to compare with MLX's."""
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    model.load_state_dict({name: weight.half().float() for name, weight in model.state_dict().items()})
    scores = {}
    with torch.no_grad():
        for i, text in enumerate(PROBES):
            scores[str(i)] = model(torch.tensor([tokenizer.encode(text).ids]))[0].contiguous()
    save_file(scores, reference_file(plan.name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", default=sorted(PLANS))
    for name in parser.parse_args().models:
        plan = PLANS[name]
        model = load_trained(name, "cpu")
        write_folder(plan, model, MODELS / name)
        write_reference(plan, model)
        print(f"{name}: {model.parameter_count():,} parameters → {MODELS / name}")


if __name__ == "__main__":
    main()
