// Greedy, in C: cash what nobody can beat; lead from length; give points to the partner's
// trick; take points when it is sure; throw away what is worth nothing. No look-ahead.
//
// Speaks lines: one JSON object a line on stdin, one a line on stdout. Every key stands in the
// order of proto/arena/v1/play.proto and without blanks, so that strstr finds all it needs.

#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CARDS = 40, ACE = 8, TWO = 9, POINT = 3 };  // ranks from 1; thirds

static const char SUITS[] = "DCSB", RANKS[] = "4567JHKA23";  // weakest first

// A card is a number from 1: of two cards of one suit the greater wins. See cards.proto.
static int suit(int card) { return (card - 1) / 10; }
static int rank(int card) { return (card - 1) % 10 + 1; }
static int thirds(int card) { return rank(card) == ACE ? 3 : rank(card) >= 5 ? 1 : 0; }

struct list { int size, at[CARDS]; };  // cards, or seats

// What this seat sees at one decision.
struct table {
    int seat, leader, stock, partner;  // partner: -1 where there is none
    struct list sides;               // by seat
    struct list legal, hand, trick, history, leaders;
    bool known[CARDS + 1];  // in the hand, on the table, or gone
};

// The value of a card: the greater the better.
typedef int value_of(const struct table *, int card);

// The card of greatest value, the first of equals.
static int best(const struct table *t, const struct list *cards, value_of *value)
{
    int found = cards->at[0];
    for (int i = 1; i < cards->size; i++)
        if (value(t, cards->at[i]) > value(t, found))
            found = cards->at[i];
    return found;
}

// Numbers from -9 to 9 as one: what comes first counts most.
static int then(int first, int next) { return 20 * first + next; }

static int in_hand(const struct table *t, int card)  // how many of its suit
{
    int count = 0;
    for (int i = 0; i < t->hand.size; i++)
        count += suit(t->hand.at[i]) == suit(card);
    return count;
}

// Whether nobody else can hold a higher card of the suit.
static bool is_master(const struct table *t, int card)
{
    for (int higher = card + 1; higher <= 10 * (suit(card) + 1); higher++)
        if (!t->known[higher])
            return false;
    return true;
}

// Whether an ace in the hand needs this card to outlast the 3 and the 2.
static bool guards_ace(const struct table *t, int card)
{
    const int ace = 10 * suit(card) + ACE;
    bool held = false;
    for (int i = 0; i < t->hand.size; i++)
        held |= t->hand.at[i] == ace;
    return held && !is_master(t, ace) && in_hand(t, card) <= 3;
}

// Whether the partner led this card's suit and has always followed it.
static bool is_partners(const struct table *t, int card)
{
    const int seats = t->sides.size;
    bool has_led = false;
    for (int at = 0; at < t->history.size; at++) {
        const bool is_partner = (t->leaders.at[at / seats] + at) % seats == t->partner;
        if (!is_partner || suit(t->history.at[at - at % seats]) != suit(card))
            continue;
        if (suit(t->history.at[at]) != suit(card))
            return false;
        has_led |= at % seats == 0;
    }
    return has_led;
}

// Cash a card that nobody can beat: from the longest suit, the highest.
static int cash(const struct table *t, int card) { return then(in_hand(t, card), rank(card) - 10); }

// Lead low from the longest suit, the partner's first.
static int lead_low(const struct table *t, int card)
{
    const int keeps = then(-guards_ace(t, card), -thirds(card));
    return then(then(then(keeps, is_partners(t, card)), in_hand(t, card) - 5), 1 - rank(card));
}

// Add points to the partner's trick: an ace, a face, or else what is worth nothing.
static int give(const struct table *t, int card)
{
    const bool is_face = thirds(card) == 1 && rank(card) < ACE;
    (void)t;
    return then(then(rank(card) == ACE, is_face), 1 - rank(card));
}

// Win with an ace, which is safe now, else with the cheapest card.
static int take(const struct table *t, int card)
{
    (void)t;
    return then(rank(card) == ACE, 1 - rank(card));
}

// Lose as little as can be: no points, no guard of an ace, from a short suit, low.
static int throw_away(const struct table *t, int card)
{
    const int keeps = then(then(-thirds(card), -(rank(card) >= TWO)), -guards_ace(t, card));
    return then(then(keeps, 5 - in_hand(t, card)), 1 - rank(card));
}

