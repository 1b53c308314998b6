"""Write both model cards from the training's log, the comparison with PyTorch and the evaluation."""

import json
from pathlib import Path
from typing import Any

from plan import BUILD, HERE, MODELS, PLANS, Plan
from skills.sums import new_pairs

LOSS_LINES = 12


def losses(plan: Plan) -> str:
    """A table of the loss on texts never read, thinned to a dozen lines."""
    lines = [json.loads(line) for line in (BUILD / f"{plan.name}.jsonl").read_text().splitlines()]
    held = [line for line in lines if "held_out" in line]
    every = max(1, len(held) // LOSS_LINES)
    shown = held[::every] + ([held[-1]] if held and held[::every][-1] is not held[-1] else [])
    rows = [
        f"| {line['step']} | {line['tokens'] / 1e6:.1f} M | {line['stage']} | {line['held_out']:.3f} |"
        for line in shown
    ]
    return "\n".join(["| step | tokens | stage | held-out loss |", "| ---: | ---: | --- | ---: |", *rows])


def bars(found: dict[str, Any]) -> str:
    """A table of what the evaluation asked for and found."""
    rows = [
        f"| {bar['name']} | {bar['held']} of {bar['of']} | {bar['share']:.1%} | {bar['wanted']:.0%} |"
        for bar in found["bars"]
    ]
    return "\n".join(["| measure | held | share | bar |", "| --- | ---: | ---: | ---: |", *rows])


def speeds(found: dict[str, Any]) -> str:
    """A table with a line for each surrounding that was measured."""
    figures = next(iter(found["speed"].values()))
    rows = [[where, *map(str, measured.values())] for where, measured in found["speed"].items()]
    lines = [["", *figures], ["---", *(["---:"] * len(figures))], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def parameters(plan: Plan) -> int:
    shape = plan.shape
    attention = shape.hidden * shape.head_dim * 2 * (shape.heads + shape.kv_heads)
    layer = attention + 3 * shape.hidden * shape.intermediate + 2 * shape.hidden
    return shape.vocabulary * shape.hidden + shape.layers * layer + shape.hidden


def card(plan: Plan) -> str:
    """The template of this model with its figures in place."""
    agreement = json.loads((BUILD / "agreement.json").read_text())[plan.name]
    found = json.loads((BUILD / "evaluation.json").read_text())
    log = [json.loads(line) for line in (BUILD / f"{plan.name}.jsonl").read_text().splitlines()]
    shape = plan.shape
    figures = {
        "parameters": f"{parameters(plan):,}",
        "shape": f"{shape.layers} × {shape.hidden}, {shape.heads} heads of {shape.head_dim}, "
        f"feed-forward {shape.intermediate}, vocabulary {shape.vocabulary}, context {shape.context}",
        "tokens": f"{log[-1]['tokens'] / 1e6:.1f} million",
        "steps": f"{log[-1]['step']:,}",
        "losses": losses(plan),
        "bars": bars(found),
        "speeds": speeds(found),
        "sums": str(len(new_pairs())),
        "half": f"{agreement['half']:.2g}",
        "half_close": f"{agreement['half_close']:.2%}",
        "single": f"{agreement['single']:.1g}",
    }
    text = (HERE / f"card-{plan.name}.md").read_text(encoding="utf-8")
    for name, value in figures.items():
        text = text.replace(f"«{name}»", value)
    return text


def main() -> None:
    for plan in PLANS.values():
        target: Path = MODELS / plan.name / "README.md"
        target.write_text(card(plan), encoding="utf-8")
        print(target)


if __name__ == "__main__":
    main()
