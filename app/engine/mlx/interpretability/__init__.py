"""Interpretability: logit lens, attention, hidden states, attribution by ablation."""
