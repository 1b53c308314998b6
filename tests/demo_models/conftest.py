"""Lets the tests import the code that makes the demo models."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "packaging" / "demo_models"))
