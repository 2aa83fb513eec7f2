"""The accessibility bus of Linux (AT-SPI), spoken to over D-Bus."""
