"""Outlines: what there is on a page or in a window, folded to a budget and written as lines. Nothing here looks at either."""
