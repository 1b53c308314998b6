"""Text files attached to a prompt: their text precedes it, and can be split off again."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

FENCE = "`" * 3
_BLOCK = re.compile(r"`([^`\n]+)`:\n(`{3,})\n(.*?)\n\2\n\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file name, which has no backquote in it, and the file's text when it was attached."""

    name: str
    text: str

    @property
    def block(self) -> str:
        """Text for the model: the name, and the content in a code fence longer than any in it."""
        longest = max(map(len, re.findall("`{3,}", self.text)), default=0)
        fence = "`" * (longest + 1) if longest else FENCE
        return f"`{self.name}`:\n{fence}\n{self.text}\n{fence}\n\n"


def joined(attached: Iterable[Attachment], text: str) -> str:
    """Return one prompt: the files in their order, then the typed text."""
    return "".join(each.block for each in attached) + text


def split(prompt: str) -> tuple[tuple[Attachment, ...], str]:
    """Split a prompt into files and typed text; `joined` restores exactly this prompt."""
    attached, place = [], 0
    while (found := _BLOCK.match(prompt, place)) is not None:
        each = Attachment(found[1], found[3])
        if each.block != found[0]:
            break
        attached.append(each)
        place = found.end()
    return tuple(attached), prompt[place:]
