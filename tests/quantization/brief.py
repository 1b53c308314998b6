"""The child process that quantizes, as the program starts it, but a speed is that of one run."""

import sys

from app.platform.startup import QUANTISE_SWITCH, begin

COMMAND = [sys.executable, "-m", "tests.quantization.brief", QUANTISE_SWITCH]

if __name__ == "__main__":
    begin(sys.argv[1:])

    from app.__main__ import main
    from app.quantization import child

    child.RUNS = 1
    raise SystemExit(main())
