"""The console: a page to watch and to approve. Templates, styles and scripts; what they show comes over the API."""
