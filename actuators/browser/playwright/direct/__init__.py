"""The direct way to a page: one message to find and aim, one to know, past Playwright's own scripts (docs/adr/0070)."""
