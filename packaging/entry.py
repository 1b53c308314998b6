"""Where the frozen program begins."""

import multiprocessing

# Before anything else: on a Mac, Python's helper processes are this program started once more.
multiprocessing.freeze_support()

import sys  # noqa: E402

from app.entry import main  # noqa: E402

sys.exit(main())
