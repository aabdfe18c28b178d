"""Whether a log is what happened: game, clocks, faults, seals and the seed's deals.

Each module owns one kind of proof and gives its differences in the order of the lines;
:mod:`arena.record.verify.log` puts them together for one log.
"""
