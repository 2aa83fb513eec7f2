"""Archives: packing, unpacking, and what is refused in them."""
