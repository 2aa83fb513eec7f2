"""`surehand record`: a person shows how something is done, and a flow is left that does it again."""
