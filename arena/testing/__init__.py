"""Public helpers for tests: scripted bots, and a table in memory."""
