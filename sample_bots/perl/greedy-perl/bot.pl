#!/usr/bin/perl
# Greedy, in Perl: cash what nobody can beat; lead from length; give points to the partner's
# trick; take points when it is sure; throw away what is worth nothing. No look-ahead.
use strict;
use warnings;
use JSON::PP qw(decode_json encode_json);
use List::Util qw(any all first sum0);

use constant { ACE => 8, TWO => 9, POINT => 3 };    # ranks, weakest first from 1; thirds

# A card is its name, "D3": suit, then rank.
sub suit { return substr shift, 0, 1 }
sub rank { return 1 + index '4567JHKA23', substr shift, 1 }

sub thirds {
    my $rank = rank(shift);
    return $rank == ACE ? 3 : $rank >= 5 ? 1 : 0;
}

# The card of greatest value, the first of equals: lists of numbers, compared from the first on.
sub best {
    my ($value, @cards) = @_;
    my ($best, @most);
    for my $card (@cards) {
        my @numbers = $value->($card);
        my $more    = first { $_ } map { $numbers[$_] <=> $most[$_] } 0 .. $#most;
        ($best, @most) = ($card, @numbers) if !defined $best || ($more // 0) > 0;
    }
    return $best;
}

# What this seat sees at one decision: the observation, the legal cards, the side of each seat.
sub choose {
    my ($seen) = @_;
    my @trick = @{ $seen->{trick} };
    return lead($seen) if !@trick;
    my $led     = suit($trick[0]);
    my $winning = best(\&rank, grep { suit($_) eq $led } @trick);
    my $place   = first { $trick[$_] eq $winning } 0 .. $#trick;
    my @sides   = @{ $seen->{sides} };
    my $winner  = ($seen->{leader} + $place) % @sides;
    my $is_last = @trick == @sides - 1;
    return give($seen)
        if $sides[$winner] == $sides[ $seen->{seat} ] && ($is_last || is_master($seen, $winning));
    my @sure = grep {
        suit($_) eq $led && rank($_) > rank($winning) && ($is_last || is_master($seen, $_))
    } @{ $seen->{legal} };
    return best(sub { my $rank = rank(shift); ($rank == ACE, -$rank) }, @sure)
        if @sure && is_worth_taking($seen, @sure);
    return throw($seen);
}

# Cash a card that nobody can beat, or lead low from the longest suit, the partner's first.
sub lead {
    my ($seen) = @_;
    if (my @masters = grep { is_master($seen, $_) } @{ $seen->{legal} }) {
        return best(sub { (in_hand($seen, $_[0]), rank($_[0])) }, @masters);
    }
    return best(
        sub {
            my ($card) = @_;
            (   -guards_ace($seen, $card), -thirds($card), is_partners($seen, suit($card)),
                in_hand($seen, $card), -rank($card));
        },
        @{ $seen->{legal} });
}

# Add points to the partner's trick: an ace, a face, or else what is worth nothing.
sub give {
    my ($seen) = @_;
    return best(
        sub {
            my $rank = rank(shift);
            ($rank == ACE, $rank >= 5 && $rank < ACE, -$rank);
        },
        @{ $seen->{legal} });
}

# Lose as little as can be: no points, no guard of an ace, from a short suit, low.
sub throw {
    my ($seen) = @_;
    return best(
        sub {
            my ($card) = @_;
            (   -thirds($card), -(rank($card) >= TWO), -guards_ace($seen, $card),
                -in_hand($seen, $card), -rank($card));
        },
        @{ $seen->{legal} });
}

sub is_worth_taking {
    my ($seen, @sure) = @_;
    my $held = sum0 map { thirds($_) } @{ $seen->{trick} };
    my $is_last_trick = @{ $seen->{hand} } == 1 && $seen->{stock_size} == 0;
    return $held >= POINT || $is_last_trick || any { rank($_) == ACE } @sure;
}

# Whether nobody else can hold a higher card of the suit.
sub is_master {
    my ($seen, $card) = @_;
    my %known = map { $_ => 1 } map { @{ $seen->{$_} } } qw(hand history trick);
    return all { $known{ suit($card) . $_ } } split //, substr '4567JHKA23', rank($card);
}

# Whether the partner led this suit and has always followed it.
sub is_partners {
    my ($seen, $suit) = @_;
    my ($seat, @sides) = ($seen->{seat}, @{ $seen->{sides} });
    my $partner = first { $_ != $seat && $sides[$_] == $sides[$seat] } 0 .. $#sides;
    return 0 if !defined $partner;
    my @history = @{ $seen->{history} };
    my $has_led = 0;
    for my $leader (@{ $seen->{trick_leaders} }) {
        my @trick = splice @history, 0, scalar @sides;
        next if suit($trick[0]) ne $suit;
        return 0 if suit($trick[ ($partner - $leader) % @sides ]) ne $suit;
        $has_led ||= $leader == $partner;
    }
    return $has_led;
}

# Whether an ace in the hand needs this card to outlast the 3 and the 2.
sub guards_ace {
    my ($seen, $card) = @_;
    my $ace = suit($card) . 'A';
    my $is_held = any { $_ eq $ace } @{ $seen->{hand} };
    return $is_held && !is_master($seen, $ace) && in_hand($seen, $card) <= 3 ? 1 : 0;
}

# How many cards of a card's suit the hand has.
sub in_hand {
    my ($seen, $card) = @_;
    return scalar grep { suit($_) eq suit($card) } @{ $seen->{hand} };
}

$| = 1;    # flush each line: an answer that waits in a buffer is a late one
binmode STDERR, ':utf8';
my %sides;    # by table

while (my $line = <STDIN>) {
    my $message = decode_json($line);
    if (my $started = $message->{match_started}) {
        $sides{ $started->{table} } = $started->{sides};
    } elsif (my $asked = $message->{decision}) {
        my $question = $asked->{card} or next;    # a question that this bot does not know
        my %seen = (
            %{ $asked->{observation} },
            legal => $question->{legal},
            sides => $sides{ $asked->{table} },
        );
        my %answer = (decision_id => $asked->{decision_id}, card => choose(\%seen));
        print encode_json({ answer => \%answer }), "\n";
    } elsif (my $rejected = $message->{rejected}) {
        warn "rejected: $rejected->{message}\n";
    }
}
