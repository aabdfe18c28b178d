"""Whether what seats were shown depends on cards they could not see.

Owns the audit of a finished log: each deal is played again beside a twin that differs only in
what is hidden from one seat (two cards of one suit exchanged, or false claims of others that
were refused; and the board's number); everything that seat is shown must be the same up to the
moment one of the two cards comes out. Must not know how views are made: that is
:mod:`arena.rules.observation`. Source: design.md §6 ("A seat's bytes …"), record.md
("--audit-views").

This audits the views that this arena makes of the logged games, question by question; that
these were sent is :mod:`arena.record.verify.sent`'s to say.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Final

from arena.errors import RulesError
from arena.record.read import LogLine, MatchRecord
from arena.record.rerun import Difference
from arena.rules import observation
from arena.rules.cards import Card, Suit, set_of
from arena.rules.dealing import DealtCards
from arena.rules.declarations import CLAIM_RANKS, claimed_cards
from arena.rules.events import CardDrawn, CardPlayed, Claim, ClaimKind, DealStarted, GameEvent
from arena.rules.match import Match
from arena.rules.options import DrawVisibility
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset

_CLAIMS: Final = (
    *(Claim(kind=ClaimKind.NAPOLETANA, suit=suit) for suit in Suit),
    *(Claim(kind=ClaimKind.FOUR, rank=rank) for rank in CLAIM_RANKS),
    *(Claim(kind=ClaimKind.THREE, suit=suit, rank=rank) for suit in Suit for rank in CLAIM_RANKS),
)
_FURTHER: Final = 2
"""Whole rounds of the table by which a twin's board number is higher: the same seat leads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewAudit:
    """What an audit compared, and the first view that tells too much."""

    views: int
    """Observations and news that were compared with those of a twin."""
    worlds: int
    first: Difference | None


@dataclass(frozen=True, slots=True)
class _Answered:
    """An answer of the log, and where it stands."""

    line: LogLine
    seat: int
    answer: Answer
    autoplayed: bool


_World = tuple[DealtCards, list[_Answered]]
"""What is dealt in another world, and answered."""


def audit_views(record: MatchRecord) -> ViewAudit:
    """Audit every deal of a log that the rules can play again."""
    views = worlds = 0
    for start, answers in _deals(record):
        for seat in range(record.header.ruleset.seats):
            for world in _worlds(start, answers, seat):
                worlds += 1
                for line, shown, otherwise in _shown(
                    record.header.ruleset, start, answers, world, seat
                ):
                    views += 1
                    if shown != otherwise:
                        return ViewAudit(
                            views=views,
                            worlds=worlds,
                            first=Difference(
                                file=str(record.path),
                                seq=line.seq,
                                expected=f"seat {seat} shown the same whatever it cannot see",
                                found=f"{shown} and, with hidden cards exchanged, {otherwise}",
                            ),
                        )
    return ViewAudit(views=views, worlds=worlds, first=None)


def _deals(record: MatchRecord) -> Iterator[tuple[DealStarted, list[_Answered]]]:
    """Cut a log into deals with their answers."""
    start: DealStarted | None = None
    answers: list[_Answered] = []
    for line in record.lines:
        event = line.event
        if isinstance(event, DealStarted):
            if start is not None:
                yield start, answers
            start, answers = event, []
        elif isinstance(event, CardPlayed) and line.timing is not None:
            said = line.timing
            given = Answer(
                card=event.card,
                signal=None if event.autoplayed else said.signal,
                declarations=() if event.autoplayed else said.declarations,
            )
            answers.append(_Answered(line, event.seat, given, event.autoplayed))
    if start is not None:
        yield start, answers


def _worlds(start: DealStarted, answers: list[_Answered], seat: int) -> Iterator[_World]:
    """Give deals, and the answers in them, that this seat cannot tell from the true ones."""
    for twin in _twins(start, answers, seat):
        yield twin, answers
    otherwise = [
        answered if answered.seat == seat else _claiming_otherwise(start, answered)
        for answered in answers
    ]
    if otherwise != answers:
        yield DealtCards(start.hands, start.stock), otherwise


