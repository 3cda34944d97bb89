"""What is true, wanted and found. Imports nothing of ours but errors."""
