"""Messages to a bot, one builder each.

Owns how referee's outputs become a RefereeMessage. ``sequence`` is left to the session,
which alone knows it; so are the numbers of tables and decisions, which come in as the
session counts them.
"""

from collections.abc import Iterable

from arena.referee.clock import MS, Clock
from arena.referee.events import SeatEvent
from arena.referee.messages import Ask, Close, Reject
from arena.rules.question import QuestionKind
from arena.rules.ruleset import Ruleset
from arena.v1 import match_pb2, play_pb2
from arena.wire.claims import fill_claim
from arena.wire.enums import GOODBYES, REASONS, RESUMED, SIGNALS, encode_cards
from arena.wire.observations import fill_observation
from arena.wire.quick import decision_bytes
from arena.wire.rulesets import encode_ruleset
from arena.wire.seat_events import fill_result, fill_seat_event
from arena.wire.terms import PROTOCOL_VERSION, GoodbyeReason, Limits, Resources, Resumed


def welcome(
    *,
    capacity: int,
    server_version: str,
    limits: Limits | None = None,
    resumed: Resumed = Resumed.NEW,
) -> play_pb2.RefereeMessage:
    """Open a session: how many tables at once, and what the bot may send."""
    told = limits or Limits()
    return play_pb2.RefereeMessage(
        welcome=play_pb2.Welcome(
            protocol_version=PROTOCOL_VERSION,
            capacity=capacity,
            limits=play_pb2.Limits(
                frame_bytes=told.frame_bytes,
                frame_messages=told.frame_messages,
                messages_per_decision=told.messages_per_decision,
                messages_per_second=told.messages_per_second,
            ),
            server_version=server_version,
            resumed=RESUMED.number[resumed],
        )
    )


def match_started(
    *,
    table: int,
    match_id: str,
    ruleset: Ruleset,
    seat: int,
    clock: Clock,
    boards: int | None,
    commitment: bytes,
    bot_seed: int,
    seat_names: tuple[str, ...] | None = None,
    resources: Resources | None = None,
) -> play_pb2.RefereeMessage:
    """Announce a match.

    Args:
        table: The session's number for the table, from 1.
        match_id: The random name that bots are told.
        ruleset: The game.
        seat: The bot's seat.
        clock: The allowances as applied.
        boards: How many deals; None = until the ruleset's target.
        commitment: To the seed of the deals, 32 bytes; empty where there is none.
        bot_seed: The bot's own randomness, 32 bits.
        seat_names: By seat, where the event shows names.
        resources: What the bot may use, where the arena starts it.
    """
    message = play_pb2.RefereeMessage()
    wire = message.match_started
    wire.table = table
    wire.match_id = match_id
    wire.ruleset.CopyFrom(encode_ruleset(ruleset))
    wire.seat = seat
    wire.sides.extend(map(ruleset.side_of, range(ruleset.seats)))
    wire.seat_names.extend(seat_names or ())
    wire.clock.CopyFrom(
        match_pb2.Clock(
            limit_ms=clock.limit_ms,
            bank_ms=clock.bank_ms,
            increment_ms=clock.increment_ms,
            margin_ms=clock.margin_ms,
            start_ms=clock.start_ms,
            reconnect_ms=clock.reconnect_ms,
        )
    )
    if resources is not None:
        wire.resources.CopyFrom(
            match_pb2.Resources(
                cores=resources.cores,
                memory_mib=resources.memory_mib,
                tasks=resources.tasks,
                disk_mib=resources.disk_mib,
            )
        )
    if boards is None:
        wire.target = ruleset.target
    else:
        wire.boards = boards
    wire.seed_commitment = commitment
    wire.bot_seed = bot_seed
    return message


def decision(table: int, decision_id: int, ask: Ask) -> play_pb2.RefereeMessage:
    """Put a question to a seat, with all it knows and has newly learnt."""
    message = play_pb2.RefereeMessage()
    wire = message.decision
    quick = decision_bytes(table, decision_id, ask)
    if quick is not None:
        wire.MergeFromString(quick)
        return message
    wire.table = table
    wire.decision_id = decision_id
    question = ask.question
    match question.kind:
        case QuestionKind.CARD:
            card = wire.card
            card.legal.extend(encode_cards(question.legal))
            for claim in question.declarable:
                fill_claim(card.declarable.add(), claim)
            if question.signals_allowed:
                numbers = SIGNALS.number
                card.signals_allowed.extend([numbers[word] for word in question.signals_allowed])
    wire.time_limit_ms = ask.limit_ns // MS
    wire.bank_ms = ask.bank_ns // MS
    fill_observation(wire.observation, ask.observation)
    add = wire.news.add
    for event in ask.news:
        fill_seat_event(add(), event)
    return message


def update(table: int, news: Iterable[SeatEvent]) -> play_pb2.RefereeMessage:
    """Tell a seat what happened, without a question."""
    message = play_pb2.RefereeMessage()
    wire = message.update
    wire.table = table
    for event in news:
        fill_seat_event(wire.news.add(), event)
    return message


def rejected(table: int | None, decision_id: int | None, reject: Reject) -> play_pb2.RefereeMessage:
    """Refuse a message; ``table`` None or 0 and ``decision_id`` None where there is none."""
    message = play_pb2.RefereeMessage()
    wire = message.rejected
    if table:
        wire.table = table
    if decision_id is not None:
        wire.decision_id = decision_id
    wire.reason = REASONS.number[reject.reason]
    wire.message = reject.message
    wire.allowed.extend(encode_cards(reject.allowed))
    return message


def match_ended(table: int, close: Close) -> play_pb2.RefereeMessage:
    """Tell a seat that its match is over and the table's number free."""
    message = play_pb2.RefereeMessage()
    message.match_ended.table = table
    fill_result(message.match_ended.result, close)
    return message


def goodbye(reason: GoodbyeReason, grace_ms: int) -> play_pb2.RefereeMessage:
    """Tell a bot that its session is about to end."""
    return play_pb2.RefereeMessage(
        goodbye=play_pb2.Goodbye(reason=GOODBYES.number[reason], grace_ms=grace_ms)
    )
