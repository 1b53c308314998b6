"""Texts in scripts that run from right to left, join letters, or stack marks."""

ARABIC = "مرحبا بالعالم، هذا نصّ قصير عن نموذج Sluice وعن 42 رمزًا."
HEBREW = "שלום עולם, זהו טקסט קצר על המודל Sluice ועל 42 סימנים."
DEVANAGARI = "नमस्ते दुनिया, यह क्षेत्र की कहानी है: स्त्री, ज्ञान, कर्म।"
THAI = "สวัสดีชาวโลก นี่คือข้อความสั้นๆ ที่ไม่มีช่องว่างระหว่างคำ"
EMOJI = "A family 👩‍👩‍👧‍👦, a flag 🇰🇷🇺🇦, a pilot 👩🏽‍✈️ and a rainbow 🏳️‍🌈."
SCRIPTS = {"arabic": ARABIC, "hebrew": HEBREW, "devanagari": DEVANAGARI, "thai": THAI, "emoji": EMOJI}
FROM_THE_RIGHT = (ARABIC, HEBREW)
ALL = "\n\n".join(SCRIPTS.values())


def pieces(text: str, size: int) -> list[str]:
    """Cut a text as tokens may do it, also within a grapheme."""
    return [text[at : at + size] for at in range(0, len(text), size)]
