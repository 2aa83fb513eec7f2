"""Tools: what a tool is, the registry of them, their schemas, and previews. No tool of a family is here."""
