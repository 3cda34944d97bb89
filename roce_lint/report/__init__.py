"""A result as text and as machine formats."""
