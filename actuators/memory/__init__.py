"""Memory: what a person has remembered, by name."""
