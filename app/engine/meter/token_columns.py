"""Tokens as columns: some forty bytes for each instead of four hundred, since an answer may have a hundred thousand."""

from array import array

from app.engine.types import TokenLogprobs


class TokenColumns:
    """Grows at its end; who chose a token is told as a small number."""

    def __init__(self) -> None:
        self.ids = array("q")
        self.ats = array("d")
        self.starts = array("q")
        """Where in all that was written each token begins."""
        self.texts: list[str] = []
        self.origins = bytearray()
        self.observed: list[TokenLogprobs | None] = []
        self.written = 0
        """Characters of all of them."""
        self._spelt: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self.ids)

    def add(self, token_id: int, text: str, at: float, origin: int, observed: TokenLogprobs | None) -> None:
        self.ids.append(token_id)
        self.ats.append(at)
        self.starts.append(self.written)
        self.texts.append(self._spelt.setdefault(text, text))
        self.origins.append(origin)
        self.observed.append(observed)
        self.written += len(text)
