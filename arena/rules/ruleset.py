"""The Ruleset: every parameter of the game as one frozen value.

Owns the fields and what they mean. The closed sets are in :mod:`arena.rules.options`,
what may not be combined in :mod:`arena.rules.consistency`, the named presets in
:mod:`arena.rules.presets`. Must not know deals in progress.
Source: rules.md §4 (parameters) and §3 (what the three seeds say of each, by row).
"""

from dataclasses import dataclass

from arena.rules.consistency import check_consistency
from arena.rules.options import (
    AS_REVOKE,
    AnnulWeakHand,
    Auction,
    BothReached,
    CappottoTest,
    Dealer,
    DeclarationBasis,
    DeclarationScored,
    DeclarationSpecify,
    DeclarationWindow,
    Direction,
    DrawOrder,
    DrawVisibility,
    FirstLeader,
    FollowSuit,
    Goal,
    IllegalPlay,
    LeaderRotation,
    MatchEndCheck,
    RemainderTo,
    RevokeDeclarations,
    Rounding,
    SideScheme,
    Signal,
    SignalTruth,
    SignalWho,
)

__all__ = [
    "AS_REVOKE",
    "AnnulWeakHand",
    "Auction",
    "BothReached",
    "CappottoTest",
    "Dealer",
    "DeclarationBasis",
    "DeclarationScored",
    "DeclarationSpecify",
    "DeclarationWindow",
    "Direction",
    "DrawOrder",
    "DrawVisibility",
    "FirstLeader",
    "FollowSuit",
    "Goal",
    "IllegalPlay",
    "LeaderRotation",
    "MatchEndCheck",
    "RemainderTo",
    "RevokeDeclarations",
    "Rounding",
    "Ruleset",
    "SideScheme",
    "Signal",
    "SignalTruth",
    "SignalWho",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """Every parameter of the game.

    Raises:
        RulesetError: on a value out of its range, a value of rules.md §4 that is not
            offered, or two options that contradict each other; it names the keys, their
            values and what is allowed.
    """

    name: str
    """A preset's name, with ``:key=value,...`` where options were overridden."""
    seats: int = 4
    """How many play: 2 or 4. Source: GL head, CZ §1, IT ¶1."""
    sides: SideScheme = SideScheme.OPPOSITE
    """Which seats score together: partners opposite, or each alone. Source: CZ §1, IT ¶1."""
    hand_size: int = 10
    """Cards in a hand. Source: GL "The deal", CZ §3, IT ¶2 (two rounds of five)."""
    stock: int = 0
    """Undealt cards that are drawn during play. Source: GL "The deal" (20 with two seats)."""
    monte: int = 0
    """Cards of a widow; only 0 is offered. Source: rules.md §2e."""
    deal_packets: tuple[int, ...] = ()
    """Sizes of the packets in which a hand is given, so it decides who gets which card of a
    shuffled deck; empty = one packet of the whole hand. Source: CZ §3, IT ¶2; §3 row 4."""
    direction: Direction = Direction.UNSTATED
    """How the table is drawn; display only. Source: CZ §10, IT ¶2; §3 row 1."""
    dealer: Dealer = Dealer.PLAYER
    """Who deals: a player or a judge who does not play. Source: CZ §3, IT ¶2; §3 row 2."""
    first_leader: FirstLeader = FirstLeader.NEXT_AFTER_DEALER
    """Who leads trick 1: the seat after the dealer in turn order. Source: CZ §3, IT ¶2."""
    leader_rotation: LeaderRotation = LeaderRotation.ADVANCE_ONE
    """How the lead of trick 1 moves on from deal to deal. Source: GL "The deal"; §3 row 3."""
    follow_suit: FollowSuit = FollowSuit.ALWAYS
    """When a seat that can must follow suit. Source: GL "Do you have to follow suit?",
    CZ §5, IT ¶2; §3 row 27."""
    must_beat: bool = False
    """Whether a seat must beat the best card when it can; only off is offered: no seed asks
    for it. Source: rules.md §1.4."""
    draw_order: DrawOrder = DrawOrder.NONE
    """Who draws first after a trick while the stock lasts. Source: GL "Playing a trick"."""
    draw_visibility: DrawVisibility = DrawVisibility.NONE
    """Who sees a drawn card; none without a stock. Source: seeds silent; §3 row 28."""
    last_trick_thirds: int = 3
    """What the last trick is worth, in thirds. Source: GL "Points", CZ §2, IT ¶3."""
    rounding: Rounding = Rounding.FLOOR_PER_SIDE
    """How thirds become points: each side drops its fraction at the end of each deal.
    Source: GL "Points", CZ §6, IT ¶1; §3 row 25."""
    remainder_to: RemainderTo = RemainderTo.NOBODY
    """Who gets the dropped thirds. Source: GL "Points"; rules.md §5.2."""
    goal: Goal = Goal.MOST
    """Whether most or fewest points win. Source: GL "How to win", CZ §1, IT ¶6."""
    target: int = 21
    """Points at which a match can end. Source: GL "How to win" (21, 11), CZ §8 (21, 31, 11),
    IT ¶6 (31); §3 row 20."""
    match_end_check: MatchEndCheck = MatchEndCheck.END_OF_DEAL
    """When totals are held against the target. Source: GL "How to win"; §3 row 23."""
    both_reached: BothReached = BothReached.HIGHER_WINS_EQUAL_REDEAL
    """What follows when both sides reach the target in one deal. Source: GL "How to win",
    CZ §4, IT ¶6; §3 rows 21-22."""
    declarations: bool = False
    """Whether combinations can be declared. Source: CZ §3, §6, §8; IT ¶3; §3 row 5."""
    decl_napoletana: int = 3
    """Points for ace, 2 and 3 of one suit. Source: CZ §6, IT ¶3."""
    decl_three: int = 3
    """Points for three aces, 2s or 3s. Source: CZ §6, IT ¶3."""
    decl_four: int = 4
    """Points for four aces, 2s or 3s. Source: CZ §6, IT ¶3."""
    decl_window: DeclarationWindow = DeclarationWindow.NONE
    """Until when a combination may be declared. Source: CZ §7, IT ¶3; §3 row 6."""
    decl_basis: DeclarationBasis = DeclarationBasis.DEALT_HAND
    """Which cards are looked at: the hand as dealt. Source: CZ §7, IT ¶3; §3 row 7."""
    decl_overlap: bool = True
    """Whether one card may count in two claims. Source: IT ¶3 ("si sommano"); §3 row 9."""
    decl_understate: bool = True
    """Whether three of a held four may be claimed, at the value of three. Source: §3 row 10."""
    decl_specify: DeclarationSpecify = DeclarationSpecify.NONE
    """When a claim's suit or missing suit becomes known. Source: CZ §7, IT ¶3; §3 row 8."""
    decl_scored: DeclarationScored = DeclarationScored.END_OF_DEAL
    """When declared points enter the totals. Source: CZ §4; §3 row 11."""
    signals: tuple[Signal, ...] = ()
    """The words that may be said; kept in the order of :class:`Signal`, each once.
    Source: CZ §5, IT ¶4; §3 row 13."""
    signal_who: SignalWho = SignalWho.NOBODY
    """Who may say a word: the leader of the trick only, or anyone. Source: CZ §5, IT ¶4;
    §3 row 14."""
    signal_truth: SignalTruth = SignalTruth.UNCHECKED
    """Whether a false word is an infraction. Source: seeds silent; §3 row 17."""
    illegal_play: IllegalPlay = IllegalPlay.REJECT
    """What a held card is that does not follow although it could: refused, or a revoke that
    ends the deal. Source: GL (a site enforces it), CZ §7, IT ¶5; §3 row 18."""
    revoke_points: int = 0
    """Points that the other side gets for a revoke. Source: CZ §7 (11), IT ¶5 (10)."""
    revoke_own_points: int = 0
    """Points that the offender's side gets for a revoke. Source: CZ §7; IT silent; §2d."""
    revoke_declarations: RevokeDeclarations = RevokeDeclarations.NONE
    """Whose declared points count in a deal ended by a revoke; others' are taken back where
    ``decl_scored`` put them into the totals already. Source: silent; §2d."""
    infraction_points: int | str = 0
    """Points an infraction adds to the offender's side (0 or less), or ``AS_REVOKE``.
    Source: CZ §7 (every breach loses the deal), IT ¶5 (-1); §3 row 19."""
    negative_totals: bool = True
    """Whether totals may fall below 0. Source: seeds silent; §3 row 32."""
    cappotto_bonus: int = 0
    """Extra points for a sweep, on top of the deal's own. Source: CZ §7 (11, a variant)."""
    cappotto_test: CappottoTest = CappottoTest.ALL_TRICKS
    """What a sweep is: all tricks, or all points. Source: CZ §7; §3 row 26."""
    annul_weak_hand: AnnulWeakHand = AnnulWeakHand.OFF
    """Whether a worthless hand cancels the deal; only off is offered. Source: rules.md §2f."""
    auction: Auction = Auction.NONE
    """Whether seats bid before the play; only none is offered. Source: rules.md §2e."""
    max_deals: int = 200
    """Deals after which a match to the target is drawn. Source: rules.md §4 [decision]."""

    def __post_init__(self) -> None:
        # Words are a set: two rulesets that name the same ones must be equal.
        words = tuple(word for word in Signal if word in self.signals)
        object.__setattr__(self, "signals", words)
        check_consistency(self)

    @property
    def side_count(self) -> int:
        """How many sides score."""
        return 2 if self.sides is SideScheme.OPPOSITE else self.seats

    @property
    def tricks(self) -> int:
        """How many tricks a deal has."""
        return self.hand_size + self.stock // self.seats

    def side_of(self, seat: int) -> int:
        """Return the side of a seat."""
        return seat % self.side_count

    def seats_of(self, side: int) -> tuple[int, ...]:
        """List the seats of a side, in turn order."""
        return tuple(range(side, self.seats, self.side_count))

    def next_seat(self, seat: int) -> int:
        """Return the seat that plays after this one."""
        return (seat + 1) % self.seats
