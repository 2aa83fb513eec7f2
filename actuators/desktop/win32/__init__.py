"""Windows: windows, keys, elements."""
