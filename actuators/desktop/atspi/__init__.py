"""Linux: elements by the accessibility bus."""
