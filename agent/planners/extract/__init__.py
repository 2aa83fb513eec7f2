"""The planner `extract`: a page or window to records of a JSON Schema, each value with the line that it was read from.

What tables, repeated parts, labels and headings say is read by rules; a model is asked only for what is left, and only what stands in
the line that it names is taken from it.
"""
