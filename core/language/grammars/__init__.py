"""Grammars: what the files of a language say, as records. Understands no sentence."""
