"""A person at the table: what is shown of a deal, and what may be typed.

Owns the words of ``arena play``. The person is a bot on the kit, so that it sees what a bot
sees. Must not know processes, nor where lines come from.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from arena.counted import counted
from arena.errors import ArenaError, NotationError
from arena.record.wording import claim_words
from arena.rules.cards import Card
from arena.rules.events import Claim
from arena.rules.notation import parse_card
from arena.rules.ruleset import Signal
from arena.sdk.bot import Bot
from arena.sdk.match import MatchEnd, MatchInfo
from arena.sdk.view import View
from arena.v1 import seat_pb2

Read = Callable[[str], str]
"""Gives the next line, shown what is asked; raises EOFError where there is none."""
Emit = Callable[[str], None]
LEAVING: Final = frozenset({"Q", "QUIT", "EXIT"})
LONGEST: Final = 40
"""Characters of a wrong input that are shown again."""
HELP: Final = """\
  a card is its suit and its rank: D3 is the three of coins
    suits  D coins, C cups, S swords, B clubs
    ranks  strongest first: 3 2 A K H J 7 6 5 4 (K king, H horse, J knave; 10, 9, 8 will do)
    worth  A 3 thirds of a point; 3 2 K H J one third
  who can follow suit must: cards in [brackets] may be played
  a word goes behind the card where one is allowed: D3 busso
  ? this help   q leaves the table, as does Ctrl-D; Ctrl-C interrupts (exit status 4)"""


class Left(ArenaError):
    """The person has left the table."""


class InputEnded(Left):
    """There is nothing more to read: Ctrl-D, or the end of a file."""


class Person(Bot):
    """Asks for each card; every legal one is marked."""

    name = "you"

    def __init__(self, read: Read, emit: Emit) -> None:
        """Take how a line is read and how one is shown."""
        self._read = read
        self._emit = emit
        self._claims = 0
        self._seat = 0
        self._trick: list[tuple[int, Card]] = []
        self._word: Signal | None = None

    def match_started(self, match: MatchInfo) -> None:
        """Say how to play and how to leave."""
        self._seat = match.seat
        deals = "deals" if match.boards is None else counted(match.boards, "deal")
        self._emit(f"{deals}; type a card, ? for help, q to leave")

    def deal_started(self, view: View) -> None:
        """Say who sits where."""
        self._claims = 0
        partner = "" if view.partner is None else f", your partner is seat {view.partner}"
        score = " : ".join(map(str, view.totals))
        self._emit(f"\nDeal {view.deal}: you are seat {view.seat}{partner}; score {score}")

    def play(self, view: View) -> Card:
        """Show what this seat knows, and ask until a legal card is typed."""
        self._tell(view)
        while True:
            words = self._ask("your card: ").upper().split()
            card = next((card for card in view.legal if card is _card(words)), None)
            said = next((w for w in view.signals_allowed if words[1:] == [w.value.upper()]), None)
            if card is not None and (said is not None or not words[1:]):
                self._word = said
                return card
            legal = " ".join(card.name for card in view.legal)
            with_word = self._words(view)
            self._emit(f"{_short(' '.join(words))}: allowed are {legal}{with_word}")

    def declare(self, view: View) -> Sequence[Claim]:
        """Offer the combinations in hand: all of them are declared unless the person says no."""
        names = ", ".join(claim_words(claim) for claim in view.declarable)
        while True:
            typed = self._ask(f"declare {names}? [Y/n] ").upper()
            if typed in {"", "Y", "YES"}:
                return view.declarable
            if typed in {"N", "NO"}:
                return ()
            self._emit(f"{_short(typed)}: type y or n")

    def signal(self, view: View, card: Card) -> Signal | None:  # noqa: ARG002  # chosen before
        """Say the word that was typed behind the card."""
        return self._word

    def hear(self, events: Iterable[seat_pb2.SeatEvent]) -> None:
        """Tell of tricks and drawn cards as they are learnt, the last ones of a deal too."""
        for event in events:
            match event.WhichOneof("event"):
                case "deal_started":
                    self._trick.clear()
                case "card_played":
                    played = event.card_played
                    self._trick.append((played.seat, Card(played.card)))
                case "trick_won" if self._trick:
                    cards = " ".join(f"{seat}:{card.name}" for seat, card in sorted(self._trick))
                    leader = self._trick[0][0]
                    self._emit(f"  seat {leader} led; {cards}; seat {event.trick_won.seat} won")
                    self._trick.clear()
                case "card_drawn" if event.card_drawn.card:
                    seat = event.card_drawn.seat
                    who = "you draw" if seat == self._seat else f"seat {seat} draws"
                    self._emit(f"  {who} {Card(event.card_drawn.card).name}")
                case _:
                    pass

    def match_ended(self, match: MatchInfo, end: MatchEnd) -> None:
        """Say how it ended."""
        own = end.totals[match.side]
        others = ", ".join(str(t) for side, t in enumerate(end.totals) if side != match.side)
        why = "" if end.termination == "completed" else f" ({end.termination})"
        self._emit(f"\nThe match is over{why}: your side {own}, the other {others}")

    def _tell(self, view: View) -> None:
        """Show what was said since this seat's last card, the table and the hand."""
        for made in view.declarations[self._claims :]:
            claim = claim_words(made.claim).removesuffix(" without ")
            self._emit(f"  seat {made.seat} declares {claim}: {counted(made.points, 'point')}")
        self._claims = len(view.declarations)
        since = len(view.history) + len(view.trick) - view.seats
        for heard in view.signals:
            if heard.play >= since:
                self._emit(f"  seat {heard.seat} says {heard.word.value}")
        places = enumerate(view.trick)
        table = " ".join(f"{(view.leader + at) % view.seats}:{card.name}" for at, card in places)
        stock = f"; stock {view.stock_size}" if view.stock_size else ""
        self._emit(f"on the table: {table or 'nothing, you lead'}{stock}")
        marked = (f"[{card.name}]" if card in view.legal else card.name for card in view.hand)
        self._emit(f"your hand: {' '.join(marked)}{self._words(view)}")

    def _words(self, view: View) -> str:
        """Name the words that may be said with a card, if any."""
        words = " or ".join(word.value for word in view.signals_allowed)
        return f"   (and with a card: {words})" if words else ""

    def _ask(self, prompt: str) -> str:
        """Read a line that is neither a wish for help nor to leave.

        Raises:
            Left: The person wants to leave.
        """
        while True:
            try:
                typed = self._read(prompt).strip()
            except EOFError:
                raise InputEnded("the input ended before the match did") from None
            except UnicodeDecodeError:
                typed = "\N{REPLACEMENT CHARACTER}"
            if typed.upper() in LEAVING:
                raise Left("you left the table")
            if typed.lower() not in {"?", "h", "help"}:
                return typed
            self._emit(HELP)


def _card(words: Sequence[str]) -> Card | None:
    """Read the card that stands first, by any of its names; None where none does."""
    try:
        return parse_card(words[0]) if words else None
    except NotationError:
        return None


def _short(typed: str) -> str:
    if not typed:
        return "nothing"
    return typed if len(typed) <= LONGEST else f"{typed[:LONGEST]}…"
