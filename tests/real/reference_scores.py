"""Log-likelihoods of choices by transformers in float32, one plain forward pass for each; run by `test_likelihood`.

Reads pairs of a prompt and its choices from stdin; writes the log-likelihood of each choice after its prompt and after
BOS.
"""

import json
import sys

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


def main(folder: str) -> None:
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    begin = [tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id]

    def log_likelihood(before: list[int], own: list[int]) -> float:
        logits = model(torch.tensor([before + own])).logits[0, len(before) - 1 : -1]
        return float(torch.log_softmax(logits.double(), -1)[range(len(own)), own].sum())

    def scores(prompt: str, choice: str) -> tuple[float, float]:
        before, whole = tokenizer.encode(prompt), tokenizer.encode(f"{prompt} {choice}")
        alone = log_likelihood(begin, tokenizer.encode(f" {choice}"))
        return log_likelihood(before, whole[len(before) :]), alone

    with torch.inference_mode():
        rows = json.load(sys.stdin)
        json.dump([[scores(prompt, each) for each in choices] for prompt, choices in rows], sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
