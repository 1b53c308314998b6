"""What can be gone through: the tokens of the last run, or those of a text that is typed."""

from __future__ import annotations

RUN, TEXT = "run", "text"
