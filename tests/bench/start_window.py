"""A process that is the program as it is launched, with somebody at it who types at once; it tells when what was there.

usage: start_window.py FOLDER BEGAN WHAT [MODEL]    seconds since BEGAN on a line each, or when it is at rest
"""

import sys

from app.platform.startup import limit_malloc_arenas, preload_blas

if __name__ == "__main__":
    preload_blas()  # as the program does, before it imports anything

from app.__main__ import build

PROMPT = "Tell me about rivers."


def main(folder: str, began: float, what: str, *model: str) -> None:
    """Nothing of Qt's is imported before the program does it in its own way."""
    limit_malloc_arenas()
    window = build(["--data-dir", folder, *(f"--model={each}" for each in model)])
    from tests.bench.start_typist import rest, type_at_once

    if what == "rest":
        rest(window)
    type_at_once(window, PROMPT, began)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), *sys.argv[3:])
