"""Text files attached to a prompt: their text precedes the prompt, and can be split off again."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

FENCE = "`" * 3
_BLOCK = re.compile(r"`([^`\n]+)`:\n(`{3,})\n(.*?)\n\2\n\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attached file: its name, without backquotes, and its text at that time."""

    name: str
    text: str

    @property
    def block(self) -> str:
        """Return the text for the model: the name, and the content in a code fence longer than any inside."""
        longest = max(map(len, re.findall("`{3,}", self.text)), default=0)
        fence = "`" * (longest + 1) if longest else FENCE
        return f"`{self.name}`:\n{fence}\n{self.text}\n{fence}\n\n"


def join_attachments(attached: Iterable[Attachment], text: str) -> str:
    """Join attached files, in their order, and the typed text to one prompt."""
    return "".join(each.block for each in attached) + text


def split(prompt: str) -> tuple[tuple[Attachment, ...], str]:
    """Split a prompt into attached files and typed text; inverse of `join_attachments`."""
    attached, index = [], 0
    while (found := _BLOCK.match(prompt, index)) is not None:
        each = Attachment(found[1], found[3])
        if each.block != found[0]:
            break
        attached.append(each)
        index = found.end()
    return tuple(attached), prompt[index:]
