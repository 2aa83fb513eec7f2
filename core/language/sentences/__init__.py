"""Sentences: the text of an utterance. What must come out byte for byte, its parts, and what people dictate. Knows no grammar."""
