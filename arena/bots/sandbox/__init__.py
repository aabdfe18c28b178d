"""Sandbox: what surrounds a bot's process, so that it reaches nothing but its seat.

Owns the choice of a back end, its proof on this machine, and the way from "run this bot" to
the command that the warden starts. Must not know matches, results or sessions.

================  ==========================================================================
``mode``          the closed lists: modes, guards; what is weaker than what
``launch``        a :class:`~arena.bots.sandbox.launch.Launch` and the back end that does
                  nothing (:data:`~arena.bots.sandbox.launch.NO_SANDBOX`)
``bubblewrap``    the back end: every namespace, a root of its own, a filter of system calls
``landlock``      the back end without namespaces: rules over this machine's own paths and ports
``landlock_start``  a script: puts these rules up and becomes the bot
``sight``         what one launch must see, whichever back end shows it
``views``         which files of this machine a bot must see to run at all
``kit``           the Python environment that bots in Python see
``tools``         what of registries' settings reaches a build
``seccomp``       the filter, as bytes
``seccomp_walls`` the second filter, of Landlock's launches
``users``         user ids for bots where the arena runs as root
``forward``       a script: TCP inside the sandbox, a Unix socket to the referee
``prove``         the probe: what holds is found by trying it
``opening``       from a mode to a sandbox that holds, or a refusal
================  ==========================================================================

**The seam for limits.** ``Launch.prefix`` are words before the bot's own command *inside* the
sandbox, for instance ``("prlimit", "--nproc=64", …)``; ``start_bot`` takes them as
``prefix``. What must happen between the launch and the bot's first instruction belongs to
the warden (:mod:`arena.bots.kept`): every process of a bot descends from the process that
``start_kept`` starts (``KeptProcess.pid``), inside the sandbox too.
``Launch.disk_bytes`` bounds the bot's ``/tmp``.
"""
