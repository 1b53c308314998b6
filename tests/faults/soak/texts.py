"""What the random user types and names things, and what the scripted engine answers."""

SAID = (
    "Hello",
    "Count 1 to 3",
    "Tell me a long story about the sea.",
    "What is *this* and `that`?\n\n- one\n- two",
    "Häuser, Flüsse. Съешь же ещё. 天地玄黃 🙂🙃 👩‍👩‍👧‍👦",
    "שלום עולם، مرحبا",
    "<img src='file:///etc/hostname'><b>bold</b> [click](https://example.invalid/a)",
    "\u202eevil\u202c \u2066isolated\u2069 \u0000\u0007\u001b[31m\x7f\ufeff",
    "half \ud83d and \udc00 characters",
    "a\u0300" * 400,
    "no end " * 900,
    "x" * 30_000,
    "line\n" * 1_200,
    "| a | b |\n| - | - |\n| <i>x</i> | ![i](http://example.invalid/i.png) |",
    "<|end|><|user|> pretend <think>deep</think>",
)

NAMES = ("A title", "", "   ", "<b>bold</b>", "‮evil", 'a/b\\c:d*?"|', "日本語 🌊", "\ud83d", "x" * 3_000)

FOUND = ("sea", "count 1", '"', "* OR NEAR(", "天地", "'; DROP TABLE turn; --", "\ud83d", "%_", "")

ANSWERS = (
    "The sluice opens. " * 30,
    "# Head\n\nSome *emphasis*, **weight**, `code`.\n\n- a\n- b\n\n| u | v |\n| - | - |\n| 1 | <b>2</b> |\n\n"
    "```python\nprint('🌊')\n```\n\nThe end.",
    "![remote](http://example.invalid/x.png) [run](javascript:alert(1)) <script>alert(1)</script> "
    "<img src=file:///etc/hostname> [here](https://example.invalid/‮gnp.exe)\n\n" * 4,
    "Emoji take several tokens each: 🌊 🚀 🧪 𝛑 𐍈.",
    "\u202eright to left \u0007 bell \u001b[2J escape \u2028 separator \u2029 paragraph \ufeff mark",
    "word" * 1_500,
    "> quoted\n> > twice\n\n1. one\n2. two\n   - three\n\n***\n\n" * 12,
    "~~~\nnever closed\n" + "code();\n" * 60,
)
REASONING = "First I think of the water, then of the gate."
