"""`sluice why` as tests ask for it."""

from pathlib import Path

from app.ceiling.command import main
from app.engine.mlx.engine import MlxEngine


class Staying(MlxEngine):
    """Its thread is that of the next test too."""

    def close(self) -> None:
        self.unload()


def run(demo: Path, *arguments: object) -> int:
    return main(list(map(str, arguments)), Staying, demo)
