"""Ports: what the browser's verbs need of a back end, and records that both sides share. Nothing of Playwright."""
