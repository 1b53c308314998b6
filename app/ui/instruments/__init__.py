"""The instruments: the speed graph, the figures, and the gauges of memory and context."""
