"""What the inspector has of the text and of the graph, where its tokens are seen as well."""

from __future__ import annotations

from typing import Protocol


class PointedText(Protocol):
    """Tokens go by the index of their turn and their place in it."""

    def mark_token(self, index: int, place: int | None) -> None: ...

    def point_token(self, index: int, place: int | None) -> None: ...

    def mark_stretch(self, index: int, first: int | None, last: int | None) -> None: ...

    def reveal_token(self, index: int, place: int) -> None: ...


class PointedGraph(Protocol):
    """Tokens go by their index in the run that is shown."""

    def point_token(self, index: int | None) -> None: ...
