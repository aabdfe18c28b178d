"""Chaos: a bot that misbehaves in the one way that its option `act` names.

Apart from its act it plays its lowest legal card. Everything it does is bounded and stops by
itself, whether or not any guard is there. The acts: silence here, the wire's in `on_wire.py`,
those that take more than a bot may have in `hogs.py`, those that reach for what belongs to
others in `snoops.py`, those of callers that speak no gRPC in `strangers.py`.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import hogs
import snoops
import strangers
from on_wire import ON_WIRE, be_silent
from report import tried
from talk import Heard, Talk, open_talk

ACT = os.environ.get("ARENA_OPTION_ACT", "honest")

BEFORE_READY: dict[str, Callable[[], None]] = {
    "fork_bomb": hogs.fork_bomb,
    "memory_hog": hogs.memory,
    "disk_hog": hogs.disk,
    "descriptor_hog": hogs.descriptors,
    "stderr_flood": hogs.stderr_flood,
    "orphan_maker": hogs.orphans,
    "cpu_burner": hogs.burn_cpu,
    "file_snoop": snoops.files,
    "environment_snoop": snoops.environment,
    "memory_snoop": snoops.memory,
    "ptrace": snoops.trace,
    "signal": snoops.signals,
    "socket_snoop": snoops.sockets,
    "network": snoops.network,
    "partner_talk": snoops.partner,
    "token_thief": snoops.token_thief,
    "token_guesser": snoops.token_guesser,
    "second_join": snoops.second_join,
    "many_streams": strangers.many_streams,
    "garbage": strangers.garbage,
}
"""Acts of the machine: while the neighbours sit at the table and wait for this bot."""


class Seat:
    """One conversation with the referee; `earlier` counts the decisions before this one."""

    def __init__(self, talk: Talk) -> None:
        """Take a talk that has joined."""
        self.talk = talk
        self.earlier = 0

    def take(self, heard: Heard) -> None:
        """Do what the message asks for, or what the act wants instead."""
        match heard.name:
            case "match_started":
                self.get_ready(heard.table)
            case "decision":
                self.answer(heard)
            case "rejected":
                print("rejected:", heard.text, file=sys.stderr)
            case "match_ended":
                silent_if("silent_at_end")
            case "goodbye":
                silent_if("silent_at_goodbye")
                self.talk.half_close()

    def get_ready(self, table: int) -> None:
        """Do what is to be done before Ready, and say it."""
        silent_if("silent_before_ready")
        self.earlier = 0
        if act := BEFORE_READY.get(ACT):
            tried(ACT)
            act()
        self.talk.ready(table)
        silent_if("never_reading")

    def answer(self, heard: Heard) -> None:
        """Answer a decision as the act says."""
        question = heard.question
        assert question is not None  # noqa: S101
        act = ON_WIRE.get(ACT)
        if act is None or act(self.talk, question, self.earlier):
            self.talk.answer(question.decision_id, question.legal[0])
        self.earlier += 1


def silent_if(act: str) -> None:
    """Keep silent here if that is the act."""
    if act == ACT:
        be_silent()


def main() -> None:
    """Talk to the referee until it ends, or until the act ends this process."""
    # What the snoops of other seats look for.
    (Path(os.environ["HOME"]) / "secret.txt").write_text("my plans")
    silent_if("silent_before_join")
    talk = open_talk()
    talk.join()
    silent_if("silent_after_join")
    seat = Seat(talk)
    for heard in talk.heard():
        seat.take(heard)


if __name__ == "__main__":
    main()