def _claiming_otherwise(start: DealStarted, answered: _Answered) -> _Answered:
    """Let every false claim of an answer be another false one; nobody else hears of either."""
    hand = set_of(start.hands[answered.seat])
    said = answered.answer.declarations
    false = (claim for claim in _CLAIMS if claimed_cards(claim) & ~hand and claim not in said)
    other = tuple(next(false, claim) if claimed_cards(claim) & ~hand else claim for claim in said)
    return replace(answered, answer=replace(answered.answer, declarations=other))


def _twins(start: DealStarted, answers: list[_Answered], seat: int) -> Iterator[DealtCards]:
    """Give deals that this seat cannot tell from the true one for as long as possible.

    One for each two other places (hands, stock) and two suits: the pair of cards that comes out
    last. Whoever claimed a combination keeps its cards: what is claimed becomes public.
    """
    out = {answered.answer.card: place for place, answered in enumerate(answers)}
    claimed = {answered.seat for answered in answers if answered.answer.declarations}
    places = [*start.hands, start.stock]
    hidden = [
        place for place, cards in enumerate(places) if cards and place not in {seat, *claimed}
    ]
    for one, other in combinations(hidden, 2):
        last: dict[tuple[int, int, bool], tuple[int, Card, Card]] = {}
        for mine in places[one]:
            for theirs in places[other]:
                until = min(out.get(mine, len(answers)), out.get(theirs, len(answers)))
                # The bottom of the stock is tried by itself: it stays hidden longest.
                key = int(mine.suit), int(theirs.suit), theirs in start.stock[-1:]
                if key not in last or until > last[key][0]:
                    last[key] = until, mine, theirs
        for _, mine, theirs in last.values():
            swap = {mine: theirs, theirs: mine}
            changed = [tuple(swap.get(card, card) for card in cards) for cards in places]
            yield DealtCards(tuple(changed[:-1]), changed[-1])


def _shown(
    ruleset: Ruleset,
    start: DealStarted,
    answers: list[_Answered],
    world: _World,
    seat: int,
) -> Iterator[tuple[LogLine, object, object]]:
    """Play both worlds side by side and give what the seat is shown in each."""
    twin, otherwise = world
    true_cards = DealtCards(start.hands, start.stock)
    board = start.board
    matches = [
        Match(ruleset, cards=partial(_same_cards, dealt), first_board=number, boards=1)
        for dealt, number in (
            (true_cards, board),
            (twin, board + _FURTHER * ruleset.seats),
        )
    ]
    events: list[tuple[GameEvent, ...]] = [match.begin() for match in matches]
    differing = {
        card
        for mine, theirs in zip(
            (*true_cards.hands, true_cards.stock), (*twin.hands, twin.stock), strict=True
        )
        for card in {*mine} ^ {*theirs}
    }
    for answered, other in zip(answers, otherwise, strict=True):
        news = [
            tuple(observation.visible_to(event, seat, ruleset) for event in world)
            for world in events
        ]
        yield answered.line, news[0], news[1]
        views = [observation.observe(match, seat) for match in matches]
        yield answered.line, views[0], views[1]
        if answered.answer.card in differing or _names(news[0], differing):
            return
        try:
            events = [
                match.apply(given.answer, autoplayed=given.autoplayed)
                for match, given in zip(matches, (answered, other), strict=True)
            ]
        except RulesError:
            return  # in the twin's world this answer could not have been given
        kinds = [[type(event) for event in world] for world in events]
        if kinds[0] != kinds[1] or _draws(ruleset, events[0], seat, differing):
            return


def _same_cards(dealt: DealtCards, _board: int) -> DealtCards:
    return dealt


def _draws(ruleset: Ruleset, events: tuple[GameEvent, ...], seat: int, cards: set[Card]) -> bool:
    """Tell whether a card is drawn that this seat may see by the rules."""
    is_public = ruleset.draw_visibility is DrawVisibility.PUBLIC
    return any(
        isinstance(event, CardDrawn) and event.card in cards and (is_public or event.seat == seat)
        for event in events
    )


def _names(news: tuple[object, ...], cards: set[Card]) -> bool:
    return any(getattr(event, "card", None) in cards for event in news)
