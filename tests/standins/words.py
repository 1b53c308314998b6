"""What the tokenizers of the stand-ins are trained on: a page of many scripts, of code, numbers and signs."""

LINES = (
    "Hi\nQuestion\nHi\nQuestion\nHi\nQuestion\nHello\nOnce\nUser\nSure\n",
    "The quick brown fox jumps over the lazy dog, and the dog doesn't mind: it's been a long day.",
    "Hello there! Hi! Hello, world. Once upon a time there was a mill and a miller.",
    "Tell me: why is the sky blue? Be brief. Why? Because the light is scattered, and blue is scattered most.",
    "The sluice gate opens, the water runs down the old mill race, and the wheel begins to turn again.",
    "Sure, I'll say that. We've seen what they'd do; you're right, he'll come, and I'm glad that she hasn't left.",
    "x + x = 2 x, x - x = 0, x * x.",
    "Count from 1 to 10: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10. In 2026 there were 1,234.56 of them, or 3.5 °C more.",
    "for index in range(10):\n    if index % 2 == 0:\n        print(index, index * index)\n\n\treturn {'key': None}\n",
    '<a href="x">link</a> {"name": "value", "list": [1, 2, 3]} # comment // other /* block */ $ & @ ~ ^ | \\ `',
    "user assistant system model tool User: Assistant: Today: Question and answer.",
    "Zürich, Häuser, Flüsse und Brücken; Übergröße, naïve café, señor, garçon, Łódź, København, Ærø.",
    "Съешь же ещё этих мягких булок, да выпей чаю. Привет! Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
    "天地玄黄，宇宙洪荒。你好，世界！こんにちは、世界。カタカナ。안녕하세요, 세계! 다람쥐 헌 쳇바퀴에 타고파.",
    "नमस्ते दुनिया। สวัสดีชาวโลก שלום עולם مرحبا بالعالم გამარჯობა Բարեւ",
    "🙂🙃🦊 fox, 👍🏽 thumb, 👨\u200d👩\u200d👧\u200d👦 family, 🇩🇪 flag — “quotes”, ‘more’, … and ½ × ¾ ≠ 1 €.",
)
