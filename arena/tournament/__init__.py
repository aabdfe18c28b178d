"""Tournaments: event file, schedule, standings, and what makes them fair and repeatable."""
