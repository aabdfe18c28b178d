"""The conversation as a bot sees it: frames in, frames out.

Owns the bot's side of the protocol and the calls into the author's code. Must not know
sockets or event loops: an adapter reads, stamps the time and writes.
Source: protocol.md, "Play" and "What happens when".
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, ParamSpec, TypeVar, cast

from arena.errors import ArenaError, BotFailure
from arena.rules.cards import Card
from arena.sdk.match import MatchInfo, read_match_end
from arena.sdk.view import View
from arena.v1 import cards_pb2, match_pb2, play_pb2

if TYPE_CHECKING:
    from arena.sdk.bot import Bot

PROTOCOL_VERSION: Final = 1

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

# Refusals after which the decision is still open: a second answer is worth sending.
_STILL_OPEN: Final = frozenset(
    {
        match_pb2.ERROR_REASON_MALFORMED,
        match_pb2.ERROR_REASON_UNKNOWN_MESSAGE,
        match_pb2.ERROR_REASON_WRONG_KIND,
        match_pb2.ERROR_REASON_CARD_NOT_HELD,
        match_pb2.ERROR_REASON_ILLEGAL_CARD,
        match_pb2.ERROR_REASON_BAD_DECLARATION,
        match_pb2.ERROR_REASON_BAD_SIGNAL,
    }
)


class Arrived(NamedTuple):
    """A frame that the referee sent, and when it was read, by the monotonic clock."""

    frame: play_pb2.PlayResponse
    at_ns: int


@dataclass(slots=True)
class _Table:
    """A match in progress. ``asked`` is its latest decision, until a refusal was answered."""

    match: MatchInfo
    deal: int = 0
    asked: play_pb2.Decision | None = None


class Session:
    """One session of a bot, from Join to Goodbye, over any number of tables.

    ``welcome`` and ``goodbye`` are the referee's words once they were received.
    """

    def __init__(self, bot: "Bot", token: str) -> None:
        self._bot = bot
        self._token = token
        self._tables: dict[int, _Table] = {}
        self.welcome: play_pb2.Welcome | None = None
        self.goodbye: play_pb2.Goodbye | None = None

    def join(self) -> play_pb2.PlayRequest:
        """Return the frame that opens the session."""
        join = play_pb2.Join(
            protocol_version=PROTOCOL_VERSION,
            token=self._token,
            name=self._bot.name or type(self._bot).__name__,
            version=self._bot.version,
            language="python",
            capacity=self._bot.capacity,
        )
        return play_pb2.PlayRequest(messages=[play_pb2.BotMessage(join=join)])

    def receive(self, frames: Iterable[Arrived]) -> Iterator[play_pb2.PlayRequest]:
        """Take frames in; yield the frames to send, each as soon as it is ready.

        Answers go first: a new match may take long to get ready for. All questions of all the
        frames go to ``play_many`` at once, but those of a match that ended meanwhile.

        Args:
            frames: what the referee sent, in the order in which it came.

        Raises:
            BotFailure: the author's code raised or answered with something else than cards.
        """
        views: list[View] = []
        started: list[play_pb2.MatchStarted] = []
        answers = play_pb2.PlayRequest()
        for message, at_ns in (
            (message, arrived.at_ns) for arrived in frames for message in arrived.frame.messages
        ):
            kind = message.WhichOneof("message")
            if kind == "decision":
                view = self._view(message.decision, at_ns)
                if view is not None:
                    views.append(view)
            elif kind == "match_started":
                started.append(message.match_started)
            elif kind == "match_ended":
                table = message.match_ended.table
                views[:] = [view for view in views if view.message.table != table]
                self._match_ended(message.match_ended, started)
            else:
                self._hear(kind, message, answers)
        if views:
            self._answer(views, answers)
        yield from self._in_frames(answers)
        for match_started in started:
            yield self._match_started(match_started)

    def _in_frames(self, answers: play_pb2.PlayRequest) -> Iterator[play_pb2.PlayRequest]:
        """Divide answers into frames as large as Welcome allows.

        Each frame of questions is within that limit, but several may have come meanwhile.
        """
        most = 0 if self.welcome is None else self.welcome.limits.frame_messages
        messages = answers.messages
        if not most or len(messages) <= most:
            if messages:
                yield answers
            return
        for first in range(0, len(messages), most):
            yield play_pb2.PlayRequest(messages=messages[first : first + most])

    def _hear(
        self, kind: str | None, message: play_pb2.RefereeMessage, answers: play_pb2.PlayRequest
    ) -> None:
        match kind:
            case "rejected":
                self._rejected(message.rejected, answers)
            case "welcome":
                self.welcome = message.welcome
            case "goodbye":
                self.goodbye = message.goodbye
            case _:
                pass  # news without a question, or a message of a newer arena

    def _view(self, decision: play_pb2.Decision, arrived_ns: int) -> View | None:
        table = self._tables[decision.table]
        if not decision.HasField("card"):
            _say(f"decision {decision.decision_id} asks for something that this kit does not know")
            return None
        table.asked = decision
        view = View(table.match, decision, arrived_ns)
        if decision.observation.deal != table.deal:
            table.deal = decision.observation.deal
            self._call(self._bot.deal_started, view)
        return view

    def _answer(self, views: list[View], answers: play_pb2.PlayRequest) -> None:
        if len(views) > 1:
            views.sort(key=lambda view: view.due_ns)  # those of an earlier frame have less left
        cards = self._call(self._bot.play_many, views)
        # Nearly always a list, for which asking whether it is a Sequence takes long.
        if not (type(cards) is list or isinstance(cards, Sequence)) or len(cards) != len(views):
            raise BotFailure(f"play_many() was given {len(views)} views and returned {cards!r}")
        for view, card in zip(views, cards, strict=True):
            self._check(view, card)
            answer = answers.messages.add().answer
            answer.decision_id = view.message.decision_id
            answer.card = cast("cards_pb2.Card.ValueType", card)
            question = view.message.card
            if question.declarable:
                self._declare(view, answer)
            if question.signals_allowed:
                self._signal(view, card, answer)

    def _check(self, view: View, card: object) -> None:
        if not isinstance(card, Card):
            raise BotFailure(f"play() returned {card!r}; return one of view.legal, a Card ({view})")
        if card not in view.legal:
            _say(f"plays {card}, which is not legal; sent as it is, the referee judges ({view})")

    def _declare(self, view: View, answer: play_pb2.Answer) -> None:
        from arena.sdk.decoded import write_claim  # noqa: PLC0415 - only where it is wanted

        claims = self._call(self._bot.declare, view)
        try:
            answer.declarations.extend(map(write_claim, claims))
        except (TypeError, AttributeError):
            raise BotFailure(f"declare() returned {claims!r}; return a list of Claim") from None

    def _signal(self, view: View, card: Card, answer: play_pb2.Answer) -> None:
        word = self._call(self._bot.signal, view, card)
        if word is None:
            return
        from arena.sdk.decoded import Signal, write_signal  # noqa: PLC0415 - only where wanted

        if not isinstance(word, Signal):
            raise BotFailure(f"signal() returned {word!r}; return a Signal or None")
        answer.signal = write_signal(word)

    def _match_started(self, message: play_pb2.MatchStarted) -> play_pb2.PlayRequest:
        table = _Table(MatchInfo(message))
        self._tables[message.table] = table
        self._call(self._bot.match_started, table.match)
        ready = play_pb2.Ready(table=message.table)
        return play_pb2.PlayRequest(messages=[play_pb2.BotMessage(ready=ready)])

    def _match_ended(
        self, message: play_pb2.MatchEnded, started: list[play_pb2.MatchStarted]
    ) -> None:
        """Close a match; one that was over before this bot heard of it has not begun for it."""
        table = self._tables.pop(message.table, None)
        if table is None:
            started[:] = [match for match in started if match.table != message.table]
        else:
            self._call(self._bot.match_ended, table.match, read_match_end(message.result))

    def _rejected(self, rejected: play_pb2.Rejected, answers: play_pb2.PlayRequest) -> None:
        """Answer a refused decision once with a legal card, so that nobody waits for the clock."""
        _say(f"the referee refused: {rejected.message}")
        if rejected.reason not in _STILL_OPEN:
            return
        for table in self._tables.values():
            asked = table.asked
            if asked is not None and asked.decision_id == rejected.decision_id:
                table.asked = None
                card = (rejected.allowed or asked.card.legal)[0]
                answers.messages.add().answer.MergeFrom(
                    play_pb2.Answer(decision_id=asked.decision_id, card=card)
                )
                _say(f"answered decision {asked.decision_id} with {Card(card)} instead")

    def _call(
        self,
        hook: Callable[_Arguments, _Result],
        *args: _Arguments.args,
        **kwargs: _Arguments.kwargs,
    ) -> _Result:
        """Call the author's code; what it raises is the bot's failure, not this kit's."""
        try:
            return hook(*args, **kwargs)
        except ArenaError:
            raise
        except Exception as error:
            name = type(self._bot).__name__
            what = f"{name} raised {type(error).__name__}: {error}"
            raise BotFailure(what + _about(args)) from error


def _about(args: Sequence[object]) -> str:
    """Say at which decision the author's code was called, where it was at one."""
    match args:
        case [View() as view, *_] | [[View() as view]]:
            return f" ({view})"
        case _:
            return ""


def _say(text: str) -> None:
    print(f"arena.sdk: {text}", file=sys.stderr)  # noqa: T201 - stderr is the bot's log
