"""Talk: the languages people speak, what is said beside orders, and one utterance after another."""
