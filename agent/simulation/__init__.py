"""Runs on a machine in memory: how a person declares the machine and what goes wrong on it. Nothing here touches the real one."""
