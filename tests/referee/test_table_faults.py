"""What ends a match before its last card: limits of faults, lost bots, the host, a stop."""

from collections.abc import Sequence

import pytest

from arena.referee.clock import MS, Clock
from arena.referee.conduct import Conduct
from arena.referee.events import Fault, MatchEnded, SeatLost
from arena.referee.faults import Culprit, FaultKind, Reason, Termination, TerminationKind
from arena.referee.messages import (
    Answered,
    Arrival,
    Ask,
    AskWritten,
    Begin,
    BotReady,
    CancelTimer,
    Close,
    Record,
    Stop,
    Tell,
)
from arena.referee.table import Table
from arena.rules.events import CardPlayed, DealScored, DealStarted, Revoke
from arena.rules.options import Signal
from arena.rules.presets import PRESETS, parse_ruleset
from arena.rules.question import Answer
from arena.rules.ruleset import Ruleset
from arena.testing.in_memory import of_type, open_table, play_in_memory
from arena.testing.memory_bots import (
    Act,
    Gone,
    Policy,
    ReadyAgain,
    Reply,
    Rubbish,
    answers_after,
    at_its,
    breaks_suit,
    crashes,
    insists,
    leaves,
    plays_first,
    plays_unheld,
    sends_rubbish,
    stalls,
)

FOUR = PRESETS["gamelake-4"]
ITALIAN = PRESETS["italian-tournament"]


def says_striscio(ask: Ask) -> Answer:
    return Answer(card=ask.question.legal[0], signal=Signal.STRISCIO)


def answers_unasked(ask: Ask) -> Sequence[Act]:
    return (Reply(answer=plays_first(ask), number=10_000), Reply(answer=plays_first(ask)))


# --- limits ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "bot", "kind", "limit"),
    [
        (FOUR, stalls, FaultKind.LATE, 10),
        (FOUR, insists(plays_unheld, 1), FaultKind.NOT_HELD, 3),
        (FOUR, insists(breaks_suit, 1), FaultKind.ILLEGAL, 3),
        (FOUR, sends_rubbish, FaultKind.MALFORMED, 3),
        (FOUR, answers_unasked, FaultKind.UNSOLICITED, 3),
        (FOUR, insists(says_striscio, 1), FaultKind.MALFORMED, 3),
        (ITALIAN, breaks_suit, FaultKind.REVOKE, 3),
        (ITALIAN, says_striscio, FaultKind.INFRACTION, 10),
    ],
)
def test_the_fault_that_reaches_its_limit_forfeits_the_match(
    ruleset: Ruleset, bot: Policy, kind: FaultKind, limit: int
) -> None:
    """Seat 1 plays for side 1."""
    match = play_in_memory(
        [plays_first, bot, plays_first, plays_first], ruleset=ruleset, boards=100
    )
    assert match.faults == [(kind, 1)] * limit
    ended = match.ended
    assert ended.termination.kind is TerminationKind.FORFEIT_FAULTS
    assert (ended.termination.culprit, ended.termination.seat) == (Culprit.BOT, 1)
    assert ended.winner == 0, "whatever the totals"
    scored = of_type(DealScored, match.events)
    assert ended.totals == (scored[-1].totals if scored else (0, 0))


def test_the_fault_that_forfeits_ends_the_match_before_the_referee_plays() -> None:
    match = play_in_memory(
        [stalls, *[plays_first] * 3], ruleset=FOUR, boards=10, conduct=Conduct(late=1)
    )
    assert match.faults == [(FaultKind.LATE, 0)] * 3, "no limit falls below 3"
    assert sum(played.autoplayed for played in of_type(CardPlayed, match.events)) == 2
    assert isinstance(match.events[-2], Fault)


def test_a_revoke_that_forfeits_is_still_scored() -> None:
    match = play_in_memory(
        [plays_first, breaks_suit, plays_first, plays_first], ruleset=ITALIAN, boards=10
    )
    revokes = of_type(Revoke, match.events)
    assert len(revokes) == 3
    scored = of_type(DealScored, match.events)[-1]
    assert match.ended.totals == scored.totals
    assert scored.points == (10, 0)
    # The log holds all that the rules brought about, the next deal too: nobody plays it.
    tail = match.events[match.events.index(revokes[2], len(match.events) - 6) :]
    kinds = [type(event) for event in tail]
    assert kinds == [Revoke, Fault, DealScored, DealStarted, MatchEnded]


def test_a_fault_on_the_last_card_of_a_match_can_still_forfeit_it() -> None:
    bots = [plays_first, breaks_suit, plays_first, plays_first]
    endless = play_in_memory(bots, ruleset=ITALIAN, boards=100)
    boards = len(of_type(DealScored, endless.events))
    exact = play_in_memory(bots, ruleset=ITALIAN, boards=boards)
    assert exact.table.match.is_over, "the last card of the last board was the revoke"
    assert exact.ended.termination.kind is TerminationKind.FORFEIT_FAULTS


