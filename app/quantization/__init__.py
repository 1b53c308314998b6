"""Models with fewer bits for each weight: what that saves, the conversion, and what it costs; without Qt."""
