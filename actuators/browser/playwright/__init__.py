"""The browser tools by Playwright."""
