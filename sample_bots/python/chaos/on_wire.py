"""Acts on the wire: what chaos does instead of answering, or before it does.

Each takes the talk, the question and how many came before it in the match, and returns
whether the plain answer still follows.
"""

import os
import sys
import time
from collections.abc import Callable

from talk import MEBIBYTE, Question, Talk

SILENCE_S = float(os.environ.get("ARENA_OPTION_SILENCE_MS", "60000")) / 1000
"""No silence is longer: then the process ends."""
FLOOD_S = 3.0
HUGE = 100 * MEBIBYTE if os.environ.get("ARENA_OPTION_ACT") == "huge_message" else 0
_HUGE_MESSAGE = b"\xff" * HUGE
"""Made before it is wanted: making it takes longer than some limits."""

Act = Callable[[Talk, Question, int], bool]


def be_silent() -> None:
    """Neither read nor write nor end."""
    time.sleep(SILENCE_S)
    sys.exit("chaos was silent to the end")


def silence(_talk: Talk, _question: Question, _earlier: int) -> bool:
    """Never answer."""
    be_silent()
    return False


def slow(_talk: Talk, question: Question, _earlier: int) -> bool:
    """Use half of the time."""
    time.sleep(question.limit_s / 2)
    return True


def too_slow(_talk: Talk, question: Question, _earlier: int) -> bool:
    """Think beyond limit and margin, then answer all the same."""
    time.sleep(question.limit_s * 1.25 + 0.2)
    return True


def chatter(talk: Talk, question: Question, _earlier: int) -> bool:
    """Send valid-looking rubbish for ever, never an answer."""
    until = time.monotonic() + SILENCE_S
    while time.monotonic() < until:
        unsolicited(talk, question, 0)
        time.sleep(0.02)
    return False


def flood(talk: Talk, question: Question, earlier: int) -> bool:
    """Answer what is over again and again, which is harmless in itself."""
    number = question.decision_id - min(earlier, 1)
    until = time.monotonic() + FLOOD_S
    while time.monotonic() < until:
        talk.answer_often(number, question.legal[0], 50)
        time.sleep(0.001)
    return True


def half_close(talk: Talk, _question: Question, earlier: int) -> bool:
    """Close one's own half of the stream in mid-trick, and stay."""
    if earlier == 1:
        talk.half_close()
        be_silent()
    return True


def stale(talk: Talk, question: Question, earlier: int) -> bool:
    """Answer the decision before once more."""
    if earlier:
        talk.answer(question.decision_id - 1, question.legal[0])
    return True


def duplicate(talk: Talk, question: Question, _earlier: int) -> bool:
    """Send the answer twice."""
    talk.answer(question.decision_id, question.legal[0])
    return True


def unsolicited(talk: Talk, question: Question, _earlier: int) -> bool:
    """Answer what was never asked."""
    talk.answer(question.decision_id + 1000, question.legal[0])
    return True


def not_held(talk: Talk, question: Question, _earlier: int) -> bool:
    """Play somebody else's card first."""
    card = next(card for card in talk.deck() if card not in question.hand)
    talk.answer(question.decision_id, card)
    return True


def illegal(talk: Talk, question: Question, _earlier: int) -> bool:
    """Play a held card that does not follow first, where there is one."""
    others = [card for card in question.hand if card not in question.legal]
    if others:
        talk.answer(question.decision_id, others[0])
    return True


def revoke(talk: Talk, question: Question, earlier: int) -> bool:
    """Play a held card that does not follow, where there is one."""
    illegal(talk, question, earlier)
    return set(question.hand) == set(question.legal)


def malformed(talk: Talk, _question: Question, _earlier: int) -> bool:
    """Send bytes that are no message."""
    talk.send_raw(b"\xff\xff this is no message")
    return True


def huge_message(talk: Talk, _question: Question, earlier: int) -> bool:
    """Send one message of 100 MB."""
    if earlier == 1:
        talk.send_raw(_HUGE_MESSAGE)
    return True


def false_claim(talk: Talk, question: Question, _earlier: int) -> bool:
    """Claim four aces."""
    claims = [{"kind": "four", "rank": "ace"}]
    talk.answer(question.decision_id, question.legal[0], declarations=claims)
    return False


def unheard_signal(talk: Talk, question: Question, _earlier: int) -> bool:
    """Say a word that Italian tournaments do not have."""
    talk.answer(question.decision_id, question.legal[0], signal="striscio")
    return False


def crash(_talk: Talk, _question: Question, earlier: int) -> bool:
    """Fail in mid-trick."""
    if earlier == 1:
        raise RuntimeError("chaos was told to crash")
    return True


def exit_after_last_card(talk: Talk, question: Question, _earlier: int) -> bool:
    """Play the last card and be gone."""
    talk.answer(question.decision_id, question.legal[0])
    if len(question.hand) == 1:
        # Over gRPC the answer leaves in another thread.
        time.sleep(0.05)
        os._exit(0)
    return False


ON_WIRE: dict[str, Act] = {
    "silent_at_decision": silence,
    "slow": slow,
    "too_slow": too_slow,
    "chatter": chatter,
    "flood": flood,
    "half_close": half_close,
    "stale": stale,
    "duplicate": duplicate,
    "unsolicited": unsolicited,
    "not_held": not_held,
    "illegal": illegal,
    "revoke": revoke,
    "malformed": malformed,
    "huge_message": huge_message,
    "false_claim": false_claim,
    "unheard_signal": unheard_signal,
    "crash": crash,
    "exit_after_last_card": exit_after_last_card,
}
