"""The verbs of the browser, each written once over the ports."""
