"""Videos of pages: the program that makes them, and what becomes of them. Nothing here knows a session."""
