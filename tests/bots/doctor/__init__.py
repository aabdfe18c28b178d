"""Probes of the machine."""
