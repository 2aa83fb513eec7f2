"""Base: errors, phrases, ids, limits of time and size. Knows nothing else of the project."""
