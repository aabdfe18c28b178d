"""The wire: values of rules and referee to messages of ``arena.v1`` and back.

Total both ways and without logic of the game; bytes in, values out. Must not know links,
sessions, processes or gRPC.
"""