static int choose(const struct table *t)
{
    if (t->trick.size == 0) {
        struct list masters = {0};
        for (int i = 0; i < t->legal.size; i++)
            if (is_master(t, t->legal.at[i]))
                masters.at[masters.size++] = t->legal.at[i];
        return masters.size > 0 ? best(t, &masters, cash) : best(t, &t->legal, lead_low);
    }
    const int led = suit(t->trick.at[0]);
    int place = 0, held = 0;
    for (int i = 0; i < t->trick.size; i++) {
        held += thirds(t->trick.at[i]);
        if (suit(t->trick.at[i]) == led && t->trick.at[i] > t->trick.at[place])
            place = i;
    }
    const int winning = t->trick.at[place], winner = (t->leader + place) % t->sides.size;
    const bool is_last = t->trick.size == t->sides.size - 1;
    if (winner == t->partner && (is_last || is_master(t, winning)))
        return best(t, &t->legal, give);

    struct list sure = {0};
    bool is_worth_it = held >= POINT || (t->hand.size == 1 && t->stock == 0);  // the last trick
    for (int i = 0; i < t->legal.size; i++) {
        const int card = t->legal.at[i];
        if (suit(card) == led && card > winning && (is_last || is_master(t, card))) {
            sure.at[sure.size++] = card;
            is_worth_it |= rank(card) == ACE;
        }
    }
    return sure.size > 0 && is_worth_it ? best(t, &sure, take) : best(t, &t->legal, throw_away);
}

// Point at what follows a key, or nowhere.
static const char *after(const char *line, const char *key)
{
    const char *found = line ? strstr(line, key) : NULL;
    return found ? found + strlen(key) : NULL;
}

static int number(const char *line, const char *key)
{
    const char *text = after(line, key);
    return text ? atoi(text) : 0;
}

// Read a list of cards, ["D4","D7"], or of numbers, [0,3].
static void read_list(const char *line, const char *key, struct list *list)
{
    list->size = 0;
    for (const char *text = after(line, key); text && *text && *text != ']'; text++) {
        if (list->size == CARDS)
            return;
        if (*text == '"') {
            const long suit = strchr(SUITS, text[1]) - SUITS, rank = strchr(RANKS, text[2]) - RANKS;
            list->at[list->size++] = (int)(10 * suit + rank + 1);
            text += 3;
        } else if (*text != ',') {
            list->at[list->size++] = atoi(text);
        }
    }
}

static void know(struct table *t, const struct list *cards)
{
    for (int i = 0; i < cards->size; i++)
        t->known[cards->at[i]] = true;
}

static void read_decision(const char *line, struct table *t)
{
    const char *seen = after(line, "\"observation\":{");
    t->seat = number(seen, "\"seat\":");
    t->leader = number(seen, "\"leader\":");
    t->stock = number(seen, "\"stock_size\":");
    read_list(line, "\"legal\":[", &t->legal);
    read_list(seen, "\"hand\":[", &t->hand);
    read_list(seen, "\"trick\":[", &t->trick);
    read_list(seen, "\"history\":[", &t->history);
    read_list(seen, "\"trick_leaders\":[", &t->leaders);
    memset(t->known, 0, sizeof t->known);
    know(t, &t->hand);
    know(t, &t->trick);
    know(t, &t->history);
    t->partner = -1;
    for (int seat = 0; seat < t->sides.size; seat++)
        if (seat != t->seat && t->sides.at[seat] == t->sides.at[t->seat])
            t->partner = seat;
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    struct table table = {0};

    setvbuf(stdout, NULL, _IOLBF, 0);  // flush each line: a buffered answer is a late one
    while (getline(&line, &size, stdin) > 0) {
        if (after(line, "\"match_started\":{")) {
            read_list(line, "\"sides\":[", &table.sides);
        } else if (after(line, "\"card\":{\"legal\":[")) {  // all else is news
            read_decision(line, &table);
            const int decision = number(line, "\"decision_id\":"), card = choose(&table);
            printf("{\"answer\":{\"decision_id\":%d,\"card\":\"%c%c\"}}\n", decision,
                   SUITS[suit(card)], RANKS[rank(card) - 1]);
        }
    }
    free(line);
    return 0;
}
