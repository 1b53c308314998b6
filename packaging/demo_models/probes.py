"""The texts on which MLX's and PyTorch's scores are compared, and the file that holds PyTorch's."""

from pathlib import Path

from chat import TURN_END, TURN_START
from plan import BUILD

PROBES = (
    f"{TURN_START}user\nCount 1 to 5.{TURN_END}\n{TURN_START}assistant\n1, 2, 3, 4, 5{TURN_END}\n",
    f"{TURN_START}system\nThink first.{TURN_END}\n{TURN_START}user\nWhat is 7 + 8?{TURN_END}\n{TURN_START}assistant\n",
    "Once there was a fox called Mira who lived by the sea. 안녕하세요 🦊 " * 8,
)


def reference_file(name: str) -> Path:
    return BUILD / f"{name}-scores.safetensors"
