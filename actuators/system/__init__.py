"""The hands on programs and on the machine itself."""
