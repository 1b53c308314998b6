"""Train one demo model: seeded, resumable, with its loss on texts it never reads written down as it goes."""

import argparse
import json
import time
from collections.abc import Iterable
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

from corpus import STAGES
from llama import Llama
from muon import Muon
from pack import Batch, batch
from plan import BUILD, PLANS, SEED, TOKENIZER, Phase, Plan
from train_tokenizer import load_or_learn

CHECKPOINT_S = 120
LOG_STEPS = 50
HELD_OUT_STEPS = 250
HELD_OUT_BATCHES = 4
CLIP = 1.0
DRIFT_PRICE = 1e-4


def weighted_loss(scores: Tensor, given: Batch) -> Tensor:
    """Cross-entropy of the tokens that count, in nats."""
    losses = F.cross_entropy(scores.flatten(0, 1).float(), given.targets.flatten(), reduction="none")
    weights = given.weights.flatten()
    return (losses * weights).sum() / weights.sum()


def drift(scores: Tensor) -> Tensor:
    """A small price on scores that drift away from zero together, since half precision is coarse far out."""
    return DRIFT_PRICE * scores.logsumexp(-1).square().mean()


def taught_loss(scores: Tensor, teacher: Tensor, given: Batch) -> Tensor:
    """How far the scores are from a teacher's, token by token."""
    losses = F.kl_div(scores.log_softmax(-1), teacher.log_softmax(-1), reduction="none", log_target=True).sum(-1)
    return (losses * given.weights).sum() / given.weights.sum()


def load_trained(name: str, device: str) -> Llama:
    """A model as its last checkpoint has it."""
    model = Llama(PLANS[name].shape).to(device)
    state = torch.load(BUILD / f"{name}.pt", map_location=device, weights_only=True)
    model.load_state_dict(state["model"])
    return model.eval()


def optimizers(model: nn.Module, rate: float) -> list[torch.optim.Optimizer]:
    """Muon turns the layers' matrices, AdamW the embedding and the norms."""
    matrices = [p for name, p in model.named_parameters() if p.ndim == 2 and "embed" not in name]
    others = [p for name, p in model.named_parameters() if p.ndim != 2 or "embed" in name]
    return [
        Muon(matrices, lr=rate),
        torch.optim.AdamW(others, lr=rate, weight_decay=0.01, betas=(0.9, 0.95), fused=True),
    ]


class Training:
    """The state of one run: model, optimizers, how far it is."""

    def __init__(self, plan: Plan, folder: Path, device: str, compiled: bool) -> None:
        torch.manual_seed(0)
        self.plan, self.device = plan, device
        self.checkpoint, self.log = folder / f"{plan.name}.pt", folder / f"{plan.name}.jsonl"
        self.tokenizer: Tokenizer = load_or_learn(TOKENIZER)
        self.model = Llama(plan.shape).to(device)
        self.run: nn.Module = torch.compile(self.model, dynamic=False) if compiled else self.model
        self.optimizers = optimizers(self.model, plan.peak_rate)
        self.teachers = {phase.teacher: load_trained(phase.teacher, device) for phase in self.teaching()}
        self.step = self.tokens = 0
        if self.checkpoint.exists():
            self.resume()

    def teaching(self) -> list[Phase]:
        """The phases with a teacher, where that is trained already."""
        return [phase for phase in self.plan.phases if phase.teacher and (BUILD / f"{phase.teacher}.pt").exists()]

    def resume(self) -> None:
        state = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
        self.model.load_state_dict(state["model"])
        for optimizer, saved in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)
        self.step, self.tokens = state["step"], state["tokens"]

    def save(self) -> None:
        """Write beside the old checkpoint and swap, so that a kill leaves a whole one."""
        state = {
            "model": self.model.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "step": self.step,
            "tokens": self.tokens,
        }
        fresh = self.checkpoint.with_suffix(".new")
        torch.save(state, fresh)
        fresh.replace(self.checkpoint)

    def read(self, seed: str) -> Batch:
        phase = self.plan.phase_at(self.step)
        found = batch(self.tokenizer, seed, STAGES[phase.stage], phase.rows, phase.length)
        return Batch(*(part.to(self.device) for part in (found.inputs, found.targets, found.weights, found.mask)))

    def loss(self, given: Batch) -> Tensor:
        scores = self.run(given.inputs, given.mask)
        teacher = self.teachers.get(self.plan.phase_at(self.step).teacher)
        if teacher is None:
            return weighted_loss(scores, given) + drift(scores)
        with torch.no_grad():
            taught = teacher(given.inputs, given.mask)
        return taught_loss(scores, taught, given) + drift(scores)

    def learn(self) -> float:
        """One step on the texts that belong to it."""
        given = self.read(f"{SEED}:{self.step}")
        loss = self.loss(given)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = self.plan.rate_at(self.step)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        self.step += 1
        self.tokens += given.inputs.numel()
        return loss.item()

    @torch.no_grad()
    def held_out_loss(self) -> float:
        """The loss on texts of the present stage from a seed that is never trained on."""
        given = (self.read(f"held-out:{i}") for i in range(HELD_OUT_BATCHES))
        return sum(weighted_loss(self.run(b.inputs, b.mask), b).item() for b in given) / HELD_OUT_BATCHES

    def note(self, **figures: float | str) -> None:
        line = json.dumps({"step": self.step, "tokens": self.tokens, **figures})
        print(line, flush=True)
        with self.log.open("a") as log:
            log.write(line + "\n")


def mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


def train(training: Training) -> None:
    """Step until the plan is done, noting losses and saving now and then."""
    saved = since = time.monotonic()
    losses: list[float] = []
    before = training.tokens
    while training.step < training.plan.steps:
        stage = training.plan.phase_at(training.step).stage
        losses.append(training.learn())
        if training.step % LOG_STEPS == 0:
            speed = (training.tokens - before) / (time.monotonic() - since)
            training.note(stage=stage, loss=round(mean(losses), 4), tokens_per_s=round(speed))
            losses, before, since = [], training.tokens, time.monotonic()
        if training.step % HELD_OUT_STEPS == 0:
            stage = training.plan.phase_at(training.step).stage  # the next step's, as held_out_loss reads
            training.note(stage=stage, held_out=round(training.held_out_loss(), 4))
        if time.monotonic() - saved > CHECKPOINT_S:
            training.save()
            saved = time.monotonic()
    training.save()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=sorted(PLANS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--compile", action="store_true", help="faster where a C++ compiler is at hand")
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    BUILD.mkdir(exist_ok=True)
    train(Training(PLANS[chosen.model], BUILD, device, chosen.compile))


if __name__ == "__main__":
    main()
