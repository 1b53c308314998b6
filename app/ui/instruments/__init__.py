"""The instruments: the speed graph, the number cards, the gauges of memory and context."""
