"""Widgets that know nothing of Sluice: buttons, fields, tables, gauges."""
