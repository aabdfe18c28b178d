"""The game of Tressette: pure values and functions, standard library only.

Owns cards, rulesets, dealing, tricks, declarations, signals, scoring, the state of a deal
and of a match, what a seat may see, and notation. Must not know clocks, chance, files,
bots or the wire: chance comes in as a seed, what happened comes out as values.
"""
