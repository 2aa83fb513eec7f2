"""Finding: which window, element or spot a target names."""
