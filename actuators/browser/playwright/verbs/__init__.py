"""The ports of the browser, by Playwright: one module for each group of verbs."""
