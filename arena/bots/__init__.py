"""Bot processes: what a bot is, its frozen copy, its build, its start, watch and end.

Owns everything between a folder with a ``bot.toml`` and a running, bounded process. It
must not know matches, results or the schedule.
"""