def test_malformed_messages_between_answers_cost_no_card() -> None:
    match = play_in_memory([at_its(1, sends_rubbish), *[plays_first] * 3], ruleset=FOUR)
    assert match.faults == [(FaultKind.MALFORMED, 0)]
    (reject,) = match.rejects(0)
    assert (reject.reason, reject.number, reject.allowed) == (Reason.MALFORMED, None, ())
    assert match.ended.termination.kind is TerminationKind.COMPLETED


@pytest.mark.parametrize("reason", [Reason.STALE, Reason.ALREADY_ANSWERED, Reason.CAPACITY])
def test_some_refusals_are_no_fault(reason: Reason) -> None:
    def sends(ask: Ask) -> Sequence[Act]:
        return (Rubbish(reason=reason), Reply(answer=plays_first(ask), think_ns=2 * MS))

    match = play_in_memory([sends, *[plays_first] * 3], ruleset=FOUR)
    assert match.faults == []
    assert [reject.reason for reject in match.rejects(0)] == [reason] * 10


def test_saying_ready_again_in_the_match_is_harmless() -> None:
    def eager(ask: Ask) -> Sequence[Act]:
        return (ReadyAgain(), Reply(answer=plays_first(ask), think_ns=2 * MS), ReadyAgain())

    match = play_in_memory([eager, *[plays_first] * 3], ruleset=FOUR)
    assert match.faults == []
    assert match.ended.termination.kind is TerminationKind.COMPLETED


# --- lost bots ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "fault", "ending"),
    [
        (crashes, FaultKind.CRASHED, TerminationKind.FORFEIT_CRASH),
        (leaves, FaultKind.LEFT, TerminationKind.FORFEIT_LEFT),
        (lambda _: Gone(kind=FaultKind.LOST), FaultKind.LOST, TerminationKind.FORFEIT_LOST),
        (lambda _: Gone(kind=FaultKind.FLOOD), FaultKind.FLOOD, TerminationKind.FORFEIT_FLOOD),
        (
            lambda _: Gone(kind=FaultKind.NOT_READING),
            FaultKind.NOT_READING,
            TerminationKind.FORFEIT_NOT_READING,
        ),
    ],
)
def test_a_lost_bot_forfeits_the_match_at_once(
    bot: Policy, fault: FaultKind, ending: TerminationKind
) -> None:
    match = play_in_memory([plays_first, plays_first, at_its(3, bot), plays_first], ruleset=FOUR)
    assert match.faults == [(fault, 2)]
    ended = match.ended
    assert (ended.termination.kind, ended.termination.seat) == (ending, 2)
    assert ended.winner == 1
    assert [type(event) for event in match.events[-3:]] == [SeatLost, Fault, MatchEnded]
    for seat in (0, 1, 3):
        last = match.tells(seat)[-1].news
        assert last[-2] == SeatLost(seat=2)
        assert isinstance(last[-1], MatchEnded)
    assert match.tells(2) == [], "it cannot be told anything any more"


def test_other_seats_never_see_what_a_bot_wrote_when_it_crashed() -> None:
    stderr = "exit status 1; stderr ends: my hand was D3 D2"

    def bot(_ask: Ask) -> Act:
        return Gone(detail=stderr)

    match = play_in_memory([bot, *[plays_first] * 3], ruleset=FOUR)
    (fault,) = of_type(Fault, match.events)
    assert fault.detail == stderr
    assert match.ended.termination.detail == stderr
    sent = [output for output in match.outputs if not isinstance(output, Record)]
    assert stderr not in repr(sent)
    assert of_type(Close, sent)[0].termination.kind is TerminationKind.FORFEIT_CRASH


def test_a_seat_that_is_never_ready_forfeits_when_its_allowance_ends() -> None:
    match = play_in_memory(
        [plays_first] * 4, ruleset=FOUR, never_ready={3}, clock=Clock(start_ms=250)
    )
    assert match.faults == [(FaultKind.NOT_READY, 3)]
    assert match.records[-1].at_ns == 250 * MS
    ended = match.ended
    assert ended.termination.kind is TerminationKind.FORFEIT_NOT_READY
    assert (ended.termination.seat, ended.winner, ended.totals) == (3, 0, (0, 0))
    assert ended.termination.detail == "no Ready within 250 ms"


def test_of_two_seats_never_ready_the_first_forfeits() -> None:
    match = play_in_memory([plays_first] * 4, ruleset=FOUR, never_ready={1, 2})
    assert match.faults == [(FaultKind.NOT_READY, 1)]
    assert of_type(CancelTimer, match.steps[-1].outputs)[0].timer.seat == 2


