"""The judge: one match at one table, events in, events out.

Pure like the rules: no clock, no chance, no files, no sockets. Its face is
:class:`arena.referee.table.Table` with the values of :mod:`arena.referee.messages`.
"""
