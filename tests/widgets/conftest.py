"""What widget tests share, until all of them stand in the rooms of tests/ui."""

from tests.ui.conftest import theme

__all__ = ["theme"]
