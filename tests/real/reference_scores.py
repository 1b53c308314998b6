"""Log-likelihoods of choices by transformers in float32, a forward pass without a cache for each row, padded at the
end, which a causal model doesn't see; run by `test_likelihood`.

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

    def log_likelihoods(pairs: list[tuple[list[int], list[int]]]) -> list[float]:
        ids = torch.zeros((len(pairs), max(len(before) + len(own) for before, own in pairs)), dtype=torch.long)
        for row, (before, own) in enumerate(pairs):
            ids[row, : len(before) + len(own)] = torch.tensor(before + own)
        found = []
        for (before, own), logits in zip(pairs, model(ids).logits, strict=True):
            chances = torch.log_softmax(logits[len(before) - 1 : len(before) + len(own) - 1].double(), -1)
            found.append(float(chances[range(len(own)), own].sum()))
        return found

    def scores(prompt: str, choices: list[str]) -> list[tuple[float, float]]:
        before = tokenizer.encode(prompt)
        whole = [tokenizer.encode(f"{prompt} {each}")[len(before) :] for each in choices]
        alone = [tokenizer.encode(f" {each}") for each in choices]
        found = log_likelihoods([*((before, own) for own in whole), *((begin, own) for own in alone)])
        return list(zip(found[: len(choices)], found[len(choices) :], strict=True))

    with torch.inference_mode():
        rows = json.load(sys.stdin)
        json.dump([scores(prompt, choices) for prompt, choices in rows], sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
