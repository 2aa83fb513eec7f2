"""Selectors: how elements, keys and things on a screen are named, and what such names mean. Nothing here finds one."""
