"""Policy: what may be touched, and which command lines run code. Verdicts only; nothing here asks a person."""
