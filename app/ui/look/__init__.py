"""How the program looks: themes, palettes, sizes, the style sheet."""
