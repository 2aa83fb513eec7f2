"""Offers: tools described for models of others, in the shapes that their makers take."""
