"""Windows: Core Audio."""
