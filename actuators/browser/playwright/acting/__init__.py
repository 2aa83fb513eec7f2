"""Acting: pointer, focus, dialogs, and receipts that an act arrived."""
