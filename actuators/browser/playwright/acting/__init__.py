"""Acting: pointer, focus, dialogs, and receipts that an act arrived. In the page: ``engine/acting`` and ``engine/more``."""