# --- host, stop, draw -----------------------------------------------------------------


def playing_table(**clock: int) -> Table:
    """Open a table whose seat 0 thinks since the moment 0."""
    table = open_table(ruleset=FOUR, clock=Clock(**clock))
    table.apply(Begin(at_ns=0))
    for seat in range(4):
        table.apply(BotReady(seat=seat, at_ns=0))
    table.apply(AskWritten(seat=0, number=1, at_ns=0))
    return table


def answered(table: Table, earliest_ns: int, latest_ns: int) -> Answered:
    return Answered(
        seat=0,
        number=1,
        answer=Answer(card=table.match.deal.legal_cards()[0]),
        arrival=Arrival(earliest_ns=earliest_ns, latest_ns=latest_ns),
    )


def test_an_arrival_too_vague_to_judge_is_the_host_s_fault_and_voids_the_match() -> None:
    table = playing_table(limit_ms=50, margin_ms=10)
    outputs = table.apply(answered(table, 45 * MS, 75 * MS))
    (fault,) = [r.event for r in of_type(Record, outputs) if isinstance(r.event, Fault)]
    assert (fault.culprit, fault.kind, fault.seat) == (Culprit.HOST, FaultKind.HOST_LAG, None)
    assert "seat 0" in fault.detail
    assert "30 ms" in fault.detail
    assert table.ended is not None
    assert table.ended.termination.kind is TerminationKind.HOST_FAULT
    assert table.ended.termination.kind.is_void
    assert table.ended.winner is None


def test_doubt_that_changes_no_verdict_favours_the_bot() -> None:
    table = playing_table(limit_ms=50, margin_ms=10)
    outputs = table.apply(answered(table, 10 * MS, 59 * MS))
    (played,) = [r for r in of_type(Record, outputs) if isinstance(r.event, CardPlayed)]
    assert played.timing is not None
    assert (played.timing.think_us, played.timing.lag_us) == (10_000, 49_000)
    assert not table.is_over


@pytest.mark.parametrize(
    ("culprit", "ending", "kind"),
    [
        (Culprit.HOST, TerminationKind.HOST_FAULT, FaultKind.HOST),
        (Culprit.REFEREE, TerminationKind.REFEREE_FAULT, FaultKind.REFEREE),
        (Culprit.NOBODY, TerminationKind.ABORTED, None),
    ],
)
def test_a_stop_ends_the_match_with_its_culprit_and_no_winner(
    culprit: Culprit, ending: TerminationKind, kind: FaultKind | None
) -> None:
    table = playing_table()
    termination = Termination(kind=ending, culprit=culprit, detail="/secret/path is full")
    outputs = table.apply(Stop(termination=termination, at_ns=7))
    events = [record.event for record in of_type(Record, outputs)]
    assert [fault.kind for fault in of_type(Fault, events)] == ([kind] if kind else [])
    assert events[-1] == MatchEnded(termination=termination, totals=(0, 0), winner=None)
    (close,) = of_type(Close, outputs)
    assert close.termination.detail == "", "the host's matters are not for bots"
    assert {tell.seat for tell in of_type(Tell, outputs)} == {0, 1, 2, 3}
    assert table.is_over


def test_a_suspended_entrant_forfeits_its_match() -> None:
    table = playing_table()
    termination = Termination(kind=TerminationKind.FORFEIT_SUSPENDED, culprit=Culprit.BOT, seat=1)
    table.apply(Stop(termination=termination, at_ns=7))
    assert table.ended == MatchEnded(termination=termination, totals=(0, 0), winner=0)


def test_a_match_to_a_target_is_won_by_its_rule() -> None:
    match = play_in_memory([plays_first] * 4, ruleset=FOUR, boards=None)
    assert match.ended.termination.kind is TerminationKind.COMPLETED
    assert match.ended.winner == match.table.match.result.winner
    assert max(match.ended.totals) >= FOUR.target


def test_a_match_of_too_many_deals_is_drawn() -> None:
    ruleset = parse_ruleset("gamelake-4:max_deals=1")
    match = play_in_memory([plays_first] * 4, ruleset=ruleset, boards=None)
    assert match.ended.termination == Termination(kind=TerminationKind.DRAWN_AT_LIMIT)
    assert match.ended.winner is None


def test_boards_end_a_match_that_no_target_would() -> None:
    match = play_in_memory([answers_after(MS)] * 4, ruleset=FOUR, boards=7)
    assert [deal.deal for deal in of_type(DealStarted, match.events)] == list(range(1, 8))
    totals = match.ended.totals
    ahead = None if totals[0] == totals[1] else totals.index(max(totals))
    assert match.ended.winner == ahead
