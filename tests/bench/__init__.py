"""Measurements of speed: reports to read, never assertions. ``make bench``."""
