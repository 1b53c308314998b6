"""Lets the tests import the code that freezes the program."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "packaging"))
sys.path.append(str(Path(__file__).parent))
