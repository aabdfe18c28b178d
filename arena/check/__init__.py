"""The submission check: what an arena would say of a bot, before it is entered.

Owns the rules a bot must keep, the matches that try them, and a verdict for each. It seats
bots and plays matches as a tournament does, so it stands after :mod:`arena.tournament`; it is
no event, so it does not stand in it. Must not print. Source: issue "A kit for bot authors" 4.
"""
