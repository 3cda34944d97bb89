"""Readers of text that keep the number of every line."""
