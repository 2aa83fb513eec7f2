"""Frames: a clause as evidence for what is wanted, word by word, in whichever order it was said."""
