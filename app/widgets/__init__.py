"""Values in, intents out: one widget per file; none knows the engine's workings, the bridge or another's insides."""
