"""Sessions: the driver, contexts, pages, downloads, dialogs. Nothing here looks for an element. In each document: ``engine/context``."""
