"""The record: match logs, the event's log, results, and what can be read back from them.

Owns everything that outlives a match. Must not know bots, connections or schedules.
Source: record.md.
"""
