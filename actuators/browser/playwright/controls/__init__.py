"""Controls: giving any control a value."""
