"""Addresses: urls, hosts, search platforms and paths, read and judged as text. Nothing here opens one."""
