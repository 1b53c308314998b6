"""Check that MLX computes with an exported model what PyTorch computed."""

import argparse
import json
from dataclasses import asdict, dataclass
from typing import Any

import mlx.core as mx
from mlx_lm import load

from plan import BUILD, MODELS, PLANS
from probes import PROBES, reference_file

SINGLE_LIMIT = 1e-3
# Half precision rounds scores near 30 to steps of 1/64, whoever computes: PyTorch's own half precision is up to 0.03
# away from its single precision here. So nearly all scores must be this close, not every one.
HALF_LIMIT = 2e-2
HALF_SHARE = 0.99


@dataclass(frozen=True, slots=True)
class Agreement:
    """The largest differences of any score, and how many scores are close in half precision."""

    single: float
    half: float
    half_close: float

    @property
    def holds(self) -> bool:
        return self.single <= SINGLE_LIMIT and self.half_close >= HALF_SHARE


def gaps(name: str, half: bool) -> mx.array:
    """How far each score of each probe is from PyTorch's."""
    model, tokenizer = load(str(MODELS / name))[:2]
    model.set_dtype(mx.float16 if half else mx.float32)
    expected: Any = mx.load(str(reference_file(name)))
    found = []
    for i, text in enumerate(PROBES):
        ids = mx.array(tokenizer.encode(text, add_special_tokens=False))[None]
        found.append(mx.abs(model(ids)[0].astype(mx.float32) - expected[str(i)]).flatten())
    return mx.concatenate(found)


def agreement(name: str) -> Agreement:
    single: Any = gaps(name, half=False)
    half: Any = gaps(name, half=True)
    return Agreement(single.max().item(), half.max().item(), (half <= HALF_LIMIT).mean().item())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", default=sorted(PLANS))
    found = {name: agreement(name) for name in parser.parse_args().models}
    told = {name: asdict(agreed) for name, agreed in found.items()}
    (BUILD / "agreement.json").write_text(json.dumps(told, indent=2) + "\n")
    print(json.dumps(told, indent=2))
    apart = [name for name, agreed in found.items() if not agreed.holds]
    if apart:
        raise SystemExit(f"MLX and PyTorch differ: {', '.join(apart)}")


if __name__ == "__main__":
    main()
