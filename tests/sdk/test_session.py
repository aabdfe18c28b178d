"""The bot's side of the protocol, frame by frame, without a socket."""
# ruff: noqa: ARG002 - hooks of test bots look at what they need

from collections.abc import Sequence

import pytest

from arena.errors import BotFailure, ConfigError
from arena.referee.faults import Reason, Termination, TerminationKind
from arena.referee.messages import Close, Reject
from arena.rules.presets import parse_ruleset
from arena.rules.question import Answer
from arena.sdk import Bot, Card, Claim, MatchEnd, MatchInfo, Signal, View
from arena.sdk.session import Arrived, Session
from arena.v1 import match_pb2, play_pb2
from arena.wire import to_bot
from arena.wire.claims import decode_claim
from arena.wire.terms import GoodbyeReason
from tests.sdk.positions import asked, card_of, match_of, started

WITH_CLAIMS = parse_ruleset("italian-tournament")


class First(Bot):
    """Plays the first legal card and writes down what it is called with."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def play(self, view: View) -> Card:
        """Play the first legal card."""
        self.calls.append(f"play at {view.match.table}")
        return view.legal[0]

    def match_started(self, match: MatchInfo) -> None:
        """Write it down."""
        self.calls.append(f"start of {match.table}")

    def deal_started(self, view: View) -> None:
        """Write it down."""
        self.calls.append(f"deal {view.deal}")

    def match_ended(self, match: MatchInfo, end: MatchEnd) -> None:
        """Write it down."""
        self.calls.append(f"end of {match.table}: {end.termination} {end.totals} {end.winner}")


def receive(session: Session, *messages: play_pb2.RefereeMessage) -> list[play_pb2.BotMessage]:
    """Give a session one frame; return the messages of all frames it answers with."""
    frame = play_pb2.PlayResponse(messages=messages)
    return [message for reply in session.receive([Arrived(frame, 0)]) for message in reply.messages]


def answers(session: Session, *messages: play_pb2.RefereeMessage) -> list[play_pb2.Answer]:
    """Give a session one frame that is answered with answers only."""
    replies = receive(session, *messages)
    assert {reply.WhichOneof("message") for reply in replies} <= {"answer"}
    return [reply.answer for reply in replies]


def seated(bot: Bot, *tables: int) -> Session:
    """Return a session that has started matches at some tables."""
    session = Session(bot, "t0ken")
    receive(session, *(started(WITH_CLAIMS, table=table) for table in tables or (1,)))
    return session


def refusal(decision_id: int, reason: Reason, *allowed: Card) -> play_pb2.RefereeMessage:
    """Return the message that refuses an answer."""
    reject = Reject(seat=0, number=None, reason=reason, message="no such card", allowed=allowed)
    return to_bot.rejected(1, decision_id, reject)


def test_join_names_version_token_and_bot() -> None:
    class Fox(First):
        version = "1.2"
        capacity = 8

    (message,) = Session(Fox(), "t0ken").join().messages
    join = message.join
    assert (join.protocol_version, join.token, join.capacity) == (1, "t0ken", 8)
    assert (join.name, join.version, join.language) == ("Fox", "1.2", "python")
    assert not join.HasField("resume_after")


def test_a_bot_is_ready_once_its_hook_has_returned() -> None:
    bot = First()
    (message,) = receive(Session(bot, ""), started(table=3))
    assert message.ready.table == 3
    assert bot.calls == ["start of 3"]


def test_a_decision_is_answered_with_its_id_and_the_card_played() -> None:
    match = match_of()
    (answer,) = answers(seated(First()), asked(match, decision_id=41))
    assert answer.decision_id == 41
    assert card_of(answer) == match.deal.legal_cards()[0]
    assert not answer.signal
    assert not answer.HasField("value_thirds")


def test_a_frame_of_decisions_is_answered_with_a_frame_shortest_time_first() -> None:
    bot = First()
    session = seated(bot, 1, 2, 3)
    frame = play_pb2.PlayResponse(
        messages=[
            asked(match_of(), table=1, decision_id=7, limit_ms=900),
            asked(match_of(), table=2, decision_id=8, limit_ms=300),
            asked(match_of(), table=3, decision_id=9, limit_ms=300, bank_ms=200),
        ]
    )
    (reply,) = session.receive([Arrived(frame, 0)])
    assert [message.answer.decision_id for message in reply.messages] == [8, 9, 7]
    assert bot.calls[-3:] == ["play at 2", "play at 3", "play at 1"]


def test_a_question_that_came_earlier_has_less_time_left() -> None:
    """Frames gather while the bot computes: when each was read counts with its allowance."""
    session = seated(First(), 1, 2)
    early = asked(match_of(), table=1, decision_id=1, limit_ms=1_000)
    late = asked(match_of(), table=2, decision_id=2, limit_ms=900)
    frames = [
        Arrived(play_pb2.PlayResponse(messages=[message]), read_ms * 1_000_000)
        for message, read_ms in ((early, 0), (late, 600))
    ]
    (reply,) = session.receive(frames)
    assert [message.answer.decision_id for message in reply.messages] == [1, 2]


def test_answers_to_several_frames_go_in_frames_as_large_as_welcome_allows() -> None:
    session = seated(First(), *range(1, 7))
    limits = play_pb2.Limits(frame_messages=4)
    receive(session, play_pb2.RefereeMessage(welcome=play_pb2.Welcome(limits=limits)))
    frames = [
        Arrived(
            play_pb2.PlayResponse(
                messages=[asked(match_of(), table=table, decision_id=table) for table in tables]
            ),
            0,
        )
        for tables in ((1, 2, 3), (4, 5, 6))
    ]
    replies = list(session.receive(frames))
    assert [len(reply.messages) for reply in replies] == [4, 2]
    answered = [message.answer.decision_id for reply in replies for message in reply.messages]
    assert answered == [1, 2, 3, 4, 5, 6]


def test_answers_do_not_wait_for_a_match_that_starts() -> None:
    bot = First()
    session = seated(bot, 1)
    bot.calls.clear()
    frame = play_pb2.PlayResponse(messages=[started(table=2), asked(match_of(), decision_id=5)])
    first, second = session.receive([Arrived(frame, 0)])
    assert first.messages[0].answer.decision_id == 5
    assert second.messages[0].ready.table == 2
    assert bot.calls == ["deal 1", "play at 1", "start of 2"]


def test_play_many_sees_all_that_is_asked_at_once() -> None:
    class Batch(Bot):
        def play_many(self, views: Sequence[View]) -> Sequence[Card]:
            return [view.legal[-1] if len(views) == 2 else view.legal[0] for view in views]

    session = seated(Batch(), 1, 2)
    both = answers(session, asked(match_of(), table=1), asked(match_of(), table=2, decision_id=2))
    assert {card_of(answer) for answer in both} == {match_of().deal.legal_cards()[-1]}


def test_a_new_deal_is_announced_once() -> None:
    bot = First()
    session = seated(bot)
    match = match_of(boards=2)
    answers(session, asked(match, decision_id=1))
    answers(session, asked(match, decision_id=2))
    while match.deal_number == 1:
        match.apply(Answer(card=match.deal.legal_cards()[0]))
    answers(session, asked(match, decision_id=3))
    assert [call for call in bot.calls if call.startswith("deal")] == ["deal 1", "deal 2"]


def board_with_claims() -> int:
    """Return a board whose leader can declare."""
    for board in range(1, 100):
        question = match_of(WITH_CLAIMS, board=board).question
        if question is not None and question.declarable:
            return board
    raise AssertionError("no such board")


def test_everything_declarable_is_declared_by_default() -> None:
    match = match_of(WITH_CLAIMS, board=board_with_claims())
    (answer,) = answers(seated(First()), asked(match))
    assert match.question is not None
    assert tuple(map(decode_claim, answer.declarations)) == match.question.declarable


def test_a_bot_may_keep_its_claims_to_itself_and_say_a_word() -> None:
    class Quiet(First):
        def declare(self, view: View) -> Sequence[Claim]:
            return ()

        def signal(self, view: View, card: Card) -> Signal | None:
            return view.signals_allowed[0] if card is view.legal[0] else None

    match = match_of(WITH_CLAIMS, board=board_with_claims())
    (answer,) = answers(seated(Quiet()), asked(match))
    assert not answer.declarations
    assert answer.signal == 1  # busso


def test_a_refused_answer_is_followed_by_a_legal_one_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    session = seated(First())
    answers(session, asked(match_of(), decision_id=4))
    (second,) = answers(session, refusal(4, Reason.ILLEGAL_CARD, Card.C5, Card.C6))
    assert (second.decision_id, card_of(second)) == (4, Card.C5)
    assert answers(session, refusal(4, Reason.ILLEGAL_CARD, Card.C5, Card.C6)) == []
    assert "no such card" in capsys.readouterr().err


def test_a_refusal_without_cards_is_followed_by_the_first_legal_one() -> None:
    session = seated(First())
    match = match_of()
    answers(session, asked(match, decision_id=4))
    (second,) = answers(session, refusal(4, Reason.BAD_SIGNAL))
    assert card_of(second) == match.deal.legal_cards()[0]


@pytest.mark.parametrize(
    "reason", [Reason.STALE, Reason.ALREADY_ANSWERED, Reason.UNKNOWN_DECISION, Reason.NOT_JOINED]
)
def test_what_is_over_is_only_reported(reason: Reason, capsys: pytest.CaptureFixture[str]) -> None:
    session = seated(First())
    answers(session, asked(match_of(), decision_id=4))
    assert answers(session, refusal(4, reason)) == []
    assert capsys.readouterr().err == "arena.sdk: the referee refused: no such card\n"


def test_a_refusal_of_an_earlier_decision_is_only_reported() -> None:
    session = seated(First())
    answers(session, asked(match_of(), decision_id=4))
    answers(session, asked(match_of(), decision_id=5))
    assert answers(session, refusal(4, Reason.ILLEGAL_CARD)) == []


def test_a_card_that_is_not_legal_is_sent_and_reported(capsys: pytest.CaptureFixture[str]) -> None:
    class Cheat(Bot):
        def play(self, view: View) -> Card:
            return view.unseen[0]

    (answer,) = answers(seated(Cheat()), asked(match_of()))
    assert card_of(answer) not in match_of().deal.legal_cards()
    assert "which is not legal" in capsys.readouterr().err


def test_the_end_of_a_match_is_told_and_frees_its_table() -> None:
    bot = First()
    session = seated(bot)
    close = Close(termination=Termination(kind=TerminationKind.COMPLETED), totals=(7, 4), winner=0)
    receive(session, to_bot.match_ended(1, close), started(table=1))
    assert bot.calls[-2:] == ["end of 1: completed (7, 4) 0", "start of 1"]


def test_an_end_of_a_newer_arena_is_told_by_its_number() -> None:
    bot = First()
    session = seated(bot)
    termination = match_pb2.Termination(kind=99)  # type: ignore[arg-type]
    result = match_pb2.MatchResult(termination=termination, totals=[1, 2])
    ended = play_pb2.MatchEnded(table=1, result=result)
    receive(session, play_pb2.RefereeMessage(match_ended=ended))
    assert bot.calls[-1] == "end of 1: 99 (1, 2) None"


def test_welcome_and_goodbye_are_kept_and_not_answered() -> None:
    session = Session(First(), "")
    assert receive(session, to_bot.welcome(capacity=3, server_version="1")) == []
    assert receive(session, to_bot.goodbye(GoodbyeReason.SHUTDOWN, 500)) == []
    assert session.welcome is not None
    assert session.welcome.capacity == 3
    assert session.goodbye is not None
    assert session.goodbye.grace_ms == 500


def test_what_a_newer_arena_says_is_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    session = seated(First())
    unknown = play_pb2.RefereeMessage(sequence=9)
    question = play_pb2.Decision(table=1, decision_id=6)
    assert receive(session, unknown, to_bot.update(1, ())) == []
    assert receive(session, play_pb2.RefereeMessage(decision=question)) == []
    assert "decision 6 asks for something that this kit does not know" in capsys.readouterr().err


def test_an_exception_of_the_bot_names_the_decision() -> None:
    class Broken(Bot):
        def play(self, view: View) -> Card:
            raise ValueError("no plan")

    with pytest.raises(BotFailure, match=r"Broken raised ValueError: no plan \(deal 1, tri") as it:
        receive(seated(Broken()), asked(match_of()))
    assert isinstance(it.value.__cause__, ValueError)


def test_a_wrong_option_is_told_as_such() -> None:
    class Wrong(First):
        def match_started(self, match: MatchInfo) -> None:
            raise ConfigError("option depth = 'x': int was expected")

    with pytest.raises(ConfigError, match="option depth"):
        receive(Session(Wrong(), ""), started())


@pytest.mark.parametrize("answer", [None, "D3", 3])
def test_what_is_no_card_is_no_answer(answer: object) -> None:
    class Wrong(Bot):
        def play(self, view: View) -> Card:
            return answer  # type: ignore[return-value]

    with pytest.raises(BotFailure, match=r"play\(\) returned .* return one of view.legal, a Card"):
        receive(seated(Wrong()), asked(match_of()))


@pytest.mark.parametrize("cards", [None, (), (Card.D3, Card.D4)])
def test_play_many_answers_for_each_view(cards: object) -> None:
    class Wrong(Bot):
        def play_many(self, views: Sequence[View]) -> Sequence[Card]:
            return cards  # type: ignore[return-value]

    with pytest.raises(BotFailure, match=r"play_many\(\) was given 1 views and returned"):
        receive(seated(Wrong()), asked(match_of()))


def test_what_is_no_claim_or_word_is_refused() -> None:
    class Claims(First):
        def declare(self, view: View) -> Sequence[Claim]:
            return ["napoletana"]  # type: ignore[list-item]

    class Words(First):
        def signal(self, view: View, card: Card) -> Signal | None:
            return "busso"  # type: ignore[return-value]

    match = match_of(WITH_CLAIMS, board=board_with_claims())
    with pytest.raises(BotFailure, match=r"declare\(\) returned \['napoletana'\]"):
        receive(seated(Claims()), asked(match))
    with pytest.raises(BotFailure, match=r"signal\(\) returned 'busso'; return a Signal or None"):
        receive(seated(Words()), asked(match))


def test_a_bot_without_a_play_says_what_to_override() -> None:
    with pytest.raises(BotFailure, match=r"override play\(view\) or play_many\(views\)"):
        receive(seated(Bot()), asked(match_of()))
