"""The clipboard, which several families use."""
