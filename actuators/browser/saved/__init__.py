"""What the browser's verbs leave on the disk or the clipboard."""
