#!/usr/bin/env bash
# Greedy, in bash: cash what nobody can beat; lead from length; give points to the partner's
# trick; take points when it is sure; throw away what is worth nothing. No look-ahead.
#
# Speaks lines: one JSON object a line on stdin, one a line on stdout. A function that finds
# something leaves it in a variable: a subshell for each would take longer than the thinking.

readonly ACE=8 TWO=9 POINT=3 # ranks, weakest first from 1; thirds

# A card is a number from 1: of two cards of one suit the greater wins. By card:
declare -a NAME SUIT RANK THIRDS
declare -A NUMBER # by name
for suit in D C S B; do
  for rank in 4 5 6 7 J H K A 2 3; do # weakest first
    card=$((${#NUMBER[@]} + 1))
    NUMBER[$suit$rank]=$card NAME[card]=$suit$rank
    SUIT[card]=$(((card - 1) / 10)) RANK[card]=$(((card - 1) % 10 + 1))
    THIRDS[card]=$((RANK[card] == ACE ? 3 : RANK[card] >= 5))
  done
done

# What this seat sees at one decision: seat, leader, stock, partner (-1 where there is none), and
declare -a sides=() legal=() hand=() trick=() history=() leaders=()
declare -a known=()      # by card: whether it is in the hand, on the table, or gone
declare -a in_hand=()    # by suit: how many cards the hand has
declare -a guards_ace=() # by suit: whether an ace in the hand needs all of it to outlast 3 and 2
declare -a partners=()   # by suit: whether the partner led it and has always followed it

# Find the card of greatest value, the first of equals; $1 names what works out that of $one.
best() {
  local value_of=$1 one suit value most=
  shift
  for one; do
    suit=${SUIT[one]}
    "$value_of"
    if [[ -z $most ]] || ((value > most)); then most=$value card=$one; fi
  done
}

# Values, the greater the better: two digits for each thing, what counts most first.
cash() { ((value = 100 * in_hand[suit] + RANK[one])); }
lead_low() { # no guard of an ace, no points, the partner's suit, a long one, low
  ((value = 100 * (-100 * guards_ace[suit] - THIRDS[one]) + partners[suit]))
  ((value = 10000 * value + 100 * in_hand[suit] - RANK[one]))
}
give() { # an ace, a face, or else what is worth nothing
  local is_ace=$((RANK[one] == ACE)) is_face=$((THIRDS[one] == 1 && RANK[one] < ACE))
  ((value = 10000 * is_ace + 100 * is_face - RANK[one]))
}
take() { ((value = 100 * (RANK[one] == ACE) - RANK[one])); } # an ace, or what is cheapest
throw() { # no points, no guard of an ace, from a short suit, low
  ((value = -10000 * THIRDS[one] - 100 * (RANK[one] >= TWO) - guards_ace[suit]))
  ((value = 10000 * value - 100 * in_hand[suit] - RANK[one]))
}

# Whether nobody else can hold a higher card of the suit.
is_master() {
  local higher suit=${SUIT[$1]}
  for ((higher = $1 + 1; SUIT[higher] == suit; higher++)); do
    ((known[higher])) || return 1
  done
}

# Find the card to play.
choose() {
  local one winning=0 place=0 held=0 is_last is_worth_it
  local -a masters=() sure=()
  if ((${#trick[@]} == 0)); then
    for one in "${legal[@]}"; do
      if is_master "$one"; then masters+=("$one"); fi
    done
    if ((${#masters[@]} > 0)); then best cash "${masters[@]}"; else best lead_low "${legal[@]}"; fi
    return
  fi
  for one in "${!trick[@]}"; do
    ((held += THIRDS[trick[one]]))
    if ((SUIT[trick[one]] == SUIT[trick[0]] && trick[one] > winning)); then
      place=$one winning=${trick[one]}
    fi
  done
  ((is_last = ${#trick[@]} == ${#sides[@]} - 1))
  if (((leader + place) % ${#sides[@]} == partner)); then
    if ((is_last)) || is_master "$winning"; then
      best give "${legal[@]}"
      return
    fi
  fi
  ((is_worth_it = held >= POINT || (${#hand[@]} == 1 && stock == 0))) # the last trick
  for one in "${legal[@]}"; do
    if ((SUIT[one] == SUIT[winning] && one > winning)); then
      if ((is_last)) || is_master "$one"; then
        sure+=("$one")
        ((is_worth_it |= RANK[one] == ACE))
      fi
    fi
  done
  if ((${#sure[@]} > 0 && is_worth_it)); then
    best take "${sure[@]}"
  else
    best throw "${legal[@]}"
  fi
}

# Work out what the hand, the cards that are gone and the tricks say.
look() {
  local one suit ace
  known=() in_hand=(0 0 0 0) guards_ace=(0 0 0 0) partners=(0 0 0 0) partner=-1
  for one in "${hand[@]}" "${trick[@]}" "${history[@]}"; do known[one]=1; done
  for one in "${hand[@]}"; do ((++in_hand[SUIT[one]])); done
  for suit in 0 1 2 3; do
    ace=$((10 * suit + ACE))
    if [[ " ${hand[*]} " == *" $ace "* ]] && ! is_master "$ace" && ((in_hand[suit] <= 3)); then
      guards_ace[suit]=1
    fi
  done
  for one in "${!sides[@]}"; do
    if ((one != seat && sides[one] == sides[seat])); then partner=$one; fi
  done
  if ((partner >= 0 && ${#trick[@]} == 0)); then look_at_partner; fi
}

look_at_partner() {
  local one suit theirs at=0 seats=${#sides[@]}
  local -a lacks=(0 0 0 0)
  for one in "${leaders[@]}"; do
    suit=${SUIT[history[at]]} theirs=${history[at + (partner - one + seats) % seats]}
    if ((one == partner)); then partners[suit]=1; fi
    if ((SUIT[theirs] != suit)); then lacks[suit]=1; fi
    ((at += seats))
  done
  for suit in 0 1 2 3; do ((partners[suit] &= !lacks[suit])); done
}

# Read the cards or numbers of a list of a line into an array: $1 is its key, $2 the array.
read_list() {
  local -n into=$2
  local text=${line#*"\"$1\":["} one
  text=${text%%]*}
  into=()
  for one in ${text//[\",]/ }; do into+=("${NUMBER[$one]:-$one}"); done
}

read_number() { # $1 is its key, $2 the variable
  local text=${line#*"\"$1\":"}
  printf -v "$2" %s "${text%%[!0-9]*}"
}

while IFS= read -r line; do
  if [[ $line == *'"match_started":{'* ]]; then
    read_list sides sides
  elif [[ $line == *'"card":{"legal":['* ]]; then # all else is news
    read_number decision_id decision
    read_list legal legal
    line=${line#*'"observation":{'}
    read_number seat seat
    read_number leader leader
    read_number stock_size stock
    read_list hand hand
    read_list trick trick
    read_list history history
    read_list trick_leaders leaders
    look
    choose
    echo "{\"answer\":{\"decision_id\":$decision,\"card\":\"${NAME[card]}\"}}"
  fi
done
