"""Models: local ones, the Hugging Face hub, memory estimates, and downloads."""
