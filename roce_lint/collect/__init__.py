"""Input as documents, and documents as what each device says of itself."""
