"""Chaos: a bot that misbehaves in the one way that its option `act` names.

Apart from its act it plays its lowest legal card. Everything it does is bounded and stops by
itself, whether or not any guard is there.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import hogs
import snoops
from report import tried
from talk import MEBIBYTE, Question, Talk, open_talk

ACT = os.environ.get("ARENA_OPTION_ACT", "honest")
SILENCE_S = float(os.environ.get("ARENA_OPTION_SILENCE_MS", "60000")) / 1000
"""No silence is longer: then the process ends."""
FLOOD_S = 3.0
HUGE = 100 * MEBIBYTE

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
}


def main() -> None:
    """Talk to the referee until it ends, or until the act ends this process."""
    # What the snoops of other seats look for.
    (Path(os.environ["HOME"]) / "secret.txt").write_text("my plans")
    if ACT == "silent_before_join":
        be_silent()
    talk = open_talk()
    talk.join()
    if ACT == "silent_after_join":
        be_silent()
    asked = 0
    earlier: Question | None = None
    for heard in talk.heard():
        match heard.name:
            case "match_started":
                asked, earlier = 0, None
                if ACT == "silent_before_ready":
                    be_silent()
                if act := BEFORE_READY.get(ACT):
                    tried(ACT)
                    act()
                talk.ready(heard.table)
                if ACT == "never_reading":
                    be_silent()
            case "decision":
                assert heard.question is not None  # noqa: S101
                asked += 1
                answer(talk, heard.question, asked, earlier)
                earlier = heard.question
            case "rejected":
                print("rejected:", heard.text, file=sys.stderr)
            case "match_ended" if ACT == "silent_at_end":
                be_silent()
            case "goodbye":
                if ACT == "silent_at_goodbye":
                    be_silent()
                return talk.half_close()
    return None


def answer(talk: Talk, question: Question, asked: int, earlier: Question | None) -> None:
    """Answer the `asked`-th question of a match, as the act says."""
    number, card = question.decision_id, question.legal[0]
    match ACT:
        case "silent_at_decision":
            be_silent()
        case "slow":
            time.sleep(question.limit_s / 2)
        case "too_slow":
            time.sleep(question.limit_s * 1.25 + 0.2)
        case "chatter":
            until = time.monotonic() + SILENCE_S
            while time.monotonic() < until:
                talk.answer(number + 1000, card)
                time.sleep(0.02)
        case "flood":
            # The same answer over and over is harmless in itself.
            until = time.monotonic() + FLOOD_S
            while time.monotonic() < until:
                for _ in range(100):
                    talk.answer(earlier.decision_id if earlier else number, card)
                time.sleep(0.001)
        case "half_close" if asked == 2:
            talk.half_close()
            be_silent()
        case "stale" if earlier is not None:
            talk.answer(earlier.decision_id, card)
        case "duplicate":
            talk.answer(number, card)
        case "unsolicited":
            talk.answer(number + 1000, card)
        case "not_held":
            talk.answer(number, next(c for c in talk.deck() if c not in question.hand))
        case "illegal" | "revoke":
            other = next((c for c in question.hand if c not in question.legal), card)
            talk.answer(number, other)
            if ACT == "revoke" or other == card:
                return
        case "malformed":
            talk.send_raw(b"\xff\xff this is no message")
        case "huge_message" if asked == 2:
            talk.send_raw(b"\xff" * HUGE)
        case "false_claim":
            talk.answer(number, card, declarations=[{"kind": "four", "rank": "ace"}])
            return
        case "unheard_signal":
            # No word of Italian tournaments.
            talk.answer(number, card, signal="striscio")
            return
        case "crash" if asked == 2:
            raise RuntimeError("chaos was told to crash")
    talk.answer(number, card)
    if ACT == "exit_after_last_card" and len(question.hand) == 1:
        # Over gRPC the answer leaves in another thread.
        time.sleep(0.05)
        os._exit(0)


def be_silent() -> None:
    """Neither read nor write nor end."""
    time.sleep(SILENCE_S)
    sys.exit("chaos was silent to the end")


if __name__ == "__main__":
    main()
