"""The world, one family of back ends a folder."""
