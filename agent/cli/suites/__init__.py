"""`surehand test`: its options, what it prints, and its exit code."""
