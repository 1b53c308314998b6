"""The child process that serves a model: mlx-lm's server behind our proxy, or mlx's launcher of several processes."""

import os
import sys
import threading
from collections.abc import Callable, Sequence

from app.serving.commands import LAUNCH, SERVER


def main(arguments: Sequence[str]) -> int:
    """Run the program that the first argument names with the other arguments. It ends with its parent process."""
    name, *rest = arguments or ("",)
    found = {SERVER: _serve, LAUNCH: _launch}.get(name)
    if found is None:
        sys.stderr.write(f"sluice: {name!r} is neither {SERVER} nor {LAUNCH}\n")
        return 2
    _leave_with_parent()
    sys.argv = [name, *rest]
    found()
    return 0


def _serve() -> None:
    from app.engine.mlx.loading.library_imports import keep_structure

    keep_structure()
    from mlx_lm import server

    from app.engine.mlx.served import run

    # `main` parses the arguments and calls `run`, which is replaced because it accepts no request handler.
    server.run = run
    server.main()


def _launch() -> None:
    from mlx._distributed_utils.launch import main as launch

    launch()


def _leave_with_parent(leave: Callable[[int], object] = os._exit) -> None:
    """End this process when the parent's pipe closes; each child of the launcher has its own pipe."""
    parent = os.dup(0)
    silent, _ = os.pipe()
    os.dup2(silent, 0)
    os.close(silent)

    def watch() -> None:
        while os.read(parent, 1024):
            pass
        leave(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()
