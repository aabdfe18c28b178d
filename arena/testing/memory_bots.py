"""Bots for tables in memory: what a bot can do, and some that do it well or badly.

Owns the acts of a scripted bot and a few policies made of them. Must not know how acts
reach the table.

A bot is a *policy*: called with each Ask when its frame is written, it returns what it
does about it, an Answer or any of the acts below, or several of them. Each act says after
how many nanoseconds of thinking it happens.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.referee.clock import MS
from arena.referee.faults import FaultKind, Reason
from arena.referee.messages import Ask
from arena.rules.cards import CARDS
from arena.rules.question import Answer

THINK_NS: Final = MS
"""How long a scripted bot thinks unless it says otherwise."""


# --- what a bot can do ----------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Answer, and say when, how exactly that is known, and to which decision."""

    answer: Answer
    think_ns: int = THINK_NS
    lag_ns: int = 0
    number: int | None = None
    """None = the decision asked."""
    value_thirds: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubbish:
    """Send something that is no answer."""

    reason: Reason = Reason.MALFORMED
    message: str = "not a message"
    think_ns: int = THINK_NS


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """Crash, leave, or get lost."""

    kind: FaultKind = FaultKind.CRASHED
    detail: str = "exit status 1"
    think_ns: int = THINK_NS


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyAgain:
    """Say Ready, though it was said before."""

    think_ns: int = THINK_NS


Act = Answer | Reply | Rubbish | Gone | ReadyAgain
Policy = Callable[[Ask], Act | Sequence[Act]]
"""An empty sequence = the bot is silent."""


# --- bots -----------------------------------------------------------------------------


def plays_first(ask: Ask) -> Answer:
    """Play the first legal card."""
    return Answer(card=ask.question.legal[0])


def plays_at_random(seed: int) -> Policy:
    """Make a bot that plays any legal card, the same ones for the same seed."""
    chance = random.Random(seed)  # noqa: S311  # a game, not a secret
    return lambda ask: Answer(card=chance.choice(ask.question.legal))


def stalls(_ask: Ask) -> Sequence[Act]:
    """Say nothing at all."""
    return ()


def crashes(_ask: Ask) -> Act:
    """End with an exit status."""
    return Gone()


def leaves(_ask: Ask) -> Act:
    """Say goodbye in the middle of the match."""
    return Gone(kind=FaultKind.LEFT, detail="Leave")


def sends_rubbish(ask: Ask) -> Sequence[Act]:
    """Send something that is no message, then play."""
    return (Rubbish(), Reply(answer=plays_first(ask), think_ns=2 * THINK_NS))


def plays_unheld(ask: Ask) -> Answer:
    """Play a card of somebody else."""
    return Answer(card=next(card for card in CARDS if card not in ask.observation.hand))


def breaks_suit(ask: Ask) -> Answer:
    """Play a held card that does not follow suit, where there is one: illegal, or a revoke."""
    others = [card for card in ask.observation.hand if card not in ask.question.legal]
    return Answer(card=(others or ask.question.legal)[0])


def answers_after(think_ns: int) -> Policy:
    """Make a bot that answers each question after the same time."""
    return lambda ask: Reply(answer=plays_first(ask), think_ns=think_ns)


def answers_twice(ask: Ask) -> Sequence[Act]:
    """Give the same answer twice."""
    once = Reply(answer=plays_first(ask))
    return (once, Reply(answer=once.answer, think_ns=2 * THINK_NS))


def changes_its_mind(ask: Ask) -> Sequence[Act]:
    """Answer, then answer the same decision with another card."""
    last = ask.observation.hand[-1]
    other = last if last is not ask.question.legal[0] else ask.observation.hand[0]
    return (plays_first(ask), Reply(answer=Answer(card=other), think_ns=2 * THINK_NS))


def at_its(nth: int, misbehave: Policy, *, otherwise: Policy = plays_first) -> Policy:
    """Make a bot that does something else when asked for the ``nth`` time (from 1)."""
    asked = 0

    def policy(ask: Ask) -> Act | Sequence[Act]:
        nonlocal asked
        asked += 1
        return misbehave(ask) if asked == nth else otherwise(ask)

    return policy


def when_bound(misbehave: Policy, *, otherwise: Policy = plays_first) -> Policy:
    """Make a bot that misbehaves once, as soon as it holds a card that it may not play."""
    done = False

    def policy(ask: Ask) -> Act | Sequence[Act]:
        nonlocal done
        if done or len(ask.question.legal) == len(ask.observation.hand):
            return otherwise(ask)
        done = True
        return misbehave(ask)

    return policy


def insists(bad: Callable[[Ask], Answer], times: int) -> Policy:
    """Make a bot that gives the same bad answer so many times before it plays."""

    def policy(ask: Ask) -> Sequence[Act]:
        answers = [bad(ask)] * times + [plays_first(ask)]
        return [
            Reply(answer=answer, think_ns=THINK_NS * nth)
            for nth, answer in enumerate(answers, start=1)
        ]

    return policy
