"""A bot for two worlds: it does the same in both, and whispers what it holds.

Owns the bots of the leak properties, and under which clock and conduct they play. Must not
know how what they do reaches a table.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from arena.referee.clock import MS, Clock
from arena.referee.conduct import Conduct
from arena.referee.faults import Reason
from arena.referee.messages import Ask
from arena.rules.cards import CARDS, Card, Suit
from arena.rules.events import Claim, ClaimKind
from arena.rules.options import Signal
from arena.rules.question import Answer
from arena.testing.memory_bots import Act, Reply, Rubbish

CLOCK: Final = Clock(limit_ms=20, bank_ms=15, increment_ms=1)
"""A clock under which the bots are now and then too late."""
LENIENT: Final = Conduct(late=9_999, illegal=9_999, malformed=9_999, revoke=9_999, infraction=9_999)
"""No fault ends a match."""


def whispers(ask: Ask, chance: random.Random) -> Iterator[Answer]:
    """Make answers to be refused, or words and claims not to be passed on, that tell a hand."""
    hand = ask.observation.hand
    told = sum(hand)
    legal = ask.question.legal[0]
    if chance.random() < 0.2:
        unheld = [card for card in CARDS if card not in hand]
        yield Answer(card=unheld[told % len(unheld)])
    if chance.random() < 0.2 and len(ask.question.legal) < len(hand):
        yield Answer(card=next(card for card in hand if card not in ask.question.legal))
    if chance.random() < 0.1:
        words = [word for word in Signal if word not in ask.question.signals_allowed]
        yield Answer(card=legal, signal=words[told % len(words)])
    if chance.random() < 0.1:
        claim = Claim(kind=ClaimKind.NAPOLETANA, suit=Suit(told % 4))
        yield Answer(card=legal, declarations=(claim,))


class Erratic:
    """Does the same in both worlds, as far as cards, rules and its seat's secrets allow.

    The worlds are played one after the other with the same bot: it plays again what it
    played before wherever it can. A seat that is watched gets a new one in each world, so
    that what it does depends on what it sees alone.

    Args:
        seed: Of its chance, which depends on the number of the decision alone.
        is_quiet: Whether it only plays, speaks and declares as the rules allow, in time or
            too late, and tells nothing beside that.
    """

    def __init__(self, seed: int, *, is_quiet: bool = False) -> None:
        self.seed = seed
        self.is_quiet = is_quiet
        self.played: dict[int, Card] = {}

    def __call__(self, ask: Ask) -> Sequence[Act]:
        """Whisper, send rubbish, then play the card of the other world, if there is one."""
        chance = random.Random(f"{self.seed} {ask.number}")  # noqa: S311  # to be repeated
        legal = ask.question.legal
        card = legal[chance.randrange(40) % len(legal)]
        card = self.played.setdefault(ask.number, card)
        if card not in legal:
            card = legal[0]
        heard = ask.question.signals_allowed
        answer = Answer(
            card=card,
            signal=chance.choice(heard) if heard and chance.random() < 0.3 else None,
            declarations=ask.question.declarable if chance.random() < 0.5 else (),
        )
        if chance.random() < 0.05:
            return ()
        # All at one moment: else the time of a play would tell whether whispers were refused.
        think_ns = chance.choice((4, 5, 30, 60)) * MS
        last = Reply(answer=answer, think_ns=think_ns, value_thirds=sum(ask.observation.hand))
        if self.is_quiet:
            return (last,)
        acts: list[Act] = []
        for whispered in whispers(ask, chance):
            spoken = replace(whispered, card=card) if whispered.card is legal[0] else whispered
            acts.append(Reply(answer=spoken, think_ns=think_ns))
        if chance.random() < 0.1:
            reason = chance.choice(tuple(Reason))
            acts.append(Rubbish(reason=reason, think_ns=think_ns))
        if chance.random() < 0.1:
            number = ask.number - chance.randint(0, 9)
            acts.append(Reply(answer=answer, number=number, think_ns=think_ns))
        return [*acts, replace(last, note=" ".join(map(str, ask.observation.hand)))]
