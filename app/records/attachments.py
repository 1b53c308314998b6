"""Files whose text goes in front of a prompt: how they stand in it, and how they are found in it again."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

FENCE = "`" * 3
_BLOCK = re.compile(r"`([^`\n]+)`:\n(`{3,})\n(.*?)\n\2\n\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file by its name, which has no such mark in it, and the text that it held when it was attached."""

    name: str
    text: str

    @property
    def block(self) -> str:
        """As the model reads it: the name, and the text in a fence that is longer than any in it."""
        longest = max(map(len, re.findall("`{3,}", self.text)), default=0)
        fence = "`" * (longest + 1) if longest else FENCE
        return f"`{self.name}`:\n{fence}\n{self.text}\n{fence}\n\n"


def joined(attached: Iterable[Attachment], text: str) -> str:
    """One prompt: the files in their order, then what was typed."""
    return "".join(each.block for each in attached) + text


def split(prompt: str) -> tuple[tuple[Attachment, ...], str]:
    """The other way round. The two `joined` again are the very prompt, whoever wrote it."""
    attached, place = [], 0
    while (found := _BLOCK.match(prompt, place)) is not None:
        each = Attachment(found[1], found[3])
        if each.block != found[0]:
            break
        attached.append(each)
        place = found.end()
    return tuple(attached), prompt[place:]
