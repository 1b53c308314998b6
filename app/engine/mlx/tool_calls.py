"""Tool calls in an answer, parsed by mlx-lm's own parsers. A model's text is untrusted input."""

import threading
from collections.abc import Callable, Iterable
from typing import Any

from mlx_lm.tokenizer_utils import TokenizerWrapper

from app.engine.tools import LONGEST_CALL, MOST_CALLS, call_of, too_long, tools_of
from app.engine.types import Channel, ChatPrompt, PromptSource, ToolCall, VisibleText
from app.i18n import tr

STACK_BYTES = 1 << 24
"""Some parsers use Python's own parser, which overflows a smaller stack on nested brackets."""


class ToolCalls:
    """Collects the text of the tool-call channel; each section of it is a call."""

    def __init__(self, tokenizer: TokenizerWrapper, source: PromptSource) -> None:
        self._parse: Callable[[str, Any], Any] | None = tokenizer.tool_parser
        self._source = source
        self._texts: list[str] = []
        self._end = -1

    def see(self, shown: Iterable[VisibleText]) -> None:
        for piece in shown:
            if piece.voice is not Channel.TOOL:
                continue
            if self._texts and piece.start == self._end:
                self._texts[-1] += piece.text
            else:
                self._texts.append(piece.text)
            self._end = piece.start + len(piece.text)

    def read(self) -> tuple[ToolCall, ...]:
        """Return all calls of an answer that has ended."""
        parse, texts = self._parse, self._texts[:MOST_CALLS]
        if parse is None or not texts:
            return ()
        tools = tools_of(self._source.tools) if isinstance(self._source, ChatPrompt) else None
        found: list[ToolCall] = []
        threading.stack_size(STACK_BYTES)  # applies to all later threads, which only use what they need
        reader = threading.Thread(target=lambda: found.extend(_calls(texts, parse, tools)))
        reader.start()
        reader.join()
        return tuple(found[:MOST_CALLS])


def _calls(texts: list[str], parse: Callable[[str, Any], Any], tools: list[Any] | None) -> Iterable[ToolCall]:
    for text in texts:
        if len(text) > LONGEST_CALL:
            yield too_long(text)
            continue
        try:
            said = parse(text, tools)
            calls = [call_of(each, text) for each in (said if isinstance(said, list) else [said])]
        except Exception as error:  # a parser may raise anything on untrusted text
            why = tr("mlx-lm can't read this call: {why}").format(why=f"{type(error).__name__}: {error}"[:200])
            yield ToolCall("", "{}", text, why)
        else:
            yield from calls
