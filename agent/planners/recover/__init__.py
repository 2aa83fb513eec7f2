"""What may be tried when a step fails: only what a list declares, never a guessed selector."""
