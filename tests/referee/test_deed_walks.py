"""Deeds in any order come to what their rows say, and whoever does them gains nothing."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import pairwise
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.conduct import COUNTED_AS, Conduct
from arena.referee.events import Fault
from arena.referee.faults import FaultKind, Reason, TerminationKind
from arena.referee.messages import Answered, Input, Output, Record, Reject, TimerFired
from arena.rules.cards import CARDS, DECK_SIZE, Card, cards_of
from arena.rules.events import CardPlayed, DealScored, Revoke
from arena.rules.options import IllegalPlay
from arena.rules.presets import PRESETS
from arena.testing.in_memory import of_type
from tests.referee.deed_checks import check_events, check_words
from tests.referee.deed_rows import NOTHING, ROWS, Outcome
from tests.referee.deeds import GONE, Course, Deed, Moment, time_of

RULESETS: Final = ("gamelake-4", "italian-tournament")
CONDUCTS: Final = (
    Conduct(),
    Conduct(late=900, illegal=900, malformed=900, revoke=900, infraction=900),
)
BOARDS: Final = 2
DEAL_THIRDS: Final = 35
CARD_NAME: Final = re.compile(r"\b[DCSB][4567JHKA23]\b")
TO_NO_AVAIL: Final = {*GONE, Deed.LOSS, Deed.NO_RETURN}
"""Deeds that come to nothing once a seat has played its last card."""
ITALIAN_ONLY: Final = {
    Deed.REVOKE,
    Deed.FALSE_CLAIM,
    Deed.LATE_CLAIM,
    Deed.UNKNOWN_CLAIM,
    Deed.FORBIDDEN_WORD,
}
ENDING: Final = {deed for (_, deed), outcome in ROWS.items() if outcome.ending is not None}


OFTEN: Final = (Deed.LOSS, Deed.RETURN, Deed.SILENCE, Deed.LATE_ANSWER, Deed.NOT_HELD, Deed.ILLEGAL)
"""Deeds that come to something else when they are done again, or need one another."""
DEEDS: Final = (*OFTEN * 3, *(deed for deed in Deed if deed not in ENDING))


class Walk:
    """A match that is misbehaved in."""

    def __init__(self, ruleset_name: str, seed: int, conduct: Conduct) -> None:
        self.chance = random.Random(seed)  # noqa: S311  # to be repeated, not secret
        self.ruleset = PRESETS[ruleset_name]
        self.conduct = conduct
        self.course = Course.fresh(self.ruleset, seed=str(seed), conduct=conduct, boards=BOARDS)
        self.away: set[int] = set()
        self.refused = (0, 0)
        """The latest decision that had refused cards, by its number, and how many they were."""

    def go(self) -> None:
        """Misbehave now and then; at last do something that ends a match."""
        for _ in range(self.chance.randrange(40)):
            self.play_on(self.chance.choice((0, 0, 0, 1, 2, 4, 9)))
            self.do(self.chance.choice(DEEDS), self.seat())
        seat = self.chance.randrange(self.ruleset.seats)
        if self.chance.random() < 0.5:
            while not self.course.table.match.has_played_all(seat):
                if self.course.table.is_over:
                    break
                self.play_on(1)
            self.do(Deed.LOSS, seat)
        self.do(self.chance.choice(sorted(ENDING, key=lambda deed: deed.name)), seat)

    def seat(self) -> int:
        """Draw a seat, mostly the one that is asked."""
        asked = self.course.ask
        if asked is None or self.chance.random() < 0.3:
            return self.chance.randrange(self.ruleset.seats)
        return asked.seat

    def play_on(self, steps: int) -> None:
        """Let the match go its orderly way."""
        for _ in range(steps):
            self.course.go_on()
            self.check_invariants()

    def knows(self, deed: Deed) -> bool:
        """Whether the ruleset has anything to say on a deed."""
        is_italian = self.ruleset.illegal_play is IllegalPlay.REVOKE
        return (
            is_italian
            if deed in ITALIAN_ONLY
            else deed
            not in {
                Deed.ILLEGAL,
                Deed.UNKNOWN_WORD,
            }
            or not is_italian
        )

    def do(self, deed: Deed, seat: int) -> None:
        """Let what is due before a deed happen, then the deed; check what it comes to."""
        course = self.course
        if not self.knows(deed):
            return
        event = course.input_of(deed, seat)
        while event is not None and self.fire_due(event):
            event = course.input_of(deed, seat)
        if event is None:
            return
        expected = self.expected(deed, seat) if course.runs(event) else NOTHING
        if expected.is_impossible:
            return
        totals = course.table.match.totals
        hand = cards_of(course.table.match.deal.hands[seat])
        number = course.ask.number if course.ask else 0
        outputs = course.bring(event)
        if course.table.match.is_over and expected.events and expected.ending is None:
            expected = replace(expected, ending=TerminationKind.COMPLETED)
        check_events(outputs, expected, seat)
        check_words(outputs, expected, seat)
        self.check_gain(seat, outputs, totals)
        self.check_refusal(seat, event, outputs, hand)
        self.note(deed, seat, expected, number)
        self.check_invariants()

    def fire_due(self, event: Input) -> bool:
        """Let the first timer come due that is due before an input; False if none is."""
        timers = self.course.timers
        own = event.timer if isinstance(event, TimerFired) else None
        due = [timer for timer in timers if timer != own and timers[timer] < _earliest(event)]
        if due:
            first = min(due, key=timers.__getitem__)
            self.course.bring(TimerFired(timer=first, at_ns=timers[first]))
        return bool(due)

    def expected(self, deed: Deed, seat: int) -> Outcome:
        """Say what a deed comes to: its row, unless much of the same was done before."""
        course = self.course
        moment = course.moment(seat)
        row = ROWS[moment, deed]
        if row.is_impossible or moment is Moment.OVER:
            return row
        if deed in TO_NO_AVAIL and course.table.match.has_played_all(seat):
            return NOTHING
        is_away = seat in self.away
        if (deed is Deed.LOSS and is_away) or (
            deed in (Deed.RETURN, Deed.NO_RETURN) and not is_away
        ):
            return NOTHING
        if row.fault in (FaultKind.ILLEGAL, FaultKind.NOT_HELD):
            row = self.refused_again(row)
        if row.fault is not None and self.reaches_limit(seat, row.fault):
            # The fault that forfeits ends the match before the referee plays for the seat.
            is_played = row.fault in (FaultKind.REVOKE, FaultKind.INFRACTION)
            events = row.events if is_played else ()
            return replace(row, events=events, ending=TerminationKind.FORFEIT_FAULTS)
        return row

    def refused_again(self, row: Outcome) -> Outcome:
        """Refused cards of one decision are one fault; after the last one the referee plays."""
        number, before = self.refused
        asked = self.course.ask
        if asked is None or asked.number != number:
            return row
        is_last = before + 1 == self.conduct.illegal_tries
        return replace(row, fault=None, logged="", events=(CardPlayed,) if is_last else ())

    def reaches_limit(self, seat: int, kind: FaultKind) -> bool:
        """Whether one more fault is one too many."""
        limit = self.conduct.limit_of(kind, BOARDS)
        faults = of_type(Fault, (record.event for record in of_type(Record, self.course.outputs)))
        counted = [COUNTED_AS.get(fault.kind) for fault in faults if fault.seat == seat]
        return limit is not None and counted.count(COUNTED_AS[kind]) + 1 >= limit

    def note(self, deed: Deed, seat: int, expected: Outcome, number: int) -> None:
        """Remember what changes what the same deed comes to the next time."""
        if expected.reason in (Reason.ILLEGAL_CARD, Reason.CARD_NOT_HELD):
            before = self.refused[1] if self.refused[0] == number else 0
            self.refused = (number, before + 1)
        if expected is not NOTHING and deed is Deed.LOSS:
            self.away.add(seat)
        if deed is Deed.RETURN:
            self.away.discard(seat)

    # --- what holds whatever is done --------------------------------------------------------

    def check_invariants(self) -> None:
        """Each card is in one place, and a deal's thirds are those of the deck."""
        match = self.course.table.match
        deal = match.deal
        held = [card for hand in deal.hands for card in cards_of(hand)]
        everywhere = [*held, *deal.history, *deal.stock]
        assert len(everywhere) == DECK_SIZE
        assert set(everywhere) == set(CARDS)
        events = [record.event for record in of_type(Record, self.course.outputs)]
        for before, scored in pairwise(events):
            if isinstance(scored, DealScored) and not isinstance(before, Revoke | Fault):
                assert sum(scored.thirds) == DEAL_THIRDS
        if self.course.table.is_over:
            assert self.course.go_on() == []

    def check_gain(self, seat: int, outputs: list[Output], totals: tuple[int, ...]) -> None:
        """Whoever is charged wins nothing by it."""
        match = self.course.table.match
        events = [record.event for record in of_type(Record, outputs)]
        kinds = {fault.kind for fault in of_type(Fault, events) if fault.seat == seat}
        side = self.ruleset.side_of(seat)
        if FaultKind.REVOKE in kinds:
            (scored,) = of_type(DealScored, events)
            assert scored.points[side] <= self.ruleset.revoke_own_points
            assert scored.points[1 - side] > scored.points[side]
        elif not of_type(CardPlayed, events):
            assert match.totals == totals
        ended = self.course.table.ended
        if ended is not None and ended.termination.kind.is_forfeit:
            assert ended.termination.seat is not None
            assert ended.winner == 1 - self.ruleset.side_of(ended.termination.seat)

    def check_refusal(
        self, seat: int, event: Input, outputs: list[Output], hand: tuple[Card, ...]
    ) -> None:
        """A refusal names no card but those the seat holds, said, or has said before."""
        for reject in of_type(Reject, outputs):
            assert reject.seat == seat
            own = {
                answer.card
                for who, answer in self.course.answers.values()
                if who == seat and answer
            }
            said = {event.answer.card} if isinstance(event, Answered) else set()
            named = set(CARD_NAME.findall(reject.message)) | {str(card) for card in reject.allowed}
            assert named <= {str(card) for card in {*hand, *own, *said}}


def _earliest(event: Input) -> int:
    return event.arrival.earliest_ns if isinstance(event, Answered) else time_of(event)


@settings(max_examples=300, deadline=None)
@given(
    name=st.sampled_from(RULESETS),
    seed=st.integers(0, 2**32),
    conduct=st.sampled_from(CONDUCTS),
)
def test_deeds_in_any_order_come_to_what_their_rows_say(
    name: str, seed: int, conduct: Conduct
) -> None:
    Walk(name, seed, conduct).go()
