"""server: where grpcio and trio meet, and nowhere else.

Owns the bridge between the two (``trio_loop``, ``runtime``), one session's bytes over gRPC
(``grpc_link``), the server of Play behind an address (``play_server``): one per local session
(``seat_listener``) and a public one (``public_listener``), and the moments at which things
arrive (``arrivals``). Must not know the rules of the game, bot processes, or how a tournament
is made of matches.
"""

import os

# grpc reads this once, at its first import. With it on, grpc installs fork handlers that
# wait for its threads: a hang beside bots that are started with a real fork.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
# What it prints of strangers that fail at the public address, and of a port that is taken, is no
# language of ours; what matters is raised. Whoever looks for a fault of gRPC's may set another.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
