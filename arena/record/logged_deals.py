"""The deals of a log, as the cards of a match that is played again.

Owns what is dealt where the log says nothing, or something that is no deal. Must not know
seeds: whether a deal follows from one is :mod:`arena.record.verify.deals`'s.
"""

from arena.errors import RulesError
from arena.record.read import MatchRecord
from arena.rules.cards import CARDS
from arena.rules.dealing import DealtCards, distribute, leader_of_board
from arena.rules.events import DealStarted


class LoggedDeals:
    """What a log says was dealt, by board.

    Attributes:
        bad: By board, why what the log says was dealt is no deal; known once it was asked for.
    """

    def __init__(self, record: MatchRecord) -> None:
        self._ruleset = record.header.ruleset
        self._dealt = {
            line.event.board: line.event
            for line in record.lines
            if isinstance(line.event, DealStarted)
        }
        self.bad: dict[int, str] = {}

    def cards(self, board: int) -> DealtCards:
        """Give the cards of a board; any, where the log has none that are a deal."""
        event = self._dealt.get(board)
        # For a board that is not in the log, or is no deal, any cards will do: the walk ends
        # before they are compared.
        any_cards = distribute(self._ruleset, CARDS, leader_of_board(self._ruleset, board))
        if event is None:
            return any_cards
        shape = [len(hand) for hand in any_cards.hands], len(any_cards.stock)
        try:
            dealt = DealtCards(event.hands, event.stock)
        except RulesError as error:
            self.bad[board] = f"a deal of the deck: {error}"
            return any_cards
        if ([len(hand) for hand in dealt.hands], len(dealt.stock)) != shape:
            self.bad[board] = (
                f"{self._ruleset.seats} hands of {self._ruleset.hand_size} cards and a stock "
                f"of {self._ruleset.stock}"
            )
            return any_cards
        return dealt
