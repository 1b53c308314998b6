"""Step: the device, its keys, and the stack of the engine's own thread."""

import sys
from queue import SimpleQueue

import mlx.core as mx
from PySide6.QtCore import QCoreApplication

from app.bridge.playground import Playground
from app.bridge.runner import STACK_BYTES
from app.engine.echo.engine import EchoEngine
from app.engine.mlx import memory
from app.engine.protocol import Collect, Engine
from tests.bridge.stack import own_stack_bytes
from tests.mac_check.facts import ON_A_MAC, Facts, step
from tests.mac_check.models import opened

KEYS = (
    *("architecture", "device_name", "max_buffer_length"),
    *("max_recommended_working_set_size", "memory_size", "resource_limit"),
)
"""What Metal tells of itself, as far as anybody knows."""


def look(facts: Facts) -> None:
    _stack(facts)
    told = mx.device_info()
    for name, value in sorted(told.items()):
        facts.told(f"device: {name}", value)
    if ON_A_MAC:
        facts.held("runs on Metal", not memory.on_cpu(), mx.default_device())
        facts.held("Metal tells all that is read", not set(KEYS) - set(told), sorted(set(KEYS) - set(told)))
    with opened() as player:
        facts.held("it multiplies", (mx.ones((8, 8)) @ mx.ones((8, 8))).sum().item() == 512, mx.default_device())
        facts.told("memory limit", memory.limit_bytes() / 1e9, "GB")
        facts.told("demo model's precision", f"{player.model.precision}, raised: {player.model.raised}")


def _stack(facts: Facts) -> None:
    """Of the thread that the window's engine gets."""
    application = QCoreApplication([])
    sizes: SimpleQueue[int] = SimpleQueue()

    def make(collect: Collect) -> Engine:
        sizes.put(own_stack_bytes())
        return EchoEngine()

    playground = Playground(make)
    playground.open()
    size = sizes.get(timeout=30)
    playground.close()
    application.quit()
    facts.held("stack of the engine's thread", size >= STACK_BYTES, size >> 10, "KB")


if __name__ == "__main__":
    sys.exit(step(look))
