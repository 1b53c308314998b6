"""Output formats: grammars, descriptions, and the position in a JSON text."""
